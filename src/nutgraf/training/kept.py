"""Vectors of items that a frozen encoder gives: computed once and kept beside the examples.

Where no layer of the encoder learns and nothing is dropped there, an item's vectors are the same in every pass over the
data. They are written in half precision to a file of the prepared corpus whose name says which weights they are from;
a run that was killed goes on with the document where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nutgraf.checkpoint import digest_of, load_matching_weights, read_tensors, weights
from nutgraf.model.network import Network, evaluating
from nutgraf.model.span_classifier import SpanBatch, SpanClassifier
from nutgraf.model_folder import WEIGHTS
from nutgraf.preparation import Shards
from nutgraf.preparation.span_shards import SpanShards, span_batch
from nutgraf.runtime.files import writing
from nutgraf.training.batches import Indices
from nutgraf.training.machine import Machine
from nutgraf.training.store import CHECKPOINTS

HALF = np.dtype("<f2")

ROWS = 16
"""Rows that are read together."""

Tell = Callable[[str, int], None]


class KeptExamples:
    """Examples whose items come with their vectors, so that no row is read; a batch is sized by its items."""

    def __init__(self, shards: SpanShards, path: Path) -> None:
        self._shards, self._path = shards, path
        items = shards.lengths[1]
        self._ends = np.cumsum(items)
        self._vectors = np.memmap(path, HALF, "r").reshape(int(self._ends[-1]), -1)

    @property
    def lengths(self) -> tuple[Indices, Indices]:
        """Numbers of items, twice."""
        items = self._shards.lengths[1]
        return items, items

    def __len__(self) -> int:
        return len(self._ends)

    def __reduce__(self) -> tuple[type[KeptExamples], tuple[SpanShards, Path]]:
        """A process to which they are sent opens the files itself."""
        return type(self), (self._shards, self._path)

    def batch(self, indices: Sequence[int]) -> SpanBatch:
        """Return some examples with the vectors of their items."""
        stretches = [self._vectors[self._ends[at - 1] if at else 0 : self._ends[at]] for at in indices]
        kept = np.concatenate(stretches).astype(np.float32)
        return span_batch([self._shards.example(at) for at in indices], self._shards.spans, kept)


def with_vectors(
    network: Network, sets: Sequence[Shards | None], resumed: Path | None, machine: Machine, tell: Tell | None
) -> list[Any]:
    """Return sets of examples with the vectors of their items if no layer below these learns; else as they are.

    Args:
        network: Network in training.
        sets: The sets; None stays.
        resumed: Model folder whose training goes on; None: the network has the weights that training begins with.
        machine: Device and processes.
        tell: Told what is being done, and for how many examples it is done.

    Raises:
        InputError: If the checkpoint is damaged.
        OutputError: If the vectors cannot be written.
    """
    if not isinstance(network, SpanClassifier) or network.learns_vectors:
        return list(sets)
    if resumed is not None:
        load_matching_weights(network, read_tensors(resumed / CHECKPOINTS / "last" / WEIGHTS))
    below = {name: one for name, one in weights(network).items() if not name.startswith(network.ABOVE)}
    name = f"vectors-{digest_of(below)[:12]}.f2"
    found: list[KeptExamples | None] = []
    with machine.main_first():
        for one in sets:
            if not isinstance(one, SpanShards):
                found.append(None)
                continue
            path = one.folder / one.split / name
            if machine.main and not path.is_file():
                _write(network.to(machine.device), one, path, machine, tell)
            found.append(KeptExamples(one, path))
    return found


def _write(network: SpanClassifier, shards: SpanShards, path: Path, machine: Machine, tell: Tell | None) -> None:
    """Compute the vectors of all items, and name the file when it is whole."""
    part, row = path.with_suffix(".part"), network.width * HALF.itemsize
    ends = np.cumsum(shards.lengths[1])
    with writing(part):
        part.touch()
        there = part.stat().st_size // row
        done = int(np.searchsorted(ends, there, "right"))
        with part.open("r+b") as file:
            file.truncate(int(ends[done - 1]) * row if done else 0)
            file.seek(0, 2)
            for batch, count in _batches(shards, done):
                file.write(_vectors(network, batch, machine).tobytes())
                if tell is not None:
                    tell(f"Vectors, {shards.split}", count)
        part.replace(path)


def _batches(shards: SpanShards, start: int) -> Iterator[tuple[SpanBatch, int]]:
    """Yield the documents from `start` on, some at once, and how many are done then."""
    waiting, rows = [], 0
    for at in range(start, len(shards)):
        waiting.append(shards.example(at))
        rows += len(waiting[-1].rows)
        if rows >= ROWS or at + 1 == len(shards):
            yield span_batch(waiting, shards.spans), at + 1
            waiting, rows = [], 0


@torch.no_grad()
def _vectors(network: SpanClassifier, batch: SpanBatch, machine: Machine) -> np.typing.NDArray[np.float16]:
    given = batch.to(machine.device)
    with evaluating(network), machine.autocast():
        found = network.vectors(given, ROWS)
    return found.cpu().numpy().astype(HALF)
