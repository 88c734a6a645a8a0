"""Marks of a person in the input of a pretrained network: spans of pieces with weights, and windows of what is seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F


class Span(NamedTuple):
    """Pieces of an input that belong together: a phrase that somebody marked."""

    start: int
    """Position of the first piece in the row that the model is given, padding included."""

    end: int
    """Position after the last piece."""

    weight: float = 1.0
    """Importance of the span."""


class Window(NamedTuple):
    """The part of attention's matrix that one call computes, in positions of the input."""

    first_row: int
    rows: int
    first_key: int
    keys: int


class Marks:
    """The spans of a batch.

    Args:
        spans: For each row of the batch its spans; they may overlap.

    Raises:
        ValueError: If a span is empty or begins before the row, or its weight is no number.
    """

    def __init__(self, spans: Sequence[Sequence[Span]]) -> None:
        self.spans = tuple(tuple(Span(*span) for span in row) for row in spans)
        for span in (span for row in self.spans for span in row):
            if not (0 <= span.start < span.end and math.isfinite(span.weight)):
                raise ValueError(f"A span begins at 0 or later and ends after it begins, with a weight; not {span}.")
        self.length = max((span.end for row in self.spans for span in row), default=0)

    def __len__(self) -> int:
        return len(self.spans)

    @cached_property
    def weights(self) -> Float[Tensor, "batch source"]:
        """Weight of each position; the greatest where spans overlap, 0 where there are none."""
        cover = torch.full((len(self), self.length), -math.inf)
        for row, spans in zip(cover, self.spans, strict=True):
            for span in spans:
                row[span.start : span.end].clamp_(min=span.weight)
        return cover.masked_fill(cover == -math.inf, 0)

    @cached_property
    def unweighted(self) -> Marks:
        """The same spans, each with the weight 1."""
        return Marks([[span._replace(weight=1.0) for span in row] for row in self.spans])

    def marked(self, window: Window) -> Float[Tensor, "batch 1 keys 1"]:
        """Return 1 at the keys that are marked with a weight above 0, else 0."""
        return stretch((self.weights > 0).float(), window.first_key, window.keys)[:, None, :, None]


def stretch(values: Float[Tensor, "batch source *rest"], first: int, count: int) -> Float[Tensor, "batch count *rest"]:
    """Return the values of `count` positions from `first` on; 0 beyond the last one."""
    part = values[:, first : first + count]
    return F.pad(part, (0, 0) * (part.dim() - 2) + (0, count - part.shape[1]))
