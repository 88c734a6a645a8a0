"""Questions with the sentences that answer them, read from the labelled sets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from nutgraf.readers.reading import read
from nutgraf.text.document import Document

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@dataclass(frozen=True)
class Labelled:
    """A question about a text; `golds` are the indices of the sentences that answer it."""

    path: str
    document: Document
    question: str
    kind: str
    golds: frozenset[int]
    answered: bool


def own() -> Iterator[Labelled]:
    """Questions of `learned.txt` and `learned2.txt`."""
    path, document, question, kind, snippets = "", None, "", "", list[str]()

    def done() -> Iterator[Labelled]:
        if question and document is not None:
            yield _labelled(path, document, question, kind, snippets)

    for line in "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("learned*.txt"))).splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "@":
            yield from done()
            path, _, language = rest.partition(" ")
            document, question = read(ROOT / path, language)[0], ""
        elif mark == "?":
            yield from done()
            kind, _, question = rest.partition(" | ")
            snippets = []
        elif mark == "=":
            snippets.append(rest)
    yield from done()


def held_out(name: str = "questions.json") -> Iterator[Labelled]:
    """Questions of `questions.json` or `strangers.json`, from which nothing is learned."""
    documents: dict[tuple[str, str | None], Document] = {}
    for one in json.loads((HERE / name).read_text(encoding="utf-8")):
        key = one["text"], one.get("record")
        if key not in documents:
            documents[key] = _record(ROOT / key[0], key[1], one["language"])
        yield _labelled(one["text"], documents[key], one["question"], one.get("kind", ""), one["quotes"])


def _record(path: Path, record: str | None, language: str) -> Document:
    """The document of a file, or of one record of a file of records."""
    found = read(path, language)
    if record is None:
        return found[0]
    ids = [json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()]
    return found[ids.index(record)]


def _flat(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _labelled(path: str, document: Document, question: str, kind: str, quotes: list[str]) -> Labelled:
    golds = set()
    for quote in map(_flat, quotes):
        hit = [i for i, text in enumerate(document.printed) if quote in _flat(text)]
        hit = hit or [i for i, text in enumerate(document.printed) if len(_flat(text)) > 12 and _flat(text) in quote]
        hit = hit or [
            i for i, text in enumerate(document.printed) if len(_flat(text)) > 3 and quote.startswith(_flat(text))
        ]
        if not hit:
            print("not found:", path, "|", question, "|", quote[:60])
        golds.update(hit)
    return Labelled(path, document, question, kind, frozenset(golds), bool(quotes))


def without_answer(one: Labelled) -> Labelled:
    """The same question about the text without the sentences that answer it."""
    kept = tuple(span for index, span in enumerate(one.document.sentences) if index not in one.golds)
    document = replace(one.document, sentences=kept)
    return replace(one, document=document, golds=frozenset(), answered=False)
