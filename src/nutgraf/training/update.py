"""One update of the weights: forward, backward, and the optimizer's step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.optim import Optimizer

from nutgraf.errors import TrainingError
from nutgraf.model.network import Network
from nutgraf.model.records import Batch
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.training.config import Config
from nutgraf.training.ema import WeightAverage
from nutgraf.training.l1_to_init import L1ToInit
from nutgraf.training.machine import Machine
from nutgraf.training.objectives import Objective
from nutgraf.training.sampling import sampled
from nutgraf.training.schedules import Schedule
from nutgraf.training.store import ADVICE, CheckpointStore


class Update:
    """Updates the weights of a network by the gradients of all objectives.

    The loss is divided by the number of target tokens in all batches of all processes, and so are the gradients.
    """

    def __init__(
        self,
        config: Config,
        network: Network,
        optimizer: Optimizer,
        schedules: Sequence[Schedule],
        objectives: Sequence[Objective],
        machine: Machine,
        store: CheckpointStore,
    ) -> None:
        self.config, self.network, self.optimizer = config, network, optimizer
        self.schedules, self.objectives, self.machine, self.store = schedules, objectives, machine, store
        self.penalty: L1ToInit | None = None
        self.average: WeightAverage | None = None

    def __call__(self, group: Sequence[Batch], words: int, step: int, scheduled: int) -> float:
        """Change the weights once by the batches of this process, and return the mean loss of a target token.

        Args:
            group: Batches of this process.
            words: Number of target tokens in the batches of all processes.
            step: Number of the step, from 1.
            scheduled: Step at which the schedules are evaluated.

        Raises:
            TrainingError: If that is not a number; the weights are unchanged then, and the batches are kept.
        """
        loss = torch.zeros((), device=self.machine.device)
        for batch in group:
            part = self.loss(batch.to(self.machine.device)) / words
            if part.requires_grad:  # strengths of steering alone learn nothing from a batch without phrases
                part.backward()
            loss += part.detach()
        self.machine.share_gradients(self.network)
        if self.penalty is not None:
            self.penalty()
        if self.config.max_grad_norm is not None:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.config.max_grad_norm, foreach=True)
        mean = self.machine.total(loss)
        if not math.isfinite(mean):
            path = self.store.keep_failed(group, step, self.machine.process)
            raise TrainingError(f"The loss of step {step} is not a number; its batches are in {path}. {ADVICE}")
        for settings, schedule in zip(self.optimizer.param_groups, self.schedules, strict=True):
            settings["lr"] = schedule(scheduled)
        self.optimizer.step()
        self.optimizer.zero_grad()
        if self.average is not None:
            self.average.update()
        return mean

    @property
    def learning_rate(self) -> float:
        """The learning rate of the last step; where the encoder has its own, that of all else."""
        return float(self.optimizer.param_groups[0]["lr"])

    def follow(self, losses: Mapping[int, float]) -> None:
        """Tell the schedules the losses of all validations so far, by step."""
        for schedule in self.schedules:
            schedule.follow(losses)

    def loss(self, batch: Batch) -> Tensor:
        """Return the sum of all objectives over the target tokens of a batch."""
        with self.machine.autocast():
            if self.config.scheduled_sampling and isinstance(self.network, Seq2Seq):
                batch = sampled(self.network, batch, self.config.scheduled_sampling)
            trace = self.network(batch)
        return torch.stack([objective(self.network, batch, trace) for objective in self.objectives]).sum()
