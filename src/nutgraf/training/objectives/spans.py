"""The negative log-likelihood of labelled actions (SeqCopyNet; Zhou, Yang, Wei and Zhou 2018).

    loss = − Σ over generated words of log (1 − z) P_vocab(y)  −  Σ over copied spans of log z P(first) P(last | first)

The labels: from left to right, the longest span of the target that the source has, too, is copied, from its first place
there; other words are generated. The objective `likelihood` instead sums over all ways to divide the target, and asks
for no labels.
"""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from nutgraf.errors import PresetError
from nutgraf.model.network import Network
from nutgraf.model.records import Batch, Trace
from nutgraf.training.objectives import Objective


@dataclass(frozen=True)
class Config:
    """Negative log-likelihood of generated words and copied spans (SeqCopyNet)."""

    weight: float = 1.0
    """Factor of the loss."""


class Spans(Objective):
    """Negative log-likelihood of generated words and copied spans."""

    config: Config

    def __call__(self, network: Network, batch: Batch, trace: Trace) -> Float[Tensor, ""]:
        """Return the loss, summed over the target tokens of the batch. Raises PresetError for another head."""
        if trace.action_log_probs is None:
            raise PresetError('The objective "spans" needs a head that copies spans: model.head.kind = "span".')
        return -self.config.weight * trace.action_log_probs.masked_fill(batch.labels_mask, 0.0).sum()
