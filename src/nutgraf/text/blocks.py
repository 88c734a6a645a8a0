"""Blocks: the paragraphs and headings of a text, for formats that have both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

GAP = "\n\n"
"""Separator between blocks, so that no sentence crosses from one to the next."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list item, table row or heading.

    Attributes:
        text: Its text.
        heading: True for a heading.
        item: True for what stands in a list.
        pages: Offsets in `text` where a page begins, for formats with pages.
        level: Level of a heading, 1 for the outermost; 0 if the format does not tell.
        title: Title that the format gives to what begins here, without a heading in the text; "" for none.
    """

    text: str
    heading: bool = False
    item: bool = False
    pages: tuple[int, ...] = ()
    level: int = 0
    title: str = ""


def block_starts(blocks: Iterable[Block]) -> list[int]:
    """Offset of each block in the text of all blocks, separated by `GAP`."""
    starts, at = [], 0
    for block in blocks:
        starts.append(at)
        at += len(block.text) + len(GAP)
    return starts
