"""What gives words their probabilities. One file, one head."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from jaxtyping import Int
from torch import Tensor, nn

from nutgraf.model.records import Batch, Decoded, Memory, Trace
from nutgraf.presets.family import Family


class Head(nn.Module, ABC):
    """Made with its `Config`, the network's `Size` and the decoder before it. Its projection to the vocabulary is
    `self.words`, a Linear."""

    words: nn.Linear
    copies: ClassVar[bool] = False
    """Whether it needs the decoder's attention over the source."""

    wants_graph: ClassVar[bool] = False
    """Whether it needs the graph of the encoder's last self-attention."""

    def guide(self, memory: Memory) -> Memory:
        """The memory with what the head wants the decoder to know."""
        return memory

    @abstractmethod
    def likelihood(self, decoded: Decoded, batch: Batch) -> Trace:
        """`target_log_probs` and `smoothing` for the wanted words, without making all probabilities at once."""

    @abstractmethod
    def distribution(self, decoded: Decoded, memory: Memory, written: Int[Tensor, "batch beams length"]) -> Trace:
        """`log_probs` over the extended vocabulary (vocabulary + memory.extra); the probabilities sum to one.

        written: what each hypothesis has said so far, over the extended vocabulary, without BOS.
        """


heads: Family[Head] = Family(__name__, Head)
