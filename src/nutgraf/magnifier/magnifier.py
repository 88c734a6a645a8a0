"""The Pointer-Magnifier. Sarkhel et al. 2020 (MLS), Sec. 2.2; equations in brackets are theirs.

Copies or expands sentences of a prototype within a budget. Where the paper is ambiguous, `Config` names both
interpretations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from nutgraf.magnifier.attention import Normalization, SentenceAttention, combine, normalize
from nutgraf.magnifier.expansion import Expansions, Flags, Spans, ngrams, repeated
from nutgraf.magnifier.fill import SHORTEST, fill
from nutgraf.magnifier.kernels import Kernel, Values, Words
from nutgraf.presets.family import Choice
from nutgraf.presets.ranges import NonNegativeInt, PositiveInt
from nutgraf.prose import judgements
from nutgraf.prose.closure import Closures
from nutgraf.prose.dependence import leanings
from nutgraf.prose.quality import GOOD, JUNK
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document, Unit
from nutgraf.text.summary import UNUSED
from nutgraf.text.tokenize import words
from nutgraf.text.vectors import RedundancyFilter, Rows, tfidf

LITTLE = 0.05
"""Share of a budget that is left empty rather than filled with sentences that cannot stand alone."""

MOST_COMPARISONS = 50_000_000
"""Maximum of prototype sentences times document sentences for which expansions are searched, about ten seconds' work;
beyond it, sentences are only copied."""

ROUNDING = 1e-12
"""Probabilities that differ by less are equal."""


@dataclass(frozen=True)
class Config:
    """The Pointer-Magnifier."""

    mode: Literal["strict", "at_least_one", "at_least_prototype"] = "strict"
    """Budgets are never exceeded ("strict"), except for the best sentence of the prototype if none fits
    ("at_least_one"), or are raised to the length of the prototype ("at_least_prototype"), as the published figures for
    small budgets imply."""

    compared_length: Literal["prototype", "summary"] = "prototype"
    """Length that Eq. 8 compares with the budget before a sentence is expanded: that of the "prototype", as in the text
    of the paper, or that of the "summary" so far, as the equation is printed."""

    normalization: Normalization = "sum"
    """Normalization of a head's values: divide by their "sum", or "softmax"."""

    expansion: Literal["corrected", "literal"] = "corrected"
    """Probability of expansion P_e: "corrected", or "literal" as printed, which makes it the same constant for every
    sentence."""

    prior: Literal["none", "ratings"] = "none"
    """Multiply the attention by the first stage's "ratings" of sentences, or by "none", as in Sarkhel et al. 2020."""

    expansion_sizes: tuple[PositiveInt, ...] = (3, 2)
    """Lengths of expansions in sentences, in the order in which they are tried."""

    candidates: PositiveInt = 4
    """Number of expansions that are re-ranked by repetition."""

    dimensions: NonNegativeInt = 0
    """Maximum dimensions of the vectors that compare a sentence with its expansion; 0 for no limit."""

    fill: bool = False
    """Fill what the prototype leaves of the budget with sentences of the document."""

    redundancy_threshold: float = 0.7
    """Do not fill with a sentence whose tf-idf cosine with a selected one reaches this."""

    standalone: bool = False
    """Copy, expand and fill only with sentences that stand by themselves, or together with all that they lean on."""

    kernels: Mapping[str, Choice[Kernel]] = field(default_factory=dict)
    """Kernels that rate sentences, each a section of its own."""

    def __post_init__(self) -> None:
        if not self.expansion_sizes:
            raise ValueError("expansion_sizes needs at least one number")


@dataclass(frozen=True)
class PrototypeSentence:
    """A sentence of the prototype.

    Attributes:
        text: The sentence.
        source: Index of the document's sentence that it is, or None if a network wrote it.
        place: Index of the document's sentence to which it belongs, for the order of what is filled in.
    """

    text: str
    source: int | None
    place: int


