"""The Pointer-Magnifier: copy or expand sentences of a prototype within a budget. Sarkhel et al. 2020 (MLS), Sec. 3.

Equations in brackets are theirs. Where the paper leaves a choice, `Config` names both readings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from nutgraf.magnifier.attention import Normalization, SentenceAttention, combine, normalize
from nutgraf.magnifier.expansion import Expansions, Flags, Spans, ngrams, repeated
from nutgraf.magnifier.fill import fill
from nutgraf.magnifier.kernels import Kernel, Values, Words
from nutgraf.text.document import Document
from nutgraf.text.tokenize import count_words, words
from nutgraf.text.vectors import Matrix, RedundancyFilter, tfidf

LITTLE = 0.05
"""The share of a budget that is rather left empty than filled with sentences that do not stand alone."""

MOST_COMPARISONS = 50_000_000
"""Sentences of the prototype times sentences of the document up to which expansions are looked for: some ten
seconds' work. Beyond, sentences of the prototype are copied only."""

ROUNDING = 1e-12
"""Two probabilities that differ by less are equal."""


@dataclass(frozen=True)
class Config:
    """mode: "strict" never exceeds the budget. "at_least_one" has the best sentence of the prototype where none fits.
        "at_least_prototype" never falls below the whole prototype: the published figures of small budgets can only have
        come from such a reading.
    compared: with what Eq. 8 compares the budget to see whether sentences may be expanded. As the text has it with the
        "prototype", which must be shorter; as it is printed with the "summary" so far, which always is.
    normalization: how a head's values come to sum to one.
    expansion: P_e "corrected", or "literal" as printed, which makes it the same constant for every sentence.
    prior: "none" as in the paper, or the first stage's "ratings" of sentences, by which attention is multiplied.
    runs: lengths of expansions, in the order in which they are tried. candidates: how many are re-ranked by repetition.
    dimensions: of the vectors in which a sentence and its expansion are compared, at most; 0 for no limit.
    fill: whether sentences of the document close what the prototype leaves of the budget; they are left out if their
        cosine with one already there reaches `redundancy_threshold`.
    """

    mode: Literal["strict", "at_least_one", "at_least_prototype"] = "strict"
    compared: Literal["prototype", "summary"] = "prototype"
    normalization: Normalization = "sum"
    expansion: Literal["corrected", "literal"] = "corrected"
    prior: Literal["none", "ratings"] = "none"
    runs: tuple[int, ...] = (3, 2)
    candidates: int = 4
    dimensions: int = 0
    fill: bool = False
    redundancy_threshold: float = 0.7

    def __post_init__(self) -> None:
        if not self.runs or min(self.runs) < 1:
            raise ValueError("runs are lengths of 1 or more")
        if self.candidates < 1 or self.dimensions < 0:
            raise ValueError("candidates must be 1 or more, dimensions 0 or more")


@dataclass(frozen=True)
class PrototypeSentence:
    """A sentence of the prototype. source: the document's sentence it is, None if it was written anew; place: where
    in the document it belongs, for the order of what is filled in."""

    text: str
    source: int | None
    place: int


@dataclass(frozen=True)
class Piece:
    """A sentence of the result: from the prototype, from the document, or both.

    source: index of the document's sentence, None for a written one. expands: the prototype's sentence it grew from.
    """

    text: str
    operation: Literal["copied", "expanded", "filled", "generated"]
    source: int | None
    rating: float
    shares: Mapping[str, float]
    expands: str | None = None


@dataclass
class _State:
    """What changes while the summary grows. used: sentences of the document that are in it, or are none (headings).
    runs: what each remaining sentence would grow into, start and end, equal where there is nothing; None before it was
    looked for. said: bigrams and trigrams that stand there."""

    room: int
    remaining: Flags
    used: Flags
    runs: Spans | None = None
    said: set[tuple[str, ...]] = field(default_factory=set)
    pieces: dict[int, list[Piece]] = field(default_factory=dict)


class Prepared:
    """One document and one prototype, with all that depends on neither budget nor weights; made when first needed."""

    def __init__(
        self, document: Document, prototype: Sequence[PrototypeSentence], kernels: Mapping[str, Kernel], config: Config
    ) -> None:
        self.document = document
        self.prototype = prototype
        self.words: list[Words] = [words(sentence.text) for sentence in prototype]
        self.lengths = np.array([count_words(sentence.text) for sentence in prototype])
        self._heads = {name: kernel(document) for name, kernel in kernels.items()}
        self._config = config

    @cached_property
    def values(self) -> dict[str, Values]:
        """c_i of the prototype's sentences."""
        return {name: head(self.words) for name, head in self._heads.items()}

    @cached_property
    def document_values(self) -> dict[str, Values]:
        """c_i of the document's sentences."""
        return {name: head(self.document.words) for name, head in self._heads.items()}

    @property
    def expandable(self) -> bool:
        """Whether the document is short enough for its prototype's sentences to be compared with all its runs."""
        return len(self.prototype) * len(self.document.sentences) <= MOST_COMPARISONS

    @cached_property
    def expansions(self) -> Expansions:
        """What each sentence of the prototype can grow into."""
        return Expansions(self.document, self.words, self._config.runs, self._config.dimensions)

    @cached_property
    def ngrams(self) -> list[list[tuple[str, ...]]]:
        """Bigrams and trigrams of the document's sentences."""
        return [ngrams(sentence) for sentence in self.document.words]

    @cached_property
    def vectors(self) -> Matrix:
        """tf-idf of the document's sentences, to see what repeats what."""
        return tfidf(self.document.terms)


