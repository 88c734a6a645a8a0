"""The source's side of a network, which every network of ours has: sizes, embedding and encoder."""

from __future__ import annotations

from dataclasses import dataclass, field

from jaxtyping import Float, Int
from torch import Tensor, nn

from nutgraf.model.encoder import Encoder, encoders
from nutgraf.model.initialization import Initialization
from nutgraf.model.layers import LAYER_NORM_EPS, Embedding, EmbeddingConfig, Size
from nutgraf.model.network import Network
from nutgraf.model.records import BOS, PAD, Batch
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
        """Return the sizes of the encoder."""
        return Size(vocab_size, self.d_model, self.num_heads, self.dropout, self.layer_norm_eps)


class SourceNetwork(Network):
    """A network that embeds and encodes a source."""

    source_embedding: Embedding
    encoder: Encoder
    second_segment: nn.Parameter | None
    """Addend of the words of every second sentence; None: they are not told from the others."""

    @property
    def embeddings(self) -> tuple[Embedding, ...]:
        """The embedding of the source."""
        return (self.source_embedding,)

    @property
    def encoder_parameters(self) -> tuple[nn.Parameter, ...]:
        """Parameters of the source's embedding and of the encoder; a matrix shared with the target is among them."""
        segments = () if self.second_segment is None else (self.second_segment,)
        return (*self.source_embedding.parameters(), *segments, *self.encoder.parameters())

    def embed_source(self, batch: Batch) -> Float[Tensor, "batch source d_model"]:
        """Return the embedded sources, as the encoder reads them."""
        words = self.source_embedding.word_embeddings(batch.source)
        if self.second_segment is not None:
            words = add_interval_segments(words, batch.source, self.second_segment)
        return self.source_embedding.with_positions(words)


def add_interval_segments(
    vectors: Float[Tensor, "batch source embedding_dim"],
    source: Int[Tensor, "batch source"],
    second_segment: Float[Tensor, " embedding_dim"],
) -> Float[Tensor, "batch source embedding_dim"]:
    """Return word embeddings with `second_segment` added to those of every second sentence.

    Interval segments (Liu and Lapata 2019, *Text Summarization with Pretrained Encoders*, Sec. 3.1): a BERT learned two
    vectors, one for the tokens of a first text and one for those of a second. Here they alternate from sentence to
    sentence: BOS begins each, as BERT's [CLS] does. The first vector is part of the positions; `second_segment` is the
    second vector minus the first.
    """
    number = (source == BOS).cumsum(1)
    second = (number > 0) & (number % 2 == 0) & (source != PAD)
    return vectors + second[..., None] * second_segment
