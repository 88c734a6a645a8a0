"""Lead: the first sentences of each document, in turn.

The strongest simple baseline for news. With several documents, the first sentences of all come before the second ones
(First-k of Fabbri et al. 2019).
"""

from __future__ import annotations

from nutgraf.extractive import Ranking, Ratings, SentenceRanker, boosted, parts_of, places_in
from nutgraf.text.document import Document


class Lead(SentenceRanker):
    """Rates a sentence by 1 / its position in its document; a sentence that does not fit a budget is passed over."""

    positional = True
    from_beginning = True

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by position; highlighted sentences move up."""
        return Ranking.by(boosted(1.0 / (1 + places_in(parts_of(document))), boosts))
