"""A sentence ranker from outside: long sentences first."""

import numpy as np

from nutgraf.extractive import Ranking, SentenceRanker, boosted
from nutgraf.text.document import Document


class LongFirst(SentenceRanker):
    """Sentences by their length in words."""

    def rank(self, document: Document, boosts=None) -> Ranking:
        """See SentenceRanker."""
        lengths = np.asarray(document.lengths, dtype=float)
        return Ranking.by(boosted(lengths, boosts))
