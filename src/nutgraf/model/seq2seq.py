"""The network: the slots, wired.

encoder ─► bridge ─► decoder ─► head
attention            attention
                     coverage

In half precision it runs under `torch.autocast(device, torch.bfloat16)`, which is what accelerate's "bf16" is: weights,
sums of states, softmaxes and the loss stay in single precision. Nothing random is drawn but from torch's generator.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model import coverage
from nutgraf.model.bridge import bridges
from nutgraf.model.decoder import State, decoders
from nutgraf.model.encoder import encoders
from nutgraf.model.head import heads
from nutgraf.model.initialization import Initialization, initialize
from nutgraf.model.layers import LAYER_NORM_EPS, Embedding, EmbeddingConfig, Size
from nutgraf.model.records import BOS, PAD, UNK, Batch, Decoded, Encoded, Memory, Trace
from nutgraf.presets.family import configure

MOST_LAYERS = 1000
"""Each is made one by one: more take minutes before their weights could be counted."""


@dataclass(frozen=True)
class Config:
    """The network. The slots `encoder`, `decoder`, `head`, `bridge` and `coverage` have sections of their own."""

    d_model: int = 512
    """Width of the embeddings and of transformer layers."""

    num_heads: int = 8
    """Heads of every multi-head attention; `d_model` is a multiple of it."""

    dropout: float = 0.2
    """Dropout rate of embeddings and sub-layers."""

    max_positions: int = 2048
    """Longest source or target, in tokens."""

    share_embeddings: bool = True
    """Source and target share one embedding matrix."""

    tie_word_embeddings: bool = False
    """The output projection is the embedding matrix; needs `share_embeddings`."""

    layer_norm_eps: float = LAYER_NORM_EPS
    """Epsilon of layer normalization."""

    initialization: Initialization = "xavier"
    """Distribution of the initial weights: see `model/initialization.py`."""

    embedding: dict[str, Any] = field(default_factory=dict)
    """The section `[model.embedding]`."""

    encoder: dict[str, Any] = field(default_factory=lambda: {"kind": "transformer"})
    """The section `[model.encoder]`."""

    decoder: dict[str, Any] = field(default_factory=lambda: {"kind": "transformer"})
    """The section `[model.decoder]`."""

    head: dict[str, Any] = field(default_factory=lambda: {"kind": "generator"})
    """The section `[model.head]`."""

    bridge: dict[str, Any] | None = None
    """The section `[model.bridge]`; without it, nothing stands between encoder and decoder."""

    coverage: dict[str, Any] | None = None
    """The section `[model.coverage]`; without it, the decoder keeps no coverage."""

    def __post_init__(self) -> None:
        if self.d_model < 1 or self.num_heads < 1 or self.d_model % self.num_heads:
            raise ValueError(f"d_model = {self.d_model} should be a multiple of num_heads = {self.num_heads}")
        if not 0 <= self.dropout < 1:
            raise ValueError("dropout is at least 0 and below 1")
        if self.layer_norm_eps <= 0:
            raise ValueError("layer_norm_eps is above 0")
        if self.max_positions < 1:
            raise ValueError("max_positions is at least 1")
        for part in (self.encoder, self.decoder):
            for count in ("num_layers", "cross_attention_layers"):
                if isinstance(part.get(count), int) and part[count] > MOST_LAYERS:
                    raise ValueError(f"{count} is at most {MOST_LAYERS:,}")
        if self.tie_word_embeddings and not self.share_embeddings:
            raise ValueError("tie_word_embeddings needs share_embeddings")


class Seq2Seq(nn.Module):
    """Reads a source, writes a summary word by word."""

    def __init__(self, config: Config, vocab_size: int) -> None:
        super().__init__()
        self.config = config
        size = Size(vocab_size, config.d_model, config.num_heads, config.dropout, config.layer_norm_eps)
        embedded = configure(EmbeddingConfig, config.embedding, "model.embedding")
        covering = None if config.coverage is None else configure(coverage.Config, config.coverage, "model.coverage")
        self.covers = covering is not None
        self.source_embedding = Embedding(embedded, size, config.max_positions)
        self.target_embedding = Embedding(embedded, size, config.max_positions)
        if config.share_embeddings:
            self.target_embedding.words = self.source_embedding.words
            self.target_embedding.project = self.source_embedding.project
        self.encoder = encoders.from_section(config.encoder, size)
        self.bridge = bridges.from_section(config.bridge, size, self.encoder.width) if config.bridge else None
        self.decoder = decoders.from_section(config.decoder, size, self.encoder.width, covering)
        self.head = heads.from_section(config.head, size, self.decoder)
        if self.head.wants_graph and not self.encoder.has_graph:
            raise PresetError(
                f"A head of kind {config.head['kind']!r} reads the encoder's last self-attention, which this encoder "
                'does not tell: encoder.kind = "transformer" with attention.kind = "dot_product" does.'
            )
        initialize(self, config.initialization)
        if config.tie_word_embeddings:
            self._tie()

    def enter(self, phase: int) -> None:
        """Coverage waits for the second phase of a training: until then nobody asks where the decoder looks."""
        self.covers = self.config.coverage is not None and phase > 1

    def forward(self, batch: Batch) -> Trace:
        """What the network would say, given the target's words before: `target_log_probs` and what its parts add."""
        memory, decoded = self._decode(batch, self.covers or self.head.copies)
        trace = _looked(self.head.likelihood(decoded, batch), decoded)
        return replace(trace, gate=memory.gate, centrality=memory.centrality)

    @torch.no_grad()
    def generated(self, batch: Batch, at: Bool[Tensor, "batch steps"]) -> Int[Tensor, " chosen"]:
        """The likeliest words of the vocabulary at some steps, given the target's words before."""
        _, decoded = self._decode(batch, weights=False)
        scores = self.head.words(decoded.states[at])
        scores[:, [PAD, BOS]] = -torch.inf
        likeliest: Tensor = scores.argmax(-1)
        return likeliest

    def encode(self, batch: Batch) -> Memory:
        """What the decoder may look at."""
        return self._encode(self.source_embedding(batch.source), batch)

    def step(
        self, written: Int[Tensor, "batch beams length"], memory: Memory, state: State, attention: bool = False
    ) -> Trace:
        """`log_probs` of each hypothesis's next word.

        written: what it has said so far, over the extended vocabulary, without BOS; all but the last word were given
            to earlier steps. attention: whether the trace shows it even where the head does not copy.
        """
        length = written.shape[-1]
        words = written[..., -1] if length else written.new_full(written.shape[:2], BOS)
        words = words.masked_fill(words >= self.head.words.out_features, UNK)
        weights = attention or self.head.copies
        decoded = self.decoder.step(self.target_embedding.at(words, length), memory, state, weights)
        return _looked(self.head.distribution(decoded, memory, written), decoded)

    def encoder_attention(self, batch: Batch) -> list[Float[Tensor, "batch heads source source"]]:
        """Every layer's self-attention in the encoder, for whoever asks."""
        mask = batch.source_mask if bool(batch.source_mask.any()) else None
        return self.encoder.weights(self.source_embedding(batch.source), mask, batch.phrases)

    def _decode(self, batch: Batch, weights: bool) -> tuple[Memory, Decoded]:
        """What is read of the sources, and what follows of it and of the target's words."""
        source, given = self._look_up(batch)
        memory = self._encode(self.source_embedding.placed(source), batch)
        return memory, self.decoder(self.target_embedding.placed(given, batch.given_places), memory, weights)

    def _look_up(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The vectors of the words of source and target. A table that they share is asked once, since each time costs
        a gradient of its size."""
        if not self.config.share_embeddings:
            return self.source_embedding.words(batch.source), self.target_embedding.words(batch.given)
        both = self.source_embedding.words(torch.cat([batch.source, batch.given], 1))
        source, given = both.split([batch.source.shape[1], batch.given.shape[1]], 1)
        return source, given

    def _encode(self, embedded: Float[Tensor, "batch source width"], batch: Batch) -> Memory:
        mask = batch.source_mask if bool(batch.source_mask.any()) else None
        made: Encoded = self.encoder(embedded, mask, batch.phrases, self.head.wants_graph)
        memory = Memory(
            made.states,
            batch.source_mask,
            batch.source_extended,
            batch.extra,
            final=made.final,
            values=made.values,
            graph=made.graph,
            length=batch.length,
        )
        return self.head.guide(memory if self.bridge is None else self.bridge(memory))

    def _tie(self) -> None:
        """The head projects to words by the table that embeds them."""
        table, words = self.source_embedding.words, self.head.words
        if words.weight.shape != table.weight.shape:
            raise PresetError(
                f"model.tie_word_embeddings: words are embedded with {table.embedding_dim} numbers each, but "
                f"the head has {words.in_features}; they cannot be the same table."
            )
        words.weight = table.weight
        # As a projection the table should give scores of size one, as embeddings √d times the same.
        nn.init.normal_(words.weight, std=self.config.d_model**-0.5)


def _looked(trace: Trace, decoded: Decoded) -> Trace:
    """With the decoder's attention, where the head has none to show."""
    return trace if trace.attention is not None else replace(trace, attention=decoded.attention)
