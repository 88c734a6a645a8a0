"""TextRank for phrases. Mihalcea and Tarau, *TextRank: Bringing Order into Texts*, EMNLP 2004, Sec. 3.

PageRank on the co-occurrence graph of nouns and adjectives; the best of them are keywords, and adjacent keywords form
one phrase. The paper takes the best third. We take all by default, as pke does: over abstracts and long papers together
that finds more of the phrases that people chose. The paper is silent on two points: we count distances among the words
that pass the filter, as its Figure 2 suggests (pke counts all words of the text), and a phrase scores the sum of its
words.

A document in a language without a tagger has runs of content words for candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from nutgraf.keyphrases._candidates import (
    NAMES,
    RUN,
    GraphConfig,
    Normalization,
    Overlong,
    TaggedExtractor,
    filter_by_length,
    form_ids,
    match_spans,
    normal_forms,
    rank_by_sum,
    tag_string,
    tagged_positions,
)
from nutgraf.presets.ranges import PositiveShare, Range
from nutgraf.text.document import Phrase
from nutgraf.text.graph import Floats, co_occurrences, undirected_pagerank
from nutgraf.text.tagging import Tagged


class TextRank(TaggedExtractor):
    """Runs of keywords, ranked by the sum of their words' scores in a random walk."""

    @dataclass(frozen=True)
    class Config(GraphConfig):
        """TextRank."""

        window: Annotated[int, Range(ge=2)] = 2
        """Words co-occur if they are less than this many filtered words apart (2 to 10 in the paper, 2 being
        the best)."""

        top_share: PositiveShare = 1.0
        """Share of the words that may form phrases; the paper takes a third, 1 allows all."""

        normalization: Normalization = "lower"
        """Form in which words are compared: "lower" case or "stem"."""

        overlong: Overlong = "drop"
        """Phrases of more words than `ngram_range` allows: "drop" them, or "trim" them to their last words."""

    config: Config

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """Extract phrases from tokens that are already tagged."""
        spelled = tag_string(tagged, NAMES)
        if not spelled.strip("."):
            return []
        forms = normal_forms(tagged, self.config.normalization)
        worth = self._keywords(forms, spelled)
        kept = "".join([letter if value else "." for letter, value in zip(spelled, worth.tolist(), strict=True)])
        spans = filter_by_length(match_spans(RUN, kept), self.config, self.config.overlong)
        return rank_by_sum(tagged, forms, spans, worth, self.config)

    def _keywords(self, forms: list[str], spelled: str) -> Floats:
        """Score of each keyword, by token; 0 for other words."""
        words, positions = form_ids(forms), tagged_positions(spelled)
        kept, nodes = np.unique(words[positions], return_inverse=True)
        near = co_occurrences(nodes, np.arange(len(nodes)), self.config.window, len(kept))
        near.counts[:] = 1.0  # the paper's edges have no weights
        shares = undirected_pagerank(near, None, self.config.damping, self.config.tolerance)
        best = np.argsort(-np.round(shares, 12), kind="stable")[: max(1, int(self.config.top_share * len(kept)))]
        keywords = np.zeros(len(kept))
        keywords[best] = shares[best]
        worth = np.zeros(len(forms))
        worth[positions] = keywords[nodes]
        return worth
