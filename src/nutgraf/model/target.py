"""Options of the target's side of a network that differ from the source's, as for a new decoder behind a BERT."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from nutgraf.model.layers import EmbeddingConfig, Size
from nutgraf.presets.ranges import PositiveFloat, PositiveInt, ShareBelowOne


@dataclass(frozen=True)
class TargetConfig:
    """Options of the target's embedding, the decoder and the head; each that is absent is the source's."""

    num_heads: PositiveInt | None = None
    """Heads of the decoder's multi-head attention, by which `d_model` can be divided."""

    dropout: ShareBelowOne | None = None
    """Dropout rate of the target's embedding and of the decoder."""

    layer_norm_eps: PositiveFloat | None = None
    """Epsilon of the decoder's layer normalization."""

    position_embedding: Literal["sinusoidal", "learned"] | None = None
    """Position embeddings of the target."""

    scale: bool | None = None
    """The target's word embeddings are multiplied by √d_model."""

    norm: bool | None = None
    """Layer normalization follows the target's embedding."""

    def size(self, source: Size) -> Size:
        """Return the sizes of the decoder and the head, given those of the encoder."""
        return replace(source, **self._own("num_heads", "dropout", "layer_norm_eps"))

    def embedding(self, source: EmbeddingConfig) -> EmbeddingConfig:
        """Return the options of the target's embedding, given those of the source's."""
        return replace(source, **self._own("position_embedding", "scale", "norm"))

    def _own(self, *names: str) -> dict[str, Any]:
        options = vars(self)
        return {name: options[name] for name in names if options[name] is not None}
