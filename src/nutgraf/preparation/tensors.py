"""Sources and targets as tensors of a Batch; torch is imported when they are asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor

    from nutgraf.model.records import Batch
    from nutgraf.preparation.source import EncodedSource, EncodedTarget, Ids


def batch(
    sources: Sequence[EncodedSource],
    targets: Sequence[EncodedTarget] | None = None,
    lengths: Sequence[int] = (),
    segments: Collection[str] = (),
) -> Batch:
    """Return a batch of sources and, for training, their targets, padded at the end to the longest.

    Args:
        sources: Sources as ids.
        targets: Their targets; None outside training.
        lengths: Desired lengths of the summaries; the targets' own where there are targets.
        segments: Maps that the network needs: "sentences", "sections" or both.

    Raises:
        ValueError: If there are no sources, or not as many targets.
    """
    import torch

    from nutgraf.model.records import PAD, Batch, Phrases

    if not sources or (targets is not None and len(targets) != len(sources)):
        raise ValueError(f"a batch needs sources, and as many targets; these are {len(sources)} and {targets!r}")
    places = [place for source in sources for place in source.places]
    example = [number for number, source in enumerate(sources) for _ in source.places]
    # A target's BOS and EOS are no part of its length.
    desired = list(lengths) if targets is None else [len(one.ids) - 2 for one in targets]
    positions = [one.places for one in targets or () if one.places is not None]
    source = torch.from_numpy(_padded([one.ids for one in sources], PAD))
    ends = torch.tensor([len(one.ids) for one in sources])
    return Batch(
        source=source,
        source_extended=torch.from_numpy(_padded([one.extended for one in sources], PAD)),
        key_padding_mask=torch.arange(source.shape[1]) >= ends[:, None],
        phrases=Phrases(
            example=torch.tensor(example, dtype=torch.long),
            start=torch.tensor([place.start for place in places], dtype=torch.long),
            end=torch.tensor([place.end for place in places], dtype=torch.long),
            score=torch.tensor([place.score for place in places], dtype=torch.float32),
        ),
        num_oov=max(len(one.unknown) for one in sources),
        target=None if targets is None else torch.from_numpy(_padded([one.ids for one in targets], PAD)),
        target_extended=None if targets is None else torch.from_numpy(_padded([one.extended for one in targets], PAD)),
        desired_length=torch.tensor(desired) if desired else None,
        target_positions=torch.from_numpy(_padded(positions, 0)) if positions else None,
        sentences=_numbers(sources, "sentences") if "sentences" in segments else None,
        sections=_numbers(sources, "sections") if "sections" in segments else None,
    )


def _numbers(sources: Sequence[EncodedSource], name: str) -> Tensor:
    """Return the sentence or section of each word, counted from 0 among those that have words."""
    import torch

    rows = []
    for source in sources:
        starts = np.unique(source.starts[name])
        rows.append(np.maximum(np.searchsorted(starts, np.arange(len(source.ids)), side="right") - 1, 0))
    return torch.from_numpy(_padded(rows, 0))


def _padded(rows: Sequence[Ids], padding: int) -> Ids:
    padded = np.full((len(rows), max(len(row) for row in rows)), padding, dtype=np.int64)
    for line, row in zip(padded, rows, strict=True):
        line[: len(row)] = row
    return padded
