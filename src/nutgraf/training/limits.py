"""Limits and phases of a training."""

from __future__ import annotations

import math

from nutgraf.training.config import Config
from nutgraf.training.events import TrainingState


def phase(config: Config, state: TrainingState) -> int:
    """Return 1 while something waits for the second phase; 2 then, and in a training of one phase."""
    return 1 if config.second_phase_steps and state.second_phase_from is None else 2


def reported_phase(config: Config, state: TrainingState) -> int | None:
    """Return the phase for reports; None in a training of one phase."""
    return phase(config, state) if config.second_phase_steps else None


def limit_reached(config: Config, state: TrainingState) -> str:
    """Return the limit that this phase has reached, in words; "" if none."""
    if state.second_phase_from is not None and config.second_phase_steps:
        done = state.step >= state.second_phase_from + config.second_phase_steps
        return f"{config.second_phase_steps} steps of the second phase are done" if done else ""
    if config.max_steps is not None and state.step >= config.max_steps - config.second_phase_steps:
        return f"{config.max_steps - config.second_phase_steps} steps are done"
    if config.max_epochs is not None and state.epochs >= config.max_epochs:
        return f"{config.max_epochs:g} epochs are done"
    if config.max_hours is not None and state.seconds >= config.max_hours * 3600:
        return f"{config.max_hours:g} hours have passed"
    return ""


def scheduled_step(config: Config, state: TrainingState) -> int:
    """Return the step at which schedules are evaluated for the next update; see `Config.schedule_by_time`."""
    step = state.step + 1
    if not config.schedule_by_time or config.max_hours is None or config.max_steps is None:
        return step
    passed = min(1.0, state.seconds / (3600 * config.max_hours))
    return max(step, round(passed * config.max_steps))


def in_second_phase(config: Config, state: TrainingState) -> bool:
    """Return True if the second phase of two has begun: then nothing but its last step ends it."""
    return bool(config.second_phase_steps) and state.second_phase_from is not None


def describe_epoch(batches: int, batches_per_step: int) -> str:
    """Return what an epoch is made of."""
    epoch = f"An epoch is {_counted(batches, 'batch')}"
    if batches_per_step == 1:
        return f"{epoch}, one a step."
    return f"{epoch}, taken in {_counted(math.ceil(batches / batches_per_step), 'step')} of up to {batches_per_step:,}."


def epochs_in(steps: int, batches: int, batches_per_step: int) -> float:
    """Return how many epochs some steps are: the last step of each has what batches are left.

    >>> round(epochs_in(17, 7, 2), 2)  # four epochs of four steps, and two of seven batches
    4.29
    """
    whole, rest = divmod(steps, math.ceil(batches / batches_per_step))
    return whole + rest * batches_per_step / batches


def steps_in(epochs: float, batches: int, batches_per_step: int) -> int:
    """Return after how many steps some epochs are done.

    >>> steps_in(3, 7, 2), steps_in(0.5, 7, 2)
    (12, 2)
    """
    whole, rest = divmod(epochs, 1)
    return int(whole) * math.ceil(batches / batches_per_step) + math.ceil(rest * batches / batches_per_step)


def prospect(config: Config, batches: int, batches_per_step: int) -> str:
    """Return what ends the training, whichever comes first, in steps and in epochs."""
    ends = []
    if config.max_steps is not None:
        epochs = epochs_in(config.max_steps, batches, batches_per_step)
        ends.append(f"{_counted(config.max_steps, 'step')} ({epochs:.3g} epochs)")
    if config.max_epochs is not None:
        steps = steps_in(config.max_epochs, batches, batches_per_step)
        ends.append(f"{config.max_epochs:g} epochs ({_counted(steps, 'step')})")
    if config.max_hours is not None:
        ends.append(f"{config.max_hours:g} hours")
    if config.patience and config.validate_every:
        ends.append(f"{config.patience} validations without gain")
    return f"It ends after {' or '.join(ends) or 'Ctrl-C'}."


def _counted(count: int, noun: str) -> str:
    """Return "1 step", "2 batches"."""
    return f"{count:,} {noun}{'' if count == 1 else 'es' if noun.endswith('ch') else 's'}"
