"""Lead: the first sentences of each document, in turn.

The strongest simple baseline for news. With several documents, the first sentences of all come before the second ones
(First-k of Fabbri et al. 2019).
"""

from __future__ import annotations

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker, boosted
from nutgraf.text.document import Document


class Lead(SentenceRanker):
    """Rates a sentence by 1 / its position in its document; a sentence that does not fit a budget is passed over."""

    positional = True
    from_beginning = True

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by position; highlighted sentences move up."""
        places: list[int] = []
        seen = [0] * max(1, len(document.parts))
        for sentence in document.sentences:
            part = document.part_of(sentence.start)
            seen[part] += 1
            places.append(seen[part])
        ratings = 1.0 / np.asarray(places, dtype=np.float64) if places else np.zeros(0)
        return Ranking.by(boosted(ratings, boosts))
