"""A transformer decoder in which an LSTM tells the order of words; three readings as in the encoder of this name.

The LSTM reads forward from zeros, so that no step sees a later one; in search each hypothesis carries its cell and its
hidden state from word to word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.model.decoder import DecoderContext
from nutgraf.model.decoder._cache import KeyValueCache, LSTMState
from nutgraf.model.decoder._stack import AttentionLayer, StackConfig, TransformerLayer, TransformerStack
from nutgraf.model.layers import Norm, Residual, Size, sinusoids
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import EncoderOutput


@dataclass(frozen=True)
class Config(StackConfig):
    """A transformer decoder with an LSTM."""

    ffn_dim: int = 1024
    norm: Norm = "post"
    copy_attention: Literal["first", "mean", "summed"] = "mean"
    lstm: Literal["before", "within", "alone"] = "before"
    """Place of the LSTM: before the layers, in each instead of feed-forward, or before layers of attention alone."""

    position_embedding: Literal["sinusoidal", "none"] = "sinusoidal"
    """Position embeddings added to the LSTM's states; with lstm = "within", to the embedded words."""


EXAMPLES = (
    Config(num_layers=2, ffn_dim=13),
    Config(num_layers=2, ffn_dim=13, norm="pre", lstm="within", position_embedding="none"),
    Config(num_layers=2, ffn_dim=13, norm="pre", lstm="alone", position_embedding="none"),
)


class LSTMTransformer(TransformerStack):
    """A transformer decoder with an LSTM."""

    def __init__(self, config: Config, context: DecoderContext) -> None:
        size = context.size
        layer = {"before": TransformerLayer, "within": RecurrentLayer, "alone": AttentionLayer}[config.lstm]
        super().__init__(config, context, (layer(config, size) for _ in range(config.num_layers)))
        self.config = config
        self.lstm = None if config.lstm == "within" else CausalLSTM(size.d_model)
        self.dropout = Dropout(size.dropout)

    def first_input(
        self,
        embedded: Float[Tensor, "batch steps d_model"],
        encoder_output: EncoderOutput,
        state: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch steps d_model"]:
        """Return the LSTM's states and their position embeddings."""
        states = embedded
        if self.lstm is not None:
            states = self.dropout(self.lstm(embedded, None if state is None else state.recurrent[0]))
        if self.config.position_embedding == "none":
            return states
        first, count = (0, states.shape[1]) if state is None else (state.position, 1)
        return states + sinusoids(count, self.hidden_size, first).to(states.device)


class CausalLSTM(nn.Module):
    """An LSTM over the words written."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.forward_lstm = nn.LSTM(width, width, batch_first=True)

    def forward(
        self, given: Float[Tensor, "batch steps width"], state: LSTMState | None
    ) -> Float[Tensor, "batch steps width"]:
        """Return the hidden state at each word of a text; with a state, at the next word of each hypothesis."""
        if state is None:
            return self.forward_lstm(given)[0]
        before = None
        if state.hidden is not None and state.cell is not None:
            before = state.hidden.flatten(0, 1)[None], state.cell.flatten(0, 1)[None]
        states, ends = self.forward_lstm(given.flatten(0, 1)[:, None], before)
        state.hidden, state.cell = (end[0].view_as(given) for end in ends)
        return states.view_as(given)


class RecurrentLayer(AttentionLayer):
    """A layer of self-attention, cross-attention and an LSTM."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__(config, size)
        self.lstm = CausalLSTM(size.d_model)
        self.lstm_residual = Residual(size, config.norm)

    def leave(
        self,
        states: Float[Tensor, "batch steps d_model"],
        context: Float[Tensor, "batch steps d_model"],
        recurrent: LSTMState | None = None,
    ) -> Float[Tensor, "batch steps d_model"]:
        """Return the layer's states after its cross-attention."""
        left = super().leave(states, context)
        return self.lstm_residual(left, lambda normed: self.lstm(normed, recurrent))
