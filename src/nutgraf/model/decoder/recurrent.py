"""The pointer-generator's decoder: an LSTM that attends to the source after each word; see `_lstm.py`."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.model.decoder._lstm import LSTMConfig, LSTMDecoder


@dataclass(frozen=True)
class Config(LSTMConfig):
    """An LSTM decoder with additive attention."""


EXAMPLES = (Config(hidden_size=19, attention_dim=13), Config(hidden_size=19, attention_dim=13, length_unit=5.0))


class Recurrent(LSTMDecoder):
    """One LSTM, with attention to the source after each word."""
