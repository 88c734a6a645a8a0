"""A span classifier: a pretrained encoder reads rows of tokens, and stretches of them are classified.

    v = mean of the states of a span                             one vector for each of an item's spans
    x = [v₁; v₂; …] + F f                                        f: numbers that are known of the item besides
    x₁ … xₙ = layers(x₁ … xₙ)                                    over all items of one document, where there are layers
    log P(class) = log softmax(W x + b)                          of one class: log σ(w · x + b)

An item is what is classified: a sentence of a document, whose span is the sentence; a sentence beside its evidence,
whose spans are the first token, [CLS], and the sentence; a piece that a sentence might lose, whose spans are the piece,
the rest and [CLS]. A document has one row or several, each [CLS] tokens [SEP] or [CLS] tokens [SEP] tokens [SEP]; BOS
and EOS stand for [CLS] and [SEP]. What lies behind the first [SEP] of a row has BERT's embedding of a second text.

Parts are apart so that they can be used, kept and exported by themselves: `states` from word embeddings that were
looked up, `vectors` of spans, and `logits` from vectors and features.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.encoder import Encoder, encoders
from nutgraf.model.initialization import initialize
from nutgraf.model.layers import Embedding
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import EOS, PAD, Batch, Phrases, Trace, at_least_single
from nutgraf.model.source import SourceConfig, SourceNetwork
from nutgraf.presets.family import Choice
from nutgraf.presets.ranges import NonNegativeInt, PositiveInt

FIRST_CLASS = 4
"""Label of the first class, in the place of a target's words: those below are special tokens."""


@dataclass(frozen=True, kw_only=True)
class SpanBatch(Batch):
    """Rows of tokens, the items of their documents, and in training the items' labels, in the place of a target."""

    stretches: Int[Tensor, "stretches 4"]
    """Spans as stretches of rows: number of the span, row, first position, position behind the last one. Item i has the
    spans from i·k on, where k is the number of an item's spans."""

    counts: Int[Tensor, " batch"]
    """Number of items of each document."""

    features: Float[Tensor, "items features"] | None = None
    """Numbers that are known of each item."""

    kept: Float[Tensor, "items width"] | None = None
    """The vectors of each item, where they were computed before; the rows are empty then."""

    origins: Int[Tensor, " batch"]
    """Number of the set that each document is from."""


