"""Markdown (CommonMark with tables): headings name Sections; markup and code are removed, and HTML is read as HTML."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nutgraf.readers._article import parse_chapter
from nutgraf.readers._blocks import compose
from nutgraf.readers._decode import TextReader, decode
from nutgraf.readers._unclosed import parse_closed
from nutgraf.text.blocks import Block
from nutgraf.text.document import Document
from nutgraf.text.markdown import DEEPEST, is_too_deep

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[^\S\n]*\n(?=[\w -]+:|#).*?\n(?:---|\.\.\.)[^\S\n]*\n", re.DOTALL)
_TAGS = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1|\Z)|<[^>]*>?", re.DOTALL | re.IGNORECASE)
_OTHER_MARKS = r"\]\(\S+\)|\*\*\w|^```|^[-*] \S|^\|.*\|\s*$|^> "
_MARKED = re.compile(rf"(?=(?s:.*?)^#{{1,6}} \S)(?s:.*?)(?:{_OTHER_MARKS})", re.MULTILINE)
"""A heading of Markdown together with other markup, wherever they stand."""
_ENDS_CELL = ("td_close", "th_close")


class Markdown(TextReader):
    """One Document; paragraphs, list items and table rows are separated by blank lines.

    Blocks of HTML are read like a chapter of a book. Code, pictures and front matter are left out; a notice tells of
    text that is indented like code.
    """

    suffixes = (".md", ".markdown", ".mdown", ".mkd")
    signs = ((_MARKED, 0.6),)

    def read(self, data: bytes, name: str, language: str | None = None) -> list[Document]:
        """Read the document; see `Reader`."""
        from markdown_it import MarkdownIt

        decoded = decode(data, name)
        text = _FRONT_MATTER.sub("", decoded.text)
        parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable("table")
        tokens, unclosed = parse_closed(parser, text, name)
        if is_too_deep(tokens):
            notice = f"{name} is nested too deeply to be read as Markdown; it is read as plain text, with its marks."
            return [Document.of(text, name, language=language, notices=[*decoded.notices, notice])]
        return [compose(_blocks(tokens, name), name, language, [*decoded.notices, *unclosed, *_left_out(tokens, name)])]


def _left_out(tokens: Sequence[Token], name: str) -> Iterator[str]:
    """Notices of text that is indented like code."""
    indented = sum(token.type == "code_block" for token in tokens)
    if indented:
        yield (
            f"{name}: {indented} indented block{'s are' if indented > 1 else ' is'} left out, because Markdown takes "
            "what is indented by four blanks for code."
        )


def _blocks(tokens: list[Token], name: str) -> Iterator[Block]:
    cells: list[str] = []
    lists = 0
    for token, following in itertools.zip_longest(tokens, tokens[1:]):
        if token.type.startswith(("bullet_list", "ordered_list")):
            lists += token.nesting
        elif token.type == "inline" and following is not None and following.type in _ENDS_CELL:
            cells.append(_text(token))
        elif token.type == "html_block" and any(map(str.isalnum, _TAGS.sub("", token.content))):
            yield from parse_chapter(token.content, name)
        elif token.type == "inline":
            heading = following is not None and following.type == "heading_close"
            level = int(following.tag[1:]) if following and heading else 0
            yield Block(_text(token), heading, item=lists > 0 and not heading, level=level)
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
