"""Attention to words times a learned marginal relevance of their sentences (Hi-MAP; Fabbri et al. 2019).

    h = LSTMs in both directions over the state of each sentence's last word
    MMRⱼ = λ · hⱼ · W₁ s − (1 − λ) · max over i ≠ j of hⱼ · W₂ hᵢ          s the decoder's state at this step
    aᵢ′ ∝ aᵢ · softmax(MMR) of the sentence that word i belongs to

As a = softmax(e), a′ is softmax(e + MMR): the sum that divides the sentences' softmax falls out. Context, copying and
coverage all take a′. The equations are those that the paper is remembered for, and the choices are ours.

The published program computes other scores, once for each example, puts the reweighted attention where neither copying
nor the loss reads it, and leaves the step out when it summarizes. So it trains and searches as the decoder `recurrent`
does, and the parameters of its MMR get no gradient; `released_code` does the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.model.decoder import DecoderContext
from nutgraf.model.decoder._lstm import LSTMConfig, LSTMDecoder
from nutgraf.model.decoder._recurrence import CellState, Guide, LogitChange, RecurrentState
from nutgraf.model.decoder._segment_lstm import SegmentLSTM
from nutgraf.model.records import EncoderOutput
from nutgraf.model.segments import Segments, states_at
from nutgraf.presets.ranges import PositiveInt, Share


@dataclass(frozen=True)
class Config(LSTMConfig):
    """An LSTM decoder whose attention is multiplied by a learned marginal relevance of sentences."""

    sentence_hidden_size: PositiveInt = 256
    """Width of one direction's hidden state in the LSTMs over sentences."""

    relevance_weight: Share = 0.5
    """Weight λ of a sentence's relevance; 1 − λ is that of its redundancy."""

    released_code: bool = False
    """Leave the attention as it is, as the published program does in effect."""


EXAMPLES = (Config(hidden_size=19, attention_dim=13, sentence_hidden_size=5),)


class HiMAP(LSTMDecoder):
    """One LSTM whose attention to words is multiplied by the marginal relevance of their sentences."""

    needs_sentences = True

    def __init__(self, config: Config, context: DecoderContext) -> None:
        super().__init__(config, context)
        width = 2 * config.sentence_hidden_size
        self.weight, self.released_code = config.relevance_weight, config.released_code
        self.sentence_lstm = SegmentLSTM(context.encoder_hidden_size, config.sentence_hidden_size)
        self.relevance_proj = nn.Linear(config.hidden_size, width, bias=False)
        self.redundancy_proj = nn.Linear(width, width, bias=False)

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> RecurrentState:
        """Return the state before the first word, with the sentences and their redundancy."""
        state = super().start(encoder_output, beam_size)
        if not self.released_code:
            segments = Segments.of(encoder_output.sentences, encoder_output.key_padding_mask)
            ends = states_at(encoder_output.encoder_hidden_states, segments.last)
            sentences, _ = self.sentence_lstm(ends, segments.padding)
            state.guide = Guide(segments, sentences, self._redundancy(sentences, segments))
        return state

    def change(self, after: CellState, guide: Guide) -> LogitChange:
        """Return the marginal relevance of each word's sentence, which is added to its logit."""
        assert guide.redundancy is not None
        relevance = self.relevance_proj(after[1]).to(guide.keys.dtype) @ guide.keys.transpose(1, 2)
        mmr = self.weight * relevance - (1 - self.weight) * guide.redundancy[:, None]
        return LogitChange(bias=guide.segments.at_words(mmr))

    def _redundancy(
        self, sentences: Float[Tensor, "batch sentences width"], segments: Segments
    ) -> Float[Tensor, "batch sentences"]:
        """Return each sentence's largest likeness to another one; 0 for a sentence that is alone."""
        likeness = sentences @ self.redundancy_proj(sentences).to(sentences.dtype).transpose(1, 2)
        itself = torch.eye(sentences.shape[1], dtype=torch.bool, device=sentences.device)
        others = ~(itself | segments.padding[:, None])
        largest = likeness.masked_fill(~others, -torch.inf).amax(-1)
        return torch.where(others.any(-1), largest, 0.0)
