"""A span classifier: a pretrained encoder reads rows of tokens, and stretches of them are classified.

    v = mean of the states of a span                             one vector for each of an item's spans
    x = W [v₁; v₂; …] + F₂ gelu(F₁ f)                            f: numbers that are known of the item besides
    y = gelu(x)
    y = layers(x₁ … xₙ), over all items of one document, where there are layers; of norm([v₁; v₂; …]) then
    log P(class) = log softmax(U y + b)                          of one class: log σ(u · y + b)

An item is what is classified: a sentence of a document, whose span is the sentence; a sentence beside its evidence,
whose spans are the first token, [CLS], and the sentence; a piece that a sentence might lose, whose spans are the piece,
the rest and [CLS]. A document has one row or several, each [CLS] tokens [SEP] or [CLS] tokens [SEP] tokens [SEP]; BOS
and EOS stand for [CLS] and [SEP]. What lies behind the first [SEP] of a row has BERT's embedding of a second text.

Parts are apart so that they can be used, kept and exported by themselves: `states` from word embeddings that were
looked up, `vectors` of spans, and `logits` from vectors and features.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.encoder import Encoder, encoders
from nutgraf.model.initialization import initialize
from nutgraf.model.layers import LAYER_NORM_EPS, Embedding
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import EOS, PAD, Batch, Phrases, Trace, at_least_single, changed
from nutgraf.model.source import SourceConfig, SourceNetwork
from nutgraf.presets.family import Choice
from nutgraf.presets.ranges import NonNegativeInt, PositiveInt

FIRST_CLASS = 4
"""Label of the first class, in the place of a target's words: those below are special tokens."""


