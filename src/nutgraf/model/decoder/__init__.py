"""Decoders. One file, one decoder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from nutgraf.model import coverage
from nutgraf.model.layers import Size
from nutgraf.model.records import DecoderOutput, EncoderOutput, rows_of
from nutgraf.presets.family import Family


@dataclass(frozen=True)
class DecoderContext:
    """The network that a decoder is built for."""

    size: Size
    """Sizes of the network."""

    encoder_hidden_size: int
    """Width of the encoder's states."""

    coverage: coverage.Config | None = None
    """Options of coverage; None for a network without. A decoder that cannot keep any raises PresetError."""


class DecoderState:
    """State that a decoder or a head carries from one word to the next, for every hypothesis of every document."""

    of_documents: ClassVar[tuple[str, ...]] = ()
    """Attributes that all hypotheses of a document share."""

    of_hypotheses: ClassVar[tuple[str, ...]] = ()
    """Attributes that each hypothesis has of its own."""

    def reorder(self, parents: Int[Tensor, "batch beams"]) -> None:
        """Let hypothesis b of a document continue its hypothesis `parents[document, b]`."""
        rows = torch.arange(len(parents), device=parents.device)[:, None]
        for name in self.of_hypotheses:
            setattr(self, name, rows_of(getattr(self, name), rows, parents))

    def keep(self, documents: Int[Tensor, " kept"]) -> None:
        """Keep only these documents."""
        for name in (*self.of_documents, *self.of_hypotheses):
            setattr(self, name, rows_of(getattr(self, name), documents))


class Decoder(nn.Module, ABC):
    """Turns embedded words of the summary into states, with attention to the source."""

    hidden_size: int
    """Width of `DecoderOutput.hidden_states`."""

    copy_features_dim: int
    """Width of `DecoderOutput.copy_features`."""

    guided_keys_dim: int | None = None
    """Width of `EncoderOutput.guided_keys`; None for a decoder whose keys cannot be guided."""

    needs_length: bool = False
    """The decoder is told the desired length of the summary."""

    needs_sentences: ClassVar[bool] = False
    """The decoder needs to know which words make a sentence."""

    needs_sections: ClassVar[bool] = False
    """The decoder needs to know which words make a section."""

    @abstractmethod
    def __init__(self, config: Any, context: DecoderContext) -> None:
        """Build the decoder.

        Args:
            config: The member's own `Config`.
            context: Sizes of the network and the encoder, and coverage.
        """
        super().__init__()

    @abstractmethod
    def forward(
        self, embedded: Float[Tensor, "batch steps d_model"], encoder_output: EncoderOutput, needs_attention: bool
    ) -> DecoderOutput:
        """Return the states of all steps at once; each step sees those before it.

        Args:
            embedded: The embedded target.
            encoder_output: The encoded sources.
            needs_attention: Return the cross-attention, too.
        """

    @abstractmethod
    def start(self, encoder_output: EncoderOutput, beam_size: int) -> DecoderState:
        """Return the state before the first word, for `beam_size` hypotheses of each document."""

    @abstractmethod
    def step(
        self,
        embedded: Float[Tensor, "batch beams d_model"],
        encoder_output: EncoderOutput,
        state: DecoderState,
        needs_attention: bool,
    ) -> DecoderOutput:
        """Return the states after the next word of every hypothesis, and bring `state` up to date."""


decoders: Family[Decoder] = Family(__name__, Decoder)
