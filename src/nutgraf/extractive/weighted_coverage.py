"""Weighted coverage: the terms and bigrams of a text, each covered once, the more valuable the better they are placed.

The model is maximum coverage of concepts (Gillick and Favre, *A Scalable Global Model for Summarization*, 2009), with
three additions of ours. A concept weighs the sum over its sentences of a prior by position, to a power; in several
documents, over the documents it occurs in, of the largest one there:

    w(c) = (Σ p(s) for s that contain c)^k        p(s) = 1 / (1 + λ·d(s))

d(s) is the number of sentences between s and the start of its document or the border of its section that is nearer; in
the second case sections far from the borders of the document lose likewise. What a sentence adds is multiplied by a
factor of its own, exp(α·z(s) + β·cues(s)), for its centrality by other methods, in standard deviations, and the number
of its cue phrases. The search is greedy by gain over a power of the length (Lin and Bilmes 2010, Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
from scipy import sparse

from nutgraf.extractive import Ranking, Ratings, SentenceSelector, bonus_of, boosted, sentence_rankers
from nutgraf.extractive._coverage import Coverage, bigrams, distinct, incidence
from nutgraf.extractive._places import Integers, border_distances, parts_of, places_in, sections_of
from nutgraf.extractive._reasons import Concept, announcing, covered, placed
from nutgraf.extractive.greedy import extend
from nutgraf.extractive.partial_summary import PartialSummary
from nutgraf.text.cues import cue_phrases
from nutgraf.text.document import Document
from nutgraf.text.vectors import Array, Matrix, count_matrix, term_columns

Centrality = Literal["hipo_rank", "lex_rank", "pacsum", "salience", "text_rank"]

SECTION_STEP = 4
"""Sentences that a section counts as, where sections are far from the borders of the document."""

LARGEST_WEIGHT = 50
"""Largest weight and exponent; beyond it numbers overflow."""

MOST_CUES = 2
"""Number of cue phrases of a sentence that count."""


@dataclass(frozen=True)
class Config:
    """Weighted coverage."""

    unigram_share: float = 0.5
    """Share of single terms in the weight of all concepts; the rest is that of bigrams."""

    weight_exponent: float = 1.0
    """Power k of a concept's summed priors."""

    min_frequency: int = 1
    """Number of documents (of sentences, in a single one) that a concept occurs in at least, if any does."""

    position: Literal["none", "start", "border"] = "start"
    """Prior by position: "none", nearness to the "start" of the document, or to the "border" of the section."""

    position_decay: float = 0.4
    """Decay λ of the prior with distance."""

    centrality: tuple[Centrality, ...] = ("text_rank", "pacsum")
    """Methods whose ratings are added, in standard deviations, as a sentence's centrality."""

    centrality_weight: float = 0.25
    """Weight α of the centrality."""

    cue_weight: float = 0.0
    """Weight β of each cue phrase, two at most."""

    cost_exponent: float = 1.0
    """Gains are divided by length to this power; without effect on a length in sentences."""

    def __post_init__(self) -> None:
        if not 0 <= self.unigram_share <= 1:
            raise ValueError("unigram_share lies between 0 and 1")
        if self.min_frequency < 1:
            raise ValueError("min_frequency must be 1 or more")
        weights = (self.weight_exponent, self.position_decay, self.centrality_weight, self.cue_weight)
        if not 0 <= min(*weights, self.cost_exponent) <= max(*weights, self.cost_exponent) <= LARGEST_WEIGHT:
            raise ValueError(
                "weight_exponent, position_decay, centrality_weight, cue_weight and cost_exponent must not be negative "
                f"or above {LARGEST_WEIGHT}"
            )


