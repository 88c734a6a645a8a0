"""Weighted coverage: the terms and bigrams of a text, each covered once, the more valuable the better they are placed.

The model is maximum coverage of concepts (Gillick and Favre, *A Scalable Global Model for Summarization*, 2009), with
additions of ours. A concept weighs the sum over its sentences of a prior by position, to a power; in several
documents, over the documents it occurs in, of the largest one there:

    w(c) = (Σ p(s) for s that contain c)^k        p(s) = 1 / (1 + λ·d(s))

d(s) is the number of sentences between s and the start of its document or the border of its section that is nearer; in
the second case sections far from the borders of the document lose likewise. What a sentence adds is multiplied by a
factor of its own, exp(α·z(s) + β·cues(s) + γ·narration(s) + σ·r(s)): for its centrality by other methods, in standard
deviations; the number of its cue phrases; how far it tells rather than speaks; and, where a selector is handed in that
has read the text, the log odds r that it gives the sentence beyond those of the others. To what it covers may be added,
times μ, what it adds to the cosine of the summary and the whole text (Ghalandari 2017, see `centroid`). The search is
greedy by gain over a power of the length (Lin and Bilmes 2010, Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np

from nutgraf.extractive import (
    Integers,
    Mask,
    PartialSummary,
    Ranking,
    Ratings,
    Selector,
    SentenceSelector,
    bonus_of,
    boosted,
    border_distances,
    parts_of,
    places_in,
    sections_of,
    sentence_rankers,
)
from nutgraf.extractive._coverage import (
    Coverage,
    Named,
    bigrams,
    coverage_reason,
    cue_reason,
    incidence,
    narration_reason,
    other_reason,
    position_reason,
)
from nutgraf.extractive._likeness import Likeness
from nutgraf.extractive.greedy import extend, select_greedily
from nutgraf.presets.ranges import PositiveInt, Range, Share
from nutgraf.text.counts import term_counts
from nutgraf.text.cues import cue_phrases, narration
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array

Centrality = Literal["hipo_rank", "lex_rank", "pacsum", "salience", "text_rank"]

SECTION_STEP = 4
"""Sentences that a section counts as, where sections are far from the borders of the document."""

TOPIC_THRESHOLD = 0.1
"""Smallest weight of a term in the centroid, relative to the largest one."""

LARGEST_WEIGHT = 50
"""Largest weight and exponent; beyond it numbers overflow."""

Weight = Annotated[float, Range(ge=0, le=LARGEST_WEIGHT)]

MOST_CUES = 2
"""Number of cue phrases of a sentence that count."""

SURE = 3.0
"""Log odds beyond which a selector is not surer."""

LIKED = 1.0
"""Distance from the mean, in standard deviations, from which on what a selector says is a reason."""


@dataclass(frozen=True)
class Config:
    """Weighted coverage."""

    unigram_share: Share = 0.5
    """Share of single terms in the weight of all concepts; the rest is that of bigrams."""

    weight_exponent: Weight = 1.0
    """Power k of a concept's summed priors."""

    min_frequency: PositiveInt = 1
    """Number of documents (of sentences, in a single one) that a concept occurs in at least, if any does."""

    position: Literal["none", "start", "border"] = "start"
    """Prior by position: "none", nearness to the "start" of the document, or to the "border" of the section."""

    position_decay: Weight = 0.4
    """Decay λ of the prior with distance."""

    centrality: tuple[Centrality, ...] = ("text_rank", "pacsum")
    """Methods whose ratings are added, in standard deviations, as a sentence's centrality."""

    centrality_weight: Weight = 0.25
    """Weight α of the centrality."""

    cue_weight: Weight = 0.0
    """Weight β of each cue phrase, two at most."""

    narration_weight: Weight = 0.0
    """Weight γ of narration, which pronouns of the third person raise and those of the first and second lower."""

    centroid_weight: Weight = 0.0
    """Weight μ of what a sentence adds to the likeness of the summary to the whole text (see `centroid`)."""

    cost_exponent: Weight = 1.0
    """Gains are divided by length to this power; without effect on a length in sentences."""

    selector_weight: Weight = 0.0
    """Weight σ of what a selector says, if one is handed in."""