class Magnifier:
    """Brings a prototype to a length budget and says of every sentence why it is there."""

    def __init__(self, config: Config, kernels: Mapping[str, Kernel]) -> None:
        self.config = config
        self.weights = {name: kernel.weight for name, kernel in kernels.items()}
        self._kernels = dict(kernels)

    def __call__(
        self, document: Document, prototype: Sequence[PrototypeSentence], budget: int, emphasis: Values | None = None
    ) -> list[Piece]:
        """The summary's sentences, in the prototype's order; [] if nothing fits.

        budget: b, in words. emphasis: a factor for each of the document's sentences.
        """
        return self.assemble(self.prepare(document, prototype), budget, emphasis=emphasis)

    def fit(self, documents: Iterable[Document]) -> None:
        """Let the kernels learn from a collection what they need of it."""
        collection = list(documents)
        for kernel in self._kernels.values():
            kernel.fit(collection)

    def prepare(self, document: Document, prototype: Sequence[PrototypeSentence]) -> Prepared:
        """Let the kernels look at a document, once for all budgets and weights."""
        return Prepared(document, prototype, self._kernels, self.config)

    def assemble(
        self,
        prepared: Prepared,
        budget: int,
        *,
        weights: Mapping[str, float] | None = None,
        emphasis: Values | None = None,
    ) -> list[Piece]:
        """Copy or expand. weights: w by kernel, in place of the kernels' own."""
        return _Run(self.config, prepared, weights or self.weights, budget, emphasis).result()


