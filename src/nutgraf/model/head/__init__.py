"""Heads, which give words their probabilities. One file, one head."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from jaxtyping import Int
from torch import Tensor, nn

from nutgraf.model.decoder import Decoder, DecoderState
from nutgraf.model.layers import Size
from nutgraf.model.records import Batch, DecoderOutput, EncoderOutput, Trace
from nutgraf.presets.family import Family


@dataclass(frozen=True)
class HeadContext:
    """The network that a head is built for."""

    size: Size
    """Sizes of the network."""

    decoder: Decoder
    """The decoder whose states the head is given."""

    encoder_hidden_size: int
    """Width of the encoder's states."""


class Head(nn.Module, ABC):
    """Turns the decoder's states into probabilities of words."""

    vocab_proj: nn.Linear
    """Projection to the vocabulary; another module with `weight` and `bias` may stand in its place."""

    needs_attention: ClassVar[bool] = False
    """The head needs the decoder's cross-attention."""

    needs_graph: ClassVar[bool] = False
    """The head needs the graph of the encoder's last self-attention."""

    carries_state: ClassVar[bool] = False
    """The head carries a state from one word to the next."""

    @abstractmethod
    def __init__(self, config: Any, context: HeadContext) -> None:
        """Build the head.

        Args:
            config: The member's own `Config`.
            context: Sizes of the network, and the decoder.
        """
        super().__init__()

    def prepare(self, encoder_output: EncoderOutput) -> EncoderOutput:
        """Return the encoded sources with what this head adds for the decoder; called if the head needs the graph."""
        return encoder_output

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> DecoderState:
        """Return the state that the head carries, before the first word; called if `carries_state`.

        The head finds it in `DecoderOutput.head_state`, in training as it is before the first word.

        Args:
            encoder_output: The encoded sources.
            beam_size: Hypotheses of each document.
        """
        raise NotImplementedError

    @abstractmethod
    def likelihood(self, decoded: DecoderOutput, batch: Batch) -> Trace:
        """Return `target_log_probs` and `mean_log_probs`, without making the probabilities of all words at once.

        Args:
            decoded: The decoder's states.
            batch: The sources and their targets.

        Returns:
            The log probabilities of the labels, as `distribution` gives them, and the mean over the vocabulary except
            PAD of the log-softmax of `vocab_proj`, which a copy does not change.
        """

    @abstractmethod
    def distribution(
        self, decoded: DecoderOutput, encoder_output: EncoderOutput, written: Int[Tensor, "batch beams length"]
    ) -> Trace:
        """Return `log_probs` over the extended vocabulary; the probabilities sum to one.

        Args:
            decoded: The decoder's states.
            encoder_output: The encoded sources.
            written: Words of each hypothesis so far, over the extended vocabulary, without BOS.
        """


heads: Family[Head] = Family(__name__, Head)
