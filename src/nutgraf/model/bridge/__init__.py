"""Bridges between encoder and decoder. One file, one bridge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from torch import nn

from nutgraf.model.records import EncoderOutput
from nutgraf.presets.family import Family


class Bridge(nn.Module, ABC):
    """Changes the encoder's states before the decoder sees them; their width stays."""

    @abstractmethod
    def __init__(self, config: Any, encoder_hidden_size: int) -> None:
        """Build the bridge.

        Args:
            config: The member's own `Config`.
            encoder_hidden_size: Width of the encoder's states.
        """
        super().__init__()

    @abstractmethod
    def forward(self, encoder_output: EncoderOutput) -> EncoderOutput:
        """Return the encoded sources as the decoder gets them."""


bridges: Family[Bridge] = Family(__name__, Bridge)
