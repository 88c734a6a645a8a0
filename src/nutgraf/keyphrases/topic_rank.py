"""TopicRank. Bougouin, Boudin and Daille, *TopicRank: Graph-Based Topic Ranking for Keyphrase Extraction*, IJCNLP 2013.

Candidates that share stems are clustered into topics; PageRank ranks the topics in a graph weighted by the distances
between their candidates, and one candidate represents each topic. Details of candidates are pke's: no stop words, no
single characters, at most five words. Since `ngram_range` may exclude the first candidate of a topic, the first allowed
one represents it; a topic without any is left out.

A document in a language without a tagger has runs of content words for candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from nutgraf.keyphrases._candidates import Candidates
from nutgraf.keyphrases._topics import TopicConfig, TopicExtractor, nearness
from nutgraf.text.graph import undirected_pagerank


class TopicRank(TopicExtractor):
    """One phrase per topic, ranked by the topic's score in a random walk on the complete graph of topics."""

    @dataclass(frozen=True)
    class Config(TopicConfig):
        """TopicRank."""

        heuristic: Literal["first", "frequent"] = "first"
        """Candidate that represents a topic: the "first" or the most "frequent" one."""

    config: Config

    def scores(self, candidates: Candidates, topics: npt.NDArray[np.intp]) -> dict[tuple[str, ...], float]:
        """Return the score of each topic for the candidate that represents it."""
        weights = nearness(list(candidates.values()), topics)
        shares = undirected_pagerank(weights, None, self.config.damping, self.config.tolerance)
        topic_of = {form: topic for topic, form in self._representatives(candidates, topics).items()}
        return {form: shares[topic_of[form]] for form in candidates if form in topic_of}

    def _representatives(self, candidates: Candidates, topics: npt.NDArray[np.intp]) -> dict[int, tuple[str, ...]]:
        """Candidate that represents each topic."""
        chosen: dict[int, tuple[str, ...]] = {}
        for form, topic in zip(candidates, topics.tolist(), strict=True):
            if not self.config.allow(form):
                continue
            rival = chosen.setdefault(topic, form)
            if self.config.heuristic == "frequent" and len(candidates[form]) > len(candidates[rival]):
                chosen[topic] = form
        return chosen
