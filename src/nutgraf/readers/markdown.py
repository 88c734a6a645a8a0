"""Markdown (CommonMark with tables): headings name Sections; markup, code and raw HTML are removed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nutgraf.readers._blocks import compose
from nutgraf.readers._decode import decode, sample
from nutgraf.readers._text import TextReader
from nutgraf.text.blocks import Block
from nutgraf.text.document import Document

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[^\S\n]*\n.*?\n(?:---|\.\.\.)[^\S\n]*\n", re.DOTALL)
_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)
_OTHER_MARKS = re.compile(r"\]\(\S+\)|\*\*\w|^```|^[-*] \S|^\|.*\|\s*$|^> ", re.MULTILINE)
_ENDS_CELL = ("td_close", "th_close")


class Markdown(TextReader):
    """One Document; paragraphs, list items and table rows are separated by blank lines."""

    suffixes = (".md", ".markdown", ".mdown", ".mkd")

    def recognizes_text(self, data: bytes, suffix: str) -> float:
        """Recognize Markdown headings together with other markup."""
        if suffix in self.suffixes:
            return 0.85
        head = sample(data)
        return 0.6 if _HEADING.search(head) and _OTHER_MARKS.search(head) else 0.0

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        from markdown_it import MarkdownIt

        decoded = decode(data, name)
        tokens = MarkdownIt("commonmark").enable("table").parse(_FRONT_MATTER.sub("", decoded.text))
        return [compose(_blocks(tokens), name, language, decoded.notices)]


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    cells: list[str] = []
    for token, following in itertools.zip_longest(tokens, tokens[1:]):
        if token.type == "inline" and following is not None and following.type in _ENDS_CELL:
            cells.append(_text(token))
        elif token.type == "inline":
            yield Block(_text(token), heading=following is not None and following.type == "heading_close")
        elif token.type == "tr_close":
            yield Block("\t".join(cells))
            cells = []


def _text(token: Token) -> str:
    """Text of a line without emphasis and links, pictures and HTML."""
    pieces = []
    for child in token.children or []:
        if child.type in ("text", "code_inline"):
            pieces.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            pieces.append("\n" if child.type == "hardbreak" else " ")
    return "".join(pieces).strip()
