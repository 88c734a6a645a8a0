"""Multi-head attention (Vaswani et al. 2017, Sec. 3.2): projections, and the two ways to attend.

`attend` leaves the weights to a fused kernel that never makes them; `softmax_weights` makes them, for whoever asks.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.attention._fused import attend_fused
from nutgraf.model.layers import Size


class MultiHead(nn.Module):
    """The projections of one attention: queries, keys and values in one matrix, since most often one input has all
    three made of it."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.size = size
        self.qkv_proj = nn.Linear(size.d_model, 3 * size.d_model)
        self.out_proj = nn.Linear(size.d_model, size.d_model)

    def project(self, states: Float[Tensor, "batch steps d_model"]) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values of the same states, each [batch, heads, steps, head_dim]."""
        query, key, value = self._split(self.qkv_proj(states)).unbind(2)
        return query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2)

    def project_query(
        self, states: Float[Tensor, "batch steps d_model"]
    ) -> Float[Tensor, "batch heads steps head_dim"]:
        """Queries of what looks."""
        width = self.size.d_model
        query = F.linear(states, self.qkv_proj.weight[:width], self.qkv_proj.bias[:width])
        return self._split(query).squeeze(2).transpose(1, 2)

    def project_key_value(self, states: Float[Tensor, "batch source d_model"]) -> tuple[Tensor, Tensor]:
        """Keys and values of what is looked at."""
        width = self.size.d_model
        both = F.linear(states, self.qkv_proj.weight[width:], self.qkv_proj.bias[width:])
        key, value = self._split(both).unbind(2)
        return key.transpose(1, 2), value.transpose(1, 2)

    def merge(self, context: Float[Tensor, "batch heads steps head_dim"]) -> Float[Tensor, "batch steps d_model"]:
        """The heads' contexts side by side, and the output's projection."""
        merged: Tensor = self.out_proj(context.transpose(1, 2).flatten(2))
        return merged

    def split(self, vectors: Float[Tensor, "batch steps d_model"]) -> Float[Tensor, "batch heads steps head_dim"]:
        """Each head its own part."""
        return self._split(vectors).squeeze(2).transpose(1, 2)

    def _split(self, projected: Tensor) -> Tensor:
        batch, steps, _ = projected.shape
        return projected.view(batch, steps, -1, self.size.num_heads, self.size.head_dim)


def attend(
    query: Float[Tensor, "batch heads steps head_dim"],
    key: Float[Tensor, "batch heads source head_dim"],
    value: Float[Tensor, "batch heads source head_dim"],
    key_padding_mask: Bool[Tensor, "batch source"] | None = None,
    causal: bool = False,
) -> Float[Tensor, "batch heads steps head_dim"]:
    """softmax(QKᵀ/√d) V by a fused kernel."""
    if query.device.type == "cpu" and query.dtype == torch.bfloat16 and torch.is_grad_enabled():
        return attend_fused(query, key, value, key_padding_mask, causal)
    seen = None if key_padding_mask is None else ~key_padding_mask[:, None, None, :]
    return F.scaled_dot_product_attention(query, key, value, attn_mask=seen, is_causal=causal)


def softmax_weights(
    query: Float[Tensor, "batch heads steps head_dim"],
    key: Float[Tensor, "batch heads source head_dim"],
    key_padding_mask: Bool[Tensor, "batch source"] | None = None,
) -> Float[Tensor, "batch heads steps source"]:
    """softmax(QKᵀ/√d), at least in single precision."""
    return torch.softmax(scaled_scores(query, key, key_padding_mask), dim=-1)


def scaled_scores(
    query: Float[Tensor, "batch heads steps head_dim"],
    key: Float[Tensor, "batch heads source head_dim"],
    key_padding_mask: Bool[Tensor, "batch source"] | None = None,
) -> Float[Tensor, "batch heads steps source"]:
    """QKᵀ/√d, at least in single precision; −∞ on padding."""
    scores = query @ key.transpose(-1, -2)
    scores = scores.to(torch.promote_types(scores.dtype, torch.float32)) / math.sqrt(query.shape[-1])
    return scores if key_padding_mask is None else scores.masked_fill(key_padding_mask[:, None, None, :], -math.inf)
