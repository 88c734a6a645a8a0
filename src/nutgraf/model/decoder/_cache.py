"""What a decoder made of layers of attention carries from one word to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nutgraf.model.decoder import State

Keys = Float[Tensor, "batch heads words head_dim"]
Pair = tuple[Tensor, Tensor]
"""Keys and values."""

GROWTH = 16
"""Steps at least that a cache makes room for at a time."""


@dataclass
class Carried:
    """Where an LSTM is in each hypothesis's text, [1, batch · beams, width]; None: before the first word."""

    hidden: Tensor | None = None
    cell: Tensor | None = None

    def take(self, batch: int, rows: tuple[Tensor, ...]) -> None:
        """Only these rows of [batch, beams] go on."""
        self.hidden, self.cell = (
            None if one is None else one.view(batch, -1, one.shape[2])[rows].flatten(0, 1)[None]
            for one in (self.hidden, self.cell)
        )


class Cache(State):
    """Keys and values: the sources', which the hypotheses of a document share, and those of all that was written.

    A step adds the keys of all hypotheses of a document behind those of the steps before, and `bias` says which of them
    are a hypothesis's own past: 0, or −∞ for another's. So a hypothesis that goes on from another takes over a row of
    the bias, and no keys. When there is no more room, what no hypothesis looks back at is thrown away.

    covered: what each hypothesis has looked at, where that is kept. carried: where the LSTM of each layer is; the first
    of them is that of an LSTM before all layers, where there is one.
    """

    def __init__(
        self,
        source: list[Pair],
        mask: Bool[Tensor, "batch source"],
        beams: int,
        covered: Float[Tensor, "batch pools beams source"] | None,
        carried: list[Carried],
    ) -> None:
        self.source = source
        self.mask = mask if bool(mask.any()) else None
        self.beams = beams
        self.written, self.steps = 0, 0
        self.own = [tuple(part.new_empty(*part.shape[:2], 0, part.shape[3]) for part in pair) for pair in source]
        self.bias = source[0][0].new_zeros(len(mask), 1, beams, 0)
        self.covered = covered
        self.carried = carried

    @property
    def position(self) -> int:
        """Of the word that is written now, once there is room for it."""
        return self.steps - 1

    def advance(self) -> None:
        """Room for one more word of each hypothesis, which only itself will look back at."""
        if self.written + self.beams > self.own[0][0].shape[2]:
            self._make_room()
        alone = torch.full((self.beams, self.beams), -math.inf, dtype=self.bias.dtype, device=self.bias.device)
        own = alone.fill_diagonal_(0).expand(len(self.bias), 1, -1, -1)
        self.bias = torch.cat([self.bias, own], -1)
        self.written += self.beams
        self.steps += 1

    def add(self, layer: int, key: Keys, value: Keys) -> Pair:
        """A layer's keys and values of the new words, behind all that it has; all of them."""
        new = slice(self.written - self.beams, self.written)
        keys, values = self.own[layer]
        keys[:, :, new], values[:, :, new] = key, value
        return keys[:, :, : self.written], values[:, :, : self.written]

    def reorder(self, parents: Int[Tensor, "batch beams"]) -> None:
        """Hypothesis b of a document goes on from its hypothesis `parents[document, b]`."""
        rows = torch.arange(len(parents), device=parents.device)[:, None]
        self.bias = self.bias[rows, 0, parents].unsqueeze(1)
        if self.covered is not None:
            self.covered = self.covered.transpose(1, 2)[rows, parents].transpose(1, 2)
        for one in self.carried:
            one.take(len(parents), (rows, parents))

    def keep(self, documents: Int[Tensor, " kept"]) -> None:
        """Only these documents go on."""
        before = len(self.bias)
        self.source = [(key[documents], value[documents]) for key, value in self.source]
        self.own = [(key[documents], value[documents]) for key, value in self.own]
        self.bias = self.bias[documents]
        self.mask = None if self.mask is None else self.mask[documents]
        self.covered = None if self.covered is None else self.covered[documents]
        for one in self.carried:
            one.take(before, (documents,))

    def _make_room(self) -> None:
        """Where documents have parts of the past of different lengths, some keep a little that nobody looks back at."""
        seen = (self.bias == 0).any(2).squeeze(1)
        self.written = int(seen.sum(-1).max())
        kept = seen.byte().argsort(dim=-1, descending=True, stable=True)[:, : self.written]
        size = self.written + max(self.written // 4, GROWTH * self.beams)
        self.bias = self.bias.gather(-1, kept[:, None, None].expand(-1, -1, self.beams, -1))
        self.own = [(_moved(key, kept, size), _moved(value, kept, size)) for key, value in self.own]


def _moved(keys: Keys, kept: Int[Tensor, "batch kept"], size: int) -> Float[Tensor, "batch heads size head_dim"]:
    """Those that are kept, with room for `size`."""
    batch, heads, _, width = keys.shape
    moved = keys.new_empty(batch, heads, size, width)
    moved[:, :, : kept.shape[1]] = keys.gather(2, kept[:, None, :, None].expand(-1, heads, -1, width))
    return moved
