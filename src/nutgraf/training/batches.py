"""Which examples make a batch, and in which order the batches come.

Examples of like length go together, so that little is padding: an epoch's examples are shuffled, cut into pools, and
each pool is sorted before it is cut into batches, which are shuffled again. All of it follows from the seed and the
epoch's number, so a run that was stopped goes on at the batch where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from nutgraf.model.records import Batch

BatchType = Literal["tokens", "examples"]
Indices = npt.NDArray[np.int64]

POOL = 100
"""Batches that are sorted together: enough that neighbours are alike, few enough that no epoch is like another."""


class Examples(Protocol):
    """Prepared examples, in a fixed order."""

    @property
    def lengths(self) -> tuple[Indices, Indices]:
        """How long each source is, and each target, its BOS and EOS among it."""

    def batch(self, indices: Sequence[int]) -> Batch:
        """Some of them, padded to the longest."""

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Batches:
    """The batches of each epoch.

    source, target: each example's lengths. batch_size: in examples, or in tokens: examples times the longest source or
    target among them (OpenNMT-py). An example that is longer than that is a batch by itself.
    """

    source: Indices
    target: Indices
    batch_size: int
    batch_type: BatchType
    seed: int = 0

    def epoch(self, number: int) -> list[Indices]:
        """Those of one epoch, in its order; every example is in one of them."""
        draw = np.random.default_rng((self.seed, number))
        order = draw.permutation(len(self.source))
        batches = [batch for pool in self._pools(order) for batch in self._cut(self._sorted(pool))]
        return [batches[at] for at in draw.permutation(len(batches))]

    def in_order(self) -> list[Indices]:
        """Always the same, the shortest first: for validation."""
        return list(self._cut(self._sorted(np.arange(len(self.source)))))

    def _pools(self, order: Indices) -> Iterator[Indices]:
        usual = (
            self.batch_size
            if self.batch_type == "examples"
            else self.batch_size / max(1.0, float(self._longest.mean()))
        )
        width = max(1, round(POOL * usual))
        return (order[start : start + width] for start in range(0, len(order), width))

    def _sorted(self, pool: Indices) -> Indices:
        """By the source's length, then the target's; what is alike in both stays in the pool's order."""
        return pool[np.lexsort((self.target[pool], self.source[pool]))]

    def _cut(self, ordered: Indices) -> Iterator[Indices]:
        start, width = 0, 0
        for at, length in enumerate(self._longest[ordered].tolist()):
            width = max(width, length)
            if at > start and self._cost(at + 1 - start, width) > self.batch_size:
                yield ordered[start:at]
                start, width = at, length
        if len(ordered) > start:
            yield ordered[start:]

    @cached_property
    def _longest(self) -> Indices:
        return np.maximum(self.source, self.target)

    def _cost(self, examples: int, width: int) -> int:
        return examples if self.batch_type == "examples" else examples * width


def share(batches: list[Indices], start: int, together: int, process: int, processes: int) -> Iterator[list[Indices]]:
    """What one of several processes takes in each step: of the `together · processes` batches that all take in a step
    from batch `start` on, every `processes`-th. At the end of an epoch there may be none for it."""
    width = together * processes
    for at in range(start, len(batches), width):
        yield batches[at : at + width][process::processes]


def loaded(examples: Examples, groups: Iterable[list[Indices]]) -> Iterator[list[Batch]]:
    """The batches of each group; while one is worked on, the next is read."""

    def load(group: list[Indices]) -> list[Batch]:
        return [examples.batch(indices.tolist()) for indices in group]

    with ThreadPoolExecutor(1) as reader:
        coming = None
        for group in groups:
            following = reader.submit(load, group)
            if coming is not None:
                yield coming.result()
            coming = following
        if coming is not None:
            yield coming.result()


def wanted(batch: Batch) -> int:
    """How many words it wants."""
    return int((~batch.labels_mask).sum())


def size(batch: Batch) -> int:
    """Words of its sources and targets."""
    return int((~batch.key_padding_mask).sum()) + wanted(batch)
