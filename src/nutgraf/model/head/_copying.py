"""Words are generated or copied; which attention over the source is copied from is each head's own matter.

    z = σ(v · s + b)                                       the switch: the probability of copying
    P(w) = (1 − z) · softmax(W s + b)[w] + z · Σᵢ [xᵢ = w] · aᵢ

A wanted word that the vocabulary knows may come both ways; one that only the source has, by copying; one that neither
has is UNK.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.decoder import Decoder
from nutgraf.model.head import Head
from nutgraf.model.head._continuation import NOTHING, Continuation, following
from nutgraf.model.head._projection import log_probs_at, log_softmax
from nutgraf.model.layers import Size
from nutgraf.model.records import UNK, Batch, Decoded, Memory, Trace

FLOOR = -46.0
"""log 1e-20: what has no probability is not infinitely bad (CopyGeneratorLoss)."""


@dataclass(frozen=True)
class Config:
    """Copying from the source."""

    p_copy_input: Literal["state", "context_state_input"] = "state"
    """Input of the copy gate: the decoder's state (CopyGenerator), or context, state and input (See et al., Eq. 8)."""

    force_copy: bool = False
    """A word of the source is learned by copying alone."""

    continuation: int = 0
    """Last words written that are compared with the source, so that copying goes on where it was (ours); 0: none."""

    def __post_init__(self) -> None:
        if self.continuation < 0:
            raise ValueError("continuation is at least 0")


class Copying(Head):
    """Copies with the attention that the decoder hands over."""

    copies = True

    def __init__(self, config: Config, size: Size, decoder: Decoder) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Linear(decoder.width, size.vocab_size)
        self.switch = nn.Linear(decoder.width if config.p_copy_input == "state" else decoder.seen, 1)
        self.continuation = Continuation(config.continuation) if config.continuation else None

    def likelihood(self, decoded: Decoded, batch: Batch) -> Trace:
        """`target_log_probs`, `smoothing`, `copying` and `attention`."""
        assert decoded.attention is not None
        assert batch.target_extended is not None
        attention = _exact(decoded.attention)
        if self.continuation is not None:
            recent = self.continuation.recent(batch.target_extended[:, :-1])
            attention = self.continuation(attention, batch.source_extended, recent)
        vocabulary, wanted = self.words.out_features, batch.wanted
        unknown = wanted >= vocabulary
        generated, mean = log_probs_at(decoded.states, self.words, wanted.masked_fill(unknown, UNK))
        here = batch.source_extended[:, None, :] == wanted[:, :, None]
        copied = (attention * here).sum(-1).clamp_min(1e-20).log()
        switch = self._switch(decoded)
        closed = unknown | (here.any(-1) & self.config.force_copy)
        by_generating = (F.logsigmoid(-switch) + generated).masked_fill(closed, FLOOR)
        log_probs = torch.logaddexp(by_generating, F.logsigmoid(switch) + copied).masked_fill(batch.wanted_mask, 0)
        return Trace(target_log_probs=log_probs, smoothing=mean, copying=switch.sigmoid(), attention=attention)

    def distribution(self, decoded: Decoded, memory: Memory, written: Int[Tensor, "batch beams length"]) -> Trace:
        """`log_probs`, `copying` and `attention`."""
        assert decoded.attention is not None
        attention = _exact(decoded.attention)
        if self.continuation is not None:
            attention = self.continuation(attention, memory.source_extended, self.continuation.last(written))
        if memory.inside is not None:
            attention = _whole_words(attention, memory.source_extended, memory.inside, written)
        switch = self._switch(decoded)
        log_probs = log_softmax(self.words(decoded.states), memory.extra, F.logsigmoid(-switch))
        copying = switch.sigmoid()
        meet = memory.meeting_places[:, None, :].expand_as(attention)
        copied = torch.zeros_like(attention).scatter_add_(-1, meet, attention * copying[..., None]).gather(-1, meet)
        # Only words of the source have two ways to come; a word that stands there twice gets the same number twice.
        words = memory.source_extended[:, None, :].expand_as(attention)
        both = torch.logaddexp(log_probs.gather(-1, words), copied.log())
        return Trace(log_probs=log_probs.scatter_(-1, words, both), copying=copying, attention=attention)

    def _switch(self, decoded: Decoded) -> Float[Tensor, "batch steps"]:
        logit: Tensor = self.switch(decoded.states if self.config.p_copy_input == "state" else decoded.seen)
        return logit.squeeze(-1).to(torch.promote_types(logit.dtype, torch.float32))


def _whole_words(
    attention: Float[Tensor, "batch beams source"],
    source: Int[Tensor, "batch source"],
    inside: Bool[Tensor, "batch source"],
    written: Int[Tensor, "batch beams length"],
) -> Float[Tensor, "batch beams source"]:
    """The attention without places that would go on with another word than the one last written."""
    last = written[..., -1:] if written.shape[-1] else written.new_full((*written.shape[:2], 1), NOTHING)
    (follows,) = following(source, last)
    kept = attention.masked_fill(inside[:, None] & ~follows, 0.0)
    return kept / kept.sum(-1, keepdim=True).clamp_min(1e-20)


def _exact(attention: Float[Tensor, "batch steps source"]) -> Float[Tensor, "batch steps source"]:
    """At least in single precision: it is summed with probabilities that are."""
    return attention.to(torch.promote_types(attention.dtype, torch.float32))
