"""HTML of mail as plain text: its paragraphs, with ">" before each line of what it quotes."""

from __future__ import annotations

from collections.abc import Iterator

from nutgraf.readers._article import chapter_blocks
from nutgraf.readers._markup import Element, parse
from nutgraf.text.blocks import GAP

_BEGINS, _ENDS = "\ue000", "\ue001"
"""Paragraphs that stand where a quotation begins and ends: characters for private use."""


def letter(text: str, name: str) -> str:
    """Return the text of a mail in HTML; "" if it has none.

    Raises:
        InputError: If it cannot be read as HTML; `name` is the name of the mail, for the message.
    """
    text = text.replace(_BEGINS, "").replace(_ENDS, "")
    if not text.strip():
        return ""
    page = parse(text, name)
    for quotation in list(page.iter("blockquote")):
        _mark(quotation)
    return GAP.join(_paragraphs(page))


def _mark(quotation: Element) -> None:
    begins, ends = (quotation.makeelement("p") for _ in range(2))
    begins.text, ends.text = _BEGINS, _ENDS
    begins.tail, quotation.text = quotation.text, None
    quotation.insert(0, begins)
    quotation.append(ends)


def _paragraphs(page: Element) -> Iterator[str]:
    depth = 0
    for block in chapter_blocks(page):
        if block.text in (_BEGINS, _ENDS):
            depth += 1 if block.text == _BEGINS else -1
        else:
            marks = ">" * depth + " " if depth > 0 else ""
            yield "\n".join(marks + line for line in block.text.split("\n"))
