"""Objectives: what training minimizes. One file, one objective."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from nutgraf.presets.family import Family, Member

if TYPE_CHECKING:
    from jaxtyping import Float
    from torch import Tensor

    from nutgraf.model.network import Network
    from nutgraf.model.records import Batch, Trace


Reward = Callable[[Sequence[int], Sequence[int]], float]
"""How good a summary is: a function of its tokens and of its reference's, both over the extended vocabulary."""


class Objective(Member, ABC):
    """A term of the loss; made with its `Config`, which has a `weight`.

    An objective that waits for the second phase of a training has a method `enter(phase)`, see `training/events.py`.
    """

    @abstractmethod
    def __call__(self, network: Network, batch: Batch, trace: Trace) -> Float[Tensor, ""]:
        """Return the loss, summed over the target tokens of the batch, or over its examples.

        The loop divides it by the number of target tokens in either case.

        Args:
            network: Network in training, for objectives that need more of it than the trace.
            batch: Sources and targets.
            trace: Output of the network for the batch.
        """

    def judge_by(self, reward: Reward) -> None:
        """Take the reward of a summary; only objectives that learn from rewards do anything with it."""


objectives: Family[Objective] = Family(__name__, Objective)