@dataclass(frozen=True)
class MagnifiedSentence:
    """A sentence of the result, from the prototype or the document.

    Attributes:
        text: The sentence.
        operation: "copied", "expanded", "filled" or "generated".
        source: Index of the document's sentence, or None for a generated one.
        rating: Its attention.
        shares: Share of each kernel in the attention.
        expands: The prototype's sentence that it expands, or None.
    """

    text: str
    operation: Literal["copied", "expanded", "filled", "generated"]
    source: int | None
    rating: float
    shares: Mapping[str, float]
    expands: str | None = None


@dataclass
class _State:
    """State of a growing summary.

    Attributes:
        room: Length left of the budget.
        remaining: Sentences of the prototype that have not been considered.
        used: Sentences of the document that are in the summary, or that nothing may be expanded into.
        runs: Run into which each remaining sentence would be expanded, as start and end, equal if there is none.
        ngrams_used: Bigrams and trigrams in the summary.
        pieces: Result for each sentence of the prototype.
        companions: Sentences of the document on which copied ones lean.
        sources: Sentences of the document that are in the summary.
    """

    room: int
    remaining: Flags
    used: Flags
    runs: Spans | None = None
    ngrams_used: set[tuple[str, ...]] = field(default_factory=set)
    pieces: dict[int, list[MagnifiedSentence]] = field(default_factory=dict)
    companions: list[MagnifiedSentence] = field(default_factory=list)
    sources: set[int] = field(default_factory=set)


class PreparedDocument:
    """A document and a prototype, with everything that depends on the budget's unit only, and not on weights.

    It is computed on demand.

    Attributes:
        document: The document.
        document_lengths: Length of each of its sentences, in the unit of the budget.
        prototype: The prototype.
        words: Words of its sentences.
        lengths: Length of each of its sentences, in the unit of the budget.
        shortest: Minimum length of a sentence that fills a budget.
    """

    def __init__(
        self,
        document: Document,
        prototype: Sequence[PrototypeSentence],
        kernels: Mapping[str, Kernel],
        config: Config,
        unit: Unit = "words",
    ) -> None:
        self.document = document
        self.document_lengths = document.lengths_in(unit)
        self.prototype = prototype
        self.words: list[Words] = [words(sentence.text, document.language) for sentence in prototype]
        self.lengths = np.array([_length(sentence, document, unit) for sentence in prototype])
        self._heads = {name: kernel(document) for name, kernel in kernels.items()}
        self._config = config
        self.shortest = SHORTEST * sum(self.document_lengths) // max(1, sum(document.lengths))

    @cached_property
    def values(self) -> dict[str, Values]:
        """c_i of the prototype's sentences, by kernel; those that are the document's are not rated twice."""
        document, sources = self.document.words, [one.source for one in self.prototype if one.source is not None]
        if self.words == [document[source] for source in sources]:
            return {name: rated[sources] for name, rated in self.document_values.items()}
        return {name: head(self.words) for name, head in self._heads.items()}

    @cached_property
    def document_values(self) -> dict[str, Values]:
        """c_i of the document's sentences, by kernel."""
        return {name: head(self.document.words) for name, head in self._heads.items()}

    @property
    def expandable(self) -> bool:
        """True if the document is short enough to compare the prototype's sentences with all its runs."""
        return len(self.prototype) * len(self.document.sentences) <= MOST_COMPARISONS

    @cached_property
    def expansions(self) -> Expansions:
        """Expansions of the prototype's sentences."""
        config = self._config
        return Expansions(self.document, self.words, config.expansion_sizes, config.dimensions, self.document_lengths)

    @cached_property
    def ngrams(self) -> list[list[tuple[str, ...]]]:
        """Bigrams and trigrams of the document's sentences."""
        return [ngrams(sentence) for sentence in self.document.words]

    @cached_property
    def vectors(self) -> Rows:
        """tf-idf vectors of the document's sentences, to detect redundancy."""
        return tfidf(term_counts(self.document).matrix)


