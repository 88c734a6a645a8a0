"""TextRank for phrases. Mihalcea and Tarau, *TextRank: Bringing Order into Texts*, EMNLP 2004, Sec. 3.

Nouns and adjectives that stand near each other recommend each other; the best third are keywords, and keywords that
stand side by side in the text become one phrase. The paper is silent on two things: distances are counted among the
words that pass the filter (as its Figure 2 suggests, and as pke does), and a phrase scores the sum of its words.

A document in a language without a tagger has runs of content words for candidates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.keyphrases._candidates import (
    NAMES,
    RUN,
    Normalization,
    Overlong,
    Walk,
    best_sums,
    lettered,
    letters,
    limit,
    normal_forms,
    numbered,
    stretches,
)
from nutgraf.text.document import Document, Phrase
from nutgraf.text.graph import Floats, co_occurrences, undirected_pagerank
from nutgraf.text.tagging import Tagged, tag


class TextRank(KeyphraseExtractor):
    """Runs of keywords, by the sum of their words' shares in a random walk."""

    @dataclass(frozen=True)
    class Config(Walk):
        """
        window: words are neighbours if they stand less than this many filtered words apart (2 to 10 in the paper, 2 the
            best).
        keywords: the share of words that may form phrases; 1 lets all.
        overlong: what becomes of a phrase of more words than `ngram_range` allows: "drop" it, or "trim" it to its last
            ones.
        """

        window: int = 2
        keywords: float = 1 / 3
        normalization: Normalization = "lower"
        overlong: Overlong = "drop"

        def __post_init__(self) -> None:
            super().__post_init__()
            if self.window < 2:
                raise ValueError(f"window must be 2 or more, not {self.window}.")
            if not 0 < self.keywords <= 1:
                raise ValueError(f"keywords must lie above 0 and be at most 1, not {self.keywords}.")

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or self.Config()

    def __call__(self, document: Document) -> list[Phrase]:
        """See KeyphraseExtractor."""
        return self.rank(tag(document, self.config.tagger))

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """The same, from tokens that are tagged already."""
        spelled = letters(tagged, NAMES)
        if not spelled.strip("."):
            return []
        forms = normal_forms(tagged, self.config.normalization)
        worth = self._keywords(forms, spelled)
        kept = "".join([letter if value else "." for letter, value in zip(spelled, worth.tolist(), strict=True)])
        spans = limit(stretches(RUN, kept), self.config, self.config.overlong)
        return best_sums(tagged, forms, spans, worth, self.config.top)

    def _keywords(self, forms: list[str], spelled: str) -> Floats:
        """The score of each keyword, token by token; 0 for other words."""
        words, positions = numbered(forms), lettered(spelled)
        kept, nodes = np.unique(words[positions], return_inverse=True)
        near = co_occurrences(nodes, np.arange(len(nodes)), self.config.window, len(kept))
        near.data[:] = 1.0  # the paper's edges have no weights
        shares = undirected_pagerank(near, None, self.config.damping, self.config.tolerance)
        best = np.argsort(-np.round(shares, 12), kind="stable")[: max(1, int(self.config.keywords * len(kept)))]
        keywords = np.zeros(len(kept))
        keywords[best] = shares[best]
        worth = np.zeros(len(forms))
        worth[positions] = keywords[nodes]
        return worth
