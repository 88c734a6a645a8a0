"""Sources of which only the padding matters, as encoders are given them."""

from __future__ import annotations

import torch
from torch import Tensor

from nutgraf.model.encoder import Encoder
from nutgraf.model.records import Batch, EncoderOutput, Phrases


def padded(embedded: Tensor, mask: Tensor | None = None) -> Batch:
    """A batch of words without phrases; the mask is True at padding."""
    words = torch.full(embedded.shape[:2], 4)
    return Batch(words, words, torch.zeros_like(words, dtype=torch.bool) if mask is None else mask, Phrases.none())


def encode(encoder: Encoder, embedded: Tensor, mask: Tensor | None = None) -> EncoderOutput:
    """The output of an encoder."""
    output: EncoderOutput = encoder(embedded, padded(embedded, mask))
    return output
