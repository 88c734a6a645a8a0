"""A softmax over the vocabulary (Vaswani et al. 2017, Sec. 3.4). What is not in the vocabulary is said as UNK."""

from __future__ import annotations

from jaxtyping import Int
from torch import Tensor, nn

from nutgraf.model.decoder import Decoder
from nutgraf.model.head import Head
from nutgraf.model.head._projection import log_probs_at, log_softmax
from nutgraf.model.layers import Size
from nutgraf.model.records import UNK, Batch, Decoded, Memory, Trace
from nutgraf.presets.family import NoOptions


class Generator(Head):
    """P(w) = softmax(W s + b)."""

    def __init__(self, config: NoOptions, size: Size, decoder: Decoder) -> None:
        super().__init__()
        self.words = nn.Linear(decoder.width, size.vocab_size)

    def likelihood(self, decoded: Decoded, batch: Batch) -> Trace:
        """`target_log_probs` and `smoothing`."""
        wanted = batch.wanted.masked_fill(batch.wanted >= self.words.out_features, UNK)
        chosen, mean = log_probs_at(decoded.states, self.words, wanted)
        return Trace(target_log_probs=chosen, smoothing=mean)

    def distribution(self, decoded: Decoded, memory: Memory, written: Int[Tensor, "batch beams length"]) -> Trace:
        """`log_probs`; words above the vocabulary have none."""
        return Trace(log_probs=log_softmax(self.words(decoded.states), memory.extra))