class _Run:
    """One prototype, one budget, one set of weights."""

    def __init__(
        self,
        config: Config,
        prepared: Prepared,
        weights: Mapping[str, float],
        budget: int,
        emphasis: Values | None,
    ) -> None:
        self.config = config
        self.prepared = prepared
        self.weights = weights
        self.document = prepared.document
        self.prototype = prepared.prototype
        self.lengths = prepared.lengths
        self.emphasis = emphasis
        length = int(self.lengths.sum())
        self.budget = max(budget, length) if config.mode == "at_least_prototype" else budget
        self.expands = prepared.expandable and (config.compared == "summary" or length < self.budget)
        self.attention = self._combine(prepared.values, self._emphasis_of(self.prototype))

    @cached_property
    def over_document(self) -> SentenceAttention:
        """Attention over all sentences of the document."""
        return self._combine(self.prepared.document_values, self.emphasis)

    def _combine(self, values: Mapping[str, Values], emphasis: Values | None) -> SentenceAttention:
        return combine(values, self.weights, emphasis, self.config.normalization)

    def result(self) -> list[Piece]:
        """Copy or expand until nothing fits, then fill, then put everything in order."""
        state = _State(
            room=self.budget,
            remaining=np.ones(len(self.prototype), dtype=bool),
            used=~np.array(self.document.prose, dtype=bool),
        )
        if self.expands:
            while state.remaining.any() and state.room > 0:
                self._step(state)
        else:
            self._copy_by_attention(state)
        filled = self._fill(state) if self.config.fill else []
        if self.config.mode == "at_least_one" and not state.pieces and not filled and len(self.prototype):
            self._copy(int(np.argmax(self.attention.weights)), state)
        return self._in_order(state, filled)

    def _copy_by_attention(self, state: _State) -> None:
        """What the steps come to where no sentence may be expanded: by falling attention, each that fits is copied."""
        for chosen in np.argsort(-self.attention.weights, kind="stable").tolist():
            if state.room <= 0:
                return
            if self._can_copy(chosen, state):
                self._copy(chosen, state)

    def _step(self, state: _State) -> None:
        """Select one sentence, expand or copy it, or put it aside."""
        copying = normalize(np.where(state.remaining, self.attention.weights, 0.0))
        expanding, grows = self._expansion(state)
        alpha = np.maximum(expanding, copying)
        output = np.where(state.remaining, alpha * expanding + (1 - alpha) * copying, -1.0)  # Eq. 7, 8
        chosen = int(np.argmax(output))
        state.remaining[chosen] = False
        if grows[chosen] and expanding[chosen] >= copying[chosen] - ROUNDING:
            self._expand(chosen, state)
        elif self._can_copy(chosen, state):
            self._copy(chosen, state)

    def _expansion(self, state: _State) -> tuple[Values, Flags]:
        """P_e of every sentence of the prototype, and whether it can grow at all."""
        starts, ends = self._runs(state).T
        grows, sizes = starts < ends, np.maximum(ends - starts, 1)
        if not grows.any():
            return np.zeros(len(self.prototype)), grows
        if self.config.expansion == "literal":
            return grows / (len(self.weights) * sizes), grows
        union = _covered(starts, ends, len(state.used))
        emphasis = None if self.emphasis is None else self.emphasis[union]
        values = {name: value[union] for name, value in self.prepared.document_values.items()}
        weights = np.zeros(len(state.used) + 1)
        weights[union + 1] = self._combine(values, emphasis).weights
        sums = np.cumsum(weights)
        return normalize((sums[ends] - sums[starts]) / sizes), grows

    def _runs(self, state: _State) -> Spans:
        """The best run of each remaining sentence. As sentences are used up and room shrinks, the best stays the best
        until it is no longer allowed."""
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

    def _expand(self, chosen: int, state: _State) -> None:
        """Of the best runs take the one with which the summary repeats itself least."""
        runs = self.prepared.expansions.best(chosen, state.used, state.room, self.config.candidates)
        own = self.prepared.ngrams
        run = min(runs, key=lambda run: repeated((own[index] for index in run), state.said))
        state.pieces[chosen] = [self._piece(index, "expanded", expands=self.prototype[chosen].text) for index in run]
        state.used[run.start : run.stop] = True
        state.room -= sum(self.document.lengths[index] for index in run)
        for index in run:
            state.said.update(own[index])

    def _can_copy(self, chosen: int, state: _State) -> bool:
        source = self.prototype[chosen].source
        return bool(self.lengths[chosen] <= state.room) and not (source is not None and state.used[source])

    def _copy(self, chosen: int, state: _State) -> None:
        sentence = self.prototype[chosen]
        state.pieces[chosen] = [
            Piece(
                text=sentence.text,
                operation="generated" if sentence.source is None else "copied",
                source=sentence.source,
                rating=float(self.attention.weights[chosen]),
                shares={name: float(share[chosen]) for name, share in self.attention.shares.items()},
            )
        ]
        if sentence.source is not None:
            state.used[sentence.source] = True
        state.room -= int(self.lengths[chosen])
        state.said.update(ngrams(self.prepared.words[chosen]))

    def _fill(self, state: _State) -> list[Piece]:
        """Sentences of the document that close the budget: those that stand alone, and the others only if these leave
        more than a little of it."""
        chosen = RedundancyFilter(self.prepared.vectors, self.config.redundancy_threshold)
        for pieces in state.pieces.values():
            for piece in pieces:
                if piece.source is not None:
                    chosen.add(piece.source)
        lengths = self.document.lengths
        ranked = np.argsort(-self.over_document.weights, kind="stable").tolist()
        free = [index for index in ranked if not state.used[index]]
        alone = [index for index in free if self.document.standalone[index]]
        taken = fill(alone, lengths, state.room, chosen.repeats, chosen.add)
        left = state.room - sum(lengths[index] for index in taken)
        if left > LITTLE * self.budget:
            leaning = [index for index in free if not self.document.standalone[index]]
            taken += fill(leaning, lengths, left, chosen.repeats, chosen.add)
        if not taken and not state.pieces:
            taken = [index for index in free if lengths[index] <= state.room][:1]
        return [self._piece(index, "filled") for index in taken]

    def _piece(
        self,
        index: int,
        operation: Literal["expanded", "filled"],
        expands: str | None = None,
    ) -> Piece:
        return Piece(
            text=self.document.printed[index],
            operation=operation,
            source=index,
            rating=float(self.over_document.weights[index]),
            shares={name: float(share[index]) for name, share in self.over_document.shares.items()},
            expands=expands,
        )

    def _in_order(self, state: _State, filled: list[Piece]) -> list[Piece]:
        """The prototype's order; what was filled in stands after what precedes it in the document."""
        ordered = [(self._place(index, pieces), pieces) for index, pieces in sorted(state.pieces.items())]
        result: list[Piece] = []
        waiting = sorted(filled, key=lambda piece: piece.source or 0)
        for place, pieces in ordered:
            while waiting and (waiting[0].source or 0) < place:
                result.append(waiting.pop(0))
            result.extend(pieces)
        return [*result, *waiting]

    def _place(self, index: int, pieces: list[Piece]) -> int:
        first = pieces[0].source
        return self.prototype[index].place if first is None else first

    def _emphasis_of(self, prototype: Sequence[PrototypeSentence]) -> Values | None:
        """A written sentence is emphasized as the place it belongs to."""
        if self.emphasis is None:
            return None
        return self.emphasis[[sentence.place for sentence in prototype]]


def _covered(starts: npt.NDArray[np.intp], ends: npt.NDArray[np.intp], size: int) -> npt.NDArray[np.intp]:
    """The sentences that stand in any of the runs, ascending."""
    opened = np.bincount(starts, minlength=size + 1) - np.bincount(ends, minlength=size + 1)
    return np.flatnonzero(np.cumsum(opened))
