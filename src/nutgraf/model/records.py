"""Records that flow through the network: Batch → EncoderOutput → DecoderOutput → Trace.

Mechanisms take these records and hand on these records. Padding masks are True where a position is padding and must be
ignored. Ids from the size of the vocabulary on are out-of-vocabulary words of one document, numbered in the order in
which they appear there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

PAD, UNK, BOS, EOS = 0, 1, 2, 3
"""Ids of the special tokens; every vocabulary begins with these four."""

UNSELECTED, SELECTED = 4, 5
"""Labels of a tagger, in the place of a target's words."""


@dataclass(frozen=True)
class Phrases:
    """Occurrences of key phrases in the sources of a batch."""

    example: Int[Tensor, " place"]
    """Number of the source."""

    start: Int[Tensor, " place"]
    """First position of the phrase."""

    end: Int[Tensor, " place"]
    """Position after the last one."""

    score: Float[Tensor, " place"]
    """Importance of the phrase, above zero."""

    @classmethod
    def none(cls) -> Phrases:
        """Return a record without phrases."""
        empty = torch.zeros(0, dtype=torch.long)
        return cls(empty, empty, empty, torch.zeros(0))

    def __len__(self) -> int:
        return self.example.shape[0]

    def select(self, examples: Int[Tensor, " kept"]) -> Phrases:
        """Return the phrases of some sources, which are numbered anew in the order given."""
        at = (self.example[:, None] == examples).nonzero()
        return Phrases(at[:, 1], self.start[at[:, 0]], self.end[at[:, 0]], self.score[at[:, 0]])


@dataclass(frozen=True)
class Batch:
    """Sources and, in training, their targets.

    A target begins with BOS and ends with EOS; that of a tagger is BOS and a label for each token of the source. Where
    `target_extended` has PAD amid a target, the decoder is given the word of `target` like any other, but nothing is
    learned from that step.
    """

    source: Int[Tensor, "batch source"]
    """Ids within the vocabulary."""

    source_extended: Int[Tensor, "batch source"]
    """The same, but out-of-vocabulary words have ids above the vocabulary."""

    key_padding_mask: Bool[Tensor, "batch source"]
    """True where the source is padding."""

    phrases: Phrases
    """Key phrases of the sources."""

    num_oov: int = 0
    """Largest number of out-of-vocabulary words in one source."""

    target: Int[Tensor, "batch target"] | None = None
    """Ids within the vocabulary."""

    target_extended: Int[Tensor, "batch target"] | None = None
    """The same, but out-of-vocabulary words of the source have their ids above the vocabulary."""

    desired_length: Int[Tensor, " batch"] | None = None
    """Length of the summary in tokens, for networks that are told it; in training, the length of the target."""

    target_positions: Int[Tensor, "batch target"] | None = None
    """Positions of the target's words where they are not 0, 1, 2, …: hidden spans keep those of their text."""

    sentences: Int[Tensor, "batch source"] | None = None
    """Sentence of each word, counted from 0 in its source, for networks that need it; 0 at padding."""

    sections: Int[Tensor, "batch source"] | None = None
    """Section of each word, counted from 0 in its source, for networks that need it; 0 at padding."""

    label_weights: Float[Tensor, "batch steps"] | None = None
    """Weight of each label in the likelihood; None: 1."""

    @cached_property
    def padding(self) -> Bool[Tensor, "batch source"] | None:
        """`key_padding_mask`, or None where nothing is padded: attention without a mask is faster."""
        return self.key_padding_mask if bool(self.key_padding_mask.any()) else None

    @property
    def decoder_input(self) -> Int[Tensor, "batch steps"]:
        """Words that the decoder is given: the target without its last one."""
        assert self.target is not None
        return self.target[:, :-1]

    @property
    def decoder_positions(self) -> Int[Tensor, "batch steps"] | None:
        """Positions of `decoder_input`; None stands for those from 0 on."""
        return None if self.target_positions is None else self.target_positions[:, :-1]

    @property
    def labels(self) -> Int[Tensor, "batch steps"]:
        """Words that are to be predicted: the target from its second word on, over the extended vocabulary."""
        assert self.target_extended is not None
        return self.target_extended[:, 1:]

    @property
    def labels_mask(self) -> Bool[Tensor, "batch steps"]:
        """True where nothing is to be predicted."""
        return self.labels == PAD

    def select(self, examples: Int[Tensor, " kept"]) -> Batch:
        """Return some examples, in the order given; one may be taken several times."""
        parts = {one.name: rows_of(getattr(self, one.name), examples) for one in fields(self) if one.name != "phrases"}
        return Batch(**parts, phrases=self.phrases.select(examples))

    def to(self, device: torch.device | str) -> Batch:
        """Return the same batch on a device."""
        moved: Batch = changed(self, lambda part: part.to(device))
        return moved


