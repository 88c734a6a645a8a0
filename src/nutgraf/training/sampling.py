"""Scheduled sampling (Bengio et al. 2015) in two passes (Mihaylova and Martins 2019).

The first pass predicts, the second is trained on a target in which some words are predictions. The labels stay those of
the target. A network that copies is given what it would generate, not what it would copy.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch.nn import functional as F

from nutgraf.model.records import Batch
from nutgraf.model.seq2seq import Seq2Seq


def sampled(network: Seq2Seq, batch: Batch, rate: float) -> Batch:
    """Return the batch with each decoder input but BOS replaced, with probability `rate`, by the likeliest word."""
    assert batch.target is not None
    drawn = (torch.rand(batch.decoder_input.shape, device=batch.target.device) < rate) & ~batch.labels_mask
    drawn[:, 0] = False
    target = batch.target.clone()
    # A word is given one step after it was said.
    target[:, :-1][drawn] = network.predict(batch, F.pad(drawn[:, 1:], (0, 1)))
    return replace(batch, target=target)