@dataclass(frozen=True, kw_only=True)
class SpanBatch(Batch):
    """Rows of tokens, the items of their documents, and in training the items' labels, in the place of a target.

    Labels are those of documents, of which each has one row or several.
    """

    source: Int[Tensor, "rows source"]
    """Ids of the tokens of each row."""

    source_extended: Int[Tensor, "rows source"]
    """The same."""

    key_padding_mask: Bool[Tensor, "rows source"]
    """True where a row is padding."""

    stretches: Int[Tensor, "stretches 4"]
    """Spans as stretches of rows: number of the span, row, first position, position behind the last one. Item i has the
    spans from i·k on, where k is the number of an item's spans."""

    counts: Int[Tensor, " batch"]
    """Number of items of each document."""

    features: Float[Tensor, "items features"] | None = None
    """Numbers that are known of each item."""

    shares: Float[Tensor, "batch steps"] | None = None
    """Probability that an item of two classes should get of the second one, where its label is not certain."""

    gains: Float[Tensor, "batch steps"] | None = None
    """How good an item is, for objectives that rank the items of a document."""

    kept: Float[Tensor, "items width"] | None = None
    """The vectors of each item, where they were computed before; the rows are empty then."""

    origins: Int[Tensor, " batch"]
    """Number of the set that each document is from."""

    def to(self, device: torch.device | str) -> SpanBatch:
        """Return the same batch on a device."""
        moved: SpanBatch = changed(self, lambda part: part.to(device))
        return moved


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

    item_size: PositiveInt = 384
    """Width of an item, in which its vectors and its features are put together; a multiple of `num_heads`."""

    layers: Choice[Encoder] | None = None
    """The section `[model.layers]`: an encoder of the items of one document; without it, each stands alone."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.item_size % self.num_heads:
            raise ValueError(f"item_size = {self.item_size} should be a multiple of num_heads = {self.num_heads}")
        if self.segments:
            raise ValueError(f"the encoder {self.encoder.kind!r} looks at {self.segments[0]}, which rows do not have")


class SpanClassifier(SourceNetwork):
    """Reads rows, and classifies items by their spans."""

    config: Config
    second_segment: nn.Parameter
    """Addend of the words of a row's second text: its embedding minus that of a first one."""

    ABOVE = ("norm.", "item_proj.", "features.", "layers.", "score_proj.")
    """Beginnings of the names of weights that do not change an item's vectors."""

    def __init__(self, config: Config, vocab_size: int) -> None:
        super().__init__()
        self.config = config
        size = config.size(vocab_size)
        self.source_embedding = Embedding(config.embedding, size, config.max_positions)
        self.second_segment = nn.Parameter(torch.zeros(config.embedding.embedding_dim or config.d_model))
        self.encoder = encoders.build(config.encoder, size)
        self.width, items = config.spans * self.encoder.hidden_size, config.item_size
        self.norm = nn.Identity() if config.layers is None else nn.LayerNorm(self.width)
        self.item_proj = nn.Linear(self.width, items)
        self.features: nn.Module | None = None
        if config.features:
            self.features = nn.Sequential(nn.Linear(config.features, items), nn.GELU(), nn.Linear(items, items))
        self.dropout, self.layers = Dropout(config.dropout), None
        if config.layers is not None:
            self.layers = encoders.build(config.layers, replace(size, d_model=items, layer_norm_eps=LAYER_NORM_EPS))
        self.score_proj = nn.Linear(items if self.layers is None else self.layers.hidden_size, config.classes)
        initialize(self, config.initialization)
        for parameter in self._frozen():
            parameter.requires_grad = False

    @property
    def learns_vectors(self) -> bool:
        """True if something below the items' vectors learns."""
        below = (one for name, one in self.named_parameters() if not name.startswith(self.ABOVE))
        return any(one.requires_grad for one in below)

    def train(self, mode: bool = True) -> SpanClassifier:
        """Begin or end training; what is frozen drops nothing in either case."""
        super().train(mode)
        for module in self._frozen_modules():
            module.eval()
        return self

    def forward(self, batch: Batch) -> Trace:
        """Return the log probabilities of the labels, 0 where an item has none, and the mean over all classes."""
        assert isinstance(batch, SpanBatch)
        log_probs, inside = self.log_probs(batch), there(batch)
        labels = batch.labels[inside]
        unknown = labels < FIRST_CLASS
        if batch.shares is None:
            chosen = log_probs.gather(1, (labels - FIRST_CLASS).clamp_min(0)[:, None]).squeeze(1)
        else:
            chosen = torch.lerp(log_probs[:, 0], log_probs[:, 1], batch.shares[inside].to(log_probs))
        empty = log_probs.new_zeros(inside.shape)

        def placed(numbers: Tensor) -> Tensor:
            return empty.masked_scatter(inside, numbers.masked_fill(unknown, 0.0))

        scores = torch.full_like(empty, -torch.inf).masked_scatter(inside, log_probs[:, -1] - log_probs[:, 0])
        return Trace(target_log_probs=placed(chosen), mean_log_probs=placed(log_probs.mean(1)), candidate_scores=scores)

    def log_probs(self, batch: SpanBatch) -> Float[Tensor, "items classes"]:
        """Return the log probabilities of an item's classes; of one class, those of "no" and "yes"."""
        found = self.logits(self.vectors(batch), batch.features, batch.counts)
        if self.config.classes > 1:
            return found.log_softmax(-1)
        return torch.cat([F.logsigmoid(-found), F.logsigmoid(found)], -1)

    def vectors(self, batch: SpanBatch, at_once: int | None = None) -> Float[Tensor, "items width"]:
        """Return an item's means of states, side by side; those that were kept, where there are any.

        Args:
            batch: Rows and spans.
            at_once: Rows that are read together, so that memory does not grow with their number; None: all.
        """
        if batch.kept is not None:
            return batch.kept
        count, spans = int(batch.counts.sum()), self.config.spans
        if at_once is None:
            return means(self._read(batch.source, batch), batch.stretches, count, spans)
        found = (summed(self._read(one.source, one), one.stretches, count * spans) for one in _parts(batch, at_once))
        return _mean_of(*reduce(lambda one, other: (one[0] + other[0], one[1] + other[1]), found), spans)

    def _read(self, source: Int[Tensor, "rows source"], batch: Batch) -> Float[Tensor, "rows source hidden"]:
        return self.states(self.source_embedding.word_embeddings(source), second_texts(source), batch)

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
        given = self.dropout(self.item_proj(self.norm(vectors)))
        if self.features is not None:
            given = given + self.features(features)
        found = self.dropout(F.gelu(given)) if self.layers is None else self._together(self.layers, given, counts)
        return at_least_single(self.score_proj(found))

    def _together(
        self, layers: Encoder, items: Float[Tensor, "items width"], counts: Int[Tensor, " batch"]
    ) -> Float[Tensor, "items hidden"]:
        """Return the items as the layers over those of one document leave them."""
        inside = torch.arange(int(counts.max()), device=counts.device) < counts[:, None]
        laid = items.new_zeros(*inside.shape, items.shape[1]).masked_scatter(inside[..., None], items)
        documents = Batch(inside.long(), inside.long(), ~inside, Phrases.none())
        return layers(laid, documents).encoder_hidden_states[inside]

    def _frozen_modules(self) -> list[nn.Module]:
        count = self.config.frozen_layers
        if not count:
            return []
        return [self.source_embedding, *self.encoder.first_layers(count)]

    def _frozen(self) -> list[nn.Parameter]:
        modules = self._frozen_modules()
        embedding = self.source_embedding.word_embeddings
        words = list(embedding.parameters()) if self.config.frozen_words else []
        below = [self.second_segment, *(one for module in modules for one in module.parameters())] if modules else []
        return [*words, *below]


