"""A softmax over few of the words of a large vocabulary (Jean et al. 2015; Nallapati et al. 2016, Sec. 2.2).

The words are those of the sources, and so many frequent ones beside them that there are `num_words`. In training they
are those of all sources of a batch, so that only their rows of the projection are multiplied; in search a document has
its own, and its neighbours change nothing. A label that is not among them is UNK.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor, nn

from nutgraf.model.head import Head, HeadContext
from nutgraf.model.ops.log_probs import log_probs_among, log_softmax
from nutgraf.model.records import EOS, UNK, Batch, DecoderOutput, EncoderOutput, Trace
from nutgraf.presets.ranges import PositiveInt


@dataclass(frozen=True)
class Config:
    """A softmax over the words of the sources and the most frequent ones (the large-vocabulary trick)."""

    num_words: PositiveInt = 2000
    """Number of words, unless the sources alone have more."""


class LargeVocabulary(Head):
    """P(w) = softmax(W s + b) over some of the words; the others have none."""

    def __init__(self, config: Config, context: HeadContext) -> None:
        super().__init__(config, context)
        self.num_words = config.num_words
        self.vocab_proj = nn.Linear(context.decoder.hidden_size, context.size.vocab_size)

    def likelihood(self, decoded: DecoderOutput, batch: Batch) -> Trace:
        """Return `target_log_probs` and `mean_log_probs`, the mean over the words of the batch."""
        words = self._among(batch.source.flatten()[None])[0].nonzero().squeeze(-1)
        labels = batch.labels.masked_fill(batch.labels >= self.vocab_proj.out_features, UNK)
        rows = torch.searchsorted(words, labels).clamp(max=len(words) - 1)
        rows = torch.where(words[rows] == labels, rows, UNK)
        weight, bias = self.vocab_proj.weight[words], self.vocab_proj.bias[words]
        chosen, mean = log_probs_among(decoded.hidden_states, weight, bias, rows)
        return Trace(target_log_probs=chosen, mean_log_probs=mean)

    def distribution(
        self, decoded: DecoderOutput, encoder_output: EncoderOutput, written: Int[Tensor, "batch beams length"]
    ) -> Trace:
        """Return `log_probs`; words that are not among a document's, and those above the vocabulary, have none."""
        logits = self.vocab_proj(decoded.hidden_states)
        others = ~self._among(encoder_output.source_extended)
        return Trace(log_probs=log_softmax(logits.masked_fill(others[:, None], -torch.inf), encoder_output.num_oov))

    def _among(self, sources: Int[Tensor, "batch source"]) -> Bool[Tensor, "batch vocabulary"]:
        """Return which words belong to each row of sources: theirs, special tokens, and the first ones of the rest."""
        vocabulary = self.vocab_proj.out_features
        present = torch.zeros(len(sources), vocabulary, dtype=torch.bool, device=sources.device)
        present.scatter_(1, sources.masked_fill(sources >= vocabulary, UNK), True)
        present[:, : EOS + 1] = True
        wanted = self.num_words - present.sum(1, keepdim=True)
        return present | ((~present).cumsum(1) <= wanted)
