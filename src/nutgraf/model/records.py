"""What flows through the network: Batch → Memory → Decoded → Trace.

Mechanisms take these records and hand on these records. Masks are True where a position is padding and must be ignored.
Ids from the size of the vocabulary on belong to one document: its unknown words, in the order in which they come.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

PAD, UNK, BOS, EOS = 0, 1, 2, 3
"""Ids with a meaning of their own; every vocabulary begins with these four."""


@dataclass(frozen=True)
class Phrases:
    """Every place where a phrase stands in the sources of a batch, one place an entry.

    example: which source. start, end: its positions there, `end` exclusive. score: above zero.
    """

    example: Int[Tensor, " place"]
    start: Int[Tensor, " place"]
    end: Int[Tensor, " place"]
    score: Float[Tensor, " place"]

    @classmethod
    def none(cls) -> Phrases:
        """No phrase stands anywhere."""
        empty = torch.zeros(0, dtype=torch.long)
        return cls(empty, empty, empty, torch.zeros(0))

    def __len__(self) -> int:
        return self.example.shape[0]

    def to(self, device: torch.device | str) -> Phrases:
        """The same on a device."""
        return Phrases(*(getattr(self, field.name).to(device) for field in fields(self)))

    def of(self, examples: Int[Tensor, " kept"]) -> Phrases:
        """Those of some examples, which are numbered anew in the order given."""
        at = (self.example[:, None] == examples).nonzero()
        return Phrases(at[:, 1], self.start[at[:, 0]], self.end[at[:, 0]], self.score[at[:, 0]])


@dataclass(frozen=True)
class Batch:
    """Sources and, in training, their targets. A target begins with BOS and ends with EOS.

    source, target: ids within the vocabulary. source_extended, target_extended: the same, but an unknown word of the
    source has an id above the vocabulary, in the target too. extra: how many such ids there are at most. length: how
    long the summary should become, in ids, for a network that is told; in training, how long it is. places: the
    position of each word of the target, where they are not 0, 1, 2, …: hidden spans have those of their text.

    A step at which `target_extended` has PAD amid a target is given its word like any other, but wants none.
    """

    source: Int[Tensor, "batch source"]
    source_extended: Int[Tensor, "batch source"]
    source_mask: Bool[Tensor, "batch source"]
    phrases: Phrases
    extra: int = 0
    target: Int[Tensor, "batch target"] | None = None
    target_extended: Int[Tensor, "batch target"] | None = None
    length: Int[Tensor, " batch"] | None = None
    places: Int[Tensor, "batch target"] | None = None

    @property
    def given(self) -> Int[Tensor, "batch steps"]:
        """What the decoder is given at each step: the target without its last word."""
        assert self.target is not None
        return self.target[:, :-1]

    @property
    def given_places(self) -> Int[Tensor, "batch steps"] | None:
        """The positions of what it is given; None: 0, 1, 2, …"""
        return None if self.places is None else self.places[:, :-1]

    @property
    def wanted(self) -> Int[Tensor, "batch steps"]:
        """What it should say at each step: the target from its second word on, over the extended vocabulary."""
        assert self.target_extended is not None
        return self.target_extended[:, 1:]

    @property
    def wanted_mask(self) -> Bool[Tensor, "batch steps"]:
        """Which steps are padding."""
        return self.wanted == PAD

    def to(self, device: torch.device | str) -> Batch:
        """The same on a device."""
        moved = {f.name: getattr(self, f.name) for f in fields(self)}
        return replace(self, **{name: one.to(device) for name, one in moved.items() if hasattr(one, "to")})


@dataclass(frozen=True)
class Graph:
    """The encoder's last self-attention, as what makes it: an edge is softmax(QKᵀ/√d), and nobody need make them all.

    mask: True on padding; None: there is none.
    """

    query: Float[Tensor, "batch heads source head_dim"]
    key: Float[Tensor, "batch heads source head_dim"]
    mask: Bool[Tensor, "batch source"] | None


@dataclass(frozen=True)
class Encoded:
    """What an encoder makes of the sources.

    final: the cell and the hidden state in which a recurrent encoder ends, each as wide as its states. values: what is
    to be brought from a place that was found by its state, where that is not the state itself. graph: if it was asked
    for.
    """

    states: Float[Tensor, "batch source width"]
    final: tuple[Float[Tensor, "batch width"], Float[Tensor, "batch width"]] | None = None
    values: Float[Tensor, "batch source width"] | None = None
    graph: Graph | None = None


@dataclass(frozen=True)
class Memory:
    """What the encoder leaves of the sources; a bridge may change the states, a head may add to it.

    final, values, graph: see `Encoded`. gate: how much of each state a bridge let through, from 0 to 1, the mean over
    its width. centrality: of each word in the graph; sums to one. guide: what the head adds to the keys of the
    decoder's last attention over the source. length: how long the summary should become. inside: which places go on
    with a word that began before them; they are copied only behind the place before.
    """

    states: Float[Tensor, "batch source width"]
    mask: Bool[Tensor, "batch source"]
    source_extended: Int[Tensor, "batch source"]
    extra: int = 0
    final: tuple[Float[Tensor, "batch width"], Float[Tensor, "batch width"]] | None = None
    values: Float[Tensor, "batch source width"] | None = None
    graph: Graph | None = None
    gate: Float[Tensor, "batch source"] | None = None
    centrality: Float[Tensor, "batch source"] | None = None
    guide: Float[Tensor, "batch source keys"] | None = None
    length: Int[Tensor, " batch"] | None = None
    inside: Bool[Tensor, "batch source"] | None = None

    @property
    def ends(self) -> tuple[Float[Tensor, "batch width"], Float[Tensor, "batch width"]]:
        """`final`; of an encoder that ends in no state, twice the mean of its states."""
        if self.final is not None:
            return self.final
        there = ~self.mask[..., None]
        mean = self.states.masked_fill(~there, 0).sum(1) / there.sum(1).clamp_min(1)
        return mean, mean

    @cached_property
    def meeting_places(self) -> Int[Tensor, "batch source"]:
        """For each place one where the same word stands; all places of a word have the same one."""
        words = self.source_extended
        places = torch.arange(words.shape[1], device=words.device).expand_as(words)
        return words.new_zeros(len(words), int(words.max()) + 1).scatter_(1, words, places).gather(1, words)

    def length_in(self, unit: float) -> Float[Tensor, " batch"]:
        """The desired length, as a multiple of so many words. Raises ValueError where the batch had none."""
        if self.length is None:
            raise ValueError("a decoder with length_unit is told the desired length: the batch has none")
        return self.length / unit

    def keep(self, documents: Int[Tensor, " kept"]) -> Memory:
        """That of some of the documents, for the decoder: without the graph."""
        kept = {
            f.name: _some(getattr(self, f.name), documents) for f in fields(self) if f.name not in ("extra", "graph")
        }
        return Memory(**kept, extra=self.extra)


@dataclass(frozen=True)
class Decoded:
    """What the decoder hands to the head. The width of `steps` is the target's length in training; in search it is the
    number of hypotheses of a document.

    states: what words are generated from. inputs: the embedded words it was given. context: what its last attention
    over the source brought. attention: over the source, [batch, steps, source], for copying; None where the head does
    not copy. carried: the cell and the hidden state of a recurrent decoder, side by side.
    """

    states: Float[Tensor, "batch steps width"]
    inputs: Float[Tensor, "batch steps inputs"]
    context: Float[Tensor, "batch steps context"]
    attention: Float[Tensor, "batch steps source"] | None = None
    carried: Float[Tensor, "batch steps carried"] | None = None

    @property
    def seen(self) -> Float[Tensor, "batch steps seen"]:
        """All that is known at a step, side by side: context, state, input (See et al. 2017, Eq. 8)."""
        return torch.cat([self.context, self.states if self.carried is None else self.carried, self.inputs], -1)


@dataclass(frozen=True)
class Trace:
    """What everybody may look at afterwards; a part that has nothing to say leaves its field None.

    target_log_probs: of the wanted words. smoothing: the mean over the vocabulary of its log probabilities, for label
    smoothing. Both are 0 where PAD is wanted. log_probs: over the extended vocabulary. copying: the probability of
    copying rather than generating. attention: over the source, as it is copied from. gate, centrality: see `Memory`.
    """

    target_log_probs: Float[Tensor, "batch steps"] | None = None
    smoothing: Float[Tensor, "batch steps"] | None = None
    log_probs: Float[Tensor, "batch steps extended"] | None = None
    copying: Float[Tensor, "batch steps"] | None = None
    attention: Float[Tensor, "batch steps source"] | None = None
    gate: Float[Tensor, "batch source"] | None = None
    centrality: Float[Tensor, "batch source"] | None = None


def _some(part: Any, examples: Int[Tensor, " kept"]) -> Any:
    """Some examples of a part of a record: a tensor, several, or nothing."""
    if isinstance(part, tuple):
        return tuple(one[examples] for one in part)
    return None if part is None else part[examples]
