"""DUC-2004, task 1: a headline of at most 75 bytes for each of 500 news articles, with references by four people.

It is for testing only, since NIST gives it to those who ask and it has no training data. Reads

* NIST's files as people have them: documents in TREC's SGML in folders `d30001t` and so on, such as
  `docs/d30001t/NYT19981016.0303`, and in a folder that they are in, too, the references in `models/1` or
  `eval/models/1`, such as `D30001.P.100.T.A.NYT19981016.0303`, where the fifth part of a name is the person. The option
  `references` names another place. DUC-2003 has the same form;
* first sentences with references line by line, `input.txt` and `task1_ref0.txt` to `task1_ref3.txt`, as in the
  preparation of Rush, Chopra and Weston (2015);
* JSON lines and the like: `documents` or `text`, and `summaries`.

We do not have the release: names and forms are those that scripts of others expect.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from nutgraf.datasets import Dataset, Drop, Part, Record, Row, Splits, ignore
from nutgraf.datasets._pairs import companion, line_pairs
from nutgraf.datasets._references import references_of
from nutgraf.errors import InputError
from nutgraf.runtime.files import reading
from nutgraf.runtime.lines import whole_text
from nutgraf.text.document import Document
from nutgraf.text.json_document import document_from_json
from nutgraf.text.tokenize import sentence_texts

MODELS = ("models/1", "eval/models/1")
"""Places of the references of task 1, in a folder that the documents are in, too."""

ABOVE = 5
"""Folders above a document's in which references are looked for."""

NO_REFERENCE = "document without a reference"

_SET = re.compile(r"d\d{3,5}[a-z]?", re.IGNORECASE)
_MODEL = re.compile(r"D(\d+)\.[A-Z]\.\d+\.[A-Z]\.([A-Z])\.(.+)")
_HEADLINE = re.compile(r"<HEADLINE>(.*?)</HEADLINE>", re.IGNORECASE | re.DOTALL)
_TEXT = re.compile(r"<TEXT>(.*?)</TEXT>", re.IGNORECASE | re.DOTALL)
_PARAGRAPH = re.compile(r"</?P>|\n(?=[ \t]+\S)|\n\s*\n", re.IGNORECASE)
_ANCHOR = re.compile(r"<a\b[^>]*>\s*\[\d+\]\s*</a>|<title>.*?</title>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_TYPESETTING = re.compile(r"&[A-Z]{2,4};")


@dataclass(frozen=True)
class Config:
    """DUC-2004, task 1."""

    first_sentence: bool = False
    """The first sentence alone stands for an article, as for networks that learned from Gigaword."""

    references: str | None = None
    """Folder of the references; absent: `models/1` or `eval/models/1` in the nearest folder above an article."""


ENTRY = {"id": "a", "text": "The harbour is shut . Ice has come early .", "summaries": ["Ice shuts harbour"]}


class Duc2004(Dataset):
    """An article, and the headlines that people wrote of it."""

    config: Config

    def reads(self, path: Path) -> bool:
        """Return True if a file holds articles, judging by its name and its folder's."""
        in_set = _SET.fullmatch(path.parent.name) is not None and not path.name.startswith(".")
        return in_set or path.name.startswith("input.") or super().reads(path)

    def splits(self, path: Path) -> Splits:
        """Return all articles that have references as test data; see `Dataset`."""
        if not path.is_dir():
            return super().splits(path) if not path.exists() else {"test": Part((path,))}
        found = [one for one in sorted(path.rglob("*")) if one.is_file() and self.reads(one)]
        articles = [one for one in found if _SET.fullmatch(one.parent.name)]
        if not articles:
            if len(found) != 1:
                held = ", ".join(one.name for one in found[:5]) or "none of its forms"
                raise InputError(f"One corpus is needed, and {path} holds {held}: name a folder or file with one.")
            return {"test": Part((found[0],))}
        there = tuple(one for one in articles if self._references(one))
        if not there:
            raise InputError(
                f"{path} holds articles but no references to them; these lie in a folder models/1 or eval/models/1, or "
                "in one that --set dataset.references=FOLDER names, with names as "
                f"D{articles[0].parent.name.strip('dDtT')}.P.100.T.A.{articles[0].name}."
            )
        lost = len(articles) - len(there)
        return {"test": Part(there, missing={NO_REFERENCE: lost} if lost else {})}

    def rows(self, path: Path) -> Iterator[Row]:
        """Yield the rows of a file; see `Dataset`."""
        if _SET.fullmatch(path.parent.name):
            yield Row(path, 1, _article(path, self._references(path)), "article")
        elif path.name.startswith("input."):
            first = companion(path, (("input", "task1_ref0"),))
            others = [path.with_name(first.name.replace("ref0", f"ref{number}")) for number in (1, 2, 3)]
            given = [line_pairs(path, one) for one in (first, *others) if one.is_file()]
            for pairs in zip(*given, strict=True):
                written = [pair.target for pair in pairs if pair.target.strip()]
                entry = {"text": pairs[0].source, "summaries": written}
                problem = next((pair.problem for pair in pairs if pair.problem is not None), None)
                yield Row(path, pairs[0].number, problem or entry)
        else:
            yield from super().rows(path)

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row; see `Dataset`."""
        name = self.id_of(row)
        document = document_from_json(row.entry, name, row.where, language="en")
        if self.config.first_sentence and document.sentences:
            text = document.show(document.sentences[0])
            document = Document.of(text, name, language="en", sentences=[(0, len(text))])
        written = references_of(row.entry, row.where, sentence_texts)
        return Record(name, document, written, headline=str(row.entry.get("headline") or ""))

    def _references(self, article: Path) -> list[Path]:
        """Return the references of an article, by person."""
        named = self.config.references
        place = Path(named) if named is not None else _nearest(article.parent)
        number = re.sub(r"\D", "", article.parent.name)
        return _models(place).get((number, article.name.upper()), []) if place is not None else []


def _article(path: Path, references: Sequence[Path]) -> dict[str, object]:
    """Return an article in SGML, and its references."""
    content = whole_text(path)
    texts = _TEXT.findall(content)
    if not texts:
        raise InputError(f"{path} is no article in SGML: it has no <TEXT> … </TEXT>.")
    headline = _HEADLINE.search(content)
    paragraphs = [_plain(part) for text in texts for part in _PARAGRAPH.split(text)]
    return {
        "id": f"{path.parent.name}/{path.name}",
        "text": "\n\n".join(filter(None, paragraphs)),
        "summaries": [_plain(_ANCHOR.sub(" ", whole_text(one))) for one in references],
        "headline": _plain(headline[1]) if headline else "",
    }


def _plain(text: str) -> str:
    """Return a text on one line without tags, and without the typesetters' marks of the agencies."""
    return " ".join(_TYPESETTING.sub(" ", html.unescape(_TAG.sub(" ", text))).split())


@lru_cache(maxsize=256)
def _nearest(folder: Path) -> Path | None:
    """Return the nearest place of references that belong to a set's folder."""
    places = (above / place for above in [*folder.resolve().parents][:ABOVE] for place in MODELS)
    return next((place for place in places if place.is_dir()), None)


@lru_cache(maxsize=4)
def _models(folder: Path) -> dict[tuple[str, str], list[Path]]:
    """Return the references in a folder, by number of the set and name of the article."""
    found: defaultdict[tuple[str, str], list[Path]] = defaultdict(list)
    with reading(folder):
        for file in sorted(folder.iterdir()):
            match = _MODEL.fullmatch(file.name)
            if match is not None:
                found[match[1], match[3].upper()].append(file)
    return dict(found)