@dataclass(frozen=True)
class SelfAttentionGraph:
    """The encoder's last self-attention as the queries and keys that make it: an edge is a cell of softmax(QKᵀ/√d)."""

    query: Float[Tensor, "batch heads source head_dim"]
    key: Float[Tensor, "batch heads source head_dim"]
    key_padding_mask: Bool[Tensor, "batch source"] | None
    """True where the source is padding; None where nothing is."""


FinalState = tuple[Float[Tensor, "batch hidden"], Float[Tensor, "batch hidden"]]
"""Cell and hidden state of an LSTM after its text; of a GRU, which has no cell, its hidden state twice."""


@dataclass(frozen=True)
class EncoderOutput:
    """The encoded sources. A bridge may change the states, a head may add to the record."""

    encoder_hidden_states: Float[Tensor, "batch source hidden"]
    """States of the encoder's last layer."""

    key_padding_mask: Bool[Tensor, "batch source"]
    """True where the source is padding."""

    source_extended: Int[Tensor, "batch source"]
    """Ids of the source over the extended vocabulary."""

    num_oov: int = 0
    """Largest number of out-of-vocabulary words in one source."""

    final_state: FinalState | None = None
    """Final state of a recurrent encoder."""

    values: Float[Tensor, "batch source hidden"] | None = None
    """Values of the cross-attention where they are not the states."""

    graph: SelfAttentionGraph | None = None
    """Last self-attention of the encoder, if the head needs it."""

    gate: Float[Tensor, "batch source"] | None = None
    """Share of each state that a bridge let through, from 0 to 1, the mean over the state's width."""

    centrality: Float[Tensor, "batch source"] | None = None
    """Centrality of each word in the graph; sums to one."""

    guided_keys: Float[Tensor, "batch source keys"] | None = None
    """Addend of the keys of the decoder's last cross-attention."""

    desired_length: Int[Tensor, " batch"] | None = None
    """Length of the summary in tokens, for networks that are told it."""

    inside_word: Bool[Tensor, "batch source"] | None = None
    """True where a piece continues a word: such a piece is copied only after the piece before it."""

    copyable: Bool[Tensor, "batch source"] | None = None
    """True where a word may be copied; None: everywhere."""

    sentences: Int[Tensor, "batch source"] | None = None
    """See `Batch`."""

    sections: Int[Tensor, "batch source"] | None = None
    """See `Batch`."""

    source_bias: Float[Tensor, "batch beams source"] | None = None
    """Addend of the logits of cross-attention in this step of a search, for each hypothesis."""

    @classmethod
    def of(cls, batch: Batch, encoder_hidden_states: Float[Tensor, "batch source hidden"]) -> EncoderOutput:
        """Return the record of a batch and its states."""
        return cls(
            encoder_hidden_states,
            batch.key_padding_mask,
            batch.source_extended,
            batch.num_oov,
            desired_length=batch.desired_length,
            sentences=batch.sentences,
            sections=batch.sections,
        )

    @cached_property
    def padding(self) -> Bool[Tensor, "batch source"] | None:
        """`key_padding_mask`, or None where nothing is padded: attention without a mask is faster."""
        return self.key_padding_mask if bool(self.key_padding_mask.any()) else None

    @property
    def attended(self) -> Float[Tensor, "batch source hidden"]:
        """`values`; for an encoder that has none, its states."""
        return self.encoder_hidden_states if self.values is None else self.values

    @property
    def final_state_or_mean(self) -> FinalState:
        """`final_state`; for an encoder that has none, the mean of its states as both parts."""
        if self.final_state is not None:
            return self.final_state
        present = ~self.key_padding_mask[..., None]
        mean = self.encoder_hidden_states.masked_fill(~present, 0).sum(1) / present.sum(1).clamp_min(1)
        return mean, mean

    @cached_property
    def canonical_positions(self) -> Int[Tensor, "batch source"]:
        """For each position one where the same word stands; all positions of a word have the same one."""
        words = self.source_extended
        positions = torch.arange(words.shape[1], device=words.device).expand_as(words)
        return words.new_zeros(len(words), int(words.max()) + 1).scatter_(1, words, positions).gather(1, words)

    @property
    def told_length(self) -> Int[Tensor, " batch"]:
        """`desired_length`. Raises ValueError if the batch had none."""
        if self.desired_length is None:
            raise ValueError("this decoder is told the desired length: the batch has none")
        return self.desired_length

    def keep(self, documents: Int[Tensor, " kept"]) -> EncoderOutput:
        """Return the record of some of the documents, for the decoder: without the graph."""
        return rows_of(replace(self, graph=None), documents)


