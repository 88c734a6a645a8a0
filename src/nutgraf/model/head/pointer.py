"""Words are generated or copied: the head of the CopyTransformer (Gehrmann et al. 2018, Fabbri et al. 2019), as
OpenNMT-py's CopyGenerator, and of the pointer-generator (See, Liu and Manning 2017, Eq. 8, 9).

    z = σ(v · s + b)                                       the switch: the probability of copying
    P(w) = (1 − z) · softmax(W s + b)[w] + z · Σᵢ [xᵢ = w] · aᵢ

A wanted word that the vocabulary knows may come both ways; one that only the source has, by copying; one that neither
has is UNKNOWN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.head import Head
from nutgraf.model.head._projection import log_probs_at, log_softmax
from nutgraf.model.layers import Size
from nutgraf.model.records import UNKNOWN, Batch, Decoded, Memory, Trace

FLOOR = -46.0
"""log 1e-20: what has no probability is not infinitely bad (CopyGeneratorLoss)."""


@dataclass(frozen=True)
class Config:
    """switch: decided by the decoder's state (CopyGenerator) or by context, state and input (pointer-generator, Eq. 8).
    force: a word of the source is learned by copying alone."""

    switch: Literal["state", "context_state_input"] = "state"
    force: bool = False


class Pointer(Head):
    """Copies with the attention that the decoder hands over."""

    copies = True

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Linear(size.width, size.vocabulary)
        self.switch = nn.Linear(size.width * (1 if config.switch == "state" else 3), 1)

    def likelihood(self, decoded: Decoded, batch: Batch) -> Trace:
        """`target_log_probs`, `smoothing`, `copying` and `attention`."""
        assert decoded.attention is not None
        vocabulary, wanted = self.words.out_features, batch.wanted
        unknown = wanted >= vocabulary
        generated, mean = log_probs_at(decoded.states, self.words, wanted.masked_fill(unknown, UNKNOWN))
        here = batch.source_extended[:, None, :] == wanted[:, :, None]
        copied = (decoded.attention * here).sum(-1).clamp_min(1e-20).log()
        switch = self._switch(decoded)
        closed = unknown | (here.any(-1) & self.config.force)
        by_generating = (F.logsigmoid(-switch) + generated).masked_fill(closed, FLOOR)
        log_probs = torch.logaddexp(by_generating, F.logsigmoid(switch) + copied)
        return Trace(target_log_probs=log_probs, smoothing=mean, copying=switch.sigmoid(), attention=decoded.attention)

    def distribution(self, decoded: Decoded, memory: Memory) -> Trace:
        """`log_probs`, `copying` and `attention`."""
        assert decoded.attention is not None
        copying = self._switch(decoded).sigmoid()
        generated = log_softmax(self.words(decoded.states)).exp() * (1 - copying)[..., None]
        probs = F.pad(generated, (0, memory.extra))
        places = memory.source_extended[:, None, :].expand_as(decoded.attention)
        probs = probs.scatter_add(-1, places, decoded.attention * copying[..., None])
        return Trace(log_probs=probs.log(), copying=copying, attention=decoded.attention)

    def _switch(self, decoded: Decoded) -> Float[Tensor, "batch steps"]:
        if self.config.switch == "state":
            seen = decoded.states
        else:
            seen = torch.cat([decoded.context, decoded.states, decoded.inputs], -1)
        logit: Tensor = self.switch(seen)
        return logit.squeeze(-1).float()
