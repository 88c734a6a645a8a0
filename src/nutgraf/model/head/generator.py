"""A softmax over the vocabulary (Vaswani et al. 2017, Sec. 3.4). Words beyond the vocabulary become UNK."""

from __future__ import annotations

from jaxtyping import Int
from torch import Tensor, nn

from nutgraf.model.head import Head, HeadContext
from nutgraf.model.ops.log_probs import log_probs_at, log_softmax
from nutgraf.model.records import UNK, Batch, DecoderOutput, EncoderOutput, Trace
from nutgraf.presets.family import NoOptions


class Generator(Head):
    """P(w) = softmax(W s + b)."""

    def __init__(self, config: NoOptions, context: HeadContext) -> None:
        super().__init__(config, context)
        self.vocab_proj = nn.Linear(context.decoder.hidden_size, context.size.vocab_size)

    def likelihood(self, decoded: DecoderOutput, batch: Batch) -> Trace:
        """Return `target_log_probs` and `mean_log_probs`."""
        labels = batch.labels.masked_fill(batch.labels >= self.vocab_proj.out_features, UNK)
        chosen, mean = log_probs_at(decoded.hidden_states, self.vocab_proj, labels)
        return Trace(target_log_probs=chosen, mean_log_probs=mean)

    def distribution(
        self, decoded: DecoderOutput, encoder_output: EncoderOutput, written: Int[Tensor, "batch beams length"]
    ) -> Trace:
        """Return `log_probs`; words above the vocabulary have none."""
        return Trace(log_probs=log_softmax(self.vocab_proj(decoded.hidden_states), encoder_output.num_oov))
