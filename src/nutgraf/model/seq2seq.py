"""The network: the slots, wired.

encoder ─► bridge ─► decoder ─► head
attention            attention
                     coverage

In half precision it runs under `torch.autocast(device, torch.bfloat16)`, which is what accelerate's "bf16" is: weights,
sums of states, softmaxes and the loss stay in single precision. Random numbers come from torch's generator alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.bridge import Bridge, bridges
from nutgraf.model.coverage import Config as CoverageConfig
from nutgraf.model.decoder import Decoder, DecoderContext, DecoderState, decoders
from nutgraf.model.encoder import encoders
from nutgraf.model.head import Head, HeadContext, heads
from nutgraf.model.initialization import initialize
from nutgraf.model.layers import Embedding, EmbeddingProjection
from nutgraf.model.records import BOS, PAD, UNK, Batch, DecoderOutput, EncoderOutput, Trace
from nutgraf.model.segments import needed_segments
from nutgraf.model.source import SourceConfig, SourceNetwork, add_interval_segments
from nutgraf.model.target import TargetConfig
from nutgraf.presets.family import Choice

MOST_LAYERS = 1000
"""Layers are made one by one: more of them take minutes before their weights can be counted."""


@dataclass(frozen=True)
class Config(SourceConfig):
    """The network. The slots `encoder`, `decoder`, `head`, `bridge` and `coverage` have sections of their own."""

    share_embeddings: bool = True
    """Source and target share one embedding matrix."""

    tie_word_embeddings: bool | Literal["projected"] = False
    """The output projection is the target's embedding matrix; "projected": it is tanh of the product of that matrix and
    a learned one (Paulus et al. 2018)."""

    interval_segments: bool = False
    """Sentences of the source stand between BOS and EOS, and tokens of every second one are told from those of the
    others (BertAbs); only for a head that does not copy."""

    target: TargetConfig | None = None
    """The section `[model.target]`; without it, the target's side has the source's options."""

    decoder: Choice[Decoder] = field(default_factory=lambda: decoders.choose("transformer"))
    """The section `[model.decoder]`."""

    head: Choice[Head] = field(default_factory=lambda: heads.choose("generator"))
    """The section `[model.head]`."""

    bridge: Choice[Bridge] | None = None
    """The section `[model.bridge]`; without it, nothing stands between encoder and decoder."""

    coverage: CoverageConfig | None = None
    """The section `[model.coverage]`; without it, the decoder keeps no coverage."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for part in (self.encoder, self.decoder):
            for count in ("num_layers", "cross_attention_layers"):
                if vars(part.config).get(count, 0) > MOST_LAYERS:
                    raise ValueError(f"{count} is at most {MOST_LAYERS:,}")
        num_heads = self.target.num_heads if self.target else None
        if num_heads is not None and self.d_model % num_heads:
            raise ValueError(f"d_model = {self.d_model} should be a multiple of target.num_heads = {num_heads}")
        if self.interval_segments and heads.find(self.head.kind).needs_attention:
            raise ValueError(
                f"a head of kind {self.head.kind!r} would copy the marks that interval_segments sets around each "
                'sentence; head.kind = "generator" copies nothing'
            )

    @property
    def segments(self) -> tuple[str, ...]:
        """Segments that the encoder or the decoder needs of a source: "sentences", "sections", both or none."""
        return needed_segments(encoders.find(self.encoder.kind), decoders.find(self.decoder.kind))


@dataclass
class SearchState(DecoderState):
    """State of a decoder and of a head that carries one."""

    decoder: DecoderState
    head: DecoderState

    def reorder(self, parents: Int[Tensor, "batch beams"]) -> None:
        """Let hypothesis b of a document continue its hypothesis `parents[document, b]`."""
        self.decoder.reorder(parents)
        self.head.reorder(parents)

    def keep(self, documents: Int[Tensor, " kept"]) -> None:
        """Keep only these documents."""
        self.decoder.keep(documents)
        self.head.keep(documents)


