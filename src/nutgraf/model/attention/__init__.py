"""Self-attention of the encoder. One file, one mechanism."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.layers import Size
from nutgraf.model.records import Phrases, SelfAttentionGraph
from nutgraf.presets.family import Family


@dataclass(frozen=True)
class AttentionContext:
    """The place that an attention is built for."""

    size: Size
    """Sizes of the network."""

    layer: int
    """Number of its layer, from 0."""

    num_layers: int
    """Layers of the encoder."""


class Attention(nn.Module, ABC):
    """Self-attention of one encoder layer."""

    provides_graph: ClassVar[bool] = False
    """`graph` returns the attention's queries and keys."""

    heeds_phrases: ClassVar[bool] = False
    """Key phrases change the attention."""

    @abstractmethod
    def __init__(self, config: Any, context: AttentionContext) -> None:
        """Build the attention of one layer.

        Args:
            config: The member's own `Config`.
            context: Sizes of the network, and the layer.
        """
        super().__init__()

    @abstractmethod
    def forward(
        self,
        states: Float[Tensor, "batch source d_model"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the attended states, computed the fastest way.

        Args:
            states: States of the layer below.
            key_padding_mask: True where the source is padding; None where nothing is.
            phrases: Key phrases of the sources.
        """

    @abstractmethod
    def weights(
        self,
        states: Float[Tensor, "batch source d_model"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> Float[Tensor, "batch heads source source"]:
        """Return the weights [batch, heads, query, key] by the plain formula; each row sums to one."""

    def graph(
        self,
        states: Float[Tensor, "batch source d_model"],
        key_padding_mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> SelfAttentionGraph | None:
        """Return the queries and keys that make the weights; None if `provides_graph` is False."""
        return None


attentions: Family[Attention] = Family(__name__, Attention)
