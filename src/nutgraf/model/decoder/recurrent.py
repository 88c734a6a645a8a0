"""The pointer-generator's decoder (See, Liu and Manning 2017, Sec. 2.1–2.3; their code where the paper is silent).

    x̂ₜ = W_x [x; context] + b                     the word before, merged with what was looked at before
    sₜ = LSTM(x̂ₜ, sₜ₋₁)                           s₀ = ReLU(W [where the encoder ends] + b), cell and hidden alike
    aₜ, contextₜ = attention by [cell; hidden]     `attention/_additive.py`; with coverage c₁ = 0, cₜ₊₁ = cₜ + aₜ
    statesₜ = W₁ [hidden; contextₜ] + b₁           what words are generated from

A recurrent decoder goes step by step anyway, so its coverage is exact. Where the encoder ends in no state, the mean of
its states stands for it. A desired length may be told: then c₀ = ℓ · v with a vector v that is learned, whatever the
source (LenInit; Kikuchi et al. 2016).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.errors import PresetError
from nutgraf.model import coverage
from nutgraf.model.attention._additive import Additive, Source
from nutgraf.model.decoder import Decoder, State
from nutgraf.model.dropout import Dropout
from nutgraf.model.layers import Size
from nutgraf.model.records import Decoded, Memory


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


@dataclass(frozen=True)
class _Step:
    """What a step has made, and the next one needs. merged: x̂. covered: Σ of the attention before it; None where that
    is not asked."""

    merged: Float[Tensor, "batch beams inputs"]
    cell: Float[Tensor, "batch beams hidden"]
    hidden: Float[Tensor, "batch beams hidden"]
    context: Float[Tensor, "batch beams context"]
    attention: Float[Tensor, "batch beams source"]
    covered: Float[Tensor, "batch beams source"] | None

    def of(self, *places: Tensor) -> _Step:
        """That of some documents, or of some hypotheses of each."""
        return _Step(
            self.merged[places],
            self.cell[places],
            self.hidden[places],
            self.context[places],
            self.attention[places],
            None if self.covered is None else self.covered[places],
        )


@dataclass
class Progress(State):
    """The source as attention looks at it, and each hypothesis's last step."""

    source: Source
    last: _Step

    def reorder(self, parents: Int[Tensor, "batch beams"]) -> None:
        """Hypothesis b of a document goes on from its hypothesis `parents[document, b]`."""
        self.last = self.last.of(torch.arange(len(parents), device=parents.device)[:, None], parents)

    def keep(self, documents: Int[Tensor, " kept"]) -> None:
        """Only these documents go on."""
        self.source, self.last = self.source.keep(documents), self.last.of(documents)


class Recurrent(Decoder):
    """One LSTM, which looks at the source after each word and remembers what it saw."""

    def __init__(self, config: Config, size: Size, source: int, covering: coverage.Config | None) -> None:
        super().__init__()
        if covering is not None and covering.mode == "one_pass":
            raise PresetError(
                'model.coverage.mode = "one_pass" is for decoders that take all steps at once; a recurrent one takes '
                'them one by one, so that "exact" costs it nothing more.'
            )
        self.width, self.seen = config.hidden_size, source + 2 * config.hidden_size + size.d_model
        self.length_unit = config.length_unit
        if self.length_unit is None:
            self.first_cell = nn.Linear(source, config.hidden_size)
        else:
            self.cell_of_length = nn.Parameter(torch.zeros(config.hidden_size))
        self.first_hidden = nn.Linear(source, config.hidden_size)
        self.merge = nn.Linear(size.d_model + source, size.d_model)
        self.lstm = nn.LSTMCell(size.d_model, config.hidden_size)
        self.covers = covering is not None and covering.mode == "exact"
        self.attention = Additive(source, 2 * config.hidden_size, config.attention_dim, self.covers)
        self.readout = nn.Linear(config.hidden_size + source, config.hidden_size)
        self.dropout = Dropout(size.dropout)

    def enter(self, phase: int) -> None:
        """Coverage is known to attention from the second phase of a training on."""
        self.covers = self.attention.coverage is not None and phase > 1

    def forward(self, embedded: Float[Tensor, "batch steps width"], memory: Memory, weights: bool) -> Decoded:
        """Step by step, each seeing those before it."""
        state = self.start(memory, 1, embedded.shape[1])
        steps = [self._advance(word.unsqueeze(1), state) for word in embedded.unbind(1)]
        return self._decoded(steps, weights)

    def start(self, memory: Memory, beams: int, longest: int) -> Progress:
        """Before the first word nothing was looked at."""
        mask = memory.mask if bool(memory.mask.any()) else None
        values = memory.states if memory.values is None else memory.values
        source = self.attention.source(memory.states, values, mask)
        cell_end, hidden_end = memory.ends
        if self.length_unit is None:
            first_cell = F.relu(self.first_cell(cell_end))
        else:
            first_cell = memory.length_in(self.length_unit)[:, None] * self.cell_of_length
        first_hidden = F.relu(self.first_hidden(hidden_end))
        cell, hidden = (
            first.to(source.keys.dtype)[:, None].repeat(1, beams, 1) for first in (first_cell, first_hidden)
        )
        merged, context, places = (
            cell.new_zeros(*cell.shape[:2], width)
            for width in (self.merge.out_features, values.shape[2], values.shape[1])
        )
        return Progress(source, _Step(merged, cell, hidden, context, places, places if self.covers else None))

    def step(
        self, embedded: Float[Tensor, "batch beams width"], memory: Memory, state: State, weights: bool
    ) -> Decoded:
        """The next word of every hypothesis."""
        assert isinstance(state, Progress)
        return self._decoded([self._advance(embedded, state)], weights)

    def _advance(self, embedded: Float[Tensor, "batch beams width"], state: Progress) -> _Step:
        """One word more of every hypothesis; sums and gates stay in single precision."""
        last, exact = state.last, state.last.cell.dtype
        merged: Tensor = self.merge(torch.cat([embedded.to(exact), last.context], -1)).to(exact)
        hidden, cell = self.lstm(merged.flatten(0, 1), (last.hidden.flatten(0, 1), last.cell.flatten(0, 1)))
        hidden, cell = hidden.view_as(last.hidden), cell.view_as(last.cell)
        covered = None if last.covered is None else last.covered + last.attention
        context, attention = self.attention(torch.cat([cell, hidden], -1), state.source, covered)
        state.last = _Step(merged, cell, hidden, context.to(exact), attention, covered)
        return state.last

    def _decoded(self, steps: list[_Step], weights: bool) -> Decoded:
        merged, cell, hidden, context, attention = (
            torch.cat([getattr(step, name) for step in steps], 1)
            for name in ("merged", "cell", "hidden", "context", "attention")
        )
        states = self.readout(self.dropout(torch.cat([hidden, context], -1)))
        return Decoded(states, merged, context, attention if weights else None, torch.cat([cell, hidden], -1))
