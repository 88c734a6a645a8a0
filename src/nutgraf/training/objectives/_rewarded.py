"""Common parts of the objectives that learn from rewards of summaries written in training."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from jaxtyping import Float, Int
from torch import Tensor

from nutgraf.errors import PresetError
from nutgraf.model.network import Network
from nutgraf.model.records import UNK, Batch, Trace
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.training.objectives import Objective, Reward


class Rewarded(Objective):
    """An objective that learns from the rewards of summaries that the network writes; its `Config` has `max_length`."""

    reward: Reward | None = None

    def judge_by(self, reward: Reward) -> None:
        """Take the reward of a summary."""
        self.reward = reward

    def __call__(self, network: Network, batch: Batch, trace: Trace) -> Float[Tensor, ""]:
        """Return the loss, summed over the examples. Raises PresetError if the network cannot write `max_length`."""
        name = type(self).__module__.rpartition(".")[2]
        if self.reward is None:
            raise ValueError(f"{name} has no reward; judge_by hands one in")
        return self.loss(writer(network, name, self.config.max_length), batch, self.reward)

    @abstractmethod
    def loss(self, network: Seq2Seq, batch: Batch, reward: Reward) -> Float[Tensor, ""]:
        """Return the loss, summed over the examples of the batch."""


def with_target(network: Seq2Seq, batch: Batch, extended: Int[Tensor, "batch target"]) -> Batch:
    """Return the batch with other targets, which are given over the extended vocabulary."""
    within = extended.masked_fill(extended >= network.head.vocab_proj.out_features, UNK)
    return replace(batch, target=within, target_extended=extended, target_positions=None)


def writer(network: Network, objective: str, max_length: int) -> Seq2Seq:
    """Return a network that can write summaries of a length. Raises PresetError for any other."""
    if not isinstance(network, Seq2Seq):
        raise PresetError(f"The objective {objective!r} learns from summaries, and this network writes none.")
    most = network.config.max_positions - 1
    if max_length > most:
        raise PresetError(
            f"training.objectives.{objective}.max_length = {max_length} is too much for a network of {most + 1} "
            f"positions: {most} would do."
        )
    return network
