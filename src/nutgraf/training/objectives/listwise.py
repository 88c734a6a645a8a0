"""A ranking of the items of each document: ListNet.

Cao et al. 2007, *Learning to Rank: From Pairwise Approach to Listwise Approach*.

    L = −Σᵢ tᵢ log softmax(s)ᵢ        t = ½ y / Σ y + ½ softmax(γ g)

s are the scores of a document's items, y their labels (0, 1, or the share between), and g their gains. Where no item is
labelled, t is the second half alone. A document counts as much as its items' share of the batch is on average.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from nutgraf.errors import PresetError
from nutgraf.model.network import Network
from nutgraf.model.records import Batch, Trace
from nutgraf.model.span_classifier import FIRST_CLASS, SpanBatch, there
from nutgraf.presets.ranges import NonNegativeFloat
from nutgraf.training.objectives import Objective


@dataclass(frozen=True)
class Config:
    """Ranking of the items of a document (ListNet)."""

    weight: float = 1.0
    """Factor of the loss."""

    sharpness: NonNegativeFloat = 4.0
    """Factor γ of the gains: the larger, the more counts the best one alone."""


class Listwise(Objective):
    """Ranking of the items of a document."""

    config: Config

    def __call__(self, network: Network, batch: Batch, trace: Trace) -> Float[Tensor, ""]:
        """Return the mean loss of a document, times the number of labels. Raises PresetError without items' gains."""
        if not isinstance(batch, SpanBatch) or batch.gains is None or trace.candidate_scores is None:
            raise PresetError('The objective "listwise" ranks sentences: it needs the task "selection".')
        scores, inside = trace.candidate_scores, there(batch)
        labels = (batch.labels > FIRST_CLASS) if batch.shares is None else batch.shares
        given = labels.to(scores).masked_fill(~inside, 0.0)
        total = given.sum(1, keepdim=True)
        ranked = (self.config.sharpness * batch.gains.to(scores)).masked_fill(~inside, -torch.inf).softmax(1)
        wanted = torch.where(total > 0, (given / total.clamp_min(1e-6) + ranked) / 2, ranked)
        losses = -(wanted * scores.log_softmax(1).masked_fill(~inside, 0.0)).sum(1)
        return self.config.weight * losses.mean() * (~batch.labels_mask).sum()
