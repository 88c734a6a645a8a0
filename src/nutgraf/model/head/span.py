"""Words are generated, or whole spans of the source are copied (SeqCopyNet; Zhou, Yang, Wei and Zhou 2018).

    f = [context; state; word before]
    z = σ(v · f + b)                                       the probability of copying a span
    q = tanh(W_q f + b_q)
    P(i) = softmaxᵢ(q · K hᵢ / √d)                          the span begins at place i
    uᵢ = GRU(hᵢ, q)                                        the transducer
    P(j | i) = softmax over j ≥ i of (uᵢ · E hⱼ / √d)       and ends at place j

The decoder reads the words of a copied span like any others, and decides again behind its last one. The words of a text
do not tell which of them were copied together, so their probability is a sum over all divisions (`_spans.py`). Search
goes word by word, too: a hypothesis carries how likely each span is that may be going on, and no hypothesis is there
twice because its words may have come in two ways.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.model.decoder import DecoderState
from nutgraf.model.head import Head, HeadContext
from nutgraf.model.head._copying import FLOOR, add_copied, permitted
from nutgraf.model.head._spans import LEAST, maximal_spans, run_lengths, spans_by_length, sum_over_divisions
from nutgraf.model.ops.additive_attention import masked_softmax
from nutgraf.model.ops.attention import reweighted
from nutgraf.model.ops.log_probs import log_probs_at, log_softmax
from nutgraf.model.records import UNK, Batch, DecoderOutput, EncoderOutput, Trace, at_least_single
from nutgraf.presets.ranges import PositiveInt


@dataclass(frozen=True)
class Config:
    """Copying of whole spans of the source (SeqCopyNet)."""

    pointer_dim: PositiveInt = 512
    """Width in which the pointers compare states and source."""


EXAMPLES = (Config(pointer_dim=5),)


@dataclass(frozen=True)
class Source:
    """The source as the pointers see it."""

    start_keys: Float[Tensor, "batch source pointer"]
    end_keys: Float[Tensor, "batch source pointer"]
    gates: Float[Tensor, "batch source gates"]
    """The source's part of the transducer's gates."""

    padding: Bool[Tensor, "batch source"]


@dataclass(frozen=True)
class Going:
    """Spans that each hypothesis may be copying, given its words."""

    spans: Float[Tensor, "batch beams source source"]
    """Probability that the last word was copied from a place, and that its span goes on to a later one."""

    starts: Float[Tensor, "batch beams source"]
    """Probability that a span begins at a place with the next word."""

    query: Float[Tensor, "batch beams pointer"]
    """Query q of the pointers in that case."""

    factor: Float[Tensor, "batch beams source"]
    """One over the probability of the word at each place: of being next, however it comes."""


@dataclass
class SpanState(DecoderState):
    """The source as the pointers see it, and what may be going on; None before the first word."""

    source: Source
    going: Going | None = None

    of_documents = ("source",)
    of_hypotheses = ("going",)


class Span(Head):
    """Generates words, and copies spans of the source."""

    needs_attention = True
    carries_state = True

    def __init__(self, config: Config, context: HeadContext) -> None:
        super().__init__(config, context)
        decoder, source, width = context.decoder, context.encoder_hidden_size, config.pointer_dim
        self.vocab_proj = nn.Linear(decoder.hidden_size, context.size.vocab_size)
        self.p_copy_proj = nn.Linear(decoder.copy_features_dim, 1)
        self.query_proj = nn.Linear(decoder.copy_features_dim, width)
        self.start_proj = nn.Linear(source, width, bias=False)
        self.end_proj = nn.Linear(source, width, bias=False)
        self.transducer = nn.GRUCell(source, width)

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> SpanState:
        """Return the source as the pointers see it; nothing goes on before the first word."""
        states, cell = encoder_output.encoder_hidden_states, self.transducer
        gates = F.linear(states, cell.weight_ih, cell.bias_ih)
        padding = encoder_output.key_padding_mask
        return SpanState(Source(self.start_proj(states), self.end_proj(states), gates, padding))

    def likelihood(self, decoded: DecoderOutput, batch: Batch) -> Trace:
        """Return `target_log_probs`, `mean_log_probs`, `p_copy` and `action_log_probs`."""
        source, labels, mask = _state(decoded).source, batch.labels, batch.labels_mask
        unknown = labels >= self.vocab_proj.out_features
        generated, mean = log_probs_at(decoded.hidden_states, self.vocab_proj, labels.masked_fill(unknown, UNK))
        logit, query = self._ask(decoded)
        generate = F.logsigmoid(-logit) + generated.masked_fill(unknown, FLOOR)
        starts = start_probabilities(source, query).clamp_min(LEAST)
        same = batch.source_extended[:, None] == labels[..., None]
        matches = same & ~mask[..., None] & ~source.padding[:, None]
        runs = run_lengths(matches)
        example, step, place = matches.nonzero(as_tuple=True)
        spans = spans_by_length(
            self._ends(source, query[example, step], example, place).exp(),
            starts[example, step, place],
            place,
            runs[example, step, place],
            example * labels.shape[1] + step,
            (labels.shape[0], labels.shape[1]),
        )
        sums = sum_over_divisions(generate, F.logsigmoid(logit), spans, mask)
        free = (sums.free_before - sums.whole_before + F.logsigmoid(-logit)).exp()
        return Trace(
            target_log_probs=(sums.whole - sums.whole_before).masked_fill(mask, 0),
            mean_log_probs=mean,
            p_copy=1 - free,
            action_log_probs=self._actions(source, query, generate, F.logsigmoid(logit), starts, runs).masked_fill(
                mask, 0
            ),
        )

    def distribution(
        self, decoded: DecoderOutput, encoder_output: EncoderOutput, written: Int[Tensor, "batch beams length"]
    ) -> Trace:
        """Return `log_probs`, `p_copy`, and in `cross_attention` the places that the next word would be copied from."""
        state = _state(decoded)
        logit, query = self._ask(decoded)
        free, spans = self._advance(state, encoder_output.source_extended, written, logit)
        starts = reweighted(start_probabilities(state.source, query), encoder_output.source_bias)
        starts = (free * logit.sigmoid())[..., None] * starts
        copied = starts + _next(spans.sum(-1, keepdim=True)).squeeze(-1)
        p_copy = 1 - free * (-logit).sigmoid()
        attention = permitted(copied / p_copy[..., None].clamp_min(LEAST), encoder_output, written)
        allowed = attention * p_copy[..., None]
        log_probs = log_softmax(
            self.vocab_proj(decoded.hidden_states), encoder_output.num_oov, free.log() + F.logsigmoid(-logit)
        )
        both = add_copied(log_probs, allowed, encoder_output)
        factor = allowed / copied.clamp_min(LEAST) / both.exp().clamp_min(LEAST)
        state.going = Going(spans, starts, query, factor)
        return Trace(log_probs=log_probs, p_copy=p_copy, cross_attention=attention)

    def _ask(self, decoded: DecoderOutput) -> tuple[Float[Tensor, "batch steps"], Float[Tensor, "batch steps pointer"]]:
        """Return the logit of z, at least in single precision, and q."""
        features = decoded.copy_features
        logit: Tensor = self.p_copy_proj(features).squeeze(-1)
        return at_least_single(logit), self.query_proj(features).tanh()

    def _ends(
        self,
        source: Source,
        query: Float[Tensor, "starts pointer"],
        example: Int[Tensor, " starts"],
        place: Int[Tensor, " starts"],
    ) -> Float[Tensor, "starts source"]:
        """Return log P(j | i) for places i of some examples, which come in order; −∞ before i, and at padding."""
        after = _cell(source.gates[example, place], self.transducer, query)
        counts = example.bincount(minlength=len(source.padding)).tolist()
        scores = torch.cat([part @ keys.t() for part, keys in zip(after.split(counts), source.end_keys, strict=True)])
        before = torch.arange(scores.shape[1], device=place.device) < place[:, None]
        hidden = before | source.padding[example]
        return at_least_single(scores).div(math.sqrt(query.shape[-1])).masked_fill(hidden, -torch.inf).log_softmax(-1)

    def _actions(
        self,
        source: Source,
        query: Float[Tensor, "batch steps pointer"],
        generate: Float[Tensor, "batch steps"],
        copy: Float[Tensor, "batch steps"],
        starts: Float[Tensor, "batch steps source"],
        runs: Int[Tensor, "batch steps source"],
    ) -> Float[Tensor, "batch steps"]:
        """Return the log probabilities of generating each word, or of copying the longest span that begins with it."""
        begins, inside = maximal_spans(runs)
        example, step = begins.nonzero(as_tuple=True)
        length, place = runs[example, step].max(-1)
        end = self._ends(source, query[example, step], example, place).gather(1, (place + length - 1)[:, None])
        span = copy[example, step] + starts[example, step, place].log() + end.squeeze(1)
        return generate.masked_fill(inside, 0).index_put((example, step), span)

    def _advance(
        self,
        state: SpanState,
        words: Int[Tensor, "batch source"],
        written: Int[Tensor, "batch beams length"],
        logit: Float[Tensor, "batch beams"],
    ) -> tuple[Float[Tensor, "batch beams"], Float[Tensor, "batch beams source source"]]:
        """Return what may be going on, now that the last word of each hypothesis is known."""
        before = state.going
        if before is None:
            return torch.ones_like(logit), logit.new_zeros(*logit.shape, *words.shape[1:] * 2)
        here = (words[:, None] == written[..., -1:]) & ~state.source.padding[:, None]
        spans = _next(before.spans)
        example, beam, place = here.nonzero(as_tuple=True)
        ends = self._ends(state.source, before.query[example, beam], example, place).exp()
        spans = spans.index_put(
            (example, beam, place), before.starts[example, beam, place, None] * ends, accumulate=True
        )
        going = (spans * (before.factor * here)[..., None]).triu(1)
        return (1 - going.sum((-1, -2))).clamp(LEAST, 1), going


def start_probabilities(
    source: Source, query: Float[Tensor, "batch steps pointer"]
) -> Float[Tensor, "batch steps source"]:
    """Return P(i); zeros where a source is all padding."""
    scores = at_least_single(query @ source.start_keys.transpose(1, 2)) / math.sqrt(query.shape[-1])
    return masked_softmax(scores, source.padding)


def _cell(
    given: Float[Tensor, "starts gates"], cell: nn.GRUCell, state: Float[Tensor, "starts pointer"]
) -> Float[Tensor, "starts pointer"]:
    """Return a GRU's next state; the product with its input is known."""
    reset, keep, new = given.chunk(3, -1)
    own_reset, own_keep, own_new = F.linear(state, cell.weight_hh, cell.bias_hh).chunk(3, -1)
    keep = (keep + own_keep).sigmoid()
    candidate = (new + (reset + own_reset).sigmoid() * own_new).tanh()
    return candidate + keep * (state - candidate)


def _next(spans: Float[Tensor, "batch beams source ends"]) -> Float[Tensor, "batch beams source ends"]:
    """Return the same one place further."""
    return F.pad(spans[..., :-1, :], (0, 0, 1, 0))


def _state(decoded: DecoderOutput) -> SpanState:
    assert isinstance(decoded.head_state, SpanState), "see Head.start"
    return decoded.head_state