class Magnifier:
    """Brings a prototype to a length budget and explains each sentence."""

    def __init__(self, config: Config, kernels: Mapping[str, Kernel]) -> None:
        self.config = config
        self.weights = {name: kernel.weight for name, kernel in kernels.items()}
        self._kernels = dict(kernels)

    def __call__(
        self, document: Document, prototype: Sequence[PrototypeSentence], budget: int, boosts: Values | None = None
    ) -> list[MagnifiedSentence]:
        """Return the sentences of the summary, in the prototype's order; the list is empty if nothing fits.

        Args:
            document: The document.
            prototype: The prototype.
            budget: b, in words.
            boosts: One factor per sentence of the document.
        """
        return self.assemble(self.prepare(document, prototype), budget, boosts=boosts)

    def fit(self, documents: Iterable[Document]) -> None:
        """Fit the kernels to a collection."""
        collection = list(documents)
        for kernel in self._kernels.values():
            kernel.fit(collection)

    def prepare(
        self, document: Document, prototype: Sequence[PrototypeSentence], unit: Unit = "words"
    ) -> PreparedDocument:
        """Analyse a document and a prototype, once for all budgets in one unit, and all weights."""
        return PreparedDocument(document, prototype, self._kernels, self.config, unit)

    def assemble(
        self,
        prepared: PreparedDocument,
        budget: int,
        *,
        weights: Mapping[str, float] | None = None,
        boosts: Values | None = None,
        closures: Closures | None = None,
        asked: Collection[int] = (),
    ) -> list[MagnifiedSentence]:
        """Copy or expand.

        Args:
            prepared: Result of `prepare`.
            budget: b, in the unit that `prepare` was given.
            weights: w by kernel; by default the kernels' own.
            boosts: One factor per sentence of the document.
            closures: What the document's sentences lean on, with which they are taken; by default nothing.
            asked: Indices of the document's sentences that a person asked for; where what they lean on does not fit,
                they are copied alone.
        """
        return _Assembly(self.config, prepared, weights or self.weights, budget, boosts, closures, asked).result()


