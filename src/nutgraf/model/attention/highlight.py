"""Highlighting attention: words of one key phrase attend to each other more.

Liu et al., *Key Phrase Aware Transformer for Abstractive Summarization* (KPAT), Sec. 5.2; equations in brackets are
theirs. Liu et al. 2021, *Highlight-Transformer* (Findings of ACL), is its first version and differs in two options.
Their H is our `Blocks`, their linear(H) or α·H our `scale`.

    weighted   W = softmax(QKᵀ/√d + linear(H))                                                        [5]
    additive   W = (softmax(QKᵀ/√d) + S) / 2, S the softmax of linear(H) over the covered cells       [7]
    alone      W = S: what the papers call "without self-attention"

H[i, j] is the score of the phrase that holds both words i and j; where several do, their maximum (Sec. 5.2.2) or their
sum. A row without covered cells is plain; where phrases are alone it is zero. Some heads of some layers highlight, the
others are plain [8]. Without phrases the first two are plain attention to the last bit.

The paper divides the additive form by its row's sum, which is 2. A row of S whose cells all belong to one phrase is
uniform whatever the phrase's score is and whatever the scale: scores count where phrases overlap. There is no β in that
form, since a softmax doesn't see it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.errors import PresetError
from nutgraf.model.attention import Attention, AttentionContext
from nutgraf.model.multi_head import MultiHead
from nutgraf.model.ops.attention import attend, scaled_scores, softmax_weights, zero_empty_sources
from nutgraf.model.ops.sparse_attention import (
    Blocks,
    Overlap,
    attend_biased,
    average_with_blocks,
    blocks_of,
    dense,
    replace_by_blocks,
)
from nutgraf.model.records import Phrases
from nutgraf.presets.ranges import NonNegativeFloat, PositiveShare, ShareBelowOne

Some = PositiveShare | tuple[int, ...]


@dataclass(frozen=True)
class Config:
    """Highlighting attention (KPAT, Highlight-Transformer)."""

    structure: Literal["weighted", "additive", "alone"] = "weighted"
    """Phrases raise the scores [5], are averaged with the attention [7], or stand alone in its place."""

    scale: Literal["block_linear", "brightness", "none"] = "block_linear"
    """Factor of phrase scores: w and β learned for each head [5b, 5c], a brightness that fades, or none."""

    overlap: Overlap = "max"
    """Score of words that several phrases hold: the maximum or the sum."""

    brightness: NonNegativeFloat = 5.0
    """Initial brightness."""

    brightness_decay: NonNegativeFloat = 0.9
    """Factor of the brightness after each epoch."""

    highlighted_heads: Some = 0.25
    """Heads that highlight: a share (the first ones) or a list of indices, counted from 0."""

    highlighted_layers: Some = 0.5
    """Layers that highlight: a share (the first ones) or a list of indices, counted from 0."""

    dropout: ShareBelowOne = 0.0
    """Dropout rate of attention weights; above 0, memory grows with the square of the length in training."""


EXAMPLES = (
    Config(),
    Config(highlighted_heads=(1, 2), overlap="sum"),
    Config(highlighted_heads=(1, 2), scale="brightness"),
    Config(highlighted_heads=(1, 2), scale="none", overlap="sum"),
    Config(highlighted_heads=(1, 2), structure="additive"),
    Config(highlighted_heads=(1, 2), structure="additive", scale="brightness", overlap="sum"),
    Config(highlighted_heads=(1, 2), structure="additive", scale="none"),
)


class Highlight(Attention):
    """Multi-head attention in which some heads highlight."""

    heeds_phrases = True
    chosen: Int[Tensor, " chosen"]

    def __init__(self, config: Config, context: AttentionContext) -> None:
        super().__init__(config, context)
        self.config = config
        self.multi_head = MultiHead(context.size)
        layers = which(config.highlighted_layers, context.num_layers, "highlighted_layers")
        heads = which(config.highlighted_heads, context.size.num_heads, "highlighted_heads")
        chosen = heads if context.layer in layers else []
        self.register_buffer("chosen", torch.tensor(chosen, dtype=torch.long), persistent=False)
        self.scale = make_scale(config, len(chosen)) if chosen else nn.Identity()

    def forward(
        self,
        states: Float[Tensor, "batch source d_model"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the attended states."""
        return self.multi_head.merge(self.context(*self.multi_head.project(states), key_padding_mask, phrases))

    def weights(
        self,
        states: Float[Tensor, "batch source d_model"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> Float[Tensor, "batch heads source source"]:
        """Return W by the formulas above."""
        query, key, _ = self.multi_head.project(states)
        return self._weights(query, key, key_padding_mask, phrases)

    def context(
        self,
        query: Float[Tensor, "batch heads source head_dim"],
        key: Float[Tensor, "batch heads source head_dim"],
        value: Float[Tensor, "batch heads source head_dim"],
        padding: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> Float[Tensor, "batch heads source head_dim"]:
        """Return W V; the fast paths of `ops/sparse_attention.py` never make W."""
        if self.training and self.config.dropout:
            weights = F.dropout(self._weights(query, key, padding, phrases), self.config.dropout)
            return weights.to(value.dtype) @ value
        blocks = self._blocks(query, padding, phrases)
        scaled = [self._scaled(block.score) for block in blocks]
        if self.config.structure == "weighted" and blocks:
            return attend_biased(query, key, value, padding, self.chosen, blocks, scaled)
        within = [softmax_within(bias, block.covered) for bias, block in zip(scaled, blocks, strict=True)]
        combine = replace_by_blocks if self.config.structure == "alone" else average_with_blocks
        return combine(attend(query, key, value, padding), value, self.chosen, blocks, within)

    def _weights(
        self, query: Tensor, key: Tensor, padding: Bool[Tensor, "batch source"] | None, phrases: Phrases
    ) -> Float[Tensor, "batch heads source source"]:
        weights = softmax_weights(query, key, padding)
        blocks = self._blocks(query, padding, phrases)
        if not blocks:
            return weights.index_fill(1, self.chosen, 0) if self.config.structure == "alone" else weights
        score = dense(blocks, query.shape[0], query.shape[2])
        covered = (score > 0)[:, None]
        bias = self._scaled(score)
        if self.config.structure == "weighted":
            scores = scaled_scores(query[:, self.chosen], key[:, self.chosen], padding)
            highlighted = zero_empty_sources((scores + bias.masked_fill(~covered, 0)).softmax(-1), padding)
            return weights.index_copy(1, self.chosen, highlighted)
        alone = softmax_within(bias, covered)
        if self.config.structure == "additive":
            alone = (weights[:, self.chosen] + alone) / (1 + covered.any(-1, keepdim=True).to(alone.dtype))
        return weights.index_copy(1, self.chosen, alone)

    def _blocks(self, query: Tensor, padding: Tensor | None, phrases: Phrases) -> list[Blocks]:
        if not len(self.chosen):
            return []
        return blocks_of(phrases, query.shape[2], self.config.overlap, padding)

    def _scaled(self, score: Float[Tensor, "block size size"]) -> Float[Tensor, "block chosen size size"]:
        """Return linear(H) or α·H for each chosen head; only its covered cells have a meaning."""
        return self.scale(score[:, None]).expand(-1, len(self.chosen), -1, -1)


class BlockLinear(nn.Module):
    """linear(H) = w · H + β, learned for each head that highlights [5b, 5c]; it begins as H."""

    def __init__(self, heads: int, shifted: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(heads))
        self.bias = nn.Parameter(torch.zeros(heads)) if shifted else None

    def forward(self, score: Float[Tensor, "block 1 size size"]) -> Float[Tensor, "block chosen size size"]:
        """Return linear(H)."""
        scaled = self.weight[:, None, None] * score
        return scaled if self.bias is None else scaled + self.bias[:, None, None]


class Brightness(nn.Module):
    """α · H, where α fades from epoch to epoch (Highlight-Transformer, Eq. 2); α is saved with the weights."""

    alpha: Tensor

    def __init__(self, start: float, decay: float) -> None:
        super().__init__()
        self.start, self.decay = start, decay
        self.register_buffer("alpha", torch.tensor(start))

    def advance(self, epoch: int) -> None:
        """Begin an epoch, counted from 0."""
        self.alpha.fill_(self.start * self.decay**epoch)

    def forward(self, score: Float[Tensor, "block 1 size size"]) -> Float[Tensor, "block 1 size size"]:
        """Return α · H."""
        return self.alpha * score


def make_scale(config: Config, heads: int) -> nn.Module:
    """Return the module that scales the scores."""
    if config.scale == "block_linear":
        return BlockLinear(heads, shifted=config.structure == "weighted")
    return Brightness(config.brightness, config.brightness_decay) if config.scale == "brightness" else nn.Identity()


def softmax_within(
    bias: Float[Tensor, "block chosen size size"], covered: Bool[Tensor, "block 1 size size"]
) -> Float[Tensor, "block chosen size size"]:
    """Return S: each row's softmax over its covered cells; zero where there are none."""
    return torch.softmax(bias.masked_fill(~covered, torch.finfo(bias.dtype).min), -1) * covered


def which(some: Some, count: int, what: str) -> list[int]:
    """Return the numbers of what highlights; a share is rounded, to one at least. Raises PresetError."""
    if not isinstance(some, tuple):
        return list(range(max(1, math.floor(some * count + 0.5))))
    if len(set(some)) < len(some) or not all(0 <= number < count for number in some):
        raise PresetError(f"attention.highlight.{what} = {list(some)}: each of 0 to {count - 1} may be named once.")
    return sorted(some)
