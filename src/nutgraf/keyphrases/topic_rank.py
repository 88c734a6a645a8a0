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

from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.keyphrases._candidates import Candidates, first_spans, normal_forms, select
from nutgraf.keyphrases._topics import TopicConfig, cluster, find_candidates, nearness
from nutgraf.text.document import Document, Phrase
from nutgraf.text.graph import undirected_pagerank
from nutgraf.text.tagging import Tagged, tag


class TopicRank(KeyphraseExtractor):
    """One phrase per topic, ranked by the topic's score in a random walk on the complete graph of topics."""

    @dataclass(frozen=True)
    class Config(TopicConfig):
        """TopicRank."""

        heuristic: Literal["first", "frequent"] = "first"
        """Candidate that represents a topic: the "first" or the most "frequent" one."""

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or self.Config()

    def __call__(self, document: Document) -> list[Phrase]:
        """Extract phrases; see `KeyphraseExtractor`."""
        return self.rank(tag(document, self.config.tagger))

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """Extract phrases from tokens that are already tagged."""
        forms = normal_forms(tagged, "stem")
        candidates = find_candidates(tagged, forms, self.config.max_candidates)
        if not candidates:
            return []
        topics = cluster(list(candidates), self.config)
        weights = nearness(list(candidates.values()), topics)
        shares = undirected_pagerank(weights, None, self.config.damping, self.config.tolerance)
        speakers = self._speakers(candidates, topics)
        firsts = first_spans({form: candidates[form] for form in speakers})
        return select(tagged, forms, firsts, [shares[topic] for topic in speakers.values()], self.config)

    def _speakers(self, candidates: Candidates, topics: npt.NDArray[np.intp]) -> dict[tuple[str, ...], int]:
        """Candidate that represents each topic, in the order of the text."""
        speakers: dict[int, tuple[str, ...]] = {}
        for form, topic in zip(candidates, topics.tolist(), strict=True):
            if not self.config.allow(form):
                continue
            rival = speakers.setdefault(topic, form)
            if self.config.heuristic == "frequent" and len(candidates[form]) > len(candidates[rival]):
                speakers[topic] = form
        spoken = {form: topic for topic, form in speakers.items()}
        return {form: spoken[form] for form in candidates if form in spoken}
