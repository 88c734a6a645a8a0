"""Parts of every transformer: sizes, embedding, feed-forward, residual connection (Vaswani et al. 2017, Sec. 3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.errors import InputError
from nutgraf.model.ops.dropout import Dropout
from nutgraf.presets.ranges import PositiveInt

Norm = Literal["pre", "post"]
Activation = Literal["relu", "gelu", "gelu_tanh"]
LAYER_NORM_EPS = 1e-6


@dataclass(frozen=True)
class Size:
    """Sizes on which all parts of one network agree."""

    vocab_size: int
    d_model: int
    num_heads: int
    dropout: float
    layer_norm_eps: float = LAYER_NORM_EPS

    @property
    def head_dim(self) -> int:
        """Width of the queries, keys and values of one head."""
        return self.d_model // self.num_heads


def sinusoids(length: int, width: int, first: int = 0) -> Float[Tensor, "length width"]:
    """Return sinusoidal position embeddings from position `first` on (Sec. 3.5); on the meta device, their shape."""
    if torch.get_default_device().type == "meta":
        return torch.zeros(length, width)
    return sinusoids_at(torch.arange(first, first + length), width)


def sinusoids_at(places: Int[Tensor, "*shape"], width: int) -> Float[Tensor, "*shape width"]:
    """Return the sinusoids of any numbers (Sec. 3.5)."""
    table = torch.zeros(*places.shape, width, device=places.device)
    speed = torch.exp(torch.arange(0, width, 2, device=places.device).float() * (-math.log(10_000.0) / width))
    angles = places[..., None].float() * speed
    table[..., 0::2] = torch.sin(angles)
    table[..., 1::2] = torch.cos(angles)[..., : width // 2]
    return table


@dataclass(frozen=True)
class EmbeddingConfig:
    """Embeddings of words and positions."""

    position_embedding: Literal["sinusoidal", "learned", "none"] = "sinusoidal"
    """Position embeddings; "none" is for networks that hear the order of words otherwise."""

    scale: bool = True
    """Word embeddings are multiplied by √d_model."""

    norm: bool = False
    """Layer normalization follows, as in BERT and MASS."""

    vectors: str | None = None
    """File of initial word vectors, in the text format of GloVe and word2vec; needed in training only."""

    embedding_dim: PositiveInt | None = None
    """Width of the embedding matrix where it is not d_model; a learned projection follows then."""


class Embedding(nn.Module):
    """x = dropout(norm(√d · P E[w] + position)), P only where words have other than d numbers."""

    position_embeddings: Tensor

    def __init__(self, config: EmbeddingConfig, size: Size, max_positions: int) -> None:
        super().__init__()
        embedding_dim = config.embedding_dim or size.d_model
        self.word_embeddings = nn.Embedding(size.vocab_size, embedding_dim)
        projects = embedding_dim != size.d_model
        self.proj = nn.Linear(embedding_dim, size.d_model, bias=False) if projects else nn.Identity()
        self.dropout = Dropout(size.dropout)
        self.scale = math.sqrt(size.d_model) if config.scale else 1.0
        self.max_positions = max_positions
        if config.position_embedding == "learned":
            self.position_embeddings = nn.Parameter(torch.randn(max_positions, size.d_model).mul_(0.02))
        elif config.position_embedding == "sinusoidal":
            self.register_buffer("position_embeddings", sinusoids(max_positions, size.d_model), persistent=False)
        else:
            self.register_buffer("position_embeddings", torch.zeros(1, 1), persistent=False)
        self.norm = nn.LayerNorm(size.d_model, eps=size.layer_norm_eps) if config.norm else nn.Identity()

    def forward(self, words: Int[Tensor, "batch steps"]) -> Float[Tensor, "batch steps d_model"]:
        """Embed words at the positions from 0 on. Raises InputError if there are more words than positions."""
        return self.with_positions(self.word_embeddings(words))

    def with_positions(
        self, vectors: Float[Tensor, "batch steps embedding_dim"], positions: Int[Tensor, "batch steps"] | None = None
    ) -> Float[Tensor, "batch steps d_model"]:
        """Embed words whose vectors were looked up already. Raises InputError if a position is beyond the last one."""
        length = vectors.shape[1] if positions is None else 1 + int(positions.max())
        if length > self.max_positions:
            raise InputError(
                f"A text of {length} words or pieces is too long for this network of {self.max_positions} positions. "
                f"Shorten the text, or train a network with model.max_positions = {length} or more."
            )
        added = self.position_embeddings[:length]
        if positions is not None and len(self.position_embeddings) > 1:
            added = added[positions]
        return self.dropout(self.norm(torch.add(added, self.proj(vectors), alpha=self.scale)))

    def at(self, words: Int[Tensor, "batch beams"], position: int) -> Float[Tensor, "batch beams d_model"]:
        """Embed words that all stand at one position."""
        added = self.position_embeddings[position if len(self.position_embeddings) > 1 else 0]
        return self.dropout(self.norm(self.proj(self.word_embeddings(words)) * self.scale + added))

    @torch.no_grad()
    def set_vectors(self, words: Int[Tensor, " known"], vectors: Float[Tensor, "known embedding_dim"]) -> None:
        """Set the embeddings of words; the vectors are those after scaling."""
        self.word_embeddings.weight[words] = vectors.to(self.word_embeddings.weight) / self.scale


class EmbeddingProjection(nn.Module):
    """x ↦ tanh(E P) x + b: a projection to words by way of their embeddings E (Paulus, Xiong and Socher 2018)."""

    def __init__(self, word_embeddings: nn.Embedding, inputs: int) -> None:
        super().__init__()
        self.in_features, self.out_features = inputs, word_embeddings.num_embeddings
        self.word_embeddings = word_embeddings
        self.proj = nn.Linear(inputs, word_embeddings.embedding_dim, bias=False)
        self.bias = nn.Parameter(torch.zeros(self.out_features))

    @property
    def weight(self) -> Float[Tensor, "words inputs"]:
        """The matrix tanh(E P)."""
        return torch.tanh(self.word_embeddings.weight @ self.proj.weight)

    def forward(self, states: Float[Tensor, "*rows inputs"]) -> Float[Tensor, "*rows words"]:
        """Return the scores of all words."""
        return F.linear(states, self.weight, self.bias)


class FeedForward(nn.Module):
    """W₂ · dropout(ReLU(W₁ · x)) (Sec. 3.3); or GELU (Hendrycks and Gimpel 2016), as in BERT and MASS.

    "gelu_tanh" is their approximation of it by a hyperbolic tangent, which PreSumm computes with.
    """

    def __init__(self, size: Size, ffn_dim: int, activation: Activation = "relu") -> None:
        super().__init__()
        self.activation = activation
        self.linear1 = nn.Linear(size.d_model, ffn_dim)
        self.linear2 = nn.Linear(ffn_dim, size.d_model)
        self.dropout = Dropout(size.dropout)

    def forward(self, states: Float[Tensor, "... d_model"]) -> Float[Tensor, "... d_model"]:
        """Transform each position by itself."""
        inner = self.linear1(states)
        if self.activation == "relu":
            return self.linear2(self.dropout.after_relu(inner))
        approximate = "tanh" if self.activation == "gelu_tanh" else "none"
        return self.linear2(self.dropout(F.gelu(inner, approximate=approximate)))


class Residual(nn.Module):
    """Residual connection of a sub-layer f: x + dropout(f(norm(x))), or norm(x + dropout(f(x))) with norm = "post"."""

    def __init__(self, size: Size, norm: Norm) -> None:
        super().__init__()
        self.norm: nn.Module = nn.LayerNorm(size.d_model, eps=size.layer_norm_eps)
        self.dropout = Dropout(size.dropout)
        self.pre_norm = norm == "pre"

    def forward(
        self, states: Float[Tensor, "batch steps d_model"], sublayer: Callable[[Tensor], Tensor]
    ) -> Float[Tensor, "batch steps d_model"]:
        """Apply a sub-layer."""
        return self.add(states, sublayer(self.sublayer_input(states)))

    def sublayer_input(self, states: Float[Tensor, "batch steps d_model"]) -> Float[Tensor, "batch steps d_model"]:
        """Return the states as the sub-layer gets them."""
        return self.norm(states) if self.pre_norm else states

    def add(
        self, states: Float[Tensor, "batch steps d_model"], change: Float[Tensor, "batch steps d_model"]
    ) -> Float[Tensor, "batch steps d_model"]:
        """Add the output of the sub-layer."""
        added = self.dropout.added(states, change)
        return added if self.pre_norm else self.norm(added)


@dataclass(frozen=True)
class LayersConfig:
    """Options that encoders and decoders of transformer layers share."""

    num_layers: PositiveInt = 4
    """Number of layers."""

    ffn_dim: PositiveInt = 2048
    """Inner width of the feed-forward sub-layer."""

    norm: Norm = "pre"
    """Layer normalization before each sub-layer and at the end ("pre"), or after each ("post")."""

    activation: Activation = "relu"
    """Activation function of the feed-forward sub-layer."""


def final_norm(size: Size, norm: Norm) -> nn.Module:
    """Return the normalization after the last layer, which only norm = "pre" needs."""
    return nn.LayerNorm(size.d_model, eps=size.layer_norm_eps) if norm == "pre" else nn.Identity()