@dataclass(frozen=True)
class Config(SourceConfig):
    """The network where `system = "span_classifier"`. The slots `encoder` and `layers` have sections of their own."""

    spans: PositiveInt = 1
    """Spans of an item, as its task says."""

    features: NonNegativeInt = 0
    """Numbers that are known of an item besides, as its task says."""

    classes: PositiveInt = 1
    """Classes; 1: a probability."""

    frozen_layers: NonNegativeInt = 0
    """First layers of the encoder that keep their weights, and with them all embeddings; no gradients are computed
    there, and nothing is dropped."""

    frozen_words: bool = True
    """Word embeddings keep their weights."""

    hidden: PositiveInt | None = None
    """Width of a layer between an item's vectors and its classes; absent: none."""

    layers: Choice[Encoder] | None = None
    """The section `[model.layers]`: an encoder of the items of one document; without it, each stands alone."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.segments:
            raise ValueError(f"the encoder {self.encoder.kind!r} looks at {self.segments[0]}, which rows do not have")


class SpanClassifier(SourceNetwork):
    """Reads rows, and classifies items by their spans."""

    config: Config
    second_segment: nn.Parameter
    """Addend of the words of a row's second text: its embedding minus that of a first one."""

    def __init__(self, config: Config, vocab_size: int) -> None:
        super().__init__()
        self.config = config
        size = config.size(vocab_size)
        self.source_embedding = Embedding(config.embedding, size, config.max_positions)
        self.second_segment = nn.Parameter(torch.zeros(config.embedding.embedding_dim or config.d_model))
        self.encoder = encoders.build(config.encoder, size)
        self.width = config.spans * self.encoder.hidden_size
        self.dropout = Dropout(config.dropout)
        self.feature_proj = nn.Linear(config.features, self.width) if config.features else None
        self.layers, hidden = None, self.width
        if config.layers is not None:
            self.layers = encoders.build(config.layers, replace(size, d_model=self.width))
            hidden = self.layers.hidden_size
        self.hidden_proj = None if config.hidden is None else nn.Linear(hidden, config.hidden)
        self.score_proj = nn.Linear(config.hidden or hidden, config.classes)
        initialize(self, config.initialization)
        for parameter in self._frozen():
            parameter.requires_grad = False

    def train(self, mode: bool = True) -> SpanClassifier:
        """Begin or end training; what is frozen drops nothing in either case."""
        super().train(mode)
        for module in self._frozen_modules():
            module.eval()
        return self

    def forward(self, batch: Batch) -> Trace:
        """Return the log probabilities of the labels, 0 where an item has none, and the mean over all classes."""
        assert isinstance(batch, SpanBatch)
        log_probs = self.log_probs(batch)
        wanted = there(batch)
        labels = batch.labels[:, : wanted.shape[1]][wanted]
        known = labels >= FIRST_CLASS
        chosen = log_probs.gather(1, (labels - FIRST_CLASS).clamp_min(0)[:, None]).squeeze(1).masked_fill(~known, 0.0)
        mean = log_probs.mean(1).masked_fill(~known, 0.0)
        empty = log_probs.new_zeros(wanted.shape)
        return Trace(
            target_log_probs=empty.masked_scatter(wanted, chosen), mean_log_probs=empty.masked_scatter(wanted, mean)
        )

    def log_probs(self, batch: SpanBatch) -> Float[Tensor, "items classes"]:
        """Return the log probabilities of an item's classes; of one class, those of "no" and "yes"."""
        found = self.logits(self.vectors(batch), batch.features, batch.counts)
        if self.config.classes > 1:
            return found.log_softmax(-1)
        return torch.cat([F.logsigmoid(-found), F.logsigmoid(found)], -1)

    def vectors(self, batch: SpanBatch) -> Float[Tensor, "items width"]:
        """Return an item's means of states, side by side; those that were kept, where there are any."""
        if batch.kept is not None:
            return batch.kept
        words = self.source_embedding.word_embeddings(batch.source)
        states = self.states(words, second_texts(batch.source), batch)
        return means(states, batch.stretches, int(batch.counts.sum()), self.config.spans)

    def states(
        self, words: Float[Tensor, "rows source d_model"], second: Bool[Tensor, "rows source"], batch: Batch
    ) -> Float[Tensor, "rows source hidden"]:
        """Return the states of rows whose words were looked up; `second` is True in the second text of a row."""
        frozen, encoder = self.config.frozen_layers, self.encoder
        with torch.set_grad_enabled(torch.is_grad_enabled() and not frozen):
            states = self.source_embedding.with_positions(words + second[..., None] * self.second_segment)
        if frozen:
            return encoder.split_forward(states, batch, frozen)
        return encoder(states, batch).encoder_hidden_states

    def logits(
        self,
        vectors: Float[Tensor, "items width"],
        features: Float[Tensor, "items features"] | None,
        counts: Int[Tensor, " batch"],
    ) -> Float[Tensor, "items classes"]:
        """Return the scores of items, at least in single precision; `counts` says how many each document has."""
        given = self.dropout(vectors)
        if self.feature_proj is not None:
            given = given + self.feature_proj(features)
        if self.layers is not None:
            given = self._together(given, counts)
        if self.hidden_proj is not None:
            given = self.dropout(F.gelu(self.hidden_proj(given)))
        return at_least_single(self.score_proj(given))

    def _together(
        self, items: Float[Tensor, "items width"], counts: Int[Tensor, " batch"]
    ) -> Float[Tensor, "items hidden"]:
        """Return the items as the layers over those of one document leave them."""
        assert self.layers is not None
        inside = torch.arange(int(counts.max()), device=counts.device) < counts[:, None]
        laid = items.new_zeros(*inside.shape, items.shape[1]).masked_scatter(inside[..., None], items)
        documents = Batch(inside.long(), inside.long(), ~inside, Phrases.none())
        return self.layers(laid, documents).encoder_hidden_states[inside]

    def _frozen_modules(self) -> list[nn.Module]:
        count = self.config.frozen_layers
        if not count:
            return []
        return [self.source_embedding, *self.encoder.first_layers(count)]

    def _frozen(self) -> list[nn.Parameter]:
        modules = self._frozen_modules()
        words: list[nn.Parameter] = [self.source_embedding.word_embeddings.weight] if self.config.frozen_words else []
        below = [self.second_segment, *(one for module in modules for one in module.parameters())] if modules else []
        return [*words, *below]


def there(batch: SpanBatch) -> Bool[Tensor, "batch steps"]:
    """Return True for each item that a document has, up to the largest number."""
    width = batch.labels.shape[1] if batch.target_extended is not None else int(batch.counts.max())
    return torch.arange(width, device=batch.counts.device) < batch.counts[:, None]


def second_texts(source: Int[Tensor, "rows source"]) -> Bool[Tensor, "rows source"]:
    """Return True in the second text of each row: behind the first EOS, up to and with the second one."""
    ends = source == EOS
    return (ends.cumsum(1) - ends.long() > 0) & (source != PAD)


def means(
    states: Float[Tensor, "rows source width"], stretches: Int[Tensor, "stretches 4"], items: int, spans: int
) -> Float[Tensor, "items width"]:
    """Return the means of the states of all spans, those of an item side by side; zeros for a span without tokens."""
    span, row, first, last = stretches.unbind(1)
    lengths = last - first
    at = torch.repeat_interleave(torch.arange(len(span), device=span.device), lengths)
    inside = torch.arange(len(at), device=span.device) - (lengths.cumsum(0) - lengths)[at]
    picked = at_least_single(states[row[at], first[at] + inside])
    sums = picked.new_zeros(items * spans, states.shape[2]).index_add(0, span[at], picked)
    sizes = lengths.new_zeros(items * spans).index_add(0, span, lengths)
    return (sums / sizes.clamp_min(1)[:, None]).view(items, spans * states.shape[2])
