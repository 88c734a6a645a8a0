"""The loop: readable from top to bottom, on Hugging Face's accelerate for devices and processes.

A step is one change of the weights. It takes `accumulate` batches in each process; the loss is divided by the number of
wanted words in all of them, and so are the gradients. What is random in a step follows from the seed, the step's number
and the process, so a training that was stopped and taken up again goes on exactly as if it had not been.

A training may have a second phase. Modules of the network that wait for it, and objectives, have a method
`enter(phase)`: they are told 1 at the start and 2 when it begins, or 2 at once where there is but one phase.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nutgraf.checkpoint import WEIGHTS, put_weights, write_tensors
from nutgraf.errors import InputError, TrainingError
from nutgraf.model.records import Batch
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.training.batches import Batches, Examples, Indices, loaded, share, size, wanted
from nutgraf.training.clock import Clock
from nutgraf.training.config import Config
from nutgraf.training.interrupt import interruptible
from nutgraf.training.keeping import ADVICE, FIRST, Keeper, Position, average, card_of
from nutgraf.training.machine import Machine
from nutgraf.training.memory import keep_freed_memory
from nutgraf.training.objectives import objectives
from nutgraf.training.optimizers import optimizers
from nutgraf.training.pull import Pull
from nutgraf.training.reports import Listener, Log, Notice, Report, Validation
from nutgraf.training.sampling import sampled
from nutgraf.training.schedules import schedules

Judge = Callable[[Seq2Seq], Mapping[str, float]]
"""Scores a network at each validation, by other means than its loss."""


class Trainer:
    """Trains one network into one folder; `run` does it."""

    def __init__(
        self,
        config: Config,
        network: Seq2Seq,
        training: Examples,
        validation: Examples | None,
        folder: Path,
        seed: int = 0,
        listeners: Iterable[Listener] = (),
        judge: Judge | None = None,
    ) -> None:
        """Raises TrainingError for a device that is not there, InputError for a set that is empty, PresetError for an
        objective that the network has nothing for."""
        self.config, self.seed, self.judge = config, seed, judge
        self.training, self.validation = training, validation
        self.listeners = list(listeners)
        self.machine = Machine(config)
        self.network = network.to(self.machine.device)
        self.objectives = [objectives.build(one) for one in config.objectives.values()]
        self.schedule = schedules.build(config.schedule, network.config.d_model)
        self.optimizer_factory = optimizers.build(config.optimizer)
        self.optimizer = self.optimizer_factory.create(list(network.parameters()))
        if not len(training):
            raise InputError("The training set is empty.")
        self.batches = Batches(*training.lengths, batch_size=config.batch_size, batch_type=config.batch_type, seed=seed)
        self.checks = self._checks()
        self.keeper = Keeper(folder)
        self.position = Position(precision=self.machine.precision)
        self.stopped = 0
        self.pull: Pull | None = None
        self.log: Log | None = None
        """The listener whose length a checkpoint keeps."""
        self.chosen: dict[str, Any] = {}
        """Which weights are the folder's."""
        self.scores: dict[str, float] = {}
        """And what they scored."""
        self.describe: Callable[[], None] = lambda: None
        """Called when other weights became the folder's."""
        self._rehearse()

    def resume(self) -> None:
        """Take up the last checkpoint, and bring what follows from it into line. Raises InputError."""
        if self.machine.main:
            self.keeper.settle()
        at = self.position = self.keeper.restore(self.network, self.optimizer)
        if at.precision != self.machine.precision:
            raise InputError(
                f"{self.keeper.folder} was trained in {at.precision}, and goes on only so: --set "
                f"training.precision={at.precision}."
            )
        if at.best_step:
            self.chosen, self.scores = {"from": "best", "step": at.best_step}, at.scores
        if self.machine.main:
            self.keeper.choose_best(at)
            self._remember()

    def run(self) -> Position:
        """Train until the end, or until somebody stops it. Raises TrainingError, OutputError."""
        at = self.position
        if self.machine.device.type == "cpu":
            keep_freed_memory()
        self.network.train()
        self._clock, self._threads = Clock(at, self.config), str(self.machine.threads)
        self._saved, self._saved_at, self._age = at.step, time.monotonic(), -1
        self.report(Notice(at.step, self._prospect()))
        self._enter()
        with interruptible(self._stop):
            self._turn()
            while not self._over:
                self._epoch()
        self._end()
        return at

    def _epoch(self) -> None:
        """What is left of one pass over the data."""
        at = self.position
        batches = self.batches.epoch(at.epoch)
        self._clock.steps_an_epoch = len(batches) / self._batches_a_step
        steps = share(
            batches, at.batch, self.config.gradient_accumulation_steps, self.machine.process, self.machine.processes
        )
        for group in loaded(self.training, steps):
            self._grow_older()
            self._step(group)
            at.batch += self._batches_a_step
            if at.batch >= len(batches):
                at.epoch, at.batch = at.epoch + 1, 0
            at.epochs = at.epoch + at.batch / len(batches)
            self._after_step()
            self._turn()
            if self._over:
                return

    @property
    def phase(self) -> int:
        """1 as long as something waits for the second, 2 then and where nothing ever waits."""
        return 1 if self.config.second_phase_steps and self.position.second is None else 2

    def _enter(self) -> None:
        """Tell what waits for the second phase which one it is."""
        for one in (*self.network.modules(), *self.objectives):
            if hasattr(one, "enter"):
                one.enter(self.phase)

    def _turn(self) -> None:
        """Begin the second phase where the first is over. What the first came to is measured and kept beforehand, so
        that both can be compared."""
        at, why = self.position, self._phase_over
        if self.phase == 2 or not why or self.stopped:
            return
        if self.config.validate_every and at.validated != at.step:
            self._validate()
        elif self._saved != at.step:
            self._save()
        if self.machine.main:
            self.keeper.end_first("best" if at.best_step else "last")
        self.machine.wait()
        at.second, at.best, at.worse = at.step, None, 0
        self._enter()
        said = f"The second phase begins, {self.config.second_phase_steps:,} steps: {why}. "
        self.report(Notice(at.step, f"{said}Its best weights are chosen anew; those of the first stay in {FIRST}."))

    def _grow_older(self) -> None:
        """Tell what changes from epoch to epoch which one it is."""
        span = self.config.steps_per_epoch
        age = self.position.step // span if span else self.position.epoch
        if age != self._age:
            self._age = age
            for module in self.network.modules():
                if hasattr(module, "advance"):
                    module.advance(age)  # type: ignore[operator]

    def _step(self, group: list[Batch]) -> None:
        """Forward, backward and update over the batches of this process."""
        at = self.position
        draw_anew(self.seed, at.step, self.machine.process)
        words, tokens = self.machine.sum(sum(wanted(batch) for batch in group), sum(size(batch) for batch in group))
        with self.machine.threads.measure(tokens):
            mean = self._update(group, words)
        at.step += 1
        at.tokens += tokens
        self._clock.add(at, mean * words, words, tokens)

    def _update(self, group: list[Batch], words: int) -> float:
        """Change the weights once; the loss of a word."""
        at = self.position
        loss = torch.zeros((), device=self.machine.device)
        for batch in group:
            part = self._loss(batch.to(self.machine.device)) / words
            part.backward()  # type: ignore[no-untyped-call]
            loss += part.detach()
        self.machine.share_gradients(self.network)
        if self.pull is not None:
            self.pull()
        if self.config.max_grad_norm is not None:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.config.max_grad_norm, foreach=True)
        mean = self.machine.total(loss)
        if not math.isfinite(mean):
            self._give_up(group)
        for settings in self.optimizer.param_groups:
            settings["lr"] = self.schedule(at.step + 1)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return mean

    def _loss(self, batch: Batch) -> Tensor:
        """Of all objectives, summed over the wanted words of a batch."""
        with self.machine.autocast():
            if self.config.scheduled_sampling:
                batch = sampled(self.network, batch, self.config.scheduled_sampling)
            trace = self.network(batch)
        return torch.stack([objective(trace, batch) for objective in self.objectives]).sum()

    @torch.no_grad()
    def _rehearse(self) -> None:
        """One example through the network and all objectives, so that what one of them lacks is said before anything
        is written, and not when the second phase begins: before it is told of phases everything acts."""
        self._loss(self.training.batch([0]).to(self.machine.device))

    def _after_step(self) -> None:
        """Report, validate and save, each when it is time."""
        config, at = self.config, self.position
        waited = (time.monotonic() - self._saved_at) / 60
        overdue = bool(config.checkpoint_minutes) and waited >= config.checkpoint_minutes
        milliseconds, self.stopped, late = self.machine.sum(self._clock.seconds * 1000, self.stopped, overdue)
        at.seconds = milliseconds / 1000 / self.machine.processes
        if at.step % config.log_every == 0:
            self.report(self._clock.report(at, self.schedule(at.step), self._told))
            self._tell_threads()
            if at.step == self._clock.first + config.log_every:
                self.report(Notice(at.step, self._clock.prospect(at, self.machine.device)))
        if config.validate_every and at.step % config.validate_every == 0:
            self._validate()
        elif late or at.step % config.checkpoint_every == 0:
            self._save()

    def _tell_threads(self) -> None:
        """Report the number of threads where it has changed."""
        if str(self.machine.threads) != self._threads:
            self._threads = str(self.machine.threads)
            self.report(Notice(self.position.step, f"Computing with {self._threads}, the quickest at present."))

    def _validate(self) -> None:
        """Measure, remember whether it is the best so far, save. It is reported before that: what a checkpoint knows
        stands in the log."""
        at = self.position
        loss = self.validation_loss()
        scores = self._judged()
        best = at.best is None or loss < at.best
        at.best, at.best_step, at.worse = (loss, at.step, 0) if best else (at.best, at.best_step, at.worse + 1)
        at.validated = at.step
        if best:
            at.scores = _scores(loss, scores)
        self.report(Validation(at.step, at.epochs, loss, best, at.seconds, scores, self._told))
        self._save()

    @torch.no_grad()
    def validation_loss(self) -> float:
        """The negative log-likelihood of a wanted word of the validation set, without smoothing."""
        assert self.validation is not None
        self.network.eval()
        total, words = torch.zeros((), device=self.machine.device, dtype=torch.double), 0
        for (batch,) in loaded(
            self.validation, ([indices] for indices in self.checks[self.machine.process :: self.machine.processes])
        ):
            words += wanted(batch)
            batch = batch.to(self.machine.device)
            with self.machine.autocast():
                log_probs = self.network(batch).target_log_probs
            total -= log_probs.masked_fill(batch.labels_mask, 0.0).double().sum()
        self.network.train()
        loss = self.machine.total(total) / self.machine.sum(words)[0]
        if not math.isfinite(loss):
            raise TrainingError(f"After step {self.position.step} the validation loss is not a number. {ADVICE}")
        return loss

    def _judged(self) -> dict[str, float]:
        scores: dict[str, float] = {}
        if self.judge is not None and self.machine.main:
            self.network.eval()
            with torch.no_grad(), self.machine.autocast():
                scores = dict(self.judge(self.network))
            self.network.train()
        self.machine.wait()
        return scores

    def _save(self) -> None:
        """One process writes, the others wait until it is there."""
        at = self.position
        best = at.best_step == at.step
        if best:
            self.chosen, self.scores = at.chosen
        if self.machine.main:
            at.logged = self.log.keep() if self.log else 0
            self.keeper.save(self.network, self.optimizer, at)
            if best:
                self.keeper.last_is_best()
                self.describe()
            self._remember()
        self._saved, self._saved_at = at.step, time.monotonic()
        self.machine.wait()

    def _remember(self) -> None:
        """Keep the weights of a validation for the mean, where one is made."""
        if self.config.average_checkpoints and self.position.validated == self.position.step:
            self.keeper.remember(self.position.step, self.config.average_checkpoints)

    @property
    def _over(self) -> bool:
        """Whether it ends here; the same in all processes."""
        return bool(self.reason)

    @property
    def reason(self) -> str:
        """Why it ends; "" as long as it does not."""
        if self.stopped:
            return "stopped"
        return self._phase_over if self.phase == 2 else ""

    @property
    def _told(self) -> int | None:
        """The phase, where there are two."""
        return self.phase if self.config.second_phase_steps else None

    @property
    def _phase_over(self) -> str:
        """Why this phase ends; "" as long as it does not."""
        config, at = self.config, self.position
        if at.second is not None and config.second_phase_steps:
            done = at.step >= at.second + config.second_phase_steps
            return f"{config.second_phase_steps} steps of the second phase are done" if done else ""
        if config.max_steps is not None and at.step >= config.max_steps - config.second_phase_steps:
            return f"{config.max_steps - config.second_phase_steps} steps are done"
        if config.max_epochs is not None and at.epochs >= config.max_epochs:
            return f"{config.max_epochs:g} epochs are done"
        if config.max_hours is not None and at.seconds >= config.max_hours * 3600:
            return f"{config.max_hours:g} hours have passed"
        if config.patience and at.worse >= config.patience:
            return f"{at.worse} validations in a row brought no gain"
        return ""

    def _end(self) -> None:
        """Leave the folder whole: a last validation, unless somebody is waiting for it to stop."""
        at = self.position
        if self.config.validate_every and not self.stopped and at.validated != at.step:
            self._validate()
        elif self._saved != at.step:
            self._save()
        if self.config.average_checkpoints and not self.stopped:
            self._average()
        if not self.config.validate_every or not at.best_step:
            self.chosen, self.scores = at.chosen
            if self.machine.main:
                self.keeper.choose(self.keeper.places / "last" / WEIGHTS)
        self.machine.wait()

    def _average(self) -> None:
        """Take the mean of the last validations' weights for the folder's, if it is better than the best of them."""
        at = self.position
        paths = self.keeper.recent(at.step, at.second or 0)
        if len(paths) < 2:
            return
        mean = average(paths)
        put_weights(self.network, mean, "the mean")
        loss = self.validation_loss()
        best = at.best is None or loss < at.best
        if best:
            scores = self._judged()
            self.chosen = {"from": "mean", "step": at.step, "of": [int(path.stem) for path in paths]}
            self.scores = _scores(loss, scores)
            self.report(Validation(at.step, at.epochs, loss, True, at.seconds, scores, self._told))
            if self.machine.main:
                write_tensors(self.keeper.folder / WEIGHTS, mean, card_of(self.chosen, self.scores))
                self.describe()
        told = (
            "they are the folder's now" if best else f"the best of them alone has {at.best:.4f} and stays the folder's"
        )
        self.report(Notice(at.step, f"The mean of the last {len(paths)} weights has a loss of {loss:.4f}; {told}."))

    def _checks(self) -> list[Indices]:
        """The batches of the validation set, or of the part of it that is measured."""
        if not self.config.validate_every:
            return []
        if self.validation is None or not len(self.validation):
            raise InputError(
                "The validation set is empty. Prepare the corpus with one, or say --set training.validate_every=0: "
                "then the last weights are taken instead of the best."
            )
        there = len(self.validation)
        count = min(there, self.config.validation_examples or there)
        chosen = np.arange(count) * there // count
        source, target = self.validation.lengths
        ordered = Batches(source[chosen], target[chosen], self.config.batch_size, self.config.batch_type).in_order()
        return [chosen[indices] for indices in ordered]

    def _prospect(self) -> str:
        """What the training takes, as far as that is known before it begins."""
        count = sum(parameter.numel() for parameter in self.network.parameters())
        batches = len(self.batches.epoch(self.position.epoch))
        steps = math.ceil(batches / self._batches_a_step)
        kept = 4 * count * (2 + len(self.optimizer_factory.state_names)) / 1e6
        return (
            f"{count:,} parameters: {kept:,.0f} MB for weights, gradients and what the optimizer remembers, besides "
            f"what a batch needs. Examples: {len(self.training):,} to learn from, {sum(map(len, self.checks)):,} to "
            f"validate with. Batches an epoch: {batches:,}; steps an epoch: {steps:,}. {self._ends()} "
            f"On {self.machine}."
        )

    def _ends(self) -> str:
        """What ends the training, whichever comes first."""
        config = self.config
        ends = [
            f"{config.max_steps:,} steps" if config.max_steps is not None else "",
            f"{config.max_epochs:g} epochs" if config.max_epochs is not None else "",
            f"{config.max_hours:g} hours" if config.max_hours is not None else "",
            f"{config.patience} validations without gain" if config.patience and config.validate_every else "",
        ]
        return f"It ends after {' or '.join(filter(None, ends)) or 'Ctrl-C'}."

    @property
    def _batches_a_step(self) -> int:
        return self.config.gradient_accumulation_steps * self.machine.processes

    def report(self, report: Report) -> None:
        """Tell all who listen."""
        if self.machine.main:
            for listener in self.listeners:
                listener(report)

    def _stop(self) -> None:
        self.stopped = 1

    def _give_up(self, group: list[Batch]) -> None:
        """Keep the batches and say what may help. The weights are still those of before the step."""
        step = self.position.step + 1
        path = self.keeper.keep_failed(group, step, self.machine.process)
        raise TrainingError(f"The loss of step {step} is not a number; its batches are in {path}. {ADVICE}")


def _scores(loss: float, others: Mapping[str, float]) -> dict[str, float]:
    """Of a validation, as a card says them."""
    return {"loss": loss, "perplexity": float(np.exp(loss)), **others}


def draw_anew(*numbers: int) -> None:
    """What is drawn at random from now on, by torch, numpy and Python, follows from these numbers."""
    seed = int(np.random.SeedSequence(numbers).generate_state(1)[0])
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
