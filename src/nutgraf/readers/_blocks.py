"""Documents from blocks, up to the size limit: shared by the formats that have headings and paragraphs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nutgraf.text.blocks import GAP, Block
from nutgraf.text.clean import clean
from nutgraf.text.document import Document
from nutgraf.text.turns import Turn

LIMIT = 20_000_000
"""Maximum number of characters that are read; the rest is left out, with a notice."""


def compose(
    blocks: Iterable[Block],
    name: str,
    language: str | None,
    notices: Iterable[str] = (),
    *,
    published: str = "",
    declared: str = "",
    turns: Iterable[Turn] | None = None,
) -> Document:
    """Make a Document of blocks; see `Document.of_blocks`. Blocks beyond the size limit are left out, with a notice."""
    kept, remarks = _within_limit(blocks, name)
    return Document.of_blocks(
        kept, name, language=language, notices=[*notices, *remarks], published=published, declared=declared, turns=turns
    )


def _within_limit(blocks: Iterable[Block], name: str) -> tuple[list[Block], list[str]]:
    kept: list[Block] = []
    size = 0
    for block in blocks:
        block = replace(block, text=clean(block.text))
        if not block.text.strip():
            continue
        size += len(block.text) + len(GAP)
        if size > LIMIT:
            return kept, [too_long(name)]
        kept.append(block)
    return kept, []


def too_long(name: str) -> str:
    """Notice for a text that goes on after `LIMIT`."""
    return f"{name} is longer than {LIMIT:,} characters; what follows them is left out."
