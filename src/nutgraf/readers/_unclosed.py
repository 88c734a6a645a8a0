"""Comments, scripts and code that are opened and never closed, so that the rest of a file would belong to them.

A comment of HTML is then read as text. In Markdown a comment, a script or a listing ends before the next blank line, as
other blocks do. Where a script of a page ends cannot be told. Each time a notice says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MOST_REPAIRS = 8
"""Number of blocks of a Markdown text that are closed; each takes another reading of the whole text."""

_OPENED = re.compile(r"<!--|<(?P<tag>script|style|title|textarea)\b[^>]*>", re.IGNORECASE)
_BLOCKS = (
    (re.compile(r"<(script|pre|style|textarea)(?=[\s>]|\Z)", re.IGNORECASE), r"</{}>"),
    (re.compile(r"<!(--)"), r"-->"),
    (re.compile(r"<(\?)"), r"?>"),
    (re.compile(r"<!\[(CDATA)\["), r"]]>"),
)
"""Blocks of HTML that Markdown does not end at a blank line, each with its end."""


def with_comments_closed(text: str, name: str) -> tuple[str, list[str]]:
    """Return a page without the marks of what it does not close, and a notice of each.

    What is not closed is read as text, but for scripts and styles, which stay as they are.
    """
    pieces, notices, begin, place, unclosed = [], [], 0, 0, set[str]()
    while found := _OPENED.search(text, place):
        tag = (found["tag"] or "").lower()
        closing = re.compile(rf"</{tag}\b" if tag else "--!?>", re.IGNORECASE)
        after = found.end() if tag else found.start() + 2
        closed = None if tag in unclosed else closing.search(text, after)
        if closed:
            place = closed.end()
            continue
        lost = tag in ("script", "style")
        if lost or not unclosed:
            what, line = f"<{tag}>" if tag else "A comment", text.count("\n", 0, found.start()) + 1
            fate = "left out" if lost else "read as text"
            notices.append(f"{name}: {what} in line {line} is not closed; what follows it is {fate}.")
        if lost:
            break
        unclosed.add(tag)
        pieces.append(text[begin : found.start()])
        begin = place = found.end()
    return "".join([*pieces, text[begin:]]), notices


def parse_closed(parser: MarkdownIt, text: str, name: str) -> tuple[list[Token], list[str]]:
    """Return the tokens of a Markdown text in which every block ends, and a notice of each that was closed."""
    text = text.rstrip("\n")
    lines, notices = text.split("\n"), list[str]()
    tokens = parser.parse(text)
    while found := next(_unclosed(tokens, lines), None):
        first, end, closing = found
        what = "A block of code" if closing[0] in "`~" else "A block of HTML"
        begins = f"{name}: {what} that begins “{lines[first].strip()}” is not closed"
        blank = next((at for at in range(first + 1, end) if not lines[at].strip()), end)
        if blank >= len(lines) or len(notices) == MOST_REPAIRS:
            notices.append(f"{begins}; what follows is left out.")
            break
        notices.append(f"{begins}; it is taken to end before the next blank line.")
        lines.insert(blank, closing)
        tokens = parser.parse("\n".join(lines))
    return tokens, notices


def _unclosed(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the first line of each block that is not closed, the line behind its last one, and what would close it.

    A block of code is not closed either if the next one begins inside it: "```sh" closes nothing.
    """
    for token in tokens:
        if token.level or not token.map:
            continue
        first, end = token.map
        if token.type == "fence":
            mark = re.escape(token.markup)
            inner = next((at for at in range(first + 1, end) if re.match(rf" {{0,3}}{mark}[\w+#-]", lines[at])), end)
            if inner < end or not re.match(rf" {{0,3}}{mark}{mark[-1]}*\s*\Z", lines[end - 1]) or end - first < 2:
                yield first, inner, token.markup
        elif token.type == "html_block":
            for opening, closing in _BLOCKS:
                opened = opening.match(token.content.lstrip())
                ends = closing.format(opened[1]) if opened else ""
                if opened and ends.lower() not in token.content.lower():
                    yield first, end, ends
