"""Which sentences of a document depend on others, so that no summary has one without what it leans on.

A draft: every sentence stands alone.
"""

from __future__ import annotations

from nutgraf.prose.dependence.leaning import Leaning as Leaning
from nutgraf.prose.dependence.units import units as units
from nutgraf.text.document import Document, kept


@kept
def leanings(document: Document) -> list[Leaning | None]:
    """How each sentence leans on others; None for one that stands alone and bounds no other."""
    return [None] * len(document.sentences)
