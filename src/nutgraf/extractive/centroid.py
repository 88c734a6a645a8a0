"""Centroid (Radev, Jing, Styś and Tam, *Centroid-Based Summarization of Multiple Documents*, 2004).

The centroid is the sum of the tf·idf vectors of all sentences, without terms that weigh little in it. As published,
each sentence is rated by its likeness to the centroid (`scope = "sentence"`). By default the summary as a whole is
rated: the next sentence is the one that brings the sum of the selected vectors nearest to the centroid (Ghalandari,
*Revisiting the Centroid-based Method*, 2017, Sec. 3), which avoids repetition by itself. Likeness is the cosine, as in
Rossiello, Basile and Semeraro 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nutgraf.extractive import PartialSummary, Ranking, Ratings, SentenceSelector, bonus_of, boosted
from nutgraf.extractive._likeness import Likeness
from nutgraf.extractive.greedy import select_by_rank, select_greedily
from nutgraf.presets.ranges import Share
from nutgraf.text.document import Document


@dataclass(frozen=True)
class Config:
    """Centroid."""

    scope: Literal["summary", "sentence"] = "summary"
    """What is compared with the centroid: the "summary" with each further sentence, or the "sentence" alone."""

    topic_threshold: Share = 0.1
    """Smallest weight of a term in the centroid, relative to the largest one."""


class Centroid(SentenceSelector):
    """Selects sentences that together resemble the whole text."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the cosine of each sentence with the centroid."""
        return Ranking.by(boosted(Likeness(document, self.config.topic_threshold).increase(), boosts))

    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Add the sentence that brings the summary nearest to the centroid, or the next one by rank."""
        likeness = Likeness(document, self.config.topic_threshold)
        increase = likeness.increase()
        ranking = Ranking.by(boosted(increase, boosts))
        if self.config.scope == "sentence":
            select_by_rank(summary, ranking)
        else:
            select_greedily(summary, likeness, bonus_of(increase, boosts))
        return ranking
