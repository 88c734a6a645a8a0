"""How well leanings are found in real documents: precision and recall against labels that readers gave.

    python benchmarks/leaning.py [--data DATA]

Readers (sessions of a language model, not people) saw a sentence behind the first one of its document, and said if it
stands there by itself (`leaning_labels.json`: corpus, document, language, digest of the sentence, label, what it leans
by). Sentences that stand once a connective is cut count as leaning; broken ones are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import _data

from nutgraf.prose.dependence import leanings
from nutgraf.text.document import Document

LABELS = Path(__file__).with_name("leaning_labels.json")
LENGTH = 60_000
"""Characters of a document that the readers' sentences come from."""


class Label(NamedTuple):
    """What a reader said of a sentence."""

    corpus: str
    document: str
    language: str
    digest: str
    label: str
    by: str


class Outcome(NamedTuple):
    """What a reader and the program say of a sentence: True if it leans."""

    label: Label
    expected: bool
    found: bool


def main() -> None:
    """Print a line a corpus, a line for what sentences lean by, and the total."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=_data.FOLDER, help="folder of the corpora")
    data = parser.parse_args().data
    labels = [Label(*row) for row in json.loads(LABELS.read_text(encoding="utf-8"))]
    _data.needed(data, *{label.corpus.split("/")[0] for label in labels})
    rows: dict[str, list[Outcome]] = defaultdict(list)
    for corpus, group in groupby(labels, key=lambda label: label.corpus):
        for one in outcomes(data / f"{corpus}.jsonl.xz", list(group)):
            for name in (corpus, f"by {one.label.by}" if one.expected else "stands", "all"):
                rows[name].append(one)
    for name, found in sorted(rows.items(), key=lambda row: (row[0] == "all", row[0].startswith(("by", "stands")))):
        print(f"{name:24} {len(found):5} {described(found)}")


def outcomes(file: Path, labels: list[Label]) -> Iterator[Outcome]:
    """Yield what is found for each labeled sentence of a corpus that is still split as it was."""
    texts = texts_of(file, {label.document for label in labels})
    for name, group in groupby(labels, key=lambda label: label.document):
        chosen = list(group)
        document = Document.of(texts[name], language=chosen[0].language)
        places = {digest(text): index for index, text in enumerate(document.printed)}
        for label in chosen:
            index = places.get(label.digest)
            if index is not None and label.label != "broken":
                leaning = leanings(document)[index]
                yield Outcome(label, label.label != "stands", leaning is not None and leaning.leans)


def texts_of(file: Path, names: set[str]) -> dict[str, str]:
    """Return the beginnings of some documents of a corpus by their ids; of several with one id, the first."""
    found: dict[str, str] = {}
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if (name := str(record.get("id"))) in names:
                found.setdefault(name, text_of(record)[:LENGTH])
    return found


def text_of(record: dict[str, Any]) -> str:
    """Return the first document of a record, its sections, or its turns as a transcript."""
    if record.get("text"):
        return str(record["text"])
    if record.get("documents"):
        return str(record["documents"][0])
    if record.get("sections"):
        return "\n\n".join(
            f"{section.get('name') or ''}\n\n{_joined(section['text'])}" for section in record["sections"]
        )
    return "\n".join(f"{turn['speaker']}: {turn['text']}" for turn in record.get("turns", ()))


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else " ".join(text)


def digest(text: str) -> str:
    """Return the beginning of the digest of a sentence."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def described(outcomes: list[Outcome]) -> str:
    """Return precision and recall in words; the share that is found to lean where only one label occurs."""
    expected, found = sum(one.expected for one in outcomes), sum(one.found for one in outcomes)
    both = sum(one.expected and one.found for one in outcomes)
    if expected in (0, len(outcomes)):
        return f"found to lean: {found / len(outcomes):.2f}"
    return f"leans {expected / len(outcomes):.2f}  precision {both / max(1, found):.2f}  recall {both / expected:.2f}"


if __name__ == "__main__":
    main()