def there(batch: SpanBatch) -> Bool[Tensor, "batch steps"]:
    """Return True for each item that a document has, up to the largest number."""
    width = int(batch.counts.max()) if batch.target_extended is None else batch.labels.shape[1]
    return torch.arange(width, device=batch.counts.device) < batch.counts[:, None]


def second_texts(source: Int[Tensor, "rows source"]) -> Bool[Tensor, "rows source"]:
    """Return True in the second text of each row: behind the first EOS, up to and with the second one."""
    ends = source == EOS
    return (ends.cumsum(1) - ends.long() > 0) & (source != PAD)


def means(
    states: Float[Tensor, "rows source hidden"], stretches: Int[Tensor, "stretches 4"], items: int, spans: int
) -> Float[Tensor, "items width"]:
    """Return the means of the states of all spans, those of an item side by side; zeros for a span without tokens."""
    return _mean_of(*summed(states, stretches, items * spans), spans)


def summed(
    states: Float[Tensor, "rows source hidden"], stretches: Int[Tensor, "stretches 4"], spans: int
) -> tuple[Float[Tensor, "all hidden"], Int[Tensor, " all"]]:
    """Return the sums of the states of all spans, and how many states each has."""
    span, row, first, last = stretches.unbind(1)
    lengths = last - first
    at = torch.repeat_interleave(torch.arange(len(span), device=span.device), lengths)
    inside = torch.arange(len(at), device=span.device) - (lengths.cumsum(0) - lengths)[at]
    picked = at_least_single(states[row[at], first[at] + inside])
    sums = picked.new_zeros(spans, states.shape[2]).index_add(0, span[at], picked)
    return sums, lengths.new_zeros(spans).index_add(0, span, lengths)


def _mean_of(sums: Tensor, sizes: Tensor, spans: int) -> Tensor:
    return (sums / sizes.clamp_min(1)[:, None]).view(-1, spans * sums.shape[1])


def _parts(batch: SpanBatch, at_once: int) -> Iterator[SpanBatch]:
    """Yield the batch as batches of some of its rows, each no wider than its longest row."""
    for start in range(0, len(batch.source), at_once):
        padding = batch.key_padding_mask[start : start + at_once]
        width = max(1, int((~padding).sum(1).max()))
        rows = batch.source[start : start + at_once, :width]
        here = (batch.stretches[:, 1] >= start) & (batch.stretches[:, 1] < start + at_once)
        stretches = batch.stretches[here] - batch.stretches.new_tensor([0, start, 0, 0])
        yield replace(
            batch, source=rows, source_extended=rows, key_padding_mask=padding[:, :width], stretches=stretches
        )
