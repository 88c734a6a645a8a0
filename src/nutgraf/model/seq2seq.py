"""The network: the slots, wired.

encoder ─► bridge ─► decoder ─► head
attention            attention

In half precision it runs under `torch.autocast(device, torch.bfloat16)`, which is what accelerate's "bf16" is: weights,
sums of states, softmaxes and the loss stay in single precision. Nothing random is drawn but from torch's generator.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from nutgraf.model.attention._multi_head import MultiHead
from nutgraf.model.bridge import bridges
from nutgraf.model.decoder import State, decoders
from nutgraf.model.encoder import encoders
from nutgraf.model.head import heads
from nutgraf.model.layers import Embedding, Size
from nutgraf.model.records import START, UNKNOWN, Batch, Memory, Trace


@dataclass(frozen=True)
class Config:
    """The section `[model]` of a preset. Its sub-sections are the slots; a bridge only where there is one.

    positions: the longest text there can be. share_embeddings: source and target have one table of words. tied: the
    head's projection is that table too.
    """

    width: int = 512
    heads: int = 8
    dropout: float = 0.2
    positions: int = 2048
    share_embeddings: bool = True
    tied: bool = False
    encoder: dict[str, Any] = field(default_factory=lambda: {"kind": "transformer"})
    decoder: dict[str, Any] = field(default_factory=lambda: {"kind": "transformer"})
    head: dict[str, Any] = field(default_factory=lambda: {"kind": "generator"})
    bridge: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.width < 1 or self.heads < 1 or self.width % self.heads:
            raise ValueError(f"width = {self.width} should be a multiple of heads = {self.heads}")
        if not 0 <= self.dropout < 1:
            raise ValueError("dropout is at least 0 and below 1")
        if self.positions < 1:
            raise ValueError("positions is at least 1")
        if self.tied and not self.share_embeddings:
            raise ValueError("tied needs share_embeddings")


class Seq2Seq(nn.Module):
    """Reads a source, writes a summary word by word."""

    def __init__(self, config: Config, vocabulary: int) -> None:
        super().__init__()
        self.config = config
        size = Size(vocabulary, config.width, config.heads, config.dropout)
        self.source_embedding = Embedding(size, config.positions)
        self.target_embedding = Embedding(size, config.positions)
        if config.share_embeddings:
            self.target_embedding.words = self.source_embedding.words
        self.encoder = encoders.from_section(config.encoder, size)
        self.bridge = bridges.from_section(config.bridge, size) if config.bridge else None
        self.decoder = decoders.from_section(config.decoder, size)
        self.head = heads.from_section(config.head, size)
        initialize(self)
        if config.tied:
            self.head.words.weight = self.source_embedding.words.weight
            # As a projection the table should give scores of size one, as embeddings √d times the same.
            nn.init.normal_(self.head.words.weight, std=config.width**-0.5)

    def forward(self, batch: Batch) -> Trace:
        """What the network would say, given the target's words before: `target_log_probs` and what its parts add."""
        source, given = self._look_up(batch)
        memory = self._encode(self.source_embedding.placed(source), batch)
        decoded = self.decoder(self.target_embedding.placed(given), memory, self.head.copies)
        return self.head.likelihood(decoded, batch)

    def encode(self, batch: Batch) -> Memory:
        """What the decoder may look at."""
        return self._encode(self.source_embedding(batch.source), batch)

    def step(
        self, written: Int[Tensor, "batch beams length"], memory: Memory, state: State, attention: bool = False
    ) -> Trace:
        """`log_probs` of each hypothesis's next word.

        written: what it has said so far, over the extended vocabulary, without START; all but the last word were given
            to earlier steps. attention: whether the trace shows it even where the head does not copy.
        """
        length = written.shape[-1]
        words = written[..., -1] if length else written.new_full(written.shape[:2], START)
        words = words.masked_fill(words >= self.head.words.out_features, UNKNOWN)
        weights = attention or self.head.copies
        decoded = self.decoder.step(self.target_embedding.at(words, length), memory, state, weights)
        trace = self.head.distribution(decoded, memory, written)
        return trace if trace.attention is not None else replace(trace, attention=decoded.attention)

    def encoder_attention(self, batch: Batch) -> list[Float[Tensor, "batch heads source source"]]:
        """Every layer's self-attention in the encoder, for whoever asks."""
        mask = batch.source_mask if bool(batch.source_mask.any()) else None
        return self.encoder.weights(self.source_embedding(batch.source), mask, batch.phrases)

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
        states = self.encoder(embedded, mask, batch.phrases)
        memory = Memory(states, batch.source_mask, batch.source_extended, batch.extra)
        return memory if self.bridge is None else self.bridge(memory)


def initialize(network: nn.Module) -> None:
    """Xavier's uniform distribution for every matrix, embeddings too, as OpenNMT-py does; biases begin at zero."""
    for module in network.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.xavier_uniform_(module.weight)
        if isinstance(module, nn.Linear):
            nn.init.zeros_(module.bias)
    for module in network.modules():
        if isinstance(module, MultiHead):
            for matrix in module.input.weight.data.chunk(3):  # queries, keys and values, each a matrix of its own
                nn.init.xavier_uniform_(matrix)
