"""A transformer's decoder that hears the order of words by an LSTM; its three readings as in the encoder of this name.

The LSTM reads from the first word on and begins with zeros, so that no step sees a later one; in search each hypothesis
carries its cell and its hidden state from word to word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.model import coverage
from nutgraf.model.decoder._cache import Cache, Carried
from nutgraf.model.decoder._stack import Layer, Looking, Stack, StackConfig
from nutgraf.model.dropout import Dropout
from nutgraf.model.layers import Norm, Residual, Size, sinusoids


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


class LSTMTransformer(Stack):
    """An LSTM, and attention to what was written and to the source."""

    def __init__(self, config: Config, size: Size, source: int, covering: coverage.Config | None) -> None:
        super().__init__(config, size, source, covering, (_layer(config, size) for _ in range(config.num_layers)))
        self.config = config
        self.lstm = None if config.lstm == "within" else Writing(size.d_model)
        self.dropout = Dropout(size.dropout)

    def begin(
        self, embedded: Float[Tensor, "batch steps width"], state: Cache | None = None
    ) -> Float[Tensor, "batch steps width"]:
        """What the LSTM makes of the embedded words, and their places."""
        states = embedded
        if self.lstm is not None:
            states = self.dropout(self.lstm(embedded, None if state is None else state.carried[0]))
        if self.config.position_embedding == "none":
            return states
        first, count = (0, states.shape[1]) if state is None else (state.position, 1)
        return states + sinusoids(count, self.width, first).to(states.device)


class Writing(nn.Module):
    """An LSTM over what is written."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.forwards = nn.LSTM(width, width, batch_first=True)

    def forward(
        self, given: Float[Tensor, "batch steps width"], carried: Carried | None
    ) -> Float[Tensor, "batch steps width"]:
        """The hidden state at each word of a text; with `carried`, at the next word of each hypothesis."""
        if carried is None:
            states: Tensor = self.forwards(given)[0]
            return states
        one = given.flatten(0, 1)[:, None]
        before = None if carried.hidden is None else (carried.hidden, carried.cell)
        states, (carried.hidden, carried.cell) = self.forwards(one, before)
        return states.view_as(given)


class RecurrentLayer(Looking):
    """Two attentions, one LSTM."""

    def __init__(self, config: Config, size: Size) -> None:
        super().__init__(config, size)
        self.lstm = Writing(size.d_model)
        self.around_lstm = Residual(size, config.norm)

    def leave(
        self,
        states: Float[Tensor, "batch steps width"],
        context: Float[Tensor, "batch steps width"],
        carried: Carried | None = None,
    ) -> Float[Tensor, "batch steps width"]:
        """The layer's states, once it has looked at the source."""
        left = super().leave(states, context)
        read: Tensor = self.around_lstm(left, lambda normed: self.lstm(normed, carried))
        return read


def _layer(config: Config, size: Size) -> Looking:
    layers = {"before": Layer, "within": RecurrentLayer, "alone": Looking}
    return layers[config.lstm](config, size)
