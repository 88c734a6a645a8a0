"""The negative log-likelihood of the target tokens, with label smoothing.

Szegedy et al. 2016; Vaswani et al. 2017, Sec. 5.4.

    loss = Σ −(1 − ε) · log P(y) − ε · mean over the vocabulary of log P_vocab(w)

With a head that copies, P(y) is of copying and generating together, while what is smoothed is what is generated: there
is no telling which of a source's words are equally good. OpenNMT-py ignores the option when it copies, and so the
published CopyTransformer and KPAT were trained with ε = 0; 0 is the default.
"""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from nutgraf.model.network import Network
from nutgraf.model.records import Batch, Trace
from nutgraf.presets.ranges import ShareBelowOne
from nutgraf.training.objectives import Objective


@dataclass(frozen=True)
class Config:
    """Negative log-likelihood."""

    weight: float = 1.0
    """Factor of the loss."""

    label_smoothing: ShareBelowOne = 0.0
    """Share ε of the target that is spread over the vocabulary."""


class Likelihood(Objective):
    """Negative log-likelihood of the target tokens."""

    config: Config

    def __call__(self, network: Network, batch: Batch, trace: Trace) -> Float[Tensor, ""]:
        """Return the loss, summed over the target tokens of the batch."""
        assert trace.target_log_probs is not None
        gain = trace.target_log_probs
        if self.config.label_smoothing:
            assert trace.mean_log_probs is not None
            gain = (1 - self.config.label_smoothing) * gain + self.config.label_smoothing * trace.mean_log_probs
        if batch.label_weights is not None:
            gain = gain * batch.label_weights
        return -self.config.weight * gain.masked_fill(batch.labels_mask, 0.0).sum()
