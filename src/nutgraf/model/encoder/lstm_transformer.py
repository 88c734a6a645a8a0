"""A transformer encoder in which an LSTM tells the order of words (Amaravarapu and Khare 2021).

The paper says that LSTM layers process source and target in a modified transformer, and leaves open where they stand.
Three readings:

    before     an LSTM reads the embedded words, transformer layers read its states
    within     in each layer an LSTM takes the place of the feed-forward sub-layer
    alone      an LSTM reads the embedded words, layers of attention without feed-forward read its states
               (multi-head attention around an LSTM encoder, Li et al. 2019)

"before" is the default: it leaves the Transformer of the paper's figure as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.encoder._stack import SelfAttentionLayer, StackConfig, TransformerLayer, TransformerStack
from nutgraf.model.layers import Norm, Residual, Size, sinusoids
from nutgraf.model.ops.dropout import Dropout
from nutgraf.model.records import Batch


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


EXAMPLES = (
    Config(num_layers=2, ffn_dim=5),
    Config(num_layers=2, ffn_dim=5, norm="pre", lstm="within"),
    Config(num_layers=2, ffn_dim=5, norm="pre", lstm="alone", bidirectional=False),
)


class LSTMTransformer(TransformerStack):
    """A transformer encoder with an LSTM."""

    def __init__(self, config: Config, size: Size) -> None:
        if config.bidirectional and size.d_model % 2:
            raise PresetError(f"model.d_model = {size.d_model} cannot be halved between two directions of an LSTM.")
        layer = {"before": TransformerLayer, "within": RecurrentLayer, "alone": SelfAttentionLayer}[config.lstm]
        super().__init__(config, size, (layer(config, size, number) for number in range(config.num_layers)))
        self.config = config
        self.lstm = None if config.lstm == "within" else PaddedLSTM(size.d_model, config.bidirectional)
        self.dropout = Dropout(size.dropout)

    def first_input(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the LSTM's states and their position embeddings."""
        states = embedded if self.lstm is None else self.dropout(self.lstm(embedded, batch.padding))
        if self.config.position_embedding == "none":
            return states
        return states + sinusoids(states.shape[1], self.hidden_size).to(states.device)


class RecurrentLayer(SelfAttentionLayer):
    """A layer of self-attention and an LSTM."""

    def __init__(self, config: Config, size: Size, number: int) -> None:
        super().__init__(config, size, number)
        self.lstm = PaddedLSTM(size.d_model, config.bidirectional)
        self.lstm_residual = Residual(size, config.norm)

    def forward(
        self, states: Float[Tensor, "batch source d_model"], batch: Batch
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the states of this layer from those of the layer below."""
        attended = super().forward(states, batch)
        return self.lstm_residual(attended, lambda normed: self.lstm(normed, batch.padding))


class PaddedLSTM(nn.Module):
    """An LSTM (Hochreiter and Schmidhuber 1997) as wide as its input; of two directions each gives one half.

    The padding of a text is read after the text in either direction, so that nothing of it gets into a word's state.
    """

    def __init__(self, width: int, bidirectional: bool) -> None:
        super().__init__()
        hidden_size = width // 2 if bidirectional else width
        self.forward_lstm = nn.LSTM(width, hidden_size, batch_first=True)
        self.backward_lstm = nn.LSTM(width, hidden_size, batch_first=True) if bidirectional else None

    def forward(
        self, given: Float[Tensor, "batch source width"], key_padding_mask: Bool[Tensor, "batch source"] | None
    ) -> Float[Tensor, "batch source width"]:
        """Return the hidden state at each word."""
        states: Tensor = self.forward_lstm(given)[0]
        if self.backward_lstm is None:
            return states
        turned: Tensor = self.backward_lstm(turn(given, key_padding_mask))[0]
        return torch.cat([states, turn(turned, key_padding_mask)], -1)


def turn(
    given: Float[Tensor, "batch source width"], key_padding_mask: Bool[Tensor, "batch source"] | None
) -> Float[Tensor, "batch source width"]:
    """Reverse each text and leave its padding behind it; done twice, it changes nothing."""
    if key_padding_mask is None:
        return given.flip(1)
    length = (~key_padding_mask).sum(1, keepdim=True)
    position = torch.arange(given.shape[1], device=given.device)
    order = torch.where(key_padding_mask, position, length - 1 - position)
    return given.gather(1, order[..., None].expand_as(given))
