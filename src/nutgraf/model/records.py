"""What flows through the network: Batch → Memory → Decoded → Trace.

Mechanisms take these records and hand on these records. Masks are True where a position is padding and must be ignored.
Ids from the size of the vocabulary on belong to one document: its unknown words, in the order in which they come.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

PADDING, UNKNOWN, START, END = 0, 1, 2, 3
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
    """Sources and, in training, their targets. A target begins with START and ends with END.

    source, target: ids within the vocabulary. source_extended, target_extended: the same, but an unknown word of the
    source has an id above the vocabulary, in the target too. extra: how many such ids there are at most.
    """

    source: Int[Tensor, "batch source"]
    source_extended: Int[Tensor, "batch source"]
    source_mask: Bool[Tensor, "batch source"]
    phrases: Phrases
    extra: int = 0
    target: Int[Tensor, "batch target"] | None = None
    target_extended: Int[Tensor, "batch target"] | None = None

    @property
    def given(self) -> Int[Tensor, "batch steps"]:
        """What the decoder is given at each step: the target without its last word."""
        assert self.target is not None
        return self.target[:, :-1]

    @property
    def wanted(self) -> Int[Tensor, "batch steps"]:
        """What it should say at each step: the target from its second word on, over the extended vocabulary."""
        assert self.target_extended is not None
        return self.target_extended[:, 1:]

    @property
    def wanted_mask(self) -> Bool[Tensor, "batch steps"]:
        """Which steps are padding."""
        return self.wanted == PADDING

    def to(self, device: torch.device | str) -> Batch:
        """The same on a device."""
        moved = {f.name: getattr(self, f.name) for f in fields(self)}
        return replace(self, **{name: one.to(device) for name, one in moved.items() if hasattr(one, "to")})


@dataclass(frozen=True)
class Memory:
    """What the encoder leaves of the sources; a bridge may change the states."""

    states: Float[Tensor, "batch source width"]
    mask: Bool[Tensor, "batch source"]
    source_extended: Int[Tensor, "batch source"]
    extra: int = 0

    @cached_property
    def meeting_places(self) -> Int[Tensor, "batch source"]:
        """For each place one where the same word stands; all places of a word have the same one."""
        words = self.source_extended
        places = torch.arange(words.shape[1], device=words.device).expand_as(words)
        return words.new_zeros(len(words), int(words.max()) + 1).scatter_(1, words, places).gather(1, words)

    def keep(self, documents: Int[Tensor, " kept"]) -> Memory:
        """That of some of the documents."""
        return Memory(self.states[documents], self.mask[documents], self.source_extended[documents], self.extra)


@dataclass(frozen=True)
class Decoded:
    """What the decoder hands to the head. The width of `steps` is the target's length in training; in search it is the
    number of hypotheses of a document.

    inputs: the embedded words it was given. context: what its last attention over the source brought.
    attention: over the source, [batch, steps, source], for copying; None where the head does not copy.
    """

    states: Float[Tensor, "batch steps width"]
    inputs: Float[Tensor, "batch steps width"]
    context: Float[Tensor, "batch steps width"]
    attention: Float[Tensor, "batch steps source"] | None = None


@dataclass(frozen=True)
class Trace:
    """What everybody may look at afterwards; a part that has nothing to say leaves its field None.

    target_log_probs: of the wanted words. smoothing: the mean over the vocabulary of its log probabilities, for label
    smoothing. Both are 0 where PADDING is wanted. log_probs: over the extended vocabulary. copying: the probability of
    copying rather than generating. attention: over the source, as it is copied from.
    """

    target_log_probs: Float[Tensor, "batch steps"] | None = None
    smoothing: Float[Tensor, "batch steps"] | None = None
    log_probs: Float[Tensor, "batch steps extended"] | None = None
    copying: Float[Tensor, "batch steps"] | None = None
    attention: Float[Tensor, "batch steps source"] | None = None
