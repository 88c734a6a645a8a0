"""Dialogue: the question that states the topic and its answer first, so that both speakers are heard; then the rest.

What two people say to each other makes sense once it is known what the one wants of the other. Sentences are selected
by another method, in which those that matter most here are lifted as highlights are: the topic's question, its answer
(`nutgraf.prose.opening`), and the best sentence of either of the two who speak most, if they are not among
these. What a person highlights comes before them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from nutgraf.extractive import (
    PartialSummary,
    Ranking,
    Ratings,
    Selector,
    SentenceRanker,
    SentenceSelector,
    behind_highlights,
    sentence_rankers,
)
from nutgraf.extractive.greedy import select_by
from nutgraf.presets import Choice
from nutgraf.presets.family import SHIPPED
from nutgraf.prose import qualities
from nutgraf.prose.opening import opening
from nutgraf.prose.quality import GOOD
from nutgraf.text.document import Document

QUESTION, ANSWER, SPEAKER = 3.0, 2.0, 1.0
"""Lift of the topic's question, of its answer, and of the best sentence of a speaker who is not heard in them."""

REASONS = "states the topic", "answers what states the topic"
"""Reasons of these two, for the reader."""

SPEAKERS = 2
"""Number of speakers who are heard: those who say most."""


def _covering() -> Choice[SentenceRanker]:
    options = {"unigram_share": 0.3, "weight_exponent": 0.5, "min_frequency": 2, "position_decay": 0.02}
    return sentence_rankers.choice(
        {"kind": "weighted_coverage", "centrality": ("text_rank",), **options}, context=SHIPPED
    )


@dataclass(frozen=True)
class Config:
    """Topic, answer, and the method for all else."""

    method: Choice[SentenceRanker] = field(default_factory=_covering)
    """Method that selects sentences once the topic is stated."""


class Dialogue(SentenceSelector):
    """Selects the topic's question and its answer, then what another method selects."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._method = sentence_rankers.build(config.method)

    @property
    def asks(self) -> bool:
        """True if a selector changes what is selected."""
        return self._method.asks

    def advise(self, selector: Selector) -> None:
        """Hand in a selector; see `SentenceRanker`."""
        self._method.advise(selector)

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the method, with what is lifted before all else."""
        return self._method.rank(document, self._lifted(document, boosts))

    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Select by the method, with what is lifted before all else."""
        ranking = select_by(self._method, document, summary, self._lifted(document, boosts))
        opened = opening(document)
        for index, reason in zip(opened.sentences if opened else (), REASONS, strict=False):
            if index in summary.selected:
                summary.reasons[index] = (reason,)
        return ranking

    def _lifted(self, document: Document, boosts: Ratings | None) -> Ratings:
        """Boosts by which the method takes what matters most first, behind what a person highlights."""
        opened = opening(document)
        first = opened.sentences if opened else ()
        found = np.ones(len(document.sentences))
        found[list(first)] += (QUESTION, ANSWER)[: len(first)]
        found[self._best_of_unheard(document, {document.speakers[index] for index in first})] += SPEAKER
        return behind_highlights(found, boosts, QUESTION)

    def _best_of_unheard(self, document: Document, heard: set[str | None]) -> list[int]:
        """The best sentence of each of those who say most and are not heard."""
        said = Counter[str]()
        for speaker, terms in zip(document.speakers, document.terms, strict=True):
            if speaker is not None:
                said[speaker] += len(terms)
        unheard = {speaker for speaker, _ in said.most_common(SPEAKERS)} - heard
        if not unheard:
            return []
        quality, best = qualities(document), dict[str, int]()
        for index in self._method.rank(document).order:
            speaker = document.speakers[index]
            if speaker in unheard and quality[index] >= GOOD:
                best.setdefault(speaker, index)
        return list(best.values())
