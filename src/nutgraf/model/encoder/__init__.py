"""Encoders. One file, one encoder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from jaxtyping import Float
from torch import Tensor, nn

from nutgraf.errors import PresetError
from nutgraf.model.layers import Size
from nutgraf.model.records import Batch, EncoderOutput
from nutgraf.presets.family import Family


class Encoder(nn.Module, ABC):
    """Turns embedded sources into states."""

    hidden_size: int
    """Width of the states."""

    needs_sentences: ClassVar[bool] = False
    """The encoder needs to know which words make a sentence."""

    needs_sections: ClassVar[bool] = False
    """The encoder needs to know which words make a section."""

    @abstractmethod
    def __init__(self, config: Any, size: Size) -> None:
        """Build the encoder.

        Args:
            config: The member's own `Config`; with a `num_layers` if `weights` returns any.
            size: Sizes of the network, and its dropout, which must act in training.
        """
        super().__init__()

    @property
    def provides_graph(self) -> bool:
        """True if the encoder can return the graph of its last self-attention."""
        return False

    @property
    def heeds_phrases(self) -> bool:
        """True if key phrases change the states."""
        return False

    @abstractmethod
    def forward(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch, needs_graph: bool = False
    ) -> EncoderOutput:
        """Return the states of the last layer.

        Args:
            embedded: The embedded source.
            batch: The source's padding, and its key phrases.
            needs_graph: Return the graph of the last self-attention, too.
        """

    def first_layers(self, count: int) -> list[nn.Module]:
        """Return the first layers, which may keep their weights. Raises PresetError if there are not so many."""
        raise PresetError(f"The encoder {type(self).__name__} has no layers that could be frozen one by one.")

    def split_forward(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch, frozen: int
    ) -> Float[Tensor, "batch source d_model"]:
        """Return the states of the last layer, for whose first `frozen` layers no gradients are computed."""
        raise PresetError(f"The encoder {type(self).__name__} has no layers that could be frozen one by one.")

    def weights(
        self, embedded: Float[Tensor, "batch source d_model"], batch: Batch
    ) -> list[Float[Tensor, "batch heads source source"]]:
        """Return the self-attention of each of the `num_layers` layers by the plain formula; [] where there is none."""
        return []


encoders: Family[Encoder] = Family(__name__, Encoder)