class Seq2Seq(SourceNetwork):
    """Reads a source, writes a summary word by word."""

    config: Config

    def __init__(self, config: Config, vocab_size: int) -> None:
        super().__init__()
        self.config = config
        size = config.size(vocab_size)
        embedding, target = config.embedding, config.target or TargetConfig()
        target_size = target.size(size)
        self.uses_coverage = config.coverage is not None
        self.source_embedding = Embedding(embedding, size, config.max_positions)
        self.target_embedding = Embedding(target.embedding(embedding), target_size, config.max_positions)
        if config.share_embeddings:
            self.target_embedding.word_embeddings = self.source_embedding.word_embeddings
            self.target_embedding.proj = self.source_embedding.proj
        columns = embedding.embedding_dim or config.d_model
        self.second_segment = nn.Parameter(torch.zeros(columns)) if config.interval_segments else None
        self.encoder = encoders.build(config.encoder, size)
        width = self.encoder.hidden_size
        self.bridge = bridges.build(config.bridge, width) if config.bridge else None
        self.decoder = decoders.build(config.decoder, DecoderContext(target_size, width, config.coverage))
        self.head = heads.build(config.head, HeadContext(target_size, self.decoder, width))
        if self.head.needs_graph and not self.encoder.provides_graph:
            raise PresetError(
                f"A head of kind {config.head.kind!r} reads the encoder's last self-attention, which this encoder "
                'does not provide: encoder.kind = "transformer" with attention.kind = "dot_product" does.'
            )
        if config.tie_word_embeddings == "projected":
            table = self.target_embedding.word_embeddings
            self.head.vocab_proj = EmbeddingProjection(table, self.head.vocab_proj.in_features)  # type: ignore[assignment]
        initialize(self, config.initialization)
        if config.tie_word_embeddings is True:
            self._tie()

    @property
    def embeddings(self) -> tuple[Embedding, ...]:
        """The embeddings of source and target."""
        return self.source_embedding, self.target_embedding

    def enter(self, phase: int) -> None:
        """Begin a phase of training: coverage and its cross-attention wait for the second one."""
        self.uses_coverage = self.config.coverage is not None and phase > 1

    def forward(self, batch: Batch) -> Trace:
        """Return the log probabilities of the labels, each given the words before it, and what the parts add."""
        encoder_output, decoded = self._decode(batch, self.uses_coverage or self.head.needs_attention)
        trace = _with_attention(self.head.likelihood(decoded, batch), decoded)
        return replace(trace, gate=encoder_output.gate, centrality=encoder_output.centrality)

    @torch.no_grad()
    def predict(self, batch: Batch, at: Bool[Tensor, "batch steps"]) -> Int[Tensor, " chosen"]:
        """Return the likeliest words of the vocabulary at some steps, each given the target's words before it."""
        _, decoded = self._decode(batch, needs_attention=False)
        scores = self.head.vocab_proj(decoded.hidden_states[at])
        scores[:, [PAD, BOS]] = -torch.inf
        return scores.argmax(-1)

    def encode(self, batch: Batch) -> EncoderOutput:
        """Return the encoded sources, as the decoder needs them."""
        return self._encode(self.embed_source(batch), batch)

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> DecoderState:
        """Return the state before the first word, for `beam_size` hypotheses of each document."""
        decoder = self.decoder.start(encoder_output, beam_size)
        return SearchState(decoder, self.head.start(encoder_output, beam_size)) if self.head.carries_state else decoder

    def step(
        self,
        written: Int[Tensor, "batch beams length"],
        encoder_output: EncoderOutput,
        state: DecoderState,
        needs_attention: bool = False,
    ) -> Trace:
        """Return `log_probs` of the next word of each hypothesis.

        Args:
            written: Words so far, over the extended vocabulary, without BOS; all but the last one were given to earlier
                steps.
            encoder_output: The encoded sources.
            state: What `start` returned, which is brought up to date.
            needs_attention: Return the cross-attention even if the head does not need it.
        """
        length = written.shape[-1]
        words = written[..., -1] if length else written.new_full(written.shape[:2], BOS)
        words = words.masked_fill(words >= self.head.vocab_proj.out_features, UNK)
        embedded = self.target_embedding.at(words, length)
        of_decoder, of_head = (state.decoder, state.head) if isinstance(state, SearchState) else (state, None)
        decoded = self.decoder.step(embedded, encoder_output, of_decoder, needs_attention or self.head.needs_attention)
        decoded = decoded if of_head is None else replace(decoded, head_state=of_head)
        return _with_attention(self.head.distribution(decoded, encoder_output, written), decoded)

    def encoder_attention(self, batch: Batch) -> list[Float[Tensor, "batch heads source source"]]:
        """Return the self-attention of every encoder layer."""
        return self.encoder.weights(self.embed_source(batch), batch)

    def _decode(self, batch: Batch, needs_attention: bool) -> tuple[EncoderOutput, DecoderOutput]:
        source, target = self._look_up(batch)
        if self.second_segment is not None:
            source = add_interval_segments(source, batch.source, self.second_segment)
        encoder_output = self._encode(self.source_embedding.with_positions(source), batch)
        embedded = self.target_embedding.with_positions(target, batch.decoder_positions)
        decoded: DecoderOutput = self.decoder(embedded, encoder_output, needs_attention)
        if self.head.carries_state:
            decoded = replace(decoded, head_state=self.head.start(encoder_output, 1))
        return encoder_output, decoded

    def _look_up(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the word embeddings of source and target.

        A matrix that they share is read once, since each time costs a gradient of its size.
        """
        if not self.config.share_embeddings:
            sources, targets = self.source_embedding.word_embeddings, self.target_embedding.word_embeddings
            return sources(batch.source), targets(batch.decoder_input)
        both = self.source_embedding.word_embeddings(torch.cat([batch.source, batch.decoder_input], 1))
        source, target = both.split([batch.source.shape[1], batch.decoder_input.shape[1]], 1)
        return source, target

    def _encode(self, embedded: Float[Tensor, "batch source d_model"], batch: Batch) -> EncoderOutput:
        encoder_output: EncoderOutput = self.encoder(embedded, batch, self.head.needs_graph)
        if self.bridge is not None:
            encoder_output = self.bridge(encoder_output)
        return self.head.prepare(encoder_output) if self.head.needs_graph else encoder_output

    def _tie(self) -> None:
        """Make the target's word embeddings the head's projection."""
        table, projection = self.target_embedding.word_embeddings, self.head.vocab_proj
        if projection.weight.shape != table.weight.shape:
            raise PresetError(
                f"model.tie_word_embeddings: words are embedded with {table.embedding_dim} numbers each, but the head "
                f"has {projection.in_features}; they cannot be the same matrix."
            )
        projection.weight = table.weight
        # As a projection the matrix should give scores of size one, as embeddings √d times the same.
        nn.init.normal_(projection.weight, std=self.config.d_model**-0.5)


def _with_attention(trace: Trace, decoded: DecoderOutput) -> Trace:
    """Add the decoder's attention where the head has none of its own."""
    return trace if trace.cross_attention is not None else replace(trace, cross_attention=decoded.cross_attention)