class _Assembly:
    """One summary: a prototype, a budget and a set of weights."""

    def __init__(
        self,
        config: Config,
        prepared: PreparedDocument,
        weights: Mapping[str, float],
        budget: int,
        boosts: Values | None,
        closures: Closures | None,
        asked: Collection[int],
    ) -> None:
        self.config = config
        self.closures = closures
        self.asked = asked
        self._copies = {sentence.source: index for index, sentence in enumerate(prepared.prototype)}
        self.prepared = prepared
        self.weights = weights
        self.document = prepared.document
        self._judgements = judgements(self.document)
        self.prototype = prepared.prototype
        self.lengths = prepared.lengths
        self.boosts = boosts
        length = int(self.lengths.sum())
        self.budget = max(budget, length) if config.mode == "at_least_prototype" else budget
        self.expands = prepared.expandable and (config.compared_length == "summary" or length < self.budget)
        # A written sentence has the boost of the place to which it belongs.
        own = None if boosts is None else boosts[[sentence.place for sentence in self.prototype]]
        self.attention = self._combine(prepared.values, own)

    @cached_property
    def over_document(self) -> SentenceAttention:
        """Attention over all sentences of the document."""
        return self._combine(self.prepared.document_values, self.boosts)

    def _combine(self, values: Mapping[str, Values], boosts: Values | None) -> SentenceAttention:
        return combine(values, self.weights, boosts, self.config.normalization)

    def result(self) -> list[MagnifiedSentence]:
        """Copy or expand until nothing fits, fill, and put everything in order."""
        state = _State(
            room=self.budget,
            remaining=np.ones(len(self.prototype), dtype=bool),
            used=self._barred(),
        )
        if self.expands:
            while state.remaining.any() and state.room > 0:
                self._step(state)
        else:
            self._copy_by_attention(state)
        filled = self._fill(state) if self.config.fill else []
        if self.config.mode == "at_least_one" and not state.pieces and not filled and len(self.prototype):
            self._copy(int(np.argmax(self.attention.weights)), state)
        return self._in_order(state, [*state.companions, *filled])

    def _barred(self) -> Flags:
        """Sentences that are neither copied nor expanded into: all but good prose.

        Weak prose is left to the filling; without filling, that of the prototype may be copied. Where nothing is
        expanded, only the prototype's sentences are judged.
        """
        count = len(self.document.sentences)
        sources = [sentence.source for sentence in self.prototype if sentence.source is not None]
        barred = np.zeros(count, dtype=bool)
        for index in range(count) if self.expands else sources:
            barred[index] = self._quality(index) < GOOD
        if not self.config.fill:
            barred[[source for source in sources if self._is_prose(source)]] = False
        return barred

    def _quality(self, index: int) -> float:
        return self._judgements[index].quality

    def _is_prose(self, index: int) -> bool:
        return self._quality(index) > JUNK

    def _copy_by_attention(self, state: _State) -> None:
        """Copy each sentence that fits, by descending attention.

        This is equivalent to the steps if no sentence may be expanded.
        """
        for chosen in np.argsort(-self.attention.weights, kind="stable").tolist():
            if state.room <= 0:
                return
            if self._can_copy(chosen, state):
                self._copy(chosen, state)

    def _step(self, state: _State) -> None:
        """Select one sentence; expand it, copy it or skip it."""
        copying = normalize(np.where(state.remaining, self.attention.weights, 0.0))
        expanding, grows = self._expansion(state)
        alpha = np.maximum(expanding, copying)
        output = np.where(state.remaining, alpha * expanding + (1 - alpha) * copying, -1.0)  # Eq. 7, 8
        chosen = int(np.argmax(output))
        state.remaining[chosen] = False
        if grows[chosen] and expanding[chosen] >= copying[chosen] - ROUNDING and self._expand(chosen, state):
            return
        if self._can_copy(chosen, state):
            self._copy(chosen, state)

    def _expansion(self, state: _State) -> tuple[Values, Flags]:
        """P_e of every sentence of the prototype (Eq. 4–6), and whether it can be expanded at all."""
        starts, ends = self._runs(state).T
        grows, sizes = starts < ends, np.maximum(ends - starts, 1)
        if not grows.any():
            return np.zeros(len(self.prototype)), grows
        if self.config.expansion == "literal":
            return grows / (len(self.weights) * sizes), grows
        union = _covered(starts, ends, len(state.used))
        boosts = None if self.boosts is None else self.boosts[union]
        values = {name: value[union] for name, value in self.prepared.document_values.items()}
        weights = np.zeros(len(state.used) + 1)
        weights[union + 1] = self._combine(values, boosts).weights
        sums = np.cumsum(weights)
        return normalize((sums[ends] - sums[starts]) / sizes), grows

    def _runs(self, state: _State) -> Spans:
        """Best run of each remaining sentence.

        As sentences are used up and room shrinks, a best run stays the best until it is no longer allowed.
        """
        expansions = self.prepared.expansions
        if state.runs is None:
            state.runs = np.zeros((len(self.prototype), 2), dtype=np.intp)
            stale = state.remaining
        else:
            state.runs[~state.remaining] = 0
            stale = expansions.barred(state.runs, state.used, state.room)
        for index in np.flatnonzero(stale).tolist():
            best = expansions.best(index, state.used, state.room)
            state.runs[index] = (best[0].start, best[0].stop) if best else 0
        return state.runs

    def _expand(self, chosen: int, state: _State) -> bool:
        """Among the best runs, take the one that repeats the summary least; none if all lean on other sentences."""
        runs = self.prepared.expansions.best(chosen, state.used, state.room, self.config.candidates)
        runs = [run for run in runs if self._stands(run, state.sources)]
        if not runs:
            return False
        own = self.prepared.ngrams
        run = min(runs, key=lambda run: repeated((own[index] for index in run), state.ngrams_used))
        state.pieces[chosen] = [self._piece(index, "expanded", expands=self.prototype[chosen].text) for index in run]
        state.used[run.start : run.stop] = True
        state.sources.update(run)
        state.room -= sum(self.prepared.document_lengths[index] for index in run)
        for index in run:
            state.ngrams_used.update(own[index])
        return True

    def _stands(self, run: Sequence[int], selected: Collection[int]) -> bool:
        """Return True if no sentence of a run leans on one that is neither there nor selected."""
        if self.closures is None:
            return True
        return all(self._together(self.closures, one, {*selected, *run} - {one}) == [one] for one in run)

    def _together(self, closures: Closures, index: int, selected: Collection[int]) -> list[int]:
        """A sentence of the document and all that it leans on beside those selected; empty if it cannot be taken."""
        found = closures.of(index, selected)
        return list(found.members) if found.whole and all(map(self._is_prose, found.members)) else []

    def _copied_with(self, chosen: int, state: _State) -> list[int]:
        """Sentences of the document on which one of the prototype leans, and which are not there; and itself."""
        source = self.prototype[chosen].source
        if source is None or self.closures is None:
            return []
        members = self._together(self.closures, source, state.sources)
        length = sum(self.prepared.document_lengths[one] for one in members)
        if source in self.asked and not (members and length <= state.room):
            return list(self.closures.list_with(source))
        return members

    def _can_copy(self, chosen: int, state: _State) -> bool:
        source, length = self.prototype[chosen].source, int(self.lengths[chosen])
        if source is not None and self.closures is not None:
            members = self._copied_with(chosen, state)
            if not members:
                return False
            length = sum(self.prepared.document_lengths[one] for one in members)
        return length <= state.room and not (source is not None and state.used[source])

    def _copy(self, chosen: int, state: _State) -> None:
        """Copy a sentence of the prototype, and what it leans on."""
        source = self.prototype[chosen].source
        for index in self._copied_with(chosen, state):
            if index == source:
                continue
            if index in self._copies:
                self._copy_alone(self._copies[index], state)
            else:
                state.companions.append(self._piece(index, "filled"))
                self._use(index, self.prepared.document_lengths[index], state)
        self._copy_alone(chosen, state)

    def _copy_alone(self, chosen: int, state: _State) -> None:
        sentence = self.prototype[chosen]
        state.pieces[chosen] = [
            MagnifiedSentence(
                text=sentence.text,
                operation="generated" if sentence.source is None else "copied",
                source=sentence.source,
                rating=float(self.attention.weights[chosen]),
                shares={name: float(share[chosen]) for name, share in self.attention.shares.items()},
            )
        ]
        state.remaining[chosen] = False
        self._use(sentence.source, int(self.lengths[chosen]), state)
        state.ngrams_used.update(ngrams(self.prepared.words[chosen]))

    def _use(self, source: int | None, length: int, state: _State) -> None:
        state.room -= length
        if source is not None:
            state.used[source] = True
            state.sources.add(source)

    def _fill(self, state: _State) -> list[MagnifiedSentence]:
        """Select sentences of the document that fill the budget.

        First come those that can stand alone, then others of full quality if more than a little is left, and weak ones
        if more than that, and only beside others.
        """
        chosen = RedundancyFilter(self.prepared.vectors, self.config.redundancy_threshold)
        for source in sorted(state.sources):
            chosen.add(source)
        lengths = self.prepared.document_lengths
        ranked = np.argsort(-self.over_document.weights, kind="stable").tolist()
        fitting = [index for index in ranked if lengths[index] <= state.room and index not in state.sources]
        free = list(filter(self._is_prose, fitting))
        taken: list[int] = []
        left = state.room
        good, others, weak = self._tiers(free, state.sources)

        def close(tier: Sequence[int]) -> list[int]:
            there = state.sources.union(taken)
            tier = [index for index in tier if self.closures is None or self._stands([index], there)]
            return fill(tier, lengths, left, chosen.repeats, chosen.add, self.prepared.shortest)

        def take_together(tier: Sequence[int]) -> list[int]:
            return self._fill_together(tier, left, chosen, state.sources.union(taken))

        together = close if self.closures is None else take_together
        for least, tier, select in ((0.0, good, close), (LITTLE, others, together), (UNUSED, weak, close)):
            if left > least * self.budget and (tier is not weak or taken or state.pieces):
                more = select([index for index in tier if index not in taken])
                left -= sum(lengths[index] for index in more)
                taken += more
        if not taken and not state.pieces:
            last = [*good, *others] if self.closures is None else good
            taken = [index for index in last if lengths[index] <= state.room][:1]
        return [self._piece(index, "filled") for index in taken]

    def _fill_together(
        self, tier: Sequence[int], room: int, chosen: RedundancyFilter, there: Collection[int]
    ) -> list[int]:
        """Sentences that lean on others, best first, each with these as long as they fit."""
        taken: list[int] = []
        for index in tier:
            members = self._together(self.closures, index, {*there, *taken}) if self.closures else []
            length = sum(self.prepared.document_lengths[one] for one in members)
            if index not in taken and length <= room and not any(map(chosen.repeats, members)):
                taken += members
                room -= length
                for one in members:
                    chosen.add(one)
        return taken

    def _tiers(self, free: Sequence[int], there: Collection[int]) -> tuple[list[int], list[int], list[int]]:
        """Sentences that can stand alone, others of full quality, and weak ones."""
        found, good = leanings(self.document), [index for index in free if self._quality(index) == GOOD]
        if self.closures is None:
            alone = {index for index in good if not ((leaning := found[index]) and leaning.leans)}
        else:
            alone = {index for index in good if self._stands([index], there)}
        return (
            [index for index in good if index in alone],
            [index for index in good if index not in alone],
            [index for index in free if self._quality(index) < GOOD],
        )

    def _piece(
        self,
        index: int,
        operation: Literal["expanded", "filled"],
        expands: str | None = None,
    ) -> MagnifiedSentence:
        return MagnifiedSentence(
            text=self.document.printed[index],
            operation=operation,
            source=index,
            rating=float(self.over_document.weights[index]),
            shares={name: float(share[index]) for name, share in self.over_document.shares.items()},
            expands=expands,
        )

    def _in_order(self, state: _State, filled: list[MagnifiedSentence]) -> list[MagnifiedSentence]:
        """Sort into the prototype's order; a filled sentence follows what precedes it in the document."""
        result: list[MagnifiedSentence] = []
        waiting = sorted(filled, key=lambda piece: piece.source or 0)
        for index, pieces in sorted(state.pieces.items()):
            source = pieces[0].source
            place = self.prototype[index].place if source is None else source
            while waiting and (waiting[0].source or 0) < place:
                result.append(waiting.pop(0))
            result.extend(pieces)
        return [*result, *waiting]


def _length(sentence: PrototypeSentence, document: Document, unit: Unit) -> int:
    """Number of words or characters that a sentence of the prototype takes in the summary."""
    if sentence.source is None:
        return document.length_of(sentence.text, unit)
    return document.lengths_in(unit)[sentence.source]


def _covered(starts: npt.NDArray[np.intp], ends: npt.NDArray[np.intp], size: int) -> npt.NDArray[np.intp]:
    """Indices of the sentences in any of the runs, ascending."""
    opened = np.bincount(starts, minlength=size + 1) - np.bincount(ends, minlength=size + 1)
    return np.flatnonzero(np.cumsum(opened))
