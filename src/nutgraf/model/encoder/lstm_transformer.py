"""A transformer that hears the order of words by an LSTM (Amaravarapu and Khare 2021).

The paper says that LSTM layers process source and target in a modified transformer, and leaves open where they stand.
Three readings:

    before     an LSTM reads the embedded words, layers of attention and feed-forward read its states
    within     in each layer an LSTM stands in place of the feed-forward part
    alone      an LSTM reads the embedded words, layers of attention without feed-forward part read its states
               (multi-head attention around an LSTM encoder, Li et al. 2019)

"before" is the default: it leaves the Transformer of the paper's figure as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jaxtyping import Bool, Float
from torch import Tensor

from nutgraf.errors import PresetError
from nutgraf.model.dropout import Dropout
from nutgraf.model.encoder._lstm import Reading
from nutgraf.model.encoder._stack import Attending, Layer, Stack, StackConfig
from nutgraf.model.layers import Norm, Residual, Size, sinusoids
from nutgraf.model.records import Phrases


@dataclass(frozen=True)
class Config(StackConfig):
    """A transformer encoder with an LSTM."""

    ffn_dim: int = 1024
    norm: Norm = "post"
    lstm: Literal["before", "within", "alone"] = "before"
    """Place of the LSTM: before the layers, in each instead of feed-forward, or before layers of attention alone."""

    bidirectional: bool = True
    """The LSTM reads in both directions; each gives half of the width."""

    position_embedding: Literal["sinusoidal", "none"] = "sinusoidal"
    """Position embeddings added to the LSTM's states; with lstm = "within", to the embedded words."""


class LSTMTransformer(Stack):
    """An LSTM, and attention."""

    def __init__(self, config: Config, size: Size) -> None:
        if config.bidirectional and size.d_model % 2:
            raise PresetError(f"model.d_model = {size.d_model} cannot be halved between two directions of an LSTM.")
        super().__init__(config, size, (_layer(config, size, number) for number in range(config.num_layers)))
        self.config = config
        self.lstm = None if config.lstm == "within" else Reading(size.d_model, config.bidirectional)
        self.dropout = Dropout(size.dropout)

    def begin(
        self, embedded: Float[Tensor, "batch source width"], mask: Bool[Tensor, "batch source"] | None
    ) -> Float[Tensor, "batch source width"]:
        """What the LSTM makes of the embedded words, and their places."""
        states = embedded if self.lstm is None else self.dropout(self.lstm(embedded, mask))
        if self.config.position_embedding == "none":
            return states
        return states + sinusoids(states.shape[1], self.width).to(states.device)


class RecurrentLayer(Attending):
    """One self-attention, one LSTM."""

    def __init__(self, config: Config, size: Size, number: int) -> None:
        super().__init__(config, size, number)
        self.lstm = Reading(size.d_model, config.bidirectional)
        self.around_lstm = Residual(size, config.norm)

    def forward(
        self, states: Float[Tensor, "batch source width"], mask: Bool[Tensor, "batch source"] | None, phrases: Phrases
    ) -> Float[Tensor, "batch source width"]:
        """States of this layer from those below."""
        seen = super().forward(states, mask, phrases)
        read: Tensor = self.around_lstm(seen, lambda normed: self.lstm(normed, mask))
        return read


def _layer(config: Config, size: Size, number: int) -> Attending:
    layers = {"before": Layer, "within": RecurrentLayer, "alone": Attending}
    return layers[config.lstm](config, size, number)
