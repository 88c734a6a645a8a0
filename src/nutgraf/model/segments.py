"""Sentences or sections of a source: stretches of words, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def needed_segments(*parts: Any) -> tuple[str, ...]:
    """Return the segments that encoders or decoders, as classes, need: "sentences", "sections", both or none."""
    sentences = ["sentences"] if any(part.needs_sentences for part in parts) else []
    sections = ["sections"] if any(part.needs_sections for part in parts) else []
    return (*sentences, *sections)


@dataclass(frozen=True)
class Segments:
    """Where the segments of the sources lie."""

    number: Int[Tensor, "batch source"]
    """Segment that each word belongs to, counted from 0 in its source; 0 at padding."""

    first: Int[Tensor, "batch segments"]
    """Position of each segment's first word; 0 for a segment that the source does not have."""

    last: Int[Tensor, "batch segments"]
    """Position of each segment's last word; 0 for a segment that the source does not have."""

    padding: Bool[Tensor, "batch segments"]
    """True for a segment that the source does not have."""

    @classmethod
    def of(cls, number: Int[Tensor, "batch source"] | None, key_padding_mask: Bool[Tensor, "batch source"]) -> Segments:
        """Return the segments of sources by the number of each word's; None: each source is one segment."""
        if number is None:
            number = key_padding_mask.new_zeros(key_padding_mask.shape, dtype=torch.long)
        count = number.new_zeros(len(number), int(number.max()) + 1).scatter_add_(1, number, (~key_padding_mask).long())
        padding, last = count == 0, count.cumsum(1) - 1
        return cls(number, (last - count + 1).masked_fill(padding, 0), last.masked_fill(padding, 0), padding)

    def at_words(self, scores: Float[Tensor, "batch queries segments"]) -> Float[Tensor, "batch queries source"]:
        """Return for each word the score of its segment."""
        return scores.gather(2, self.number[:, None].expand(-1, scores.shape[1], -1))


def states_at(
    states: Float[Tensor, "batch source width"], positions: Int[Tensor, "batch chosen"]
) -> Float[Tensor, "batch chosen width"]:
    """Return the states at some positions of each source."""
    return states.gather(1, positions[..., None].expand(-1, -1, states.shape[2]))
