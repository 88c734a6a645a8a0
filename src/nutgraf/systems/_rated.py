"""Summaries from sentences that a trained network rates; `[selection]` says how many."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nutgraf.errors import BudgetError
from nutgraf.extractive import Ranking, Ratings, boosted
from nutgraf.extractive.selection import Config as Selection
from nutgraf.extractive.selection import natural_length, select
from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.presets import Preset
from nutgraf.runtime.hardware import Compute
from nutgraf.systems._trained import TrainedSystem
from nutgraf.systems.explain import summary_of
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary


class Rated(NamedTuple):
    """Sentences as a network rates them.

    Attributes:
        ratings: Rating of each sentence.
        read: True for each sentence that the network read; others are not taken.
        notices: Sentences for the user.
    """

    ratings: Ratings
    read: Sequence[bool]
    notices: Sequence[str] = ()


class RatedSystem(TrainedSystem):
    """A system that rates sentences, and takes the best."""

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        super().__init__(preset, compute)
        self._selection: Selection = preset.config.selection

    @property
    def copies(self) -> bool:
        """True, since sentences are only selected."""
        return True

    @abstractmethod
    def rated(self, document: Document, steering: Steering) -> Rated:
        """Rate the sentences of a document."""

    @property
    def extractor(self) -> KeyphraseExtractor | None:
        """Extractor of the phrases that are highlighted; None where there is none."""
        return None

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Read, rate and select."""
        (made,) = self.at_budgets(document, [budget], steering)
        if isinstance(made, BudgetError):
            raise made
        return made

    def at_budgets(
        self, document: Document, budgets: Iterable[Budget], steering: Steering
    ) -> list[Summary | BudgetError]:
        """Return summaries of several lengths, for which a document is read once; in the place of one, its error."""
        found = self.rated(document, steering)
        rated = boosted(found.ratings, steering.emphasis)
        order = [index for index in Ranking.by(rated).order if found.read[index]]
        ranking, made = Ranking(tuple(order), rated), list[Summary | BudgetError]()
        for budget in budgets:
            try:
                made.append(self._selected(ranking, found.notices, document, budget, steering))
            except BudgetError as error:
                made.append(error)
        return made

    def _selected(
        self, ranking: Ranking, notices: Sequence[str], document: Document, budget: Budget, steering: Steering
    ) -> Summary:
        """Return the summary of a document whose sentences are ranked."""
        selected = select(
            ranking,
            document,
            self._selection,
            words=budget.words_of(document),
            sentences=budget.sentences,
            characters=budget.characters,
            natural_words=natural_length(document, self._selection, None),
            asked=steering.asked,
            first=steering.answering,
            whole_sentences=steering.whole_sentences,
        )
        return summary_of(selected, document, budget, steering, self.extractor, self.signature, list(notices))
