"""Multi-News (Fabbri et al. 2019): two to ten news articles and an editor's summary of them.

Read from JSON lines (`documents` as a list, or `document` with the articles parted by |||||), or from the pair of text
files `NAME.src` and `NAME.tgt`, one example a line, in which line breaks are the word NEWLINE_CHAR.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from nutgraf.dataset import Dataset, Record
from nutgraf.dataset._references import references_of
from nutgraf.errors import InputError
from nutgraf.presets.family import NoOptions
from nutgraf.text.forms import document_of
from nutgraf.text.lines import Entry, read_lines, text_lines
from nutgraf.text.tokenize import sentence_spans

_SEPARATOR = re.compile(r"\|{5}|\bstory_separator_special_tag\b")
_LINE_BREAK = re.compile(r" ?\bNEWLINE_CHAR\b ?")


class MultiNews(Dataset):
    """Articles are the parts of a Document; empty ones are dropped."""

    def __init__(self, config: NoOptions) -> None:
        self.config = config

    def read(self, path: Path) -> Iterator[Record]:
        """Examples in file order, lazily. Raises InputError naming file and line."""
        entries = _pairs(path) if ".src" in path.suffixes else read_lines(path)
        for number, entry in entries:
            where, name = f"{path}, line {number}", str(entry.get("id", number))
            if isinstance(entry.get("document"), str):
                entry["documents"] = articles(entry.pop("document"))
            document = document_of(entry, name, where, language="en")
            yield Record(id=name, document=document, references=references_of(entry, where, _split))


def articles(line: str) -> list[str]:
    """The articles of an example that stands on one line."""
    stories = (_LINE_BREAK.sub("\n", story).strip() for story in _SEPARATOR.split(line))
    return [story for story in stories if story]


def _pairs(source: Path) -> Iterator[tuple[int, Entry]]:
    target = source.with_name(source.name.replace(".src", ".tgt"))
    for one, other in zip_longest(text_lines(source), text_lines(target)):
        if one is None or other is None:
            raise InputError(f"{source} and {target} should have a line for each example, but one of them is longer.")
        (number, line), (_, summary) = one, other
        yield number, {"document": line, "summary": _LINE_BREAK.sub("\n", summary)}


def _split(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in sentence_spans(text))
