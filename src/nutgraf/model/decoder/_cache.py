"""State of transformer decoders: cached keys and values, coverage, and the LSTMs' states."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nutgraf.model.decoder import DecoderState

Keys = Float[Tensor, "batch heads words head_dim"]
Pair = tuple[Tensor, Tensor]
"""Keys and values."""

GROWTH = 16
"""Steps for which a cache makes room at a time, at least."""


@dataclass
class LSTMState:
    """State of an LSTM in each hypothesis; None before the first word."""

    hidden: Float[Tensor, "batch beams width"] | None = None
    cell: Float[Tensor, "batch beams width"] | None = None


class KeyValueCache(DecoderState):
    """Keys and values of the sources, which the hypotheses of a document share, and of the words written.

    A step appends the keys of all hypotheses of a document to those of the steps before, and `bias` tells which of them
    are a hypothesis's own past: 0, or −∞ for another's. So a hypothesis that continues another takes over a row of the
    bias, and no keys. When there is no more room, keys that no hypothesis attends to are dropped.

    `recurrent` has the state of each layer's LSTM; an LSTM before all layers has the first one.
    """

    of_documents = "cross", "past", "bias", "padding", "covered"
    of_hypotheses = ("recurrent",)

    def __init__(
        self,
        cross: list[Pair],
        padding: Bool[Tensor, "batch source"] | None,
        batch: int,
        beam_size: int,
        covered: Float[Tensor, "batch pools beams source"] | None,
        recurrent: list[LSTMState],
    ) -> None:
        self.cross = cross
        self.padding = padding
        self.beam_size = beam_size
        self.written, self.steps = 0, 0
        self.past = [tuple(part.new_empty(*part.shape[:2], 0, part.shape[3]) for part in pair) for pair in cross]
        self.bias = cross[0][0].new_zeros(batch, 1, beam_size, 0)
        self.covered = covered
        self.recurrent = recurrent

    @property
    def position(self) -> int:
        """Position of the word that is written now, once there is room for it."""
        return self.steps - 1

    def advance(self) -> None:
        """Make room for one more word of each hypothesis, which no other hypothesis attends to."""
        if self.written + self.beam_size > self.past[0][0].shape[2]:
            self._make_room()
        bias = torch.full((self.beam_size, self.beam_size), -math.inf, dtype=self.bias.dtype, device=self.bias.device)
        bias = bias.fill_diagonal_(0).expand(len(self.bias), 1, -1, -1)
        self.bias = torch.cat([self.bias, bias], -1)
        self.written += self.beam_size
        self.steps += 1

    def add(self, layer: int, key: Keys, value: Keys) -> Pair:
        """Append a layer's keys and values of the new words; return all that it has."""
        new = slice(self.written - self.beam_size, self.written)
        keys, values = self.past[layer]
        keys[:, :, new], values[:, :, new] = key, value
        return keys[:, :, : self.written], values[:, :, : self.written]

    def reorder(self, parents: Int[Tensor, "batch beams"]) -> None:
        """Let hypothesis b of a document continue its hypothesis `parents[document, b]`."""
        super().reorder(parents)
        rows = torch.arange(len(parents), device=parents.device)[:, None]
        self.bias = self.bias[rows, 0, parents].unsqueeze(1)
        if self.covered is not None:
            self.covered = self.covered.transpose(1, 2)[rows, parents].transpose(1, 2)

    def _make_room(self) -> None:
        """Drop keys that no hypothesis attends to; documents with a shorter past than others keep a few of them."""
        seen = (self.bias == 0).any(2).squeeze(1)
        self.written = int(seen.sum(-1).max())
        kept = seen.byte().argsort(dim=-1, descending=True, stable=True)[:, : self.written]
        size = self.written + max(self.written // 4, GROWTH * self.beam_size)
        self.bias = self.bias.gather(-1, kept[:, None, None].expand(-1, -1, self.beam_size, -1))
        self.past = [(_moved(key, kept, size), _moved(value, kept, size)) for key, value in self.past]


def _moved(keys: Keys, kept: Int[Tensor, "batch kept"], size: int) -> Float[Tensor, "batch heads size head_dim"]:
    """Return the keys that are kept, with room for `size`."""
    batch, heads, _, width = keys.shape
    moved = keys.new_empty(batch, heads, size, width)
    moved[:, :, : kept.shape[1]] = keys.gather(2, kept[:, None, :, None].expand(-1, heads, -1, width))
    return moved
