"""A tagger: an encoder, and for each token or sentence the probability that it is selected. It writes nothing.

Content selection by tokens: Gehrmann, Deng and Rush 2018, *Bottom-Up Abstractive Summarization*, Sec. 4.1. Selection of
sentences: Liu and Lapata 2019, *Text Summarization with Pretrained Encoders* (BertExt), Sec. 3.2, 3.3.

    q = σ(w · h + b)                                         h: the encoder's state of a token
    h = the sentence encoder's state of a sentence           it is given the states of the sentences' first tokens

A label is one of two words, `SELECTED` and `UNSELECTED`, so the binary cross-entropy is the negative log-likelihood of
the labels, and what trains and measures a network that writes does the same here.

The source of a tagger of sentences has BOS before each sentence and EOS behind it, as BERT's [CLS] and [SEP]; labels
and scores stand at the BOS. The paper's interval segments tell each sentence from the next: one vector is added to the
tokens of every second sentence, which is BERT's embedding of a second text minus that of a first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.encoder import Encoder, encoders
from nutgraf.model.initialization import initialize
from nutgraf.model.layers import Embedding
from nutgraf.model.records import BOS, SELECTED, Batch, Phrases, Trace, at_least_single
from nutgraf.model.source import SourceConfig, SourceNetwork
from nutgraf.presets.family import Choice


@dataclass(frozen=True)
class Config(SourceConfig):
    """The network where `system = "tagger"`. The slots `encoder` and `sentence_encoder` have sections of their own."""

    interval_segments: bool = False
    """Tokens of every second sentence are told from those of the others (BertExt)."""

    sentence_encoder: Choice[Encoder] | None = None
    """The section `[model.sentence_encoder]`: an encoder of the sentences' states; without it, each stands alone."""


class Tagger(SourceNetwork):
    """Reads a source, and selects tokens or sentences of it."""

    config: Config

    def __init__(self, config: Config, vocab_size: int) -> None:
        super().__init__()
        self.config = config
        size = config.size(vocab_size)
        self.source_embedding = Embedding(config.embedding, size, config.max_positions)
        width = config.embedding.embedding_dim or config.d_model
        self.second_segment = nn.Parameter(torch.zeros(width)) if config.interval_segments else None
        self.encoder = encoders.build(config.encoder, size)
        self.sentence_encoder = None
        hidden = self.encoder.hidden_size
        if config.sentence_encoder is not None:
            self.sentence_encoder = encoders.build(config.sentence_encoder, replace(size, d_model=hidden))
            hidden = self.sentence_encoder.hidden_size
        self.score_proj = nn.Linear(hidden, 1)
        initialize(self, config.initialization)

    def forward(self, batch: Batch) -> Trace:
        """Return the log probabilities of the labels, 0 where the label is PAD, and the mean over both labels."""
        logits, missing = self._logits(batch), batch.labels_mask
        selected = batch.labels == SELECTED
        log_probs = F.logsigmoid(torch.where(selected, logits, -logits))
        mean = (F.logsigmoid(logits) + F.logsigmoid(-logits)) / 2
        return Trace(
            target_log_probs=log_probs.masked_fill(missing, 0.0), mean_log_probs=mean.masked_fill(missing, 0.0)
        )

    def probabilities(self, batch: Batch) -> Float[Tensor, "batch source"]:
        """Return the probability that each token is selected; of sentences, each at its BOS and 0 elsewhere."""
        found = self._logits(batch).sigmoid()
        if self.sentence_encoder is not None:
            return found.masked_fill(batch.source != BOS, 0.0)
        return found.masked_fill(batch.key_padding_mask, 0.0)

    def _logits(self, batch: Batch) -> Float[Tensor, "batch source"]:
        """Return the scores at least in single precision; with a sentence encoder, 0 where no sentence begins."""
        states = self.encoder(self.embed_source(batch), batch).encoder_hidden_states
        if self.sentence_encoder is None:
            return at_least_single(self.score_proj(states).squeeze(-1))
        starts = batch.source == BOS
        vectors, there = _gathered(states, starts)
        sentences = Batch(there.long(), there.long(), ~there, Phrases.none())
        above = self.sentence_encoder(vectors, sentences).encoder_hidden_states
        logits = at_least_single(self.score_proj(above).squeeze(-1))
        return logits.new_zeros(starts.shape).masked_scatter(starts, logits[there])


def _gathered(
    states: Float[Tensor, "batch source hidden"], starts: Bool[Tensor, "batch source"]
) -> tuple[Float[Tensor, "batch sentences hidden"], Bool[Tensor, "batch sentences"]]:
    """Return the states at the beginnings of sentences, 0 behind the last, and True where there is a sentence."""
    counts = starts.sum(1)
    there = torch.arange(max(1, int(counts.max())), device=starts.device) < counts[:, None]
    vectors = states.new_zeros(*there.shape, states.shape[-1])
    return vectors.masked_scatter(there[..., None], states[starts]), there
