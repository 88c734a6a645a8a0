"""The loop: epochs, steps and validations, to be read from top to bottom.

A step is one update of the weights. It takes `gradient_accumulation_steps` batches in each process. What is random in a
step follows from the seed, the step's number and the process, so a training that is resumed goes on as if it had not
been stopped: to the last bit with a fixed number of threads, which decides the order of sums.
"""

from __future__ import annotations

import torch

from nutgraf.errors import InputError
from nutgraf.model.records import Batch
from nutgraf.training.batches import Batches, Examples, loaded, share, size, wanted
from nutgraf.training.callbacks import Callbacks
from nutgraf.training.clock import Clock
from nutgraf.training.config import Config
from nutgraf.training.events import Notice, TrainingState, Validation, enter_epoch, enter_phase
from nutgraf.training.interrupt import interruptible
from nutgraf.training.limits import in_second_phase, limit_reached, phase, reported_phase, scheduled_step
from nutgraf.training.memory import keep_freed_memory
from nutgraf.training.random_state import drawing
from nutgraf.training.store import FIRST
from nutgraf.training.update import Update
from nutgraf.training.validation import Validator, is_best, scored


class Loop:
    """Trains a network; `run` does it."""

    def __init__(
        self, config: Config, update: Update, examples: Examples, validator: Validator, callbacks: Callbacks, seed: int
    ) -> None:
        """Divide the examples into batches, and try every objective on one of them.

        Raises:
            InputError: If the training set is empty.
            PresetError: If the network has nothing for an objective; it is said now, not when a later phase begins.
        """
        if not len(examples):
            raise InputError("The training set is empty.")
        self.config, self.update, self.examples, self.seed = config, update, examples, seed
        self.network, self.machine, self.store = update.network, update.machine, update.store
        self.validator, self.callbacks = validator, callbacks
        self.state, self.stopped = TrainingState(precision=self.machine.precision), 0
        batch_size, batch_type = config.batch_size, config.batch_type
        self.batches = Batches(*examples.lengths, batch_size=batch_size, batch_type=batch_type, seed=seed)
        self.batches_per_step = config.gradient_accumulation_steps * self.machine.processes
        with torch.no_grad(), drawing(self.machine.device, seed):
            update.loss(examples.batch([0]).to(self.machine.device))

    def resume(self) -> None:
        """Go on from the last checkpoint, and bring the rest of the folder into line with it. Raises InputError."""
        if self.machine.main:
            self.store.settle()
        self.state = self.store.restore(self.network, self.update.optimizer, self.update.average)
        self.update.follow(self.state.losses)
        if self.state.precision != self.machine.precision:
            raise InputError(
                f"{self.store.folder} was trained in {self.state.precision}, and goes on only so: --set "
                f"training.precision={self.state.precision}."
            )
        batches = len(self.batches.epoch(self.state.epoch))
        if self.state.batch >= batches:
            raise InputError(
                f"{self.store.folder} is at batch {self.state.batch:,} of an epoch, and the data have {batches:,}."
            )
        for one in self.callbacks.members:
            one.resume(self.state)

    def run(self) -> TrainingState:
        """Train until the end, or until `stop`. Raises TrainingError, OutputError."""
        if self.machine.device.type == "cpu":
            keep_freed_memory()
        self.network.train()
        self.clock = Clock(self.state, self.config, self.machine)
        self._saved, self._announced_epoch = self.state.step, -1
        for one in self.callbacks.members:
            one.begin(self.state)
        enter_phase((*self.network.modules(), *self.update.objectives), phase(self.config, self.state))
        with interruptible(self.stop):
            self._end_phase()
            while not self.reason:
                self._epoch()
        self._measure_and_save(measure=not self.stopped)
        for one in self.callbacks.members:
            one.end(self.state, self.reason)
        return self.state

    def stop(self) -> None:
        """Stop after the step that is being made; its checkpoint is written."""
        self.stopped = 1

    @property
    def reason(self) -> str:
        """Why training ends; "" as long as it goes on. The same in all processes."""
        if self.stopped:
            return "stopped"
        return self._phase_reason() if phase(self.config, self.state) == 2 else ""

    def _phase_reason(self) -> str:
        reached = limit_reached(self.config, self.state)
        return reached if reached or in_second_phase(self.config, self.state) else self.callbacks.reason(self.state)

    def _epoch(self) -> None:
        """Make the steps that are left of one pass over the data."""
        state, config, machine = self.state, self.config, self.machine
        batches = self.batches.epoch(state.epoch)
        self.clock.steps_an_epoch = -(-len(batches) // self.batches_per_step)
        groups = share(batches, state.batch, config.gradient_accumulation_steps, machine.process, machine.processes)
        for group in loaded(self.examples, groups, machine.loaders_of(len(batches))):
            self._tell_epoch()
            self._step(group)
            state.batch += self.batches_per_step
            if state.batch >= len(batches):
                state.epoch, state.batch = state.epoch + 1, 0
            state.epochs = state.epoch + state.batch / len(batches)
            self._after_step()
            self._end_phase()
            if self.reason:
                return

    def _tell_epoch(self) -> None:
        span = self.config.steps_per_epoch
        epoch = self.state.step // span if span else self.state.epoch
        if epoch != self._announced_epoch:
            self._announced_epoch = epoch
            enter_epoch(self.network, epoch)

    def _step(self, group: list[Batch]) -> None:
        """Forward, backward and update over the batches of this process."""
        state, machine = self.state, self.machine
        words, tokens = machine.sum(sum(map(wanted, group)), sum(map(size, group)))
        with machine.threads.measure(tokens), drawing(machine.device, self.seed, state.step, machine.process):
            loss = self.update(group, words, state.step + 1, scheduled_step(self.config, state))
        state.step += 1
        state.tokens += tokens
        state.loss_sum, state.loss_tokens = state.loss_sum + loss * words, state.loss_tokens + words
        self.clock.add(tokens)

    def _after_step(self) -> None:
        """Report, validate and save, each when it is time."""
        config, state = self.config, self.state
        milliseconds, self.stopped, late = self.machine.sum(
            self.clock.seconds * 1000, self.stopped, self.clock.is_checkpoint_due
        )
        state.seconds = milliseconds / 1000 / self.machine.processes
        for report in self.clock.reports(state, self.update.learning_rate):
            self.callbacks.report(report)
        if config.validate_every and state.step % config.validate_every == 0:
            self._validate()
        elif late or state.step % config.checkpoint_every == 0:
            self._save()

    def _validate(self) -> None:
        """Measure, report and save, in this order: what a checkpoint knows stands in the log."""
        config, state = self.config, self.state
        loss, scores = self.validator.loss(state.step), self.validator.scores()
        best = is_best(state, loss, scores, config.metric_for_best_model)
        if best:
            state.best_loss, state.best_step, state.scores = loss, state.step, scored(loss, scores)
        state.bad_validations = 0 if best else state.bad_validations + 1
        state.validated_step, state.losses[state.step] = state.step, loss
        self.update.follow(state.losses)
        phase_now = reported_phase(config, state)
        self.callbacks.report(Validation(state.step, state.epochs, loss, best, state.seconds, scores, phase_now))
        self._save()

    def _save(self) -> None:
        """Have the main process write a checkpoint while the others wait."""
        self.callbacks.save(self.state)
        self._saved = self.state.step
        self.clock.saved()
        self.machine.wait()

    def _measure_and_save(self, measure: bool = True) -> None:
        """Validate or else save, unless that was done after this step already."""
        if self.config.validate_every and measure and self.state.validated_step != self.state.step:
            self._validate()
        elif self._saved != self.state.step:
            self._save()

    def _end_phase(self) -> None:
        """Begin the second phase if the first is over, whose last weights are measured and saved beforehand."""
        state = self.state
        why = "" if phase(self.config, state) == 2 or self.stopped else self._phase_reason()
        if not why:
            return
        self._measure_and_save()
        for one in self.callbacks.members:
            one.phase_over(state)
        state.second_phase_from, state.best_loss, state.bad_validations = state.step, None, 0
        enter_phase((*self.network.modules(), *self.update.objectives), 2)
        message = f"The second phase begins, {self.config.second_phase_steps:,} steps: {why}. "
        kept = f"Its best weights are chosen anew; those of the first stay in {FIRST}."
        self.callbacks.report(Notice(state.step, message + kept))
