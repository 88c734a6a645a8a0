"""The pointer-generator's decoder: an LSTM that attends to the source after each word; see `_lstm.py`."""

from __future__ import annotations

from nutgraf.model.decoder._lstm import LSTMConfig as Config
from nutgraf.model.decoder._lstm import LSTMDecoder

EXAMPLES = (Config(hidden_size=19, attention_dim=13), Config(hidden_size=19, attention_dim=13, length_unit=5.0))


class Recurrent(LSTMDecoder):
    """One LSTM, with attention to the source after each word."""
