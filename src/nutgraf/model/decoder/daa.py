"""Attention over the words of sections that are attended to themselves (DAA; Cohan et al. 2018, and their program).

    section j    ReLU(W [forward state of its last word; backward state of its first word] + b)
    h            LSTMs in both directions over the sections; the decoder begins from their end
    β = softmax over sections of v · tanh(W h + U s + b)                  s the decoder's state, cell and hidden
    a = softmax over words of β e                                         e the logits of words, β that of their section

β multiplies logits, not probabilities. So a section with a large β has sharper attention to its words, not more of it,
and words whose logit is below 0 lose by it. `combine = "probabilities"` is what one expects instead: a ∝ β softmax(e),
which is softmax(e + g) for β = softmax(g).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from nutgraf.errors import PresetError
from nutgraf.model.decoder import DecoderContext
from nutgraf.model.decoder._lstm import LSTMConfig, LSTMDecoder
from nutgraf.model.decoder._recurrence import CellState, Guide, LogitChange, RecurrentState
from nutgraf.model.decoder._segment_lstm import SegmentLSTM
from nutgraf.model.records import EncoderOutput
from nutgraf.model.segments import Segments, states_at


@dataclass(frozen=True)
class Config(LSTMConfig):
    """An LSTM decoder that attends to sections and to their words."""

    combine: Literal["logits", "probabilities"] = "logits"
    """What the attention to a section multiplies: the "logits" of its words, or their "probabilities"."""


EXAMPLES = (
    Config(hidden_size=19, attention_dim=13),
    Config(hidden_size=19, attention_dim=13, combine="probabilities"),
)


class DAA(LSTMDecoder):
    """One LSTM that attends to sections and to their words."""

    needs_sections = True

    def __init__(self, config: Config, context: DecoderContext) -> None:
        super().__init__(config, context)
        source, half = context.encoder_hidden_size, context.encoder_hidden_size // 2
        if source % 2:
            raise PresetError(
                "A decoder of kind daa reads sections in two directions, each half as wide as the encoder's "
                f"states; these have the width {source}: take an encoder with an even one."
            )
        self.combine = config.combine
        self.section_init = nn.Linear(source, half)
        self.section_lstm = SegmentLSTM(half, half)
        self.section_key_proj = nn.Linear(source, config.attention_dim)
        self.section_query_proj = nn.Linear(2 * config.hidden_size, config.attention_dim, bias=False)
        self.section_score = nn.Linear(config.attention_dim, 1, bias=False)

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> RecurrentState:
        """Return the state before the first word, with the sections."""
        segments = Segments.of(encoder_output.sections, encoder_output.key_padding_mask)
        sections, final_state = self.section_lstm(self._vectors(encoder_output, segments), segments.padding)
        state = super().start(replace(encoder_output, final_state=final_state), beam_size)
        state.guide = Guide(segments, self.section_key_proj(sections))
        return state

    def change(self, after: CellState, guide: Guide) -> LogitChange:
        """Return β of each word's section as the factor of its logit, or log β as the addend, but for a constant."""
        query = self.section_query_proj(torch.cat(after, -1))
        scores = self.section_score(torch.tanh(guide.keys[:, None] + query[:, :, None])).squeeze(-1)
        scores = scores.to(after[0].dtype)
        if self.combine == "probabilities":
            return LogitChange(bias=guide.segments.at_words(scores))
        absent = guide.segments.padding & ~guide.segments.padding.all(-1, keepdim=True)
        sections = scores.masked_fill(absent[:, None], -torch.inf).softmax(-1)
        return LogitChange(scale=guide.segments.at_words(sections))

    def _vectors(self, encoder_output: EncoderOutput, segments: Segments) -> Float[Tensor, "batch sections hidden"]:
        """Return a vector of each section: what its two directions end with."""
        states = encoder_output.encoder_hidden_states
        half = states.shape[2] // 2
        ends = [states_at(states[..., :half], segments.last), states_at(states[..., half:], segments.first)]
        return F.relu(self.section_init(torch.cat(ends, -1)))