@dataclass(frozen=True)
class DecoderOutput:
    """The decoder's states for the head.

    The width of `steps` is the target's length in training; in search it is the number of hypotheses of a document.
    """

    hidden_states: Float[Tensor, "batch steps hidden"]
    """States that words are generated from."""

    inputs: Float[Tensor, "batch steps inputs"]
    """Embeddings of the words that the decoder was given."""

    context: Float[Tensor, "batch steps context"]
    """Context of the last cross-attention."""

    cross_attention: Float[Tensor, "batch steps source"] | None = None
    """Attention over the source that words are copied with; None where nobody needs it."""

    recurrent_state: Float[Tensor, "batch steps carried"] | None = None
    """Cell and hidden state of a recurrent decoder, side by side."""

    head_state: Any = None
    """State that the head carries from one word to the next (`Head.start`); None for a head that carries none."""

    @property
    def copy_features(self) -> Float[Tensor, "batch steps features"]:
        """Context, state and input side by side (See et al. 2017, Eq. 8)."""
        state = self.hidden_states if self.recurrent_state is None else self.recurrent_state
        return torch.cat([self.context, state, self.inputs], -1)


@dataclass(frozen=True)
class Trace:
    """Numbers that anybody may look at after a step; a part that has nothing to tell leaves its field None."""

    target_log_probs: Float[Tensor, "batch steps"] | None = None
    """Log probabilities of the labels; 0 where the label is PAD."""

    mean_log_probs: Float[Tensor, "batch steps"] | None = None
    """Mean over the vocabulary of the log probability that a word is generated with, for label smoothing; 0 where the
    label is PAD."""

    log_probs: Float[Tensor, "batch steps extended"] | None = None
    """Log probabilities over the extended vocabulary."""

    p_copy: Float[Tensor, "batch steps"] | None = None
    """Probability of copying rather than generating."""

    cross_attention: Float[Tensor, "batch steps source"] | None = None
    """Attention over the source, as words are copied with it."""

    gate: Float[Tensor, "batch source"] | None = None
    """See `EncoderOutput`."""

    centrality: Float[Tensor, "batch source"] | None = None
    """See `EncoderOutput`."""

    candidate_scores: Float[Tensor, "batch summaries"] | None = None
    """Scores of the reference, first, and of the candidates, the best first; of a span classifier those of the items,
    the log odds of the last class against the first. −∞ where a document has fewer of them."""

    action_log_probs: Float[Tensor, "batch steps"] | None = None
    """Log probability of generating the label, or at the first word of a span that the source has, too, of copying this
    span; 0 at its other words, and where the label is PAD."""


def rows_of(part: Any, *rows: Tensor) -> Any:
    """Return a record, a tensor or several of them, of some documents, or of some hypotheses of each."""
    return changed(part, lambda tensor: tensor[rows])


def changed(part: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """Return a record, a tensor or several of them with every tensor changed; whatever else they hold stays."""
    if isinstance(part, Tensor):
        return change(part)
    if isinstance(part, tuple | list):
        return type(part)(changed(one, change) for one in part)
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{one.name: changed(getattr(part, one.name), change) for one in fields(part)})
    return part


def at_least_single(numbers: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """Return numbers in single precision or a higher one, since they are added up or taken as exponents."""
    return numbers.to(torch.promote_types(numbers.dtype, torch.float32))
