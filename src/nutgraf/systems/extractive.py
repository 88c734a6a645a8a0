"""Summaries from sentences as they stand: a method of `extractive/` ranks or selects, `[selection]` says how many."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from nutgraf.datasets import Record
from nutgraf.errors import BudgetError
from nutgraf.extractive import PartialSummary, Ranking, Selector, SentenceRanker, SentenceSelector, sentence_rankers
from nutgraf.extractive.selection import Config as Selection
from nutgraf.extractive.selection import natural_length, select
from nutgraf.keyphrases import KeyphraseExtractor, extractors
from nutgraf.presets import Choice, Preset
from nutgraf.prose import has_prose
from nutgraf.runtime.hardware import Compute
from nutgraf.systems import System
from nutgraf.systems._selector import installed_selector
from nutgraf.systems.explain import summary_of
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary
from nutgraf.text.tokenize import count_words, joined


@dataclass(frozen=True)
class Config:
    """Sentences of the input, as they stand."""

    extractive: Choice[SentenceRanker]
    """Method that ranks the sentences."""

    selection: Selection
    """Selection of sentences from the ranking."""

    keyphrases: Choice[KeyphraseExtractor] | None = None
    """Extractor of the phrases that a summary shows."""


class ExtractiveSystem(System):
    """A preset with `system = "extractive"`."""

    def __init__(self, preset: Preset, compute: Compute = Compute()) -> None:
        super().__init__(preset, compute)
        config: Config = preset.config
        self._method = sentence_rankers.build(config.extractive)
        self._selection = config.selection
        self._selector: Selector | None = None
        if self._method.asks and (selector := installed_selector()):
            self.ask(selector)
        self._learned: int | None = None
        self._extractor = extractors.build(config.keyphrases) if config.keyphrases else None

    def ask(self, selector: Selector) -> None:
        """Hand a selector to the method, which asks it about every text from then on, if its options say so."""
        if self._method.asks:
            self._selector = selector
            self._method.advise(selector)

    @property
    def copies(self) -> bool:
        """True, since sentences are only selected."""
        return True

    def fit(self, records: Iterable[Record]) -> None:
        """Learn document frequencies where the method uses them, and the references' mean length in words."""
        records = list(records)
        self._method.fit(record.document for record in records)
        lengths = [
            count_words(joined(reference), record.document.language)
            for record in records
            for reference in record.references
        ]
        self._learned = round(sum(lengths) / len(lengths)) if lengths else None

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        """Rank and select."""
        natural = natural_length(document, self._selection, self._learned) if budget == Budget() else None
        beginning = document.beginning if self._method.from_beginning and steering.emphasis is None else document
        if beginning is not document and has_prose(beginning):
            with suppress(BudgetError):
                limits = budget if budget.share is None else Budget(words=budget.words_of(document))
                summary = self._summarize(beginning, limits, steering, natural)
                if not summary.underused:
                    return replace(summary, budget=budget)
        return self._summarize(document, budget, steering, natural)

    def _summarize(self, document: Document, budget: Budget, steering: Steering, natural: int | None) -> Summary:
        method, boosts = self._method, steering.emphasis
        given: Ranking | Callable[[PartialSummary], Ranking]
        if isinstance(method, SentenceSelector) and self._selection.rule == "method":
            given = partial(method.pick, document, boosts=boosts)
        else:
            given = method.rank(document, boosts)
        selected = select(
            given,
            document,
            self._selection,
            words=budget.words_of(document),
            sentences=budget.sentences,
            characters=budget.characters,
            natural_words=natural,
            positional=method.positional,
            wanted=steering.admitted(document),
            asked=steering.asked,
            first=steering.answering,
            whole_sentences=steering.whole_sentences,
        )
        return summary_of(
            selected,
            document,
            budget,
            steering,
            self._extractor,
            self.signature,
            notices=self._unsteered(steering),
            steerable=method.steerable,
        )

    def _computed(self) -> list[str]:
        return [self._selector.signature] if self._selector else []

    def _unsteered(self, steering: Steering) -> list[str]:
        if steering.emphasis is None or self._method.steerable:
            return []
        name = self.preset.name
        said = "highlights change nothing, nor does a question"
        return [f"The system {name!r} chooses without looking at the words: {said}."]
