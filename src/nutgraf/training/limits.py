"""Limits and phases of a training."""

from __future__ import annotations

from nutgraf.training.config import Config
from nutgraf.training.events import TrainingState


def phase(config: Config, state: TrainingState) -> int:
    """Return 1 while something waits for the second phase; 2 then, and in a training of one phase."""
    return 1 if config.second_phase_steps and state.second_phase_from is None else 2


def phase_told(config: Config, state: TrainingState) -> int | None:
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


def in_second_phase(config: Config, state: TrainingState) -> bool:
    """Return True if the second phase of two has begun: then nothing but its last step ends it."""
    return bool(config.second_phase_steps) and state.second_phase_from is not None


def prospect(config: Config) -> str:
    """Return what ends the training, whichever comes first."""
    ends = [
        f"{config.max_steps:,} steps" if config.max_steps is not None else "",
        f"{config.max_epochs:g} epochs" if config.max_epochs is not None else "",
        f"{config.max_hours:g} hours" if config.max_hours is not None else "",
        f"{config.patience} validations without gain" if config.patience and config.validate_every else "",
    ]
    return f"It ends after {' or '.join(filter(None, ends)) or 'Ctrl-C'}."
