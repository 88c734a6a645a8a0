"""What training minimizes. One file, one objective: a function of what the network said and what was wanted."""

from __future__ import annotations

from abc import ABC, abstractmethod

from jaxtyping import Float
from torch import Tensor

from nutgraf.model.records import Batch, Trace
from nutgraf.presets.family import Family


class Objective(ABC):
    """Made with its `Config`, which has a `weight`."""

    @abstractmethod
    def __call__(self, trace: Trace, batch: Batch) -> Float[Tensor, ""]:
        """The loss, summed over the wanted words of the batch; the trainer divides by their number."""


objectives: Family[Objective] = Family(__name__, Objective)
