"""The pointer-generator's decoder (See, Liu and Manning 2017, Sec. 2.1–2.3; their code where the paper is silent).

    x̂ₜ = W_x [x; context] + b                     the word before and the context before
    sₜ = LSTM(x̂ₜ, sₜ₋₁)                           s₀ = ReLU(W [the encoder's final state] + b), cell and hidden alike
    aₜ, contextₜ = attention by [cell; hidden]     `model/additive.py`; with coverage c₁ = 0, cₜ₊₁ = cₜ + aₜ
    statesₜ = W₁ [hidden; contextₜ] + b₁           words are generated from these

A recurrent decoder goes step by step anyway, so its coverage is exact. Where the encoder has no final state, the mean
of its states stands for it. With a desired length ℓ, c₀ = ℓ · v for a learned vector v, whatever the source (LenInit;
Kikuchi et al. 2016).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.errors import PresetError
from nutgraf.model.additive import AdditiveAttention
from nutgraf.model.decoder import Decoder, DecoderContext, DecoderState
from nutgraf.model.ops.additive_attention import ProjectedKeys
from nutgraf.model.ops.attention import reweighted
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import DecoderOutput, EncoderOutput


@dataclass(frozen=True)
class Config:
    """An LSTM decoder with additive attention."""

    hidden_size: int = 256
    """Width of the hidden state."""

    attention_dim: int = 512
    """Width in which additive attention compares states and source."""

    length_unit: float | None = None
    """Words in one unit of the desired length; unset: the network is not told a length."""

    def __post_init__(self) -> None:
        if self.hidden_size < 1 or self.attention_dim < 1:
            raise ValueError("hidden_size and attention_dim are at least 1")
        if self.length_unit is not None and self.length_unit <= 0:
            raise ValueError("length_unit is above 0, or absent")


EXAMPLES = (Config(hidden_size=19, attention_dim=13), Config(hidden_size=19, attention_dim=13, length_unit=5.0))


@dataclass(frozen=True)
class _Step:
    """Output of a step, which the next one needs."""

    merged: Float[Tensor, "batch beams inputs"]
    cell: Float[Tensor, "batch beams hidden"]
    hidden: Float[Tensor, "batch beams hidden"]
    context: Float[Tensor, "batch beams context"]
    attention: Float[Tensor, "batch beams source"]
    covered: Float[Tensor, "batch beams source"] | None
    """Sum of the attention of all earlier steps; None where coverage is not used."""

    def select(self, *rows: Tensor) -> _Step:
        """Return the step of some documents, or of some hypotheses of each."""
        return _Step(
            self.merged[rows],
            self.cell[rows],
            self.hidden[rows],
            self.context[rows],
            self.attention[rows],
            None if self.covered is None else self.covered[rows],
        )


@dataclass
class RecurrentState(DecoderState):
    """Projected keys of the source, and each hypothesis's last step."""

    keys: ProjectedKeys
    last: _Step

    def reorder(self, parents: Int[Tensor, "batch beams"]) -> None:
        """Let hypothesis b of a document continue its hypothesis `parents[document, b]`."""
        self.last = self.last.select(torch.arange(len(parents), device=parents.device)[:, None], parents)

    def keep(self, documents: Int[Tensor, " kept"]) -> None:
        """Keep only these documents."""
        self.keys, self.last = self.keys.keep(documents), self.last.select(documents)


class Recurrent(Decoder):
    """One LSTM, with attention to the source after each word."""

    def __init__(self, config: Config, context: DecoderContext) -> None:
        super().__init__(config, context)
        size, source, covering = context.size, context.encoder_hidden_size, context.coverage
        if covering is not None and covering.mode == "one_pass":
            raise PresetError(
                'model.coverage.mode = "one_pass" is for decoders that take all steps at once; a recurrent one takes '
                'them one by one, so that "exact" costs it nothing more.'
            )
        self.hidden_size, self.copy_features_dim = config.hidden_size, source + 2 * config.hidden_size + size.d_model
        self.length_unit = config.length_unit
        if self.length_unit is None:
            self.cell_init = nn.Linear(source, config.hidden_size)
        else:
            self.length_cell = nn.Parameter(torch.zeros(config.hidden_size))
        self.hidden_init = nn.Linear(source, config.hidden_size)
        self.in_proj = nn.Linear(size.d_model + source, size.d_model)
        self.lstm = nn.LSTMCell(size.d_model, config.hidden_size)
        self.uses_coverage = covering is not None and covering.mode == "exact"
        self.cross_attention = AdditiveAttention(
            source, 2 * config.hidden_size, config.attention_dim, self.uses_coverage
        )
        self.out_proj = nn.Linear(config.hidden_size + source, config.hidden_size)
        self.dropout = Dropout(size.dropout)

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
        states = encoder_output.encoder_hidden_states
        values = states if encoder_output.values is None else encoder_output.values
        keys = self.cross_attention.project(states, values, encoder_output.padding)
        final_cell, final_hidden = encoder_output.final_state_or_mean
        if self.length_unit is None:
            first_cell = F.relu(self.cell_init(final_cell))
        else:
            first_cell = encoder_output.length_in(self.length_unit)[:, None] * self.length_cell
        first_hidden = F.relu(self.hidden_init(final_hidden))
        cell, hidden = (
            first.to(keys.keys.dtype)[:, None].repeat(1, beam_size, 1) for first in (first_cell, first_hidden)
        )
        merged, context, attention = (
            cell.new_zeros(*cell.shape[:2], width)
            for width in (self.in_proj.out_features, values.shape[2], values.shape[1])
        )
        covered = attention if self.uses_coverage else None
        return RecurrentState(keys, _Step(merged, cell, hidden, context, attention, covered))

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
    ) -> _Step:
        """Add a word to every hypothesis; sums and gates stay in single precision."""
        last, exact = state.last, state.last.cell.dtype
        merged: Tensor = self.in_proj(torch.cat([embedded.to(exact), last.context], -1)).to(exact)
        hidden, cell = self.lstm(merged.flatten(0, 1), (last.hidden.flatten(0, 1), last.cell.flatten(0, 1)))
        hidden, cell = hidden.view_as(last.hidden), cell.view_as(last.cell)
        covered = None if last.covered is None else last.covered + last.attention
        context, attention = self.cross_attention(torch.cat([cell, hidden], -1), state.keys, covered)
        if bias is not None:
            attention = reweighted(attention, bias)
            context = attention.to(state.keys.values.dtype) @ state.keys.values
        state.last = _Step(merged, cell, hidden, context.to(exact), attention, covered)
        return state.last

    def _decoded(self, steps: list[_Step], needs_attention: bool) -> DecoderOutput:
        merged, cell, hidden, context, attention = (
            torch.cat([getattr(step, name) for step in steps], 1)
            for name in ("merged", "cell", "hidden", "context", "attention")
        )
        states = self.out_proj(self.dropout(torch.cat([hidden, context], -1)))
        recurrent_state = torch.cat([cell, hidden], -1)
        return DecoderOutput(states, merged, context, attention if needs_attention else None, recurrent_state)
