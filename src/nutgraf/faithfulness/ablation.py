"""Source ablation: the sentences of a source that a network's sentence rests on, by leaving some of them out.

Cohen-Wang et al. 2024, *ContextCite: Attributing Model Generation to Context*, Sec. 4: the network is given random
subsets of the source's sentences, the logit of the probability of what it wrote is measured under each, and a sparse
linear model predicts that logit from the subset. Its weights are the answer, and its R² on subsets that it was not
fitted to says how far it may be believed. As there, each sentence is kept with probability one half, features are
standardized, and the penalty is 0.01 for the logit divided by the number of tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError
from nutgraf.text.document import Document
from nutgraf.text.summary import Origin, origin_of
from nutgraf.text.tokenize import flatten

MOST_ABLATIONS = 32
"""Subsets of a source that a network reads by default, and at most."""

PENALTY = 0.01
"""Weight of the L1 norm in the LASSO."""

FOLDS = 4
"""Parts into which the subsets are divided to measure R²: each is predicted by a fit to the others."""

FEWEST_TO_JUDGE = 2 * FOLDS
"""Subsets below which no R² is measured."""

RELIABLE = 0.5
"""R² below which a linear model explains too little of what the network does."""

ROUNDS, TOLERANCE = 10_000, 1e-7
"""Largest number of steps, and the change of a coefficient that ends them."""

Array = npt.NDArray[np.float64]
Masks = npt.NDArray[np.bool_]

Track = Callable[[Iterator[Any], int], Iterable[Any]]
"""Yields the items of an iterator, of which it is told the number, and may draw a progress bar."""


@dataclass(frozen=True)
class Reader:
    """A network that reads a stretch of a source, or some of its sentences, and is given a summary to write.

    Attributes:
        sentences: Indices of the document's sentences in the stretch.
        log_probs: Takes one subset, True for each sentence that is read, [sentences]; returns the natural logarithm of
            the probability of each sentence of the summary after those before it, [summary sentences].
        rows: Number of subsets that are best read together.
    """

    sentences: tuple[int, ...]
    log_probs: Callable[[Masks], Array]
    rows: int = 1


@dataclass(frozen=True, slots=True)
class SourceWeight:
    """Effect of a sentence of the sources.

    Attributes:
        origin: Its place.
        text: Its text.
        weight: Change of the logit of the summary's sentence when this one is read, too.
    """

    origin: Origin
    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class AblatedSentence:
    """A sentence of a summary, and what it rests on.

    Attributes:
        text: The sentence.
        log_prob: Natural logarithm of its probability when everything is read.
        weights: Sentences of the sources that change its probability, those that change it most first.
        r2: Share of the variance over subsets that the weights explain, measured on subsets that they were not fitted
            to; below zero if they predict worse than the mean. None where there were too few subsets to tell.
    """

    text: str
    log_prob: float
    weights: tuple[SourceWeight, ...]
    r2: float | None


@dataclass(frozen=True, slots=True)
class Ablation:
    """Sentences of a summary with the sentences of the sources that they rest on.

    Attributes:
        sentences: Sentences of the summary, in order.
        ablations: Largest number of subsets that a stretch of the source was read in.
        passes: Number of forward passes, each of one source or subset.
        stretches: Number of windows in which the source was read.
        seed: Seed of the subsets.
    """

    sentences: tuple[AblatedSentence, ...]
    ablations: int
    passes: int
    stretches: int
    seed: int

    @property
    def notices(self) -> tuple[str, ...]:
        """Price, and how far the weights may be believed, in sentences."""
        windows = f" of {self.stretches} windows" if self.stretches > 1 else ""
        said = [f"Source ablation took {self.passes:,} forward passes{windows}; {self.ablations} subsets were read."]
        weak = [str(number) for number, one in enumerate(self.sentences, 1) if (one.r2 or 0.0) < RELIABLE]
        if weak:
            named = f"sentence{'s' if len(weak) > 1 else ''} {', '.join(weak)}"
            said.append(
                "The weights of ablation explain less than half of what the network does, or there was too little to "
                f"tell, for {named}."
            )
        return tuple(said)

    def to_json(self) -> dict[str, Any]:
        """Return the record as what JSON can hold."""
        return {
            "ablations": self.ablations,
            "passes": self.passes,
            "windows": self.stretches,
            "seed": self.seed,
            "sentences": [_sentence_to_json(number, one) for number, one in enumerate(self.sentences, 1)],
        }


def _sentence_to_json(number: int, sentence: AblatedSentence) -> dict[str, Any]:
    return {
        "number": number,
        "log_prob": round(sentence.log_prob, 6),
        "r2": None if sentence.r2 is None else round(sentence.r2, 6),
        "weights": [
            {
                "source": one.origin.source,
                "start": one.origin.start,
                "end": one.origin.end,
                "weight": round(one.weight, 6),
            }
            for one in sentence.weights
        ],
    }


def ablate(
    readers: Sequence[Reader],
    document: Document,
    texts: Sequence[str],
    tokens: Sequence[int],
    ablations: int = MOST_ABLATIONS,
    seed: int = 0,
    track: Track | None = None,
) -> Ablation:
    """Find the sentences of a source that those of a summary rest on.

    Where the source is read in several windows, a sentence of the summary is looked into in the window that makes it
    most probable.

    Args:
        readers: The network with each window of the source.
        document: The source.
        texts: Sentences of the summary.
        tokens: Number of tokens of each.
        ablations: Largest number of subsets that are read of a window.
        seed: Seed of the subsets.
        track: Yields the passes as they are made.

    Raises:
        InputError: If the number of ablations is not from 2 to 32.
    """
    if not 2 <= ablations <= MOST_ABLATIONS:
        raise InputError(f"Source ablation takes from 2 to {MOST_ABLATIONS} subsets, not {ablations}.")
    if not texts:
        return Ablation((), 0, 0, len(readers), seed)
    shown = track or (lambda items, total: items)
    wholes = (reader.log_probs(np.ones((1, len(reader.sentences)), dtype=bool)) for reader in readers)
    whole = np.concatenate([np.zeros((0, len(texts))), *shown(wholes, len(readers))])
    chosen = whole.argmax(0).tolist() if len(readers) else []
    used = sorted(set(chosen))
    masks = {number: subsets(len(readers[number].sentences), ablations, seed) for number in used}
    steps = [(number, rows) for number in used for rows in _batches(masks[number], readers[number].rows)]
    measured: dict[int, list[Array]] = {number: [] for number in used}
    for number, values in shown(((number, readers[number].log_probs(rows)) for number, rows in steps), len(steps)):
        measured[number].append(values)
    found = [
        _explained(readers[number], document, masks[number], np.concatenate(measured[number])[:, at], size)
        for at, (number, size) in enumerate(zip(chosen, tokens, strict=True))
    ]
    return Ablation(
        sentences=tuple(
            AblatedSentence(text, float(whole[number, at]), *one)
            for at, (text, number, one) in enumerate(zip(texts, chosen, found, strict=True))
        ),
        ablations=max(map(len, masks.values()), default=0),
        passes=len(readers) + sum(map(len, masks.values())),
        stretches=len(readers),
        seed=seed,
    )


def _batches(masks: Masks, rows: int) -> list[Masks]:
    return [masks[at : at + rows] for at in range(0, len(masks), rows)]


def _explained(
    reader: Reader, document: Document, masks: Masks, log_probs: Array, tokens: int
) -> tuple[tuple[SourceWeight, ...], float | None]:
    """Return the weights of a sentence that are not zero, greatest first, and R²."""
    if not tokens:
        return (), None
    values = logits(log_probs) / tokens
    weights = fit(masks, values)[0] * tokens
    order = np.argsort(-np.abs(weights), kind="stable").tolist()
    pairs = [(document.sentences[reader.sentences[at]], float(weights[at])) for at in order if weights[at]]
    return tuple(
        SourceWeight(origin_of(document, sentence.start, sentence.end), flatten(document.show(sentence)), weight)
        for sentence, weight in pairs
    ), held_out_r2(masks, values)


def subsets(sentences: int, ablations: int, seed: int) -> Masks:
    """Return subsets of sentences, [ablations, sentences], none of them empty.

    Each sentence is in a subset with probability one half. Where there are no more subsets than that, all are taken.
    """
    if sentences <= ablations.bit_length() and 2**sentences - 1 <= ablations:
        numbers = np.arange(1, 2**sentences)
        return (numbers[:, None] >> np.arange(sentences)) % 2 == 1
    draw = np.random.default_rng(seed)
    masks = draw.random((ablations, sentences)) < 0.5
    empty = np.flatnonzero(~masks.any(1))
    masks[empty, draw.integers(0, sentences, len(empty))] = True
    return masks


def logits(log_probs: Array) -> Array:
    """Return log(p / (1 - p)) of probabilities p given as natural logarithms."""
    capped = np.minimum(log_probs, -1e-7)
    return capped - np.log(-np.expm1(capped))


def fit(masks: Masks, values: Array) -> tuple[Array, float]:
    """Return the weights of sentences, and the value without any, of a LASSO with standardized features.

    Minimizes ‖values − prediction‖² / (2 · subsets) + PENALTY · ‖coefficients‖₁ by iterative soft thresholding
    (Daubechies et al. 2004): steps down the gradient of the error, and toward zero by the penalty.
    """
    mean, scale = masks.mean(0), masks.std(0)
    scale[scale == 0] = np.inf
    features = (masks - mean) / scale
    curvature = max(float(np.linalg.norm(features, 2)) ** 2 / len(values), PENALTY)
    coefficients = np.zeros(features.shape[1])
    for _ in range(ROUNDS):
        rest = values - values.mean() - features @ coefficients
        toward = coefficients + features.T @ rest / len(values) / curvature
        after = np.sign(toward) * np.maximum(abs(toward) - PENALTY / curvature, 0.0)
        coefficients, change = after, abs(after - coefficients).max()
        if change < TOLERANCE:
            break
    weights = coefficients / scale
    return weights, float(values.mean() - mean @ weights)


def held_out_r2(masks: Masks, values: Array) -> float | None:
    """Return R² of predictions for each of four parts of the subsets by a fit to the others; None for too few."""
    variance = float(((values - values.mean()) ** 2).sum())
    if len(values) < FEWEST_TO_JUDGE or not variance:
        return None
    parts = np.arange(len(values)) % FOLDS
    missed = 0.0
    for part in range(FOLDS):
        weights, bias = fit(masks[parts != part], values[parts != part])
        predicted = masks[parts == part] @ weights + bias
        missed += float(((values[parts == part] - predicted) ** 2).sum())
    return 1 - missed / variance
