"""MultipartiteRank. Boudin, *Unsupervised Keyphrase Extraction with Multipartite Graphs*, NAACL 2018.

Candidates are those of TopicRank, clustered into topics. Each candidate is a node; edges join candidates of different
topics and are weighted by the sum of 1 / gap over their occurrences (Eq. 1). The edges that lead to the first candidate
of a topic gain from those of its other candidates, the more the earlier it stands (Eq. 2), and PageRank ranks the
candidates:

    w_ij ← w_ij + α · exp(1 / p) · Σ over the other candidates k of j's topic of w_ik,   j being the first of its topic

p is the position of a candidate's first token, from 1. Equation 2 prints p_i; as the author's program (pke) does, we
take the position of the candidate that is promoted.

A document in a language without a tagger has runs of content words for candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nutgraf.keyphrases._candidates import Candidates
from nutgraf.keyphrases._topics import TopicConfig, TopicExtractor, nearness
from nutgraf.presets.ranges import NonNegativeFloat
from nutgraf.text.graph import Floats, pagerank
from nutgraf.text.tokenize import Span


class MultipartiteRank(TopicExtractor):
    """Candidates of all topics, ranked by a random walk between topics that prefers the first of each."""

    @dataclass(frozen=True)
    class Config(TopicConfig):
        """MultipartiteRank."""

        alpha: NonNegativeFloat = 1.1
        """Strength of the preference for the first candidate of a topic; 0 is none (Boudin 2018, Sec. 3.1)."""

        max_candidates: int = 2000
        """Number of candidates to rank, the most frequent ones; time and memory grow with its square."""

    config: Config

    def scores(self, candidates: Candidates, topics: npt.NDArray[np.intp]) -> dict[tuple[str, ...], float]:
        """Return the score of each candidate of an allowed length."""
        weights = multipartite_weights(list(candidates.values()), topics, self.config.alpha)
        shares = pagerank(weights, None, self.config.damping, self.config.tolerance)
        return {form: share for form, share in zip(candidates, shares, strict=True) if self.config.allow(form)}


def multipartite_weights(places: Sequence[Sequence[Span]], topics: npt.NDArray[np.intp], alpha: float) -> Floats:
    """Weights of the directed edges between candidates (Eq. 1 and 2).

    Returns:
        `weights[i, j]` is the weight of the edge from i to j; 0 within a topic.
    """
    size = len(places)
    weights = nearness(places, np.arange(size))
    weights[np.equal.outer(topics, topics)] = 0.0
    starts = np.array([spans[0][0] for spans in places])
    order = np.argsort(starts, kind="stable")
    firsts = order[np.unique(topics[order], return_index=True)[1]]
    to_topics = np.zeros((size, len(firsts)))
    np.add.at(to_topics.T, topics, weights.T)
    others = to_topics - weights[:, firsts]
    weights[:, firsts] += alpha * np.exp(1 / (1 + starts[firsts])) * others
    return weights
