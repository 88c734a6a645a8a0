"""Multi-News (Fabbri et al. 2019): two to ten news articles and an editor's summary of them.

Reads JSON lines, Parquet or CSV (`documents` as a list, or `document` with the articles separated by |||||), or pairs
of text files as released (`NAME.src` and `NAME.tgt`, also `NAME.src.cleaned`), one example per line, with line breaks
as the word NEWLINE_CHAR.

Buttons of web pages that were taken for text ("click to share on …") are removed, as in the published preparation.
Clusters of fewer than two or more than ten articles are skipped, as in the paper; articles are counted after cleaning,
and empty ones do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nutgraf.datasets import Dataset, Drop, Record, Row, ignore
from nutgraf.datasets._pairs import companion, line_pairs
from nutgraf.datasets._references import references_of
from nutgraf.presets.ranges import PositiveInt, check_rising
from nutgraf.text.json_document import document_from_json, text_from_json
from nutgraf.text.tokenize import sentence_texts

_SEPARATOR = re.compile(r"\|{5}|\bstory_separator_special_tag\b")
_LINE_BREAK = re.compile(r" ?\bNEWLINE_CHAR\b ?", re.IGNORECASE)

_NETWORKS = "facebook|twitter|pinterest|tumblr|google ?\\+|whatsapp"
BOILERPLATE = re.compile(
    rf"""
    \( \s? opens \s in \s new \s window \s? \)
    | click \s to \s email \s this \s to \s a \s friend
    | c? lick \s to \s share \s on \s (?: {_NETWORKS} )
    | share \s on \s (?: facebook | twitter )
    | feel \s free \s to \s share \s these \s resources .{{0,80}}? other \s platforms
    | share \s share \s tweet \s link
    | e-mail \s article \s print \s share
    | read \s or \s share \s this \s story \s? :
    | share \s the \s map \s view \s in \s e-mail .{{0,500}}? this \s form \s? \.
    | share \s this \s article \s share \s tweet \s post \s email
    | skip \s in \s skip \s x \s embed \s x \s share \s close
    | share \s tweet \s pin \s email
    | feel \s free \s to \s weigh-in .{{0,200}}? on \s twitter \s? \.
    | follow \s us \s on \s facebook \s? , \s twitter \s? , \s instagram \s and \s youtube
    | follow \s us \s on \s (?: twitter | facebook )
    | follow \s on \s twitter
    | play \s facebook \s twitter \s (?: google \s plus \s )? embed
    | enlarge \s icon \s pinterest \s icon \s close \s icon
    | autoplay \s autoplay \s copy \s this \s code \s to \s your \s website \s or \s blog
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Text that web pages add to their articles: the list of the published preparation, case-insensitive."""


@dataclass(frozen=True)
class Config:
    """Multi-News clusters."""

    document_range: tuple[PositiveInt, PositiveInt] = (2, 10)
    """Smallest and largest number of articles in a cluster; other clusters are skipped."""

    def __post_init__(self) -> None:
        check_rising(self, "document_range")


class MultiNews(Dataset):
    """Articles are the parts of a Document; empty ones are dropped."""

    config: Config
    suffixes = (*Dataset.suffixes, ".src")

    def rows(self, path: Path) -> Iterator[Row]:
        """Yield the rows of a file; see `Dataset`."""
        return _pairs(path) if ".src" in path.suffixes else super().rows(path)

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row; see `Dataset`."""
        name, entry = self.id_of(row), dict(row.entry)
        if isinstance(entry.get("document"), str):
            entry["documents"] = articles(entry.pop("document"))
        if isinstance(entry.get("documents"), list):
            texts = [text_from_json(one, f"{row.where}: 'documents'") for one in entry["documents"]]
            entry["documents"] = [BOILERPLATE.sub("", text) for text in texts]
        document = document_from_json(entry, name, row.where, language="en")
        fewest, most = self.config.document_range
        if not fewest <= len(document.parts) <= most:
            few = len(document.parts) < fewest
            drop(f"fewer than {fewest} articles" if few else f"more than {most} articles")
            return None
        return Record(id=name, document=document, references=references_of(entry, row.where, sentence_texts))


def articles(line: str) -> list[str]:
    """Split one line into its articles."""
    stories = (_LINE_BREAK.sub("\n", story).strip() for story in _SEPARATOR.split(line))
    return [story for story in stories if story]


def _pairs(source: Path) -> Iterator[Row]:
    for pair in line_pairs(source, companion(source, ((".src.cleaned", ".tgt"), (".src", ".tgt")))):
        entry = {"document": pair.source, "summary": _LINE_BREAK.sub("\n", pair.target)}
        yield Row(source, pair.number, pair.content(entry))
