"""What every stack is made of: sizes, positions, embedding, feed-forward, residual (Vaswani et al. 2017, Sec. 3)."""

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
from nutgraf.model.dropout import Dropout

Norm = Literal["pre", "post"]
Activation = Literal["relu", "gelu"]
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
    """Positions from `first` on, sine and cosine by turns (Sec. 3.5)."""
    place = torch.arange(first, first + length, dtype=torch.float32)[:, None]
    speed = torch.exp(torch.arange(0, width, 2, dtype=torch.float32) * (-math.log(10_000.0) / width))
    table = torch.zeros(length, width)
    table[:, 0::2] = torch.sin(place * speed)
    table[:, 1::2] = torch.cos(place * speed)[:, : width // 2]
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

    embedding_dim: int | None = None
    """Width of the embedding matrix where it is not d_model; a learned projection follows then."""

    def __post_init__(self) -> None:
        if self.embedding_dim is not None and self.embedding_dim < 1:
            raise ValueError("embedding_dim is at least 1")


class Embedding(nn.Module):
    """x = dropout(norm(√d · P E[w] + position)), P only where words have other than d numbers."""

    positions: Tensor

    def __init__(self, config: EmbeddingConfig, size: Size, max_positions: int) -> None:
        super().__init__()
        embedding_dim = config.embedding_dim or size.d_model
        self.words = nn.Embedding(size.vocab_size, embedding_dim)
        self.project = (
            nn.Identity() if embedding_dim == size.d_model else nn.Linear(embedding_dim, size.d_model, bias=False)
        )
        self.dropout = Dropout(size.dropout)
        self.scale = math.sqrt(size.d_model) if config.scale else 1.0
        self.max_positions = max_positions
        if config.position_embedding == "learned":
            self.positions = nn.Parameter(torch.randn(max_positions, size.d_model) * 0.02)
        elif config.position_embedding == "sinusoidal":
            self.register_buffer("positions", sinusoids(max_positions, size.d_model), persistent=False)
        else:
            self.register_buffer("positions", torch.zeros(1, 1), persistent=False)
        self.norm = nn.LayerNorm(size.d_model, eps=size.layer_norm_eps) if config.norm else nn.Identity()

    def forward(self, words: Int[Tensor, "batch steps"]) -> Float[Tensor, "batch steps width"]:
        """Words that stand one after the other, the first at position 0. Raises InputError if they are too many."""
        return self.placed(self.words(words))

    def placed(
        self, vectors: Float[Tensor, "batch steps embedding_dim"], places: Int[Tensor, "batch steps"] | None = None
    ) -> Float[Tensor, "batch steps width"]:
        """The same for words that were looked up already. places: their positions, where they are not 0, 1, 2, …"""
        length = vectors.shape[1] if places is None else 1 + int(places.max())
        if length > self.max_positions:
            raise InputError(
                f"A text of {length} words or pieces is too long for this network of {self.max_positions} positions. "
                f"Shorten the text, or train a network with model.max_positions = {length} or more."
            )
        added = self.positions[:length]
        if places is not None and len(self.positions) > 1:
            added = added[places]
        embedded: Tensor = self.dropout(self.norm(torch.add(added, self.project(vectors), alpha=self.scale)))
        return embedded

    def at(self, words: Int[Tensor, "batch beams"], position: int) -> Float[Tensor, "batch beams width"]:
        """Words that all stand at one position."""
        place = self.positions[position if len(self.positions) > 1 else 0]
        embedded: Tensor = self.dropout(self.norm(self.project(self.words(words)) * self.scale + place))
        return embedded

    @torch.no_grad()
    def put(self, words: Int[Tensor, " known"], vectors: Float[Tensor, "known embedding_dim"]) -> None:
        """These words begin with these vectors, which are what comes out once they are scaled."""
        self.words.weight[words] = vectors.to(self.words.weight) / self.scale


class FeedForward(nn.Module):
    """W₂ · dropout(ReLU(W₁ · x)) (Sec. 3.3); or GELU (Hendrycks and Gimpel 2016), as in BERT and MASS."""

    def __init__(self, size: Size, inner: int, activation: Activation = "relu") -> None:
        super().__init__()
        self.activation = activation
        self.inner = nn.Linear(size.d_model, inner)
        self.outer = nn.Linear(inner, size.d_model)
        self.dropout = Dropout(size.dropout)

    def forward(self, states: Float[Tensor, "... width"]) -> Float[Tensor, "... width"]:
        """Each position by itself."""
        inner = self.inner(states)
        active = self.dropout.after_relu(inner) if self.activation == "relu" else self.dropout(F.gelu(inner))
        changed: Tensor = self.outer(active)
        return changed


class Residual(nn.Module):
    """Adds what a sub-layer makes of the states: x + dropout(f(norm(x))), or norm(x + dropout(f(x))) for "post"."""

    def __init__(self, size: Size, norm: Norm) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(size.d_model, eps=size.layer_norm_eps)
        self.dropout = Dropout(size.dropout)
        self.first = norm == "pre"

    def forward(
        self, states: Float[Tensor, "batch steps width"], change: Callable[[Tensor], Tensor]
    ) -> Float[Tensor, "batch steps width"]:
        """One sub-layer."""
        if self.first:
            return self.dropout.added(states, change(self.norm(states)))
        normed: Tensor = self.norm(self.dropout.added(states, change(states)))
        return normed


def final_norm(size: Size, norm: Norm) -> nn.Module:
    """What ends a stack: with "pre" the sum of all its layers is still to be normed."""
    return nn.LayerNorm(size.d_model, eps=size.layer_norm_eps) if norm == "pre" else nn.Identity()