class WeightedCoverage(SentenceSelector):
    """Selects sentences that cover the weightiest terms and bigrams."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._central = [
            sentence_rankers.build(sentence_rankers.choice({"kind": kind}))
            for kind in (config.centrality if config.centrality_weight else ())
        ]
        self._selector: Selector | None = None

    @property
    def asks(self) -> bool:
        """True if a selector changes what is selected."""
        return self.config.selector_weight > 0

    def advise(self, selector: Selector) -> None:
        """Hand in a selector; see `SentenceRanker`."""
        self._selector = selector if self.asks else None

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by what each sentence alone is worth."""
        return Ranking.by(boosted(self._worth(document, _Concepts(document)).singles(), boosts))

    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Add the sentence that adds most for its length, until none fits."""
        concepts = _Concepts(document)
        worth = self._worth(document, concepts)
        replay, singles = worth.coverage.copy(), worth.singles()
        bonus = bonus_of(singles, boosts)
        if worth.likeness is None:
            extend(summary, worth.coverage, singles, self.config.cost_exponent, bonus)
        else:
            select_greedily(summary, worth, bonus, self.config.cost_exponent)
        if self._selector is not None and (notice := self._selector.passes_over(document)):
            summary.notices.append(notice)
        ranked = {} if worth.said is None else _ranked(worth.said)
        for index in summary.selected:
            summary.reasons[index] = (
                *self._reasons(document, replay, concepts, index),
                *([ranked[index]] if index in ranked else []),
            ) or (other_reason(replay, index, concepts.contents(index), document.printed[index], document.language),)
            replay.add(index)
        return Ranking.by(boosted(singles, boosts))

    def _worth(self, document: Document, concepts: _Concepts) -> _Worth:
        factors, weight = self._factors(document), self.config.centroid_weight
        likeness = Likeness(document, TOPIC_THRESHOLD) if weight else None
        worth = _Worth(self._coverage(document, concepts, factors), likeness, weight * factors)
        said = None if self._selector is None else self._selector(document, worth.singles())
        if said is None:
            return worth
        odds = np.clip(said - said.mean(), -SURE, SURE) if said.size else said
        factors = factors * np.exp(self.config.selector_weight * odds)
        return _Worth(self._coverage(document, concepts, factors), likeness, weight * factors, said)

    def _reasons(self, document: Document, before: Coverage, concepts: _Concepts, index: int) -> Iterator[str]:
        text = document.printed[index]
        units = "documents" if len(document.parts) > 1 else "sentences"
        yield from coverage_reason(before, index, concepts.shared(index), text, document.language, units)
        if self.config.position != "none":
            yield from position_reason(document, index)
        if self.config.cue_weight:
            yield from cue_reason(text, document.language)
        if self.config.narration_weight:
            yield from narration_reason(document.words[index], document.language)

    def _coverage(self, document: Document, concepts: _Concepts, factors: Array) -> Coverage:
        weights = concepts.sums(self._prior(document)) ** self.config.weight_exponent
        frequent, share = concepts.frequencies >= self.config.min_frequency, self.config.unigram_share
        terms, pairs = slice(concepts.num_terms), slice(concepts.num_terms, None)
        scaled = [
            share * _scaled(weights[terms], frequent[terms]),
            (1 - share) * _scaled(weights[pairs], frequent[pairs]),
        ]
        return Coverage(concepts.holds, np.concatenate(scaled), factors)

    def _prior(self, document: Document) -> Array:
        """Prior p of each sentence."""
        decay = self.config.position_decay
        if self.config.position == "none" or not document.sentences:
            return np.ones(len(document.sentences))
        if self.config.position == "start":
            return np.asarray(1 / (1 + decay * places_in(parts_of(document))))
        sections, parts = sections_of(document)
        between = border_distances(parts)[sections]
        return np.asarray(1 / (1 + decay * border_distances(sections)) / (1 + SECTION_STEP * decay * between))

    def _factors(self, document: Document) -> Array:
        """Factor exp(α·z + β·cues + γ·narration) of each sentence."""
        exponents = np.zeros(len(document.sentences))
        for method in self._central:
            exponents += self.config.centrality_weight * _standardized(method.rank(document).ratings)
        if self.config.cue_weight:
            cues = [min(MOST_CUES, len(cue_phrases(text, document.language))) for text in document.printed]
            exponents += self.config.cue_weight * np.array(cues, dtype=np.float64)
        if self.config.narration_weight:
            told = [narration(words, document.language) for words in document.words]
            exponents += self.config.narration_weight * np.array(told, dtype=np.float64)
        return np.exp(exponents)


class _Worth:
    """Coverage, and likeness to the whole text if it counts: an objective whose gains may grow.

    Attributes:
        coverage: Concepts that are covered.
        likeness: Likeness to the whole text; None if it does not count.
        said: What a selector says of each sentence; None if it says nothing.
    """

    def __init__(
        self, coverage: Coverage, likeness: Likeness | None, factors: Array, said: Array | None = None
    ) -> None:
        self.coverage = coverage
        self.likeness = likeness
        self.said = said
        self._factors = factors

    def singles(self) -> Array:
        """Gain of each sentence beside those selected; what it takes from the likeness does not count."""
        covered = self.coverage.singles()
        return covered if self.likeness is None else covered + self._factors * np.maximum(self.likeness.increase(), 0.0)

    def gains(self, candidates: Mask) -> Array:
        """Gain of each sentence."""
        return self.singles()

    def add(self, index: int) -> None:
        """Select a sentence."""
        self.coverage.add(index)
        if self.likeness is not None:
            self.likeness.add(index)


class _Concepts:
    """Terms and bigrams of a document.

    Attributes:
        num_terms: Number of terms, which come before the bigrams.
        holds: Which concepts each sentence contains: [sentences × concepts].
        parts: Document of each sentence.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        terms = term_counts(document)
        self._columns = terms.columns
        self.num_terms = len(self._columns)
        self._pair_rows, number_of = bigrams(document)
        numbers, labels = np.unique(number_of, return_inverse=True)
        self._pair_labels = labels + self.num_terms
        self.holds = incidence(
            np.concatenate([terms.matrix.rows, self._pair_rows]),
            np.concatenate([terms.matrix.indices, self._pair_labels]),
            (len(document.sentences), self.num_terms + len(numbers)),
        )
        self.parts = parts_of(document)

    @cached_property
    def frequencies(self) -> Integers:
        """Number of sentences that contain each concept; of several documents, number of documents."""
        return np.bincount(self._occurrences[1], minlength=self.holds.shape[1])

    def sums(self, prior: Array) -> Array:
        """Sum of the priors of the sentences that contain each concept; of several documents, of their largest ones."""
        labels, concepts = self._occurrences
        largest = np.zeros(len(concepts))
        np.maximum.at(largest, labels, prior[self.holds.rows])
        return np.asarray(np.bincount(concepts, largest, minlength=self.holds.shape[1]), dtype=np.float64)

    @cached_property
    def _occurrences(self) -> tuple[Integers, Integers]:
        """Occurrence that each cell of `holds` is part of, and the concept of each occurrence.

        All sentences of one of several documents are one occurrence; in a single document each is one.
        """
        if not self.parts.size or self.parts[-1] == 0:
            return np.arange(self.holds.nnz), self.holds.indices.astype(np.int64)
        count = max(1, self.holds.shape[1])
        cells = self.parts[self.holds.rows] * count + self.holds.indices
        occurrences, labels = np.unique(cells, return_inverse=True)
        return labels, occurrences % count

    def shared(self, index: int) -> Named:
        """The concepts of a sentence that others contain, too."""
        return self._without_stop_words(one for one in self._named(index).items() if one[1] in self._frequent)

    def contents(self, index: int) -> Named:
        """The terms of a sentence, and its bigrams of two content words."""
        named = self._without_stop_words(self._named(index).items())
        return [(words, number) for words, number in named if number < self.num_terms or len(words) == 2]

    def _named(self, index: int) -> dict[tuple[str, ...], int]:
        """Number of each concept of a sentence, by its words."""
        words, stop = self._document.words[index], self._document.stop_words
        first, last = np.searchsorted(self._pair_rows, [index, index + 1])
        pairs = (pair for pair in pairwise(words) if not (pair[0] in stop and pair[1] in stop))
        found: dict[tuple[str, ...], int] = dict(zip(pairs, self._pair_labels[first:last].tolist(), strict=True))
        terms = self._document.terms_of([word] for word in words)
        found.update(((word,), self._columns[own[0]]) for word, own in zip(words, terms, strict=True) if own)
        return found

    def _without_stop_words(self, named: Iterable[tuple[tuple[str, ...], int]]) -> Named:
        stop = self._document.stop_words
        return [(tuple([word for word in words if word not in stop]), number) for words, number in named]

    @cached_property
    def _frequent(self) -> frozenset[int]:
        return frozenset(np.flatnonzero(self.frequencies > 1).tolist())


def _scaled(weights: Array, frequent: Mask) -> Array:
    """Scale the weights of frequent concepts to a sum of 1; if none is frequent, all are."""
    kept = np.where(frequent, weights, 0.0) if frequent.any() else weights
    return np.asarray(kept / (kept.sum() or 1.0))


def _ranked(said: Array) -> dict[int, str]:
    """Return where a selector ranks the sentences that it likes, for the reader, by their indices."""
    by = f"of {len(said)} by a network that has read the text"
    liked = map(int, np.flatnonzero(_standardized(said) >= LIKED))
    return {index: f"is ranked {(said > said[index]).sum() + 1} {by}" for index in liked}


def _standardized(ratings: Ratings) -> Array:
    """Distance from the mean in standard deviations; all zero if all ratings are equal."""
    deviation = float(ratings.std()) if ratings.size else 0.0
    return (ratings - ratings.mean()) / deviation if deviation > 0 else np.zeros_like(ratings)
