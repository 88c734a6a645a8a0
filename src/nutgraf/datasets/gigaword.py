"""Annotated Gigaword for headlines (Rush, Chopra and Weston 2015): the first sentence of an article and its headline.

Read from pairs of text files as they were released (`train.article.txt` and `train.title.txt`,
`valid.article.filter.txt` and `valid.title.filter.txt`; for the test `input.txt` and `task1_ref0.txt`), or from JSON
lines, Parquet or CSV (`document` and `summary`). Digits become #, and words that the release replaced become "unk".

Training and validation pairs are filtered as the published code does. It looks for bad words anywhere in a headline, so
that "ap", the agency, also finds "Japan"; ours are whole words. Test pairs are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nutgraf.datasets import Dataset, Drop, Record, Row, ignore
from nutgraf.datasets._pairs import companion, pairs
from nutgraf.datasets._rows import field
from nutgraf.datasets._splits import split_named
from nutgraf.text.document import Document
from nutgraf.text.json_document import text_from_json

BAD_WORDS = frozenset(
    "update# update recasts undated grafs corrects retransmitting updates dateline writethru recaps inserts "
    "incorporates adv## ld-writethru djlfx edits byline repetition background thruout quotes attention ny### overline "
    "embargoed ap gmt adds embargo urgent ? i : - by -lrb- -rrb-".split()
)
"""Words of wire services, of bylines and of what is no sentence; none stands in a headline that is kept."""

_RENAMED = ((".article", ".title"), ("input", "task1_ref0"))
_DIGIT = re.compile(r"\d")
_REPLACED = re.compile(r"<unk>|\bUNK\b")


@dataclass(frozen=True)
class Config:
    """filtered: whether training and validation pairs are filtered. article, title: fewest and most words of each.
    shared: letters from which on a word that both have shows that they belong together."""

    filtered: bool = True
    article: tuple[int, ...] = (11, 99)
    title: tuple[int, ...] = (4, 49)
    shared: int = 4

    def __post_init__(self) -> None:
        for name in ("article", "title"):
            bounds = getattr(self, name)
            if len(bounds) != 2 or not 0 <= bounds[0] <= bounds[1]:
                raise ValueError(f"{name} should be the fewest and the most words, as [4, 49], not {list(bounds)}.")


class Gigaword(Dataset):
    """A document of one sentence, and a reference of one sentence."""

    def __init__(self, config: Config) -> None:
        self.config = config

    def reads(self, path: Path) -> bool:
        """Whether a file holds first sentences, as far as its name tells."""
        return super().reads(path) or ".article" in path.name or path.name.startswith("input.")

    def split_of(self, path: Path) -> str | None:
        """The released test data is called "input"."""
        return "test" if path.name.startswith("input.") else split_named(path)

    def rows(self, path: Path) -> Iterator[Row]:
        """See Dataset."""
        if ".article" not in path.name and not path.name.startswith("input."):
            yield from super().rows(path)
            return
        for pair in pairs(path, companion(path, _RENAMED)):
            yield Row(path, pair.number, {"document": pair.source, "summary": pair.target})

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """See Dataset."""
        article, title = _article_and_title(row)
        filtered = self.config.filtered and self.split_of(row.file) != "test"
        why = self._unfit(article.lower().split(), title.lower().split()) if filtered else ""
        if why:
            drop(why)
            return None
        name = str(row.entry.get("id", row.number))
        document = Document.of(article, name, language="en", sentences=[(0, len(article))])
        return Record(name, document, ((title,),) if title else ())

    def _unfit(self, article: list[str], title: list[str]) -> str:
        """Why a pair is passed over; "" for one that is not."""
        for what, tokens, (fewest, most) in (
            ("article", article, self.config.article),
            ("headline", title, self.config.title),
        ):
            if not fewest <= len(tokens) <= most:
                return f"{what} of fewer than {fewest} or more than {most} words"
        if "." not in article:
            return "article without a full stop"
        if not BAD_WORDS.isdisjoint(title):
            return "headline with a word of the wire service"
        long = {word for word in title if len(word) >= self.config.shared}
        return "" if long & set(article) else "no long word in common"


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
    """On one line, with # for digits."""
    return " ".join(_DIGIT.sub("#", _REPLACED.sub("unk", text)).split())