class WeightedCoverage(SentenceSelector):
    """Selects sentences that cover the weightiest terms and bigrams."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._central = [
            sentence_rankers.build(sentence_rankers.choice({"kind": kind}))
            for kind in (config.centrality if config.centrality_weight else ())
        ]

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by what each sentence alone is worth."""
        return Ranking.by(boosted(self._coverage(document, _Concepts(document)).singles(), boosts))

    def pick(self, document: Document, summary: PartialSummary, boosts: Ratings | None = None) -> Ranking:
        """Add the sentence that adds most for its length, until none fits."""
        concepts = _Concepts(document)
        coverage = self._coverage(document, concepts)
        replay, singles = coverage.copy(), coverage.singles()
        bonus = bonus_of(singles, boosts)
        extend(summary, coverage, singles if bonus is None else singles + bonus, self.config.cost_exponent, bonus)
        for index in summary.selected:
            summary.reasons[index] = tuple(self._reasons(document, replay, concepts, index))
            replay.add(index)
        return Ranking.by(boosted(singles, boosts))

    def _reasons(self, document: Document, before: Coverage, concepts: _Concepts, index: int) -> Iterator[str]:
        text = document.printed[index]
        units = "documents" if len(document.parts) > 1 else "sentences"
        yield from covered(before, index, concepts.of(index), text, units)
        if self.config.position != "none":
            yield from placed(document, index)
        if self.config.cue_weight:
            yield from announcing(text, document.language)

    def _coverage(self, document: Document, concepts: _Concepts) -> Coverage:
        prior, share = self._prior(document), self.config.unigram_share
        weights = [
            share * self._weights(concepts.terms, prior, concepts.parts),
            (1 - share) * self._weights(concepts.pairs, prior, concepts.parts),
        ]
        return Coverage(concepts.holds, np.concatenate(weights), self._factors(document))

    def _weights(self, holds: Matrix, prior: Array, parts: Integers) -> Array:
        """Weight w of each concept, scaled to a sum of 1."""
        priors = sparse.csr_matrix(sparse.diags(prior, shape=(len(prior),) * 2) @ holds)
        if parts.size and parts[-1] > 0:
            borders = np.searchsorted(parts, np.arange(parts[-1] + 2))
            spans = [(start, end) for start, end in pairwise(borders.tolist()) if end > start]
            largest = [priors[start:end].max(axis=0).toarray().ravel() for start, end in spans]
            sums, frequencies = sum(largest), sum(one > 0 for one in largest)
        else:
            sums, frequencies = np.asarray(priors.sum(axis=0)).ravel(), np.asarray(holds.sum(axis=0)).ravel()
        weights = np.asarray(sums) ** self.config.weight_exponent
        frequent = np.asarray(frequencies) >= self.config.min_frequency
        kept = np.where(frequent, weights, 0.0) if frequent.any() else weights
        return np.asarray(kept / (kept.sum() or 1.0))

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
        """Factor exp(α·z + β·cues) of each sentence."""
        exponents = np.zeros(len(document.sentences))
        for method in self._central:
            exponents += self.config.centrality_weight * _standardized(method.rank(document).ratings)
        if self.config.cue_weight:
            cues = [min(MOST_CUES, len(cue_phrases(text, document.language))) for text in document.printed]
            exponents += self.config.cue_weight * np.array(cues, dtype=np.float64)
        return np.exp(exponents)


class _Concepts:
    """Terms and bigrams of a document.

    Attributes:
        terms: Which terms each sentence contains.
        pairs: Which bigrams each sentence contains.
        holds: Both, side by side: [sentences × concepts].
        parts: Document of each sentence.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._columns = term_columns(document.terms)
        self.terms = count_matrix(document.terms, self._columns)
        self.terms.data[:] = 1.0
        self._sentence_of, number_of = bigrams(document)
        numbers, self._labels = np.unique(number_of, return_inverse=True)
        self.pairs = incidence(self._sentence_of, self._labels, (len(document.sentences), len(numbers)))
        self.holds = sparse.hstack([self.terms, self.pairs], format="csr")
        self.parts = parts_of(document)

    def of(self, index: int) -> list[Concept]:
        """The concepts of a sentence."""
        words, stop = self._document.words[index], self._document.stop_words
        first, last = np.searchsorted(self._sentence_of, [index, index + 1])
        pairs = [pair for pair in pairwise(words) if not (pair[0] in stop and pair[1] in stop)]
        numbers = self._labels[first:last] + len(self._columns)
        frequencies = self._frequencies
        found: list[tuple[tuple[str, ...], int]] = list(zip(pairs, numbers.tolist(), strict=True))
        for word in words:
            (term,) = self._document.terms_of([[word]])
            if term:
                found.append(((word,), self._columns[term[0]]))
        return [
            Concept(tuple(word for word in said if word not in stop), number, int(frequencies[number]))
            for said, number in dict(found).items()
        ]

    @cached_property
    def _frequencies(self) -> Integers:
        """Number of sentences that contain each concept; of several documents, number of documents."""
        if not self.parts.size or self.parts[-1] == 0:
            return np.bincount(self.holds.indices, minlength=self.holds.shape[1])
        found = self.holds.tocoo()
        return distinct(found.col.astype(np.int64), self.parts[found.row], self.holds.shape[1])


def _standardized(ratings: Ratings) -> Array:
    """Distance from the mean in standard deviations; all zero if all ratings are equal."""
    deviation = float(ratings.std()) if ratings.size else 0.0
    return (ratings - ratings.mean()) / deviation if deviation > 0 else np.zeros_like(ratings)
