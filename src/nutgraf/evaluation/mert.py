"""Weights of ABS+'s features, tuned on examples by minimum error rate training.

Och 2003; Rush, Chopra and Weston 2015, Sec. 5.

The hypotheses of a search are kept with their features and their ROUGE. Weights are sought with which the best-ranked
hypotheses have the highest ROUGE; a search with these weights finds further hypotheses, and so on. ROUGE of what ranks
first is a step function of the weights, so that no gradient leads to its maximum: scipy's differential evolution does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from nutgraf.checkpoint import load
from nutgraf.datasets import Record
from nutgraf.decoding.processors import processors
from nutgraf.decoding.search import Config, search
from nutgraf.errors import InputError
from nutgraf.metrics.rouge import rouge
from nutgraf.model.records import Batch
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.model_folder import TOKENIZER
from nutgraf.preparation import Preparation, batch
from nutgraf.preparation.shards import segments_of
from nutgraf.presets import Preset

PROCESSOR = "extractive_tuning"
FEATURES = ("unigram", "bigram", "trigram", "reordered")
VARIANTS = ("1", "2", "L")

LARGEST = 5.0
"""Largest weight that is tried, above or below zero."""

GENERATIONS = 60
"""Generations of the search for weights, each of 60 weights."""

AT_ONCE = 16
"""Sources of a batch."""

Score = Callable[[int, Sequence[int]], float]
"""How good a summary is: a function of its example's number and of its tokens."""


@dataclass(frozen=True)
class Candidate:
    """A hypothesis with what its rank and its worth depend on."""

    log_prob: float
    """Log probability by the network alone."""

    counts: tuple[int, ...]
    """Number of words that have each of the features."""

    scale: float
    """Factor of the length penalty."""

    score: float
    """Worth, such as ROUGE."""


@dataclass(frozen=True)
class Tuned:
    """Weights of the features, and what they did."""

    weights: dict[str, float]
    """Weights by feature."""

    before: float
    """Mean score of the best hypotheses with the weights that tuning began with."""

    after: float
    """Mean score of the best hypotheses with `weights`."""

    examples: int
    """Number of examples."""


def tune_records(
    preset: Preset,
    records: Sequence[Record],
    *,
    rounds: int = 5,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
) -> Tuned:
    """Tune the features of a trained model by the mean of ROUGE-1, -2 and -L F1 on examples as they stand in a corpus.

    Args:
        preset: The preset of a model folder; tuning begins with its weights.
        records: Examples with references.
        rounds: Most searches with weights of the search before.
        seed: Seed of the search for weights.
        progress: Called after each search through all examples.

    Raises:
        InputError: If the folder is damaged, or no example has a word that the network reads.
    """
    trained = load(Path(preset.origin).parent, preset.sections, trust=preset.trust)
    preparation = Preparation.of(preset, trained.tokenizer, trained.folder / TOKENIZER)
    read = [(preparation.source(record.document), record.references) for record in records]
    read = [(source, references) for source, references in read if len(source.ids)]
    if not read:
        raise InputError("No example has a word that the network reads.")
    sources, references = zip(*read, strict=True)
    segments = segments_of(trained.preset)
    batches = [batch(sources[start : start + AT_ONCE], segments=segments) for start in range(0, len(sources), AT_ONCE)]

    def score(number: int, ids: Sequence[int]) -> float:
        text = trained.tokenizer.text_of(ids, sources[number].unknown)
        found = rouge([text], [list(one) for one in references[number]], variants=VARIANTS)
        return float(np.mean([found[variant].f for variant in VARIANTS]))

    return tune_network(trained.network, batches, preset.options("decoding"), score, rounds, seed, progress)


