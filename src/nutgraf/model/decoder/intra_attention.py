"""A decoder that looks back at the source and at itself (Paulus, Xiong and Socher 2018, Sec. 2.1–2.3).

    hₜ = LSTM(xₜ, hₜ₋₁)                        h₀, c₀: the encoder's final state, so that both are equally wide
    eₜᵢ = hₜᵀ W_e hᵢ                           αₜ: temporal attention, `model/temporal.py`      cᵉₜ = Σᵢ αₜᵢ hᵢ
    e′ₜₛ = hₜᵀ W_d hₛ for the steps s < t       αᵈₜ = softmax(e′ₜ)        cᵈₜ = Σₛ αᵈₜₛ hₛ       cᵈ₁ = 0
    statesₜ = [hₜ; cᵉₜ; cᵈₜ]                   words and the copy gate are made of these

Nothing of the attention goes into the LSTM, so that training takes all steps at once.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.decoder import Decoder, DecoderContext, DecoderState
from nutgraf.model.ops.additive_attention import masked_softmax
from nutgraf.model.ops.attention import reweighted
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import DecoderOutput, EncoderOutput, at_least_single
from nutgraf.model.temporal import accumulated, temporal_scores
from nutgraf.presets.family import NoOptions


class IntraAttentionState(DecoderState):
    """Keys of the source, and of every hypothesis the LSTM's state, its earlier states and the scores so far."""

    of_documents = ("keys",)
    of_hypotheses = "cell", "hidden", "earlier", "past"

    def __init__(
        self,
        keys: Float[Tensor, "batch source hidden"],
        cell: Float[Tensor, "batch beams hidden"],
        hidden: Float[Tensor, "batch beams hidden"],
    ) -> None:
        self.keys, self.cell, self.hidden = keys, cell, hidden
        self.earlier = hidden.new_zeros(*hidden.shape[:2], 0, hidden.shape[-1])
        self.past: Float[Tensor, "batch beams source"] | None = None


class IntraAttention(Decoder):
    """An LSTM with temporal attention to the source and attention to its own earlier states."""

    def __init__(self, config: NoOptions, context: DecoderContext) -> None:
        super().__init__(config, context)
        width, d_model = context.encoder_hidden_size, context.size.d_model
        if context.coverage is not None:
            raise PresetError("Temporal attention takes the place of coverage: leave [model.coverage] out.")
        self.hidden_size, self.copy_features_dim = 3 * width, 4 * width + d_model
        self.lstm = nn.LSTM(d_model, width, batch_first=True)
        self.cross_proj = nn.Linear(width, width, bias=False)
        self.self_proj = nn.Linear(width, width, bias=False)
        self.dropout = Dropout(context.size.dropout)

    def forward(
        self, embedded: Float[Tensor, "batch steps d_model"], encoder_output: EncoderOutput, needs_attention: bool
    ) -> DecoderOutput:
        """Return the states of all steps at once."""
        cell, first = (one[None].to(embedded.dtype).contiguous() for one in encoder_output.final_state_or_mean)
        hidden: Tensor = self.lstm(embedded, (first, cell))[0]
        keys = self.cross_proj(encoder_output.encoder_hidden_states)
        weights = masked_softmax(temporal_scores(at_least_single(hidden @ keys.mT)), encoder_output.padding)
        return self._decoded(embedded, hidden, weights, self._look_back(hidden), encoder_output, needs_attention)

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> IntraAttentionState:
        """Return the encoder's final state, which every hypothesis begins with."""
        keys = self.cross_proj(encoder_output.encoder_hidden_states)
        cell, hidden = (one[:, None].repeat(1, beam_size, 1) for one in encoder_output.final_state_or_mean)
        return IntraAttentionState(keys, cell, hidden)

    def step(
        self,
        embedded: Float[Tensor, "batch beams d_model"],
        encoder_output: EncoderOutput,
        state: DecoderState,
        needs_attention: bool,
    ) -> DecoderOutput:
        """Return the states after the next word of every hypothesis."""
        assert isinstance(state, IntraAttentionState)
        before = tuple(one.flatten(0, 1)[None].to(embedded.dtype) for one in (state.hidden, state.cell))
        _, (after, cell) = self.lstm(embedded.flatten(0, 1)[:, None], before)
        state.hidden, state.cell = after[0].view_as(state.hidden), cell[0].view_as(state.cell)
        scores = at_least_single(state.hidden @ state.keys.mT)
        weights = masked_softmax(scores if state.past is None else scores - state.past, encoder_output.padding)
        weights = reweighted(weights, encoder_output.source_bias)
        state.past = accumulated(state.past, scores)
        compared = (self.self_proj(state.hidden)[:, :, None] * state.earlier).sum(-1)
        own = (at_least_single(compared).softmax(-1)[..., None].to(state.hidden.dtype) * state.earlier).sum(2)
        state.earlier = torch.cat([state.earlier, state.hidden[:, :, None]], 2)
        return self._decoded(embedded, state.hidden, weights, own, encoder_output, needs_attention)

    def _look_back(self, hidden: Float[Tensor, "batch steps hidden"]) -> Float[Tensor, "batch steps hidden"]:
        """Return cᵈ of all steps: nothing for the first, and for each other the attention to those before it."""
        earlier = hidden[:, :-1]
        scores = at_least_single(self.self_proj(hidden[:, 1:]) @ earlier.mT)
        later = torch.ones(scores.shape[1:], dtype=torch.bool, device=scores.device).triu(1)
        found = scores.masked_fill(later, -torch.inf).softmax(-1).to(earlier.dtype) @ earlier
        return torch.cat([torch.zeros_like(hidden[:, :1]), found], 1)

    def _decoded(
        self,
        embedded: Float[Tensor, "batch steps d_model"],
        hidden: Float[Tensor, "batch steps hidden"],
        weights: Float[Tensor, "batch steps source"],
        own: Float[Tensor, "batch steps hidden"],
        encoder_output: EncoderOutput,
        needs_attention: bool,
    ) -> DecoderOutput:
        values = encoder_output.attended
        context = weights.to(values.dtype) @ values
        states = self.dropout(torch.cat([hidden, context, own], -1))
        return DecoderOutput(states, embedded, context, weights if needs_attention else None)
