"""Options of the source's side of a network, which every network of ours has: sizes, embedding and encoder."""

from __future__ import annotations

from dataclasses import dataclass, field

from nutgraf.model.encoder import Encoder, encoders
from nutgraf.model.initialization import Initialization
from nutgraf.model.layers import LAYER_NORM_EPS, EmbeddingConfig, Size
from nutgraf.model.segments import needed_segments
from nutgraf.presets.family import Choice
from nutgraf.presets.ranges import PositiveFloat, PositiveInt, ShareBelowOne


@dataclass(frozen=True)
class SourceConfig:
    """Options of the section `[model]` that every network has."""

    d_model: PositiveInt = 512
    """Width of the embeddings and of transformer layers."""

    num_heads: PositiveInt = 8
    """Heads of every multi-head attention; `d_model` is a multiple of it."""

    dropout: ShareBelowOne = 0.2
    """Dropout rate of embeddings and sub-layers."""

    max_positions: PositiveInt = 2048
    """Longest text that it reads or writes, in tokens."""

    layer_norm_eps: PositiveFloat = LAYER_NORM_EPS
    """Epsilon of layer normalization."""

    initialization: Initialization = "xavier"
    """Distribution of the initial weights: see `model/initialization.py`."""

    embedding: EmbeddingConfig = field(default_factory=EmbeddingConfig)
    """The section `[model.embedding]`."""

    encoder: Choice[Encoder] = field(default_factory=lambda: encoders.choose("transformer"))
    """The section `[model.encoder]`."""

    def __post_init__(self) -> None:
        if self.d_model % self.num_heads:
            raise ValueError(f"d_model = {self.d_model} should be a multiple of num_heads = {self.num_heads}")

    @property
    def segments(self) -> tuple[str, ...]:
        """Segments that the encoder needs of a source: "sentences", "sections", both or none."""
        return needed_segments(encoders.find(self.encoder.kind))

    def size(self, vocab_size: int) -> Size:
        """Return the sizes of the encoder.

        Args:
            vocab_size: Number of entries of the vocabulary.
        """
        return Size(vocab_size, self.d_model, self.num_heads, self.dropout, self.layer_norm_eps)
