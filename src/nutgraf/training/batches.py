"""Batches: their examples and their order.

Examples of like length go together, so that little is padding: an epoch's examples are shuffled, cut into pools, and
each pool is sorted before it is cut into batches, which are shuffled again. All of it follows from the seed and the
epoch's number, so a training that is resumed goes on at the batch where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from nutgraf.model.records import Batch

BatchType = Literal["tokens", "examples"]
Indices = npt.NDArray[np.int64]

POOL = 100
"""Batches that are sorted together: enough that neighbours are alike, few enough that epochs differ."""


class Examples(Protocol):
    """Prepared examples, in a fixed order."""

    @property
    def lengths(self) -> tuple[Indices, Indices]:
        """Lengths of sources and of targets, with BOS and EOS."""

    def batch(self, indices: Sequence[int]) -> Batch:
        """Return some of them, padded to the longest."""

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Batches:
    """Divides examples into batches.

    A batch has the size `batch_size`: "examples", or "tokens", the number of examples times the longest source or
    target (OpenNMT-py). An example that is larger is a batch by itself.
    """

    source: Indices
    target: Indices
    batch_size: int
    batch_type: BatchType
    seed: int = 0

    def epoch(self, number: int) -> list[Indices]:
        """Return the batches of one epoch in its order; every example is in one of them."""
        draw = np.random.default_rng((self.seed, number))
        order = draw.permutation(len(self.source))
        batches = [batch for pool in self._pools(order) for batch in self._cut(self._sorted(pool))]
        return [batches[at] for at in draw.permutation(len(batches))]

    def in_order(self) -> list[Indices]:
        """Return all batches in a fixed order, the shortest first, for validation."""
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
        """Sort by source length, then target length; ties keep the pool's order."""
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
    """Yield the batches of one process for each step, from batch `start` on.

    In a step each process has `together` of them; at the end of an epoch there may be none left for it.
    """
    width = together * processes
    for at in range(start, len(batches), width):
        yield batches[at : at + width][process::processes]


def loaded(examples: Examples, groups: Iterable[list[Indices]], processes: int = 0) -> Iterator[list[Batch]]:
    """Yield the batches of each group; while one is in use, the next is read.

    Args:
        examples: Prepared examples.
        groups: Indices of the examples of each batch of each group.
        processes: Processes that read ahead, where one thread would not keep up; 0: a thread.
    """
    if processes:
        yield from _loaded_by_processes(examples, list(groups), processes)
        return

    def load(group: list[Indices]) -> list[Batch]:
        return _batches_of(examples, group)

    with ThreadPoolExecutor(1) as reader:
        coming = None
        for group in groups:
            following = reader.submit(load, group)
            if coming is not None:
                yield coming.result()
            coming = following
        if coming is not None:
            yield coming.result()


def _loaded_by_processes(examples: Examples, groups: list[list[Indices]], processes: int) -> Iterator[list[Batch]]:
    """Yield the batches of each group, in their order, read by other processes."""
    from torch.utils.data import DataLoader

    reading: DataLoader[Any] = DataLoader(
        cast(Any, _Groups(examples, groups)),
        batch_size=None,
        collate_fn=_as_it_is,
        num_workers=min(processes, max(1, len(groups))),
        multiprocessing_context="spawn",  # a process that uses a GPU is not to be forked
    )
    yield from reading


class _Groups:
    """Groups of batches by number, as torch's loader asks for them."""

    def __init__(self, examples: Examples, groups: list[list[Indices]]) -> None:
        self.examples, self.groups = examples, groups

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, number: int) -> list[Batch]:
        return _batches_of(self.examples, self.groups[number])


def _batches_of(examples: Examples, group: Iterable[Indices]) -> list[Batch]:
    return [examples.batch(indices.tolist()) for indices in group]


def _as_it_is(batches: list[Batch]) -> list[Batch]:
    return batches


def wanted(batch: Batch) -> int:
    """Return the number of target tokens."""
    return int((~batch.labels_mask).sum())


def size(batch: Batch) -> int:
    """Return the number of tokens in sources and targets."""
    return int((~batch.key_padding_mask).sum()) + wanted(batch)
