"""Projections of multi-head attention (Vaswani et al. 2017, Sec. 3.2). Attention itself is in `ops/attention.py`."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.layers import Size


class MultiHead(nn.Module):
    """Projections of one attention; those of queries, keys and values are one matrix, which is faster for one input."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.size = size
        self.qkv_proj = nn.Linear(size.d_model, 3 * size.d_model)
        self.out_proj = nn.Linear(size.d_model, size.d_model)

    def project(self, states: Float[Tensor, "batch steps d_model"]) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values of the same states, each [batch, heads, steps, head_dim]."""
        query, key, value = self._split(self.qkv_proj(states)).unbind(2)
        return query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2)

    def project_query(
        self, states: Float[Tensor, "batch steps d_model"]
    ) -> Float[Tensor, "batch heads steps head_dim"]:
        """Return the queries of states."""
        width = self.size.d_model
        query = F.linear(states, self.qkv_proj.weight[:width], self.qkv_proj.bias[:width])
        return self._split(query).squeeze(2).transpose(1, 2)

    def project_key_value(self, states: Float[Tensor, "batch source d_model"]) -> tuple[Tensor, Tensor]:
        """Return the keys and values of the source."""
        width = self.size.d_model
        both = F.linear(states, self.qkv_proj.weight[width:], self.qkv_proj.bias[width:])
        key, value = self._split(both).unbind(2)
        return key.transpose(1, 2), value.transpose(1, 2)

    def merge(self, context: Float[Tensor, "batch heads steps head_dim"]) -> Float[Tensor, "batch steps d_model"]:
        """Put the heads' contexts side by side and project them."""
        return self.out_proj(context.transpose(1, 2).flatten(2))

    def split(self, vectors: Float[Tensor, "batch steps d_model"]) -> Float[Tensor, "batch heads steps head_dim"]:
        """Split vectors into the parts of the heads."""
        return self._split(vectors).squeeze(2).transpose(1, 2)

    def _split(self, projected: Tensor) -> Tensor:
        batch, steps, _ = projected.shape
        return projected.view(batch, steps, -1, self.size.num_heads, self.size.head_dim)
