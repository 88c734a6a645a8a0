"""Decoders of one recurrent cell that attends to the source after each word.

    sₜ = cell(the word before, contextₜ₋₁, sₜ₋₁)
    aₜ, contextₜ = attention by sₜ             `model/additive.py`; with coverage c₁ = 0, cₜ₊₁ = cₜ + aₜ

Attention may be temporal instead (`model/temporal.py`).
Members differ in the cell and in what is read out of it. Such a decoder goes step by step anyway, so its coverage is
exact.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from nutgraf.errors import PresetError
from nutgraf.model.additive import AdditiveAttention
from nutgraf.model.decoder import Decoder, DecoderContext, DecoderState
from nutgraf.model.ops.additive_attention import ProjectedKeys
from nutgraf.model.ops.attention import reweighted
from nutgraf.model.records import DecoderOutput, EncoderOutput
from nutgraf.model.segments import Segments
from nutgraf.model.temporal import accumulated

CellState = tuple[Float[Tensor, "batch beams hidden"], ...]
"""State of a cell: an LSTM's cell and hidden state, a GRU's hidden state."""


@dataclass(frozen=True)
class Step:
    """Output of a step, which the next one needs."""

    inputs: Float[Tensor, "batch beams inputs"]
    state: CellState
    context: Float[Tensor, "batch beams context"]
    attention: Float[Tensor, "batch beams source"]
    covered: Float[Tensor, "batch beams source"] | None
    """Sum of the attention of all earlier steps; None where coverage is not used."""

    past: Float[Tensor, "batch beams source"] | None = None
    """Logarithm of the sum of the exponentiated scores so far; None where attention is not temporal."""


class LogitChange(NamedTuple):
    """Factors of an attention's logits, and what is added to the products; None: there are none."""

    scale: Float[Tensor, "batch beams source"] | None = None
    bias: Float[Tensor, "batch beams source"] | None = None


@dataclass(frozen=True)
class Guide:
    """Sentences or sections of the sources, by which a decoder changes its attention to words."""

    segments: Segments
    keys: Float[Tensor, "batch segments width"]
    """What the decoder's state is compared with."""

    redundancy: Float[Tensor, "batch segments"] | None = None
    """Likeness of each segment to another one."""


@dataclass
class RecurrentState(DecoderState):
    """Projected keys of the source, each hypothesis's last step, and what guides the attention, if anything does."""

    keys: ProjectedKeys
    last: Step
    guide: Guide | None = None

    of_documents = "keys", "guide"
    of_hypotheses = ("last",)


class RecurrentDecoder(Decoder):
    """One recurrent cell, with attention to the source after each word."""

    cross_attention: AdditiveAttention
    inputs_dim: int
    uses_coverage: bool
    temporal: bool = False
    """Attention is temporal."""

    @abstractmethod
    def first_state(self, encoder_output: EncoderOutput) -> tuple[Float[Tensor, "batch hidden"], ...]:
        """Return the cell's state before the first word."""

    @abstractmethod
    def next_state(
        self, embedded: Float[Tensor, "batch beams d_model"], last: Step
    ) -> tuple[Float[Tensor, "batch beams inputs"], CellState]:
        """Return what `DecoderOutput.inputs` shows of the next word of every hypothesis, and the cell's next state."""

    @abstractmethod
    def read_out(
        self,
        inputs: Float[Tensor, "batch steps inputs"],
        state: CellState,
        context: Float[Tensor, "batch steps context"],
    ) -> Float[Tensor, "batch steps readout"]:
        """Return the states that words are generated from."""

    def change(self, after: CellState, guide: Guide) -> LogitChange:
        """Return how the attention's logits change at a step after a word; called by decoders that have a guide."""
        return LogitChange()

    def attention_by(self, state_dim: int, attention_dim: int, context: DecoderContext) -> AdditiveAttention:
        """Return the attention, and note whether it uses coverage. Raises PresetError where that is approximated."""
        covering = context.coverage
        if covering is not None and covering.mode == "one_pass":
            raise PresetError(
                'model.coverage.mode = "one_pass" is for decoders that take all steps at once; a recurrent one takes '
                'them one by one, so that "exact" costs it nothing more.'
            )
        self.uses_coverage = covering is not None and covering.mode == "exact"
        return AdditiveAttention(context.encoder_hidden_size, state_dim, attention_dim, self.uses_coverage)

    def enter(self, phase: int) -> None:
        """Begin a phase of training: coverage waits for the second one."""
        self.uses_coverage = self.cross_attention.coverage_weight is not None and phase > 1

    def forward(
        self, embedded: Float[Tensor, "batch steps d_model"], encoder_output: EncoderOutput, needs_attention: bool
    ) -> DecoderOutput:
        """Return the states of all steps, one after the other."""
        state = self.start(encoder_output, 1)
        steps = [self._advance(word.unsqueeze(1), state) for word in embedded.unbind(1)]
        return self._decoded(steps, needs_attention)

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> RecurrentState:
        """Return the state before the first word, when nothing was attended to."""
        values = encoder_output.attended
        keys = self.cross_attention.project(encoder_output.encoder_hidden_states, values, encoder_output.padding)
        state = tuple(
            first.to(keys.keys.dtype)[:, None].repeat(1, beam_size, 1) for first in self.first_state(encoder_output)
        )
        inputs, context, attention = (
            state[0].new_zeros(*state[0].shape[:2], width)
            for width in (self.inputs_dim, values.shape[2], values.shape[1])
        )
        covered = attention if self.uses_coverage else None
        return RecurrentState(keys, Step(inputs, state, context, attention, covered))

    def step(
        self,
        embedded: Float[Tensor, "batch beams d_model"],
        encoder_output: EncoderOutput,
        state: DecoderState,
        needs_attention: bool,
    ) -> DecoderOutput:
        """Return the states after the next word of every hypothesis."""
        assert isinstance(state, RecurrentState)
        return self._decoded([self._advance(embedded, state, encoder_output.source_bias)], needs_attention)

    def _advance(
        self,
        embedded: Float[Tensor, "batch beams d_model"],
        state: RecurrentState,
        bias: Float[Tensor, "batch beams source"] | None = None,
    ) -> Step:
        """Add a word to every hypothesis; sums and gates stay in single precision."""
        last, exact = state.last, state.last.state[0].dtype
        inputs, after = self.next_state(embedded.to(exact), last)
        covered = None if last.covered is None else last.covered + last.attention
        change = LogitChange() if state.guide is None else self.change(after, state.guide)
        if last.past is not None:
            change = LogitChange(bias=-last.past)
        context, attention, scores = self.cross_attention(torch.cat(after, -1), state.keys, covered, *change)
        past = accumulated(last.past, scores) if self.temporal else None
        if bias is not None:
            attention = reweighted(attention, bias)
            context = attention.to(state.keys.values.dtype) @ state.keys.values
        state.last = Step(inputs, after, context.to(exact), attention, covered, past)
        return state.last

    def _decoded(self, steps: list[Step], needs_attention: bool) -> DecoderOutput:
        inputs, context, attention = (
            torch.cat([getattr(step, name) for step in steps], 1) for name in ("inputs", "context", "attention")
        )
        state = tuple(torch.cat(parts, 1) for parts in zip(*(step.state for step in steps), strict=True))
        states = self.read_out(inputs, state, context)
        return DecoderOutput(states, inputs, context, attention if needs_attention else None, torch.cat(state, -1))
