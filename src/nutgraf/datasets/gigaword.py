"""Annotated Gigaword for headline generation (Rush, Chopra and Weston 2015).

An example is the first sentence of an article and its headline.

Reads pairs of text files as released (`train.article.txt` and `train.title.txt`, `valid.article.filter.txt` and
`valid.title.filter.txt`; for the test `input.txt` and `task1_ref0.txt`) or as others prepared them (`train.src.txt` and
`train.tgt.txt`), or JSON lines, Parquet or CSV (`document` and `summary`). Digits become #, and words that the release
replaced become "unk". The release's folders of DUC, which have an `input.txt`, too, are those of the kind duc2004.

Training and validation pairs are filtered as in the published code. It searches for bad words anywhere in a headline,
so that "ap", the agency, also matches "Japan"; we compare whole words. Test pairs are not filtered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nutgraf.datasets import Dataset, Drop, Record, Row, ignore
from nutgraf.datasets._pairs import companion, line_pairs
from nutgraf.datasets._rows import field
from nutgraf.datasets._splits import split_named
from nutgraf.presets.ranges import NonNegativeInt, check_rising
from nutgraf.text.document import Document
from nutgraf.text.json_document import text_from_json

BAD_WORDS = frozenset(
    "update# update recasts undated grafs corrects retransmitting updates dateline writethru recaps inserts "
    "incorporates adv## ld-writethru djlfx edits byline repetition background thruout quotes attention ny### overline "
    "embargoed ap gmt adds embargo urgent ? i : - by -lrb- -rrb-".split()
)
"""Words of wire services, bylines and non-sentences; headlines that contain one are skipped."""

_RENAMED = ((".article", ".title"), (".src", ".tgt"), ("input", "task1_ref0"))
_DIGIT = re.compile(r"\d")
_REPLACED = re.compile(r"<unk>|\[UNK\]|\bUNK\b")


@dataclass(frozen=True)
class Config:
    """Annotated Gigaword."""

    filter_pairs: bool = True
    """Filter training and validation pairs."""

    article_range: tuple[NonNegativeInt, NonNegativeInt] = (11, 99)
    """Smallest and largest number of words in an article."""

    title_range: tuple[NonNegativeInt, NonNegativeInt] = (4, 49)
    """Smallest and largest number of words in a headline."""

    min_shared_length: int = 4
    """Article and headline must share a word of at least this many letters."""

    def __post_init__(self) -> None:
        check_rising(self, "article_range", "title_range")


class Gigaword(Dataset):
    """A document of one sentence, and a reference of one sentence."""

    config: Config

    def reads(self, path: Path) -> bool:
        """Return True if a file holds first sentences, judging by its name."""
        return super().reads(path) or _is_paired(path)

    def split_of(self, path: Path) -> str | None:
        """Return the split that a file's name indicates; the released test data is called "input"."""
        return "test" if path.name.startswith("input.") else split_named(path)

    def rows(self, path: Path) -> Iterator[Row]:
        """Yield the rows of a file; see `Dataset`."""
        if not _is_paired(path):
            yield from super().rows(path)
            return
        for pair in line_pairs(path, companion(path, _RENAMED)):
            yield Row(path, pair.number, pair.content({"document": pair.source, "summary": pair.target}))

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row; see `Dataset`."""
        article, title = _article_and_title(row)
        filtered = self.config.filter_pairs and self.split_of(row.file) != "test"
        why = self._unfit(article.lower().split(), title.lower().split()) if filtered else ""
        if why:
            drop(why)
            return None
        name = self.id_of(row)
        document = Document.of(article, name, language="en", sentences=[(0, len(article))])
        return Record(name, document, ((title,),) if title else ())

    def _unfit(self, article: list[str], title: list[str]) -> str:
        """Return why a pair is skipped, or ""."""
        for what, tokens, (fewest, most) in (
            ("article", article, self.config.article_range),
            ("headline", title, self.config.title_range),
        ):
            if not fewest <= len(tokens) <= most:
                return f"{what} of fewer than {fewest} or more than {most} words"
        if "." not in article:
            return "article without a full stop"
        if not BAD_WORDS.isdisjoint(title):
            return "headline with a word of the wire service"
        long = {word for word in title if len(word) >= self.config.min_shared_length}
        return "" if long & set(article) else "no long word in common"


def _is_paired(path: Path) -> bool:
    """Return True for a file of sentences whose headlines are in another one."""
    if path.name.startswith("input."):
        return not path.parent.name.lower().startswith("duc")
    return ".article" in path.name or ".src" in path.suffixes


def _article_and_title(row: Row) -> tuple[str, str]:
    entry = row.entry
    documents = entry.get("documents")
    article = " ".join(documents) if isinstance(documents, list) else entry.get("article")
    if article is None:
        article = field(row, "document")
    title = next((entry[name] for name in ("summary", "title", "headline") if entry.get(name)), "")
    return _normal(text_from_json(article, f"{row.where}: the article")), _normal(
        text_from_json(title, f"{row.where}: the title")
    )


def _normal(text: str) -> str:
    """Replace line breaks by spaces and digits by #."""
    return " ".join(_DIGIT.sub("#", _REPLACED.sub("unk", text)).split())
