"""CNN/Daily Mail as the pointer-generator had it (See, Liu and Manning 2017): lower-cased, Stanford tokens, spaces
between them.

Sentences end at the tokens . ! ? and at the quotes and brackets that close right after them; nothing else would find
them in a text without capitals. Straight quotes are told apart by turns: the first opens, the next closes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nutgraf.dataset import Dataset, Record
from nutgraf.dataset._references import references_of
from nutgraf.errors import InputError
from nutgraf.presets.family import NoOptions
from nutgraf.text.document import Document
from nutgraf.text.forms import text_of
from nutgraf.text.lines import Entry, read_lines
from nutgraf.text.tokenize import Span

_TOKEN = re.compile(r"\S+")
_ENDS = frozenset([".", "!", "?"])
_CLOSERS = frozenset(["''", "”", "’", ")", "]", "-rrb-", "-rsb-"])
_STRAIGHT = frozenset(["'", '"'])


class CnnDailymail(Dataset):
    """One article and its highlights a line: `documents` (or `article`) and `summary_sents` (or `highlights`, one a
    line of text)."""

    def __init__(self, config: NoOptions) -> None:
        self.config = config

    def read(self, path: Path) -> Iterator[Record]:
        """Examples in file order, lazily. Raises InputError naming file and line."""
        for number, entry in read_lines(path):
            where, name = f"{path}, line {number}", str(entry.get("id", number))
            if "highlights" in entry:
                lines = text_of(entry["highlights"], f"{where}: 'highlights'").split("\n")
                entry["summary_sents"] = [line for line in lines if line.strip()]
            text = _article(entry, where)
            yield Record(
                id=name,
                document=Document.of(text, name, language="en", sentences=token_sentences(text)),
                references=references_of(entry, where, _split),
            )


def _article(entry: Entry, where: str) -> str:
    documents = entry.get("documents", [entry["article"]] if "article" in entry else [])
    if not isinstance(documents, list) or len(documents) != 1:
        raise InputError(f"{where}: one article is needed, as 'article' or as the only one of 'documents'.")
    return text_of(documents[0], f"{where}: the article")


def token_sentences(text: str) -> list[Span]:
    """Sentences of a text of tokens with spaces between them."""
    spans: list[Span] = []
    open_quotes: set[str] = set()
    previous, ended = "", False
    for match in _TOKEN.finditer(text):
        token = match.group()
        closes = token in _CLOSERS or token in open_quotes
        if not spans or (ended and not closes and token not in _ENDS):
            spans.append(match.span())
            ended = False
        spans[-1] = (spans[-1][0], match.end())
        ended = ended or token in _ENDS
        if token in _STRAIGHT and not _possessive(token, previous):
            open_quotes ^= {token}
        previous = token
    return spans


def _possessive(token: str, previous: str) -> bool:
    """The apostrophe of "the girls ' parents"."""
    return token == "'" and previous.endswith("s")


def _split(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in token_sentences(text))
