"""Puts a training together: network, optimizer, objectives, callbacks and the loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nutgraf.model.network import Network
from nutgraf.training.batches import Examples
from nutgraf.training.callbacks import Callbacks, callbacks
from nutgraf.training.config import Config
from nutgraf.training.context import Context
from nutgraf.training.ema import WeightAverage
from nutgraf.training.events import Chosen, Listener, TrainingState
from nutgraf.training.limits import describe_epoch, prospect
from nutgraf.training.loop import Loop
from nutgraf.training.machine import Machine
from nutgraf.training.objectives import Reward, objectives
from nutgraf.training.optimizers import optimizers, set_apart
from nutgraf.training.schedules import schedules
from nutgraf.training.store import CheckpointStore
from nutgraf.training.update import Update
from nutgraf.training.validation import Validator

CORE = ("early_stopping", "checkpoints", "averaging", "prospect")
"""Callbacks of every training."""


def assemble(
    config: Config,
    network: Network,
    examples: Examples,
    validation: Examples | None,
    folder: Path,
    seed: int = 0,
    *,
    reward: Reward | None = None,
    names: Sequence[str] = CORE,
    listeners: Iterable[Listener] = (),
    **given: Any,
) -> Loop:
    """Return a loop with its callbacks.

    Args:
        config: Options of the training.
        network: Network to train.
        examples: The training set.
        validation: The validation set; None: there is none.
        folder: Model folder.
        seed: Decides everything random.
        reward: Judges summaries, for objectives that learn from them.
        names: Callbacks to make.
        listeners: Functions that are told of every report.
        given: Further fields of the callbacks' context.

    Raises:
        TrainingError: If a device is not there.
        InputError: If a set is empty.
        PresetError: If the network has nothing for an objective.
    """
    machine = Machine(config)
    machine.check(network)
    network = network.to(machine.device)
    factory = optimizers.build(config.optimizer)
    learning = [one for one in network.parameters() if one.requires_grad]
    optimizer = factory.create(learning)
    if config.encoder_schedule is not None:
        set_apart(optimizer, network.encoder_parameters)
    all_callbacks, store = Callbacks(machine.main, listeners), CheckpointStore(folder)
    average = WeightAverage(config.ema_decay, network) if config.ema_decay else None
    validator = Validator(config, network, validation, machine, all_callbacks.scores, average)
    made = [objectives.build(one) for one in config.objectives.values()]
    if reward is not None:
        for one in made:
            one.judge_by(reward)
    chosen = filter(None, (config.schedule, config.encoder_schedule))  # of each group of the optimizer
    paces = [schedules.build(one, network.config.d_model) for one in chosen]
    update = Update(config, network, optimizer, paces, made, machine, store)
    update.average = average
    loop = Loop(config, update, examples, validator, all_callbacks, seed)
    copies = 1 + len(factory.state_names) + (average is not None)
    trained = sum(one.numel() for one in learning)
    state_and_average = "the optimizer's state" if average is None else "the optimizer's state and the average"

    def announced(state: TrainingState) -> str:
        count = sum(parameter.numel() for parameter in network.parameters())
        batches = len(loop.batches.epoch(state.epoch))
        size_in_mb = 4 * (count + copies * trained) / 1e6
        some = "" if trained == count else f", {trained:,} of which change"
        return (
            f"{count:,} parameters{some}: {size_in_mb:,.0f} MB for weights, gradients and {state_and_average}, "
            f"besides what a batch needs. Examples: {len(examples):,} to learn from, "
            f"{sum(map(len, validator.batches)):,} to validate with. {describe_epoch(batches, loop.batches_per_step)} "
            f"{prospect(config, batches, loop.batches_per_step)} On {machine}."
        )

    parts = config, folder, network, optimizer, machine, store
    context = Context(*parts, all_callbacks.report, validator, announced, Chosen(), **given)
    asked = {**{name: callbacks.choose(name) for name in names}, **config.callbacks}
    all_callbacks.members += [callbacks.build(one, context) for one in asked.values()]
    return loop
