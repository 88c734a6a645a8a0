"""ABS's decoder, a feed-forward neural network language model (Rush, Chopra and Weston 2015, Sec. 3.1 and 3.2).

    ỹ = [E yₜ₋C₊₁; …; E yₜ]           ỹ′ = [G yₜ₋C₊₁; …; G yₜ]      the last C words, in two embeddings
    h = tanh(U ỹ + b)                                                the language model's hidden layer
    p ∝ exp(X̃ P ỹ′)                   context = Σᵢ pᵢ x̄ᵢ             X̃: the encoder's states, x̄: its values
    states = [h; W_e context]                                        words are generated from these

The first half of a word's embedding is E's, the second G's, so that one matrix holds both. Before the first word, BOS
stands C times.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.decoder import Decoder, DecoderContext, DecoderState
from nutgraf.model.ops.attention import reweighted, softmax_weights
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import DecoderOutput, EncoderOutput
from nutgraf.presets.ranges import PositiveInt


@dataclass(frozen=True)
class Config:
    """A feed-forward language model that attends to the source."""

    context_size: PositiveInt = 5
    """Number of words that the next one follows from, C."""

    hidden_size: PositiveInt = 400
    """Width of the hidden layer, and of the context beside it."""


EXAMPLES = (Config(context_size=3, hidden_size=13), Config(context_size=1, hidden_size=7))


class Window(DecoderState):
    """The last words of every hypothesis, embedded; None before the first."""

    of_hypotheses = ("words",)

    def __init__(self) -> None:
        self.words: Float[Tensor, "batch beams context d_model"] | None = None

    def add(
        self, embedded: Float[Tensor, "batch beams d_model"], size: int
    ) -> Float[Tensor, "batch beams context d_model"]:
        """Return the windows that end with new words; the first word fills all of its window."""
        latest = embedded[:, :, None]
        self.words = latest.expand(-1, -1, size, -1) if self.words is None else torch.cat([self.words, latest], 2)
        self.words = self.words[:, :, -size:]
        return self.words


class NNLM(Decoder):
    """A hidden layer over the last words, beside what they attend to."""

    def __init__(self, config: Config, context: DecoderContext) -> None:
        super().__init__(config, context)
        size, source = context.size, context.encoder_hidden_size
        if context.coverage is not None:
            raise PresetError("An nnlm decoder keeps no coverage; leave [model.coverage] out.")
        if size.d_model < 2:
            raise PresetError("An nnlm decoder divides embeddings into two halves: model.d_model is at least 2.")
        self.context_size, self.hidden_size = config.context_size, 2 * config.hidden_size
        self.copy_features_dim = source + self.hidden_size + size.d_model
        own = (size.d_model + 1) // 2
        self.hidden_proj = nn.Linear(config.context_size * own, config.hidden_size)
        self.query_proj = nn.Linear(config.context_size * (size.d_model - own), source, bias=False)
        self.context_proj = nn.Linear(source, config.hidden_size, bias=False)
        self.dropout = Dropout(size.dropout)

    def forward(
        self, embedded: Float[Tensor, "batch steps d_model"], encoder_output: EncoderOutput, needs_attention: bool
    ) -> DecoderOutput:
        """Return the states of all steps at once."""
        before = embedded[:, :1].expand(-1, self.context_size - 1, -1)
        windows = torch.cat([before, embedded], 1).unfold(1, self.context_size, 1).transpose(-1, -2)
        return self._decode(windows, embedded, encoder_output, needs_attention)

    def start(self, encoder_output: EncoderOutput, beam_size: int) -> Window:
        """Return the state before the first word."""
        return Window()

    def step(
        self,
        embedded: Float[Tensor, "batch beams d_model"],
        encoder_output: EncoderOutput,
        state: DecoderState,
        needs_attention: bool,
    ) -> DecoderOutput:
        """Return the states after the next word of every hypothesis."""
        assert isinstance(state, Window)
        return self._decode(state.add(embedded, self.context_size), embedded, encoder_output, needs_attention)

    def _decode(
        self,
        windows: Float[Tensor, "batch steps context d_model"],
        embedded: Float[Tensor, "batch steps d_model"],
        encoder_output: EncoderOutput,
        needs_attention: bool,
    ) -> DecoderOutput:
        own, compared = windows.chunk(2, -1)
        hidden = torch.tanh(self.hidden_proj(own.flatten(2)))
        context, weights = self._attend(self.query_proj(compared.flatten(2)), encoder_output)
        states = self.dropout(torch.cat([hidden, self.context_proj(context)], -1))
        return DecoderOutput(states, embedded, context, weights if needs_attention else None)

    def _attend(
        self, query: Float[Tensor, "batch steps source_dim"], encoder_output: EncoderOutput
    ) -> tuple[Float[Tensor, "batch steps source_dim"], Float[Tensor, "batch steps source"]]:
        """Return the contexts and the attention p, whose scores are products that nothing scales."""
        keys, values = encoder_output.encoder_hidden_states, encoder_output.attended
        scaled = query * math.sqrt(query.shape[-1])  # by which `softmax_weights` divides
        weights = softmax_weights(scaled[:, None], keys[:, None], encoder_output.padding).squeeze(1)
        weights = reweighted(weights, encoder_output.source_bias)
        return weights.to(values.dtype) @ values, weights
