"""PositionRank (Florescu and Caragea 2017).

*PositionRank: An Unsupervised Approach to Keyphrase Extraction from Scholarly Documents*, ACL 2017; equations in
brackets below are theirs.

A random walk on the co-occurrence graph of words that restarts at early words (Eq. 5). Where the paper is silent, we
follow pke: distances count all tokens of the text, punctuation and other words included, across sentence boundaries,
and a noun phrase of too many words is dropped rather than trimmed. Both iterate PageRank to a coarse tolerance; ours is
fine, so that the ranking does not depend on where the iteration stopped. With `frequency`, which the paper does not
have, what stands often weighs more; `nutgraf.phrases`, the command and the service set it to 0.5.

A document in a language without a tagger has runs of content words for candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from nutgraf.keyphrases._candidates import (
    NAMES,
    NOUN_PHRASE,
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
from nutgraf.presets.ranges import NonNegativeFloat, Range
from nutgraf.text.document import Phrase
from nutgraf.text.graph import Floats, Integers, co_occurrences, undirected_pagerank
from nutgraf.text.tagging import Tagged


class PositionRank(TaggedExtractor):
    """Noun phrases, ranked by the sum of their words' scores in a random walk that prefers early words."""

    @dataclass(frozen=True)
    class Config(GraphConfig):
        """PositionRank."""

        window: Annotated[int, Range(ge=2)] = 10
        """Words co-occur if they are less than this many tokens apart (Florescu and Caragea 2017, Sec.
        3.1)."""

        normalization: Normalization = "lower"
        """Form in which words are compared: "lower" case or "stem"."""

        overlong: Overlong = "drop"
        """Noun phrases of more words than `ngram_range` allows: "drop" them, or "trim" them to their last words."""

        frequency: NonNegativeFloat = 0.0
        """Power of a phrase's number of occurrences by which its score is multiplied; 0 is the paper, where a phrase of
        three words that stands once precedes most of one word. `nutgraf phrases` takes 0.5."""

        restart_per_document: bool = False
        """Count positions anew in each part of a joined document; otherwise later parts count less."""

    config: Config

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """Extract phrases from tokens that are already tagged."""
        spelled = tag_string(tagged, NAMES)
        spans = filter_by_length(match_spans(NOUN_PHRASE, spelled), self.config, self.config.overlong)
        if not spans:
            return []
        forms = normal_forms(tagged, self.config.normalization)
        return rank_by_sum(tagged, forms, spans, self._walk(tagged, forms, spelled), self.config, self.config.frequency)

    def _walk(self, tagged: Tagged, forms: list[str], spelled: str) -> Floats:
        """S(v) of each noun and adjective, by token (Eq. 5); 0 for other words."""
        words, positions = form_ids(forms), tagged_positions(spelled)
        kept, nodes = np.unique(words[positions], return_inverse=True)
        weights = co_occurrences(nodes, positions, self.config.window, len(kept))
        shares = undirected_pagerank(
            weights, self._bias(tagged, words)[kept], self.config.damping, self.config.tolerance
        )
        worth = np.zeros(len(forms))
        worth[positions] = shares[nodes]
        return worth

    def _bias(self, tagged: Tagged, words: Integers) -> Floats:
        """p̃: sum of 1 / position over all occurrences of a word, whatever their tags (Sec. 3.2)."""
        positions = np.arange(1, len(words) + 1)
        if self.config.restart_per_document:
            begins = [part.start for part in tagged.document.parts]
            firsts = np.searchsorted([start for start, _ in tagged.spans], begins)
            positions -= firsts[np.searchsorted(firsts, positions - 1, side="right") - 1]
        return np.asarray(np.bincount(words, 1 / positions), dtype=np.float64)
