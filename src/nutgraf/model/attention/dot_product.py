"""Scaled dot-product attention (Vaswani et al. 2017, Eq. 1)."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor

from nutgraf.model.attention import Attention, AttentionContext
from nutgraf.model.multi_head import MultiHead
from nutgraf.model.ops.attention import attend, softmax_weights
from nutgraf.model.records import Phrases, SelfAttentionGraph
from nutgraf.presets.family import NoOptions


class DotProduct(Attention):
    """Multi-head attention without phrases."""

    provides_graph = True

    def __init__(self, config: NoOptions, context: AttentionContext) -> None:
        super().__init__(config, context)
        self.multi_head = MultiHead(context.size)

    def forward(
        self,
        states: Float[Tensor, "batch source d_model"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the attended states."""
        return self.multi_head.merge(attend(*self.multi_head.project(states), key_padding_mask))

    def weights(
        self,
        states: Float[Tensor, "batch source d_model"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> Float[Tensor, "batch heads source source"]:
        """Return softmax(QKᵀ/√d)."""
        query, key, _ = self.multi_head.project(states)
        return softmax_weights(query, key, key_padding_mask)

    def graph(
        self,
        states: Float[Tensor, "batch source d_model"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> SelfAttentionGraph:
        """Return the queries and keys."""
        query, key, _ = self.multi_head.project(states)
        return SelfAttentionGraph(query, key, key_padding_mask)
