"""Interval segments (Liu and Lapata 2019, *Text Summarization with Pretrained Encoders*, Sec. 3.1).

A BERT learned two vectors, one for the tokens of a first text and one for those of a second. Here they alternate from
sentence to sentence: BOS begins each, as BERT's [CLS] does. The first vector is part of the positions; what is added to
the tokens of every second sentence is the second vector minus the first.
"""

from __future__ import annotations

from jaxtyping import Float, Int
from torch import Tensor

from nutgraf.model.records import BOS, PAD


def add_interval_segments(
    vectors: Float[Tensor, "batch source embedding_dim"],
    source: Int[Tensor, "batch source"],
    second_segment: Float[Tensor, " embedding_dim"],
) -> Float[Tensor, "batch source embedding_dim"]:
    """Return word embeddings with `second_segment` added to those of every second sentence."""
    number = (source == BOS).cumsum(1)
    second = (number > 0) & (number % 2 == 0) & (source != PAD)
    return vectors + second[..., None] * second_segment
