"""Examples small enough to be learned in a second: a source is some numbers, its summary the first of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from nutgraf.model.records import BOS, EOS, PAD, Batch, Phrases
from nutgraf.model.seq2seq import Config, Seq2Seq

WORDS = 31


class Toy:
    """`count` examples, which follow from `seed`."""

    def __init__(self, count: int = 10, seed: int = 0) -> None:
        draw = np.random.default_rng(seed)
        self.sources = [draw.integers(5, WORDS, draw.integers(4, 12)).tolist() for _ in range(count)]
        self.targets = [[BOS, *source[:3], EOS] for source in self.sources]

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def lengths(self):
        return np.array([len(one) for one in self.sources]), np.array([len(one) for one in self.targets])

    def batch(self, indices: Sequence[int]) -> Batch:
        source = padded([self.sources[index] for index in indices])
        target = padded([self.targets[index] for index in indices])
        return Batch(source, source, source == PAD, Phrases.none(), 0, target, target)


def padded(rows: Sequence[Sequence[int]]) -> torch.Tensor:
    width = max(len(row) for row in rows)
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows])


def network(dropout: float = 0.0, seed: int = 7, **changes: object) -> Seq2Seq:
    """Small, with a head that copies."""
    torch.manual_seed(seed)
    layer = {"kind": "transformer", "num_layers": 1, "ffn_dim": 23}
    parts = {"encoder": layer, "decoder": layer, "head": {"kind": "pointer"}, **changes}
    return Seq2Seq(Config(d_model=12, num_heads=3, max_positions=29, dropout=dropout, **parts), WORDS)
