"""Lists with their introductions."""

from __future__ import annotations

from nutgraf.text.document import Document, kept


@kept
def units(document: Document) -> list[range]:
    """Consecutive sentences that a summary takes all together or not at all: a list with its introduction."""
    return []
