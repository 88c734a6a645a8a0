"""Highlights inside pretrained networks: what a person marks gets more attention, while the model writes as it does.

For loaded models of transformers 5. `Steering` (`steered.py`) attaches one of the forms here to a model and proves
that it changes what the model computes. Each form is a bias on the scores of attention, before the softmax; one file,
one form.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from jaxtyping import Float
from torch import Tensor

from nutgraf.model.ops.low_rank_bias import LowRankBias
from nutgraf.presets.family import Family, Member
from nutgraf.steering.marks import Marks, Span, Window

Place = Literal["encoder", "cross", "prompt"]
"""Where a model attends to its input: the self-attention of an encoder, the cross-attention of a decoder, or the
self-attention of a model that has no encoder, whose input is its prompt."""

ShareOf = Callable[[Float[Tensor, "batch 1 keys 1"]], Float[Tensor, "batch heads rows 1"]]
"""Gives the share of each row's attention, in each head, that falls on the keys where its argument is 1."""


@dataclass(frozen=True)
class Where:
    """Where a form acts."""

    places: tuple[Place, ...] | None = None
    """Attention that is steered: "encoder", "cross" or "prompt"; absent: all that model and form have in common."""

    highlighted_layers: tuple[int, ...] | None = None
    """Layers that are steered, counted from 0 in each place, or from −1 back; absent: all."""

    highlighted_heads: tuple[int, ...] | None = None
    """Heads that are steered, counted from 0, or from −1 back; absent: all."""


class Form(Member, ABC):
    """A way in which marks become a bias on the scores; made with its `Config`, which is a `Where`."""

    config: Where

    places: ClassVar[tuple[Place, ...]] = ("encoder", "cross", "prompt")
    """Where the form can act."""

    depends_on_attention: ClassVar[bool] = False
    """The bias is another one in each layer, since it depends on what attention would be without it."""

    @abstractmethod
    def bias(self, marks: Marks, window: Window, share_of: ShareOf) -> LowRankBias | None:
        """Return the bias for a window of attention; None: this window is left as it is.

        Args:
            marks: What is marked.
            window: Rows and keys, in positions of the input; rows of cross-attention have no positions there.
            share_of: Measures attention as it is without the bias.
        """


forms: Family[Form] = Family(
    __name__,
    Form,
    shared=("attention", "contrast", "effect", "learned", "marking", "marks", "reach", "steered"),
    noun="form of steering",
)

__all__ = ["Form", "Marks", "Place", "ShareOf", "Span", "Where", "Window", "forms"]
