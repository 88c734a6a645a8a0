"""A regression of sentences' importance, fitted to examples (PG-MMR; Lebanoff, Song and Liu 2018).

The target of a sentence is its ROUGE-L F1 with the references, scaled to [0, 1] over the sentences of a source. The
regression is a linear support vector machine with the squared ε-insensitive loss (Ho and Lin 2012):

    min over w, b:   λ/2 · |w|² + mean of max(0, |y − w · f − b| − ε)²

It is smooth, so that scipy's L-BFGS finds its only minimum. A fifth of the sources is held back: λ is the one of
`PENALTIES` with the highest rank correlation there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
import numpy.typing as npt
import torch

from nutgraf.datasets import Record
from nutgraf.decoding.importance import SURFACE, Regressor, scaled, sentence_features
from nutgraf.errors import InputError
from nutgraf.metrics.rouge import rouge
from nutgraf.systems.neural import Neural

Array = npt.NDArray[np.float64]

PENALTIES = (0.001, 0.01, 0.1, 1.0)
"""Values of λ that are tried."""

INSENSITIVE = 0.05
"""ε: errors that cost nothing."""

HELD_BACK = 5
"""One source in so many is held back."""


@dataclass(frozen=True)
class Rated:
    """The sentences of one source."""

    features: Array
    """Features of each sentence: [sentences × features]."""

    targets: Array
    """Scaled ROUGE-L F1 of each sentence."""


@dataclass(frozen=True)
class Fitted:
    """A regression, and how well it does on the sources that were held back."""

    regressor: Regressor
    penalty: float
    """The λ that was chosen."""

    correlation: float
    """Mean rank correlation of its ratings with the targets in the sources held back, which λ was chosen on."""

    tfidf: float
    """The same of importance by tf-idf."""

    sources: int
    """Number of sources that it was fitted to and chosen on."""


def fit_importance(system: Neural, records: Iterable[Record], progress: Callable[[], None] = lambda: None) -> Fitted:
    """Fit a regression of importance to examples.

    Args:
        system: A trained network that writes.
        records: Examples; those without a reference, or with sentences that are all alike, tell nothing.
        progress: Called after each example.

    Raises:
        InputError: If too few examples tell anything.
    """
    rated = []
    for record in records:
        one = _rated(system, record)
        if one is not None:
            rated.append(one)
        progress()
    if len(rated) < HELD_BACK:
        raise InputError(
            f"{len(rated)} of the examples have references that some sentences are nearer to than others; "
            f"{HELD_BACK} are needed at least."
        )
    held_back = [number % HELD_BACK == HELD_BACK - 1 for number in range(len(rated))]
    learned, checked = list(compress(rated, [not one for one in held_back])), list(compress(rated, held_back))
    features, targets = (np.concatenate([getattr(one, name) for one in learned]) for name in ("features", "targets"))
    found = [regression(features, targets, penalty) for penalty in PENALTIES]
    given = [torch.from_numpy(one.features) for one in checked]
    correlations = [_correlation(checked, [each.rate(one).numpy() for one in given]) for each in found]
    best = int(np.argmax(correlations))
    tfidf = _correlation(checked, [one.features[:, SURFACE.index("tfidf")] for one in checked])
    return Fitted(found[best], PENALTIES[best], correlations[best], tfidf, len(rated))


def regression(features: Array, targets: Array, penalty: float, insensitive: float = INSENSITIVE) -> Regressor:
    """Return the linear support vector regression of targets by features.

    Args:
        features: Features of each sentence: [sentences × features].
        targets: Target of each sentence.
        penalty: Weight λ of the squared weights, which are those of standardized features.
        insensitive: Errors ε that cost nothing.
    """
    from scipy.optimize import minimize

    mean, deviation = features.mean(0), features.std(0)
    deviation[deviation <= 1e-9] = 1.0
    standard = (features - mean) / deviation

    def loss(parameters: Array) -> tuple[float, Array]:
        weights, bias = parameters[:-1], parameters[-1]
        error = standard @ weights + bias - targets
        beyond = np.sign(error) * np.maximum(np.abs(error) - insensitive, 0)
        slope = 2 * beyond / len(targets)
        gradient = np.append(penalty * weights + standard.T @ slope, slope.sum())
        return penalty / 2 * float(weights @ weights) + float((beyond**2).mean()), gradient

    start = np.append(np.zeros(features.shape[1]), targets.mean())
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 1000, "ftol": 1e-12, "gtol": 1e-8})
    *weights, bias = best.x.tolist()
    return Regressor(tuple(mean.tolist()), tuple(deviation.tolist()), tuple(weights), bias)


def _rated(system: Neural, record: Record) -> Rated | None:
    """Return the sentences of an example; None where they are alike."""
    references = [list(one) for one in record.references]
    read = system.encoded_sentences(record.document) if references else None
    if read is None:
        return None
    states, sentences, texts = read
    worth = torch.tensor([rouge([text], references, variants=("L",))["L"].f for text in texts], dtype=torch.double)
    if bool(worth.max() == worth.min()):
        return None
    return Rated(sentence_features(states.double(), sentences).numpy(), scaled(worth).numpy())


def _correlation(checked: Sequence[Rated], ratings: Sequence[Array]) -> float:
    """Return the mean of Spearman's ρ of ratings and targets over sources; 0 for one whose ratings are all alike."""
    from scipy.stats import spearmanr

    found = [
        float(spearmanr(given, one.targets).statistic) if np.ptp(given) > 1e-12 else 0.0
        for one, given in zip(checked, ratings, strict=True)
    ]
    return float(np.mean(found))
