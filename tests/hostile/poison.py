"""A sentence ranker from outside: the first sentences first, unless a text asks for all memory or all time."""

from __future__ import annotations

import numpy as np

from nutgraf.extractive import Ranking, SentenceRanker
from nutgraf.text.document import Document

MEMORY, TIME = "EAT MEMORY", "NEVER END"


class Poison(SentenceRanker):
    """The first sentences first."""

    def rank(self, document: Document, boosts: object = None) -> Ranking:
        """See SentenceRanker."""
        eaten = []
        while MEMORY in document.text:
            eaten.append(bytearray(1 << 24))
        while TIME in document.text:
            pass
        return Ranking.by(-np.arange(len(document.sentences), dtype=float))
