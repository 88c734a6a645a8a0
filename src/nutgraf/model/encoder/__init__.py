"""What reads the source. One file, one encoder."""

from __future__ import annotations

from abc import ABC, abstractmethod

from jaxtyping import Bool, Float
from torch import Tensor, nn

from nutgraf.model.records import Phrases
from nutgraf.presets.family import Family


class Encoder(nn.Module, ABC):
    """Embedded words become states. Made with its `Config` and the network's `Size`."""

    @abstractmethod
    def forward(
        self,
        embedded: Float[Tensor, "batch source width"],
        mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> Float[Tensor, "batch source width"]:
        """The states of the last layer. `mask` is True on padding; None: there is none."""

    def weights(
        self,
        embedded: Float[Tensor, "batch source width"],
        mask: Bool[Tensor, "batch source"] | None,
        phrases: Phrases,
    ) -> list[Float[Tensor, "batch heads source source"]]:
        """Every layer's self-attention, for whoever asks; [] for an encoder that has none."""
        return []


encoders: Family[Encoder] = Family(__name__, Encoder)
