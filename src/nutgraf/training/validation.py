"""Measures a network on the validation set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext

import numpy as np
import torch

from nutgraf.errors import InputError, PresetError, TrainingError
from nutgraf.model.network import Network, evaluating
from nutgraf.model.records import Batch
from nutgraf.training.batches import Batches, Examples, Indices, loaded, wanted
from nutgraf.training.config import Config
from nutgraf.training.ema import WeightAverage
from nutgraf.training.events import TrainingState
from nutgraf.training.machine import Machine
from nutgraf.training.store import ADVICE


class Validator:
    """Validation loss and scores of a network; every process measures its share of the batches."""

    def __init__(
        self,
        config: Config,
        network: Network,
        examples: Examples | None,
        machine: Machine,
        scores: Callable[[Network], Mapping[str, float]],
        average: WeightAverage | None = None,
    ) -> None:
        """Choose the examples that are measured, and divide them into batches.

        An average of the network's weights is measured in their place. Raises InputError if the set is empty, and
        validation is not switched off.
        """
        self.network, self.machine, self.average = network, machine, average
        self._scores, self._examples = scores, examples
        self.batches = _batches(config, examples) if config.validate_every else []

    @torch.no_grad()
    def loss(self, step: int) -> float:
        """Return the mean negative log-likelihood of a target token, without label smoothing.

        Raises TrainingError if it is not a number.
        """
        assert self._examples is not None
        machine, words = self.machine, 0
        total = torch.zeros((), device=machine.device, dtype=torch.double)
        with self._evaluating():
            ours = ([indices] for indices in self.batches[machine.process :: machine.processes])
            for (batch,) in loaded(self._examples, ours):
                words += wanted(batch)
                batch = batch.to(machine.device)
                with machine.autocast():
                    log_probs = self.network(batch).target_log_probs
                total -= log_probs.masked_fill(batch.labels_mask, 0.0).double().sum()
        loss = machine.total(total) / machine.sum(words)[0]
        if not math.isfinite(loss):
            raise TrainingError(f"After step {step} the validation loss is not a number. {ADVICE}")
        return loss

    def read(self) -> Iterator[Batch]:
        """Yield all batches of the validation set, on the device."""
        assert self._examples is not None
        for (batch,) in loaded(self._examples, ([indices] for indices in self.batches)):
            yield batch.to(self.machine.device)

    def scores(self) -> dict[str, float]:
        """Return other scores; {} outside the main process."""
        with self._evaluating(), torch.no_grad(), self.machine.autocast():
            scores = dict(self._scores(self.network))
        self.machine.wait()
        return scores

    @contextmanager
    def _evaluating(self) -> Iterator[None]:
        with self.average.in_use() if self.average is not None else nullcontext(), evaluating(self.network):
            yield


def scored(loss: float, others: Mapping[str, float]) -> dict[str, float]:
    """Return the scores of a validation, as a card says them."""
    return {"loss": loss, "perplexity": float(np.exp(loss)), **others}


def is_best(state: TrainingState, loss: float, others: Mapping[str, float], metric: str) -> bool:
    """Return True if a validation is the first of its phase, or better than all before it.

    Raises PresetError if validation reports no such score.
    """
    scores = scored(loss, others)
    if metric not in scores:
        raise PresetError(
            f"training.metric_for_best_model = {metric!r} is no score of this training's validations. They report "
            f"{', '.join(scores)}; training.rouge_examples = 100 adds those of summaries."
        )
    if state.best_loss is None:
        return True
    return loss < state.best_loss if metric == "loss" else scores[metric] > state.scores[metric]


def _batches(config: Config, examples: Examples | None) -> list[Indices]:
    """Return the batches of the validation set, or of the part of it that is measured."""
    if examples is None or not len(examples):
        raise InputError(
            "The validation set is empty. Prepare the corpus with one, or say --set training.validate_every=0: "
            "then the last weights are taken instead of the best."
        )
    count = min(len(examples), config.validation_examples or len(examples))
    chosen = np.arange(count) * len(examples) // count
    source, target = examples.lengths
    ordered = Batches(source[chosen], target[chosen], config.batch_size, config.batch_type).in_order()
    return [chosen[indices] for indices in ordered]
