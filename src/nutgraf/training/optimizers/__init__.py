"""Optimizers. One file, one optimizer; the schedule sets the learning rate of each step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from nutgraf.presets.family import Family, Member

if TYPE_CHECKING:
    from torch import nn
    from torch.optim import Optimizer


class OptimizerFactory(Member, ABC):
    """Makes a torch optimizer; it is itself made with its `Config`."""

    @property
    @abstractmethod
    def state_names(self) -> tuple[str, ...]:
        """Names of the tensors that torch's optimizer keeps for each parameter, without `step`.

        `init_optimizer` looks for them, and the memory that a training takes is estimated from their number.
        """

    @abstractmethod
    def create(self, parameters: Sequence[nn.Parameter]) -> Optimizer:
        """Return an optimizer of parameters, which are on their device already."""


def set_apart(optimizer: Optimizer, parameters: Collection[nn.Parameter]) -> None:
    """Make some of an optimizer's parameters its second group, so that they may have a learning rate of their own.

    The groups learn as two optimizers with the same options would: no parameter's step depends on another's gradient.
    """
    (whole,) = optimizer.param_groups
    chosen = set(map(id, parameters))
    apart = [one for one in whole["params"] if id(one) in chosen]
    whole["params"] = [one for one in whole["params"] if id(one) not in chosen]
    optimizer.add_param_group({**whole, "params": apart})


optimizers: Family[OptimizerFactory] = Family(__name__, OptimizerFactory, noun="optimizer")