def tune_network(
    network: Seq2Seq,
    batches: Sequence[Batch],
    config: Config,
    score: Score,
    rounds: int = 5,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
) -> Tuned:
    """Tune the features of a network in evaluation mode; examples are numbered through all batches.

    Where the search has weights of the features, tuning begins with them.
    """
    chosen = config.processors.get(PROCESSOR, processors.choose(PROCESSOR)).config
    weights = first = tuple(float(vars(chosen)[name]) for name in FEATURES)
    pools: list[dict[tuple[int, ...], Candidate]] = [{} for batch in batches for _ in batch.source]
    for _ in range(max(1, rounds)):
        known = sum(map(len, pools))
        _add_candidates(pools, network, batches, _with(config, weights), score)
        progress()
        if sum(map(len, pools)) == known:
            break
        weights = best_weights([[*pool.values()] for pool in pools], weights, seed)
    means = []
    for each in (first, weights):
        asked = replace(_with(config, each), num_return_sequences=1)
        found = [one[0].ids for batch in batches for one in search(network, batch, asked)]
        means.append(float(np.mean([score(number, ids) for number, ids in enumerate(found)])))
    if means[1] < means[0]:
        weights, means = first, [means[0]] * 2
    return Tuned(dict(zip(FEATURES, weights, strict=True)), means[0], means[1], len(pools))


def best_weights(
    lists: Sequence[Sequence[Candidate]], start: Sequence[float], seed: int = 0
) -> tuple[float, float, float, float]:
    """Return the weights with which the mean score of each example's highest-ranked candidate is highest.

    Each example has one candidate at least; weights that are no better than those to start with are not taken.
    """
    from scipy.optimize import differential_evolution

    longest = max(map(len, lists))
    log_probs, scores = np.full((len(lists), longest), -np.inf), np.zeros((len(lists), longest))
    counts = np.zeros((len(lists), longest, len(FEATURES)))
    for row, candidates in enumerate(lists):
        size = len(candidates)
        log_probs[row, :size] = [one.scale * one.log_prob for one in candidates]
        counts[row, :size] = [[one.scale * count for count in one.counts] for one in candidates]
        scores[row, :size] = [one.score for one in candidates]

    def loss(weights: npt.NDArray[np.float64]) -> float:
        return -float(np.take_along_axis(scores, (log_probs + counts @ weights).argmax(1)[:, None], 1).mean())

    bounds = [(-LARGEST, LARGEST)] * len(FEATURES)
    begin = np.clip(start, -LARGEST, LARGEST)
    found = differential_evolution(loss, bounds, x0=begin, seed=seed, maxiter=GENERATIONS, polish=False, tol=0.0)
    best = found.x if found.fun < loss(begin) else begin
    unigram, bigram, trigram, reordered = (round(float(one), 4) for one in best)
    return unigram, bigram, trigram, reordered


def feature_counts(source: Sequence[int], summary: Sequence[int]) -> tuple[int, int, int, int]:
    """Return how many words of a summary have each feature; see `decoding/processors/extractive_tuning.py`."""
    first = {word: place for place, word in reversed([*enumerate(source)])}
    last = {word: place for place, word in enumerate(source)}
    bigrams, trigrams = set(pairwise(source)), set(zip(source, source[1:], source[2:], strict=False))
    pairs = [*pairwise(summary)]
    return (
        sum(word in first for word in summary),
        sum(pair in bigrams for pair in pairs),
        sum(triple in trigrams for triple in zip(summary, summary[1:], summary[2:], strict=False)),
        sum(first.get(word, len(source)) < last.get(before, -1) for before, word in pairs),
    )


def _with(config: Config, weights: Sequence[float]) -> Config:
    """Return the options of a search with other weights."""
    chosen = processors.choose(PROCESSOR, **dict(zip(FEATURES, weights, strict=True)))
    return replace(config, processors={**config.processors, PROCESSOR: chosen})


def _add_candidates(
    pools: Sequence[dict[tuple[int, ...], Candidate]],
    network: Seq2Seq,
    batches: Sequence[Batch],
    config: Config,
    score: Score,
) -> None:
    """Search, and add the hypotheses that are new."""
    config = replace(config, num_return_sequences=config.beam_size)
    sources = [[word for word in row if word] for batch in batches for row in batch.source_extended.tolist()]
    found = [each for batch in batches for each in search(network, batch, config)]
    for number, (pool, source, hypotheses) in enumerate(zip(pools, sources, found, strict=True)):
        for one in hypotheses:
            if one.ids not in pool:
                scale = float(config.ranking.score(torch.ones(()), torch.zeros(()), len(one.ids) + 1))
                counts = feature_counts(source, one.ids)
                pool[one.ids] = Candidate(one.log_prob, counts, scale, score(number, one.ids))
