"""The store of checkpoints: folders that are complete or absent, with everything that a training needs to go on.

    checkpoints/last/    weights.safetensors, optimizer.safetensors, state.json
    checkpoints/best/    the same, of the best validation
    checkpoints/first/   the same, of the best validation before the second phase, where there is one
    checkpoints/recent/  weights of the last few validations, where they are to be averaged

Where training keeps a moving average of the weights, `weights.safetensors` is the average, and a checkpoint has the
weights that the optimizer goes on from besides, in unaveraged.safetensors.

A checkpoint is committed by the rename that makes it `last`. Everything else in a model folder follows from it: which
weights are the folder's, what the card says of them, and how much of the log has happened. A training that goes on
brings these into line with `last` first, so it makes no difference where the one before was killed.

Random states are not in them, and need not be: what is random in a step follows from the seed and the step's number.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from nutgraf.checkpoint import load_weights, read_tensors, weights, write_tensors
from nutgraf.errors import InputError, TrainingError
from nutgraf.model.records import Batch
from nutgraf.model_folder import WEIGHTS
from nutgraf.runtime.files import atomic_folder, atomic_write, make_folder, recover_folder, write_text, writing
from nutgraf.runtime.metadata import read_record
from nutgraf.training.ema import WeightAverage
from nutgraf.training.events import TrainingState

SCHEMA = "nutgraf.checkpoint/3"
CHECKPOINTS, FIRST = "checkpoints", "checkpoints/first"
OPTIMIZER, STATE, FAILED = "optimizer.safetensors", "state.json", "failed-step-"
UNAVERAGED = "unaveraged.safetensors"
STEP_DIGITS = 9


class CheckpointStore:
    """Checkpoints of one model folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.places = folder / "checkpoints"

    def settle(self) -> None:
        """Finish or undo what a killed training began; for the main process alone."""
        for name in ("last", "best", "first"):
            recover_folder(self.places / name)

    @property
    def resumable(self) -> bool:
        """True if there is a checkpoint to go on from."""
        return (self.places / "last" / STATE).is_file()

    def save(
        self, network: nn.Module, optimizer: Optimizer, state: TrainingState, average: WeightAverage | None = None
    ) -> None:
        """Commit a checkpoint: write `last`. Raises TrainingError if a weight is not finite, OutputError."""
        tensors = weights(network)
        if not all(bool(torch.isfinite(tensor).all()) for tensor in tensors.values() if tensor.is_floating_point()):
            raise TrainingError(f"After step {state.step} the weights are no longer numbers. {ADVICE}")
        with atomic_folder(self.places / "last") as folder:
            used = tensors if average is None else average.all_weights()
            digests = {
                WEIGHTS: write_tensors(folder / WEIGHTS, used, state.chosen.to_json()),
                OPTIMIZER: write_tensors(folder / OPTIMIZER, moments(network, optimizer)),
            }
            if average is not None:
                digests[UNAVERAGED] = write_tensors(folder / UNAVERAGED, tensors)
            written = {"schema": SCHEMA, "state": asdict(state), "digests": digests}
            write_text(folder / STATE, json.dumps(written, indent=2) + "\n")

    def last_is_best(self) -> None:
        """Make `last` the best checkpoint, and its weights the folder's."""
        self._copy("last", "best")
        self.choose(self.places / "best" / WEIGHTS)

    def keep_first(self, kept: str) -> None:
        """Keep the checkpoint `kept` as `first`, since the second phase chooses its own best."""
        self._copy(kept, "first")

    def choose_best(self, state: TrainingState) -> None:
        """Make the weights of the best validation, if there was one, the folder's."""
        if state.step == state.best_step:
            self.last_is_best()
        elif state.best_step:
            self.choose(self.places / "best" / WEIGHTS)

    def choose(self, path: Path) -> None:
        """Make the weights of a file the folder's."""
        with atomic_write(self.folder / WEIGHTS) as temporary:
            link(path, temporary)

    def remember(self, step: int, count: int) -> None:
        """Keep the weights of `last` among the `count` recent ones."""
        recent = self.places / "recent"
        make_folder(recent)
        place = recent / f"{step:0{STEP_DIGITS}}.safetensors"
        with atomic_write(place) as temporary:
            link(self.places / "last" / WEIGHTS, temporary)
        for path in self.recent(step)[:-count]:
            path.unlink()

    def recent(self, step: int, after: int = 0) -> list[Path]:
        """Return the files that `remember` kept of the steps after `after` and up to `step`, the oldest first."""
        paths = sorted((self.places / "recent").glob(f"{'[0-9]' * STEP_DIGITS}.safetensors"))
        return [path for path in paths if after < int(path.stem) <= step]

    def _copy(self, one: str, other: str) -> None:
        with atomic_folder(self.places / other) as folder:
            for path in (self.places / one).iterdir():
                link(path, folder / path.name)

    def keep_failed(self, batches: Sequence[Batch], step: int, process: int) -> Path:
        """Write the batches that a step failed on, and return the file; `0/source` is the first one's `source`."""
        path = self.folder / f"{FAILED}{step}-process-{process}.safetensors"
        kept = {f"{number}/{name}": one.clone() for number, batch in enumerate(batches) for name, one in parts(batch)}
        write_tensors(path, kept)
        return path

    def restore(self, network: nn.Module, optimizer: Optimizer, average: WeightAverage | None = None) -> TrainingState:
        """Load `last` into a network, its optimizer and the average of its weights, if there is to be one.

        Raises InputError if it is damaged or does not fit.
        """
        folder = self.places / "last"
        saved = self._saved()
        state, digests = saved.state, saved.digests
        load_weights(network, read_tensors(folder / WEIGHTS, digests.get(WEIGHTS)), str(folder / WEIGHTS))
        if average is not None:
            average.go_on(state.ema_steps)
        if UNAVERAGED in digests:
            load_weights(network, read_tensors(folder / UNAVERAGED, digests[UNAVERAGED]), str(folder / UNAVERAGED))
        put_moments(network, optimizer, read_tensors(folder / OPTIMIZER, digests.get(OPTIMIZER)))
        return state

    def state(self) -> TrainingState:
        """Return the state of `last`. Raises InputError if it does not say so."""
        return self._saved().state

    def _saved(self) -> _Saved:
        path = self.places / "last" / STATE
        saved = read_record(path, _Saved, "a state of a training")
        for name in (WEIGHTS, OPTIMIZER):
            if name not in saved.digests:
                raise InputError(f"{path} is not a state of a training: the digest of {name} is missing.")
        return saved


@dataclass(frozen=True)
class _Saved:
    schema: Literal["nutgraf.checkpoint/3"]
    state: TrainingState
    digests: dict[str, str]


ADVICE = (
    "A lower rate (--set training.schedule.factor=…), a longer warm-up (training.schedule.warmup_steps), clipping "
    "(training.max_grad_norm=1.0) or precision = fp32 may help; --resume goes on from the last checkpoint."
)


def moments(network: nn.Module, optimizer: Optimizer) -> dict[str, Tensor]:
    """Return the optimizer's state of each parameter, as `name/what`."""
    return {
        f"{name}/{what}": value
        for name, parameter in network.named_parameters()
        for what, value in optimizer.state.get(parameter, {}).items()
    }


def put_moments(network: nn.Module, optimizer: Optimizer, given: Mapping[str, Tensor]) -> None:
    """Give the optimizer the state that `moments` returned; a parameter that has none there begins anew.

    Raises InputError if it is not what this optimizer keeps: torch would read beyond the end of a smaller tensor.
    """
    now = optimizer.state_dict()
    state: dict[int, dict[str, Tensor]] = dict(now["state"])
    ordered = (one for group in optimizer.param_groups for one in group["params"])
    numbers = {id(one): number for number, one in enumerate(ordered)}
    for name, parameter in network.named_parameters():
        own = {key.rpartition("/")[2]: value for key, value in given.items() if key.rpartition("/")[0] == name}
        if own:
            kept, needed = _described(own), _described(_first_state(optimizer, parameter))
            if kept != needed:
                raise InputError(f"The state of an optimizer has {kept} for {name}, where {needed} is needed.")
            state[numbers[id(parameter)]] = own
    optimizer.load_state_dict({"state": state, "param_groups": now["param_groups"]})


def _first_state(optimizer: Optimizer, parameter: nn.Parameter) -> Mapping[str, Tensor]:
    """Return the state that an optimizer has of a parameter after one step; the optimizer is left as it was."""
    if optimizer.state.get(parameter):
        return dict(optimizer.state[parameter])
    like = nn.Parameter(torch.zeros_like(parameter))
    like.grad = torch.zeros_like(like)
    optimizer.add_param_group({"params": [like]})
    optimizer.step()
    optimizer.param_groups.pop()
    return dict(optimizer.state.pop(like))


def _described(state: Mapping[str, Tensor]) -> str:
    """Return the names, sizes and types of tensors."""
    return ", ".join(f"{name} {[*one.shape]} {one.dtype}" for name, one in sorted(state.items())) or "nothing"


def parts(batch: Batch) -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors of a batch with their names."""
    for name in (one.name for one in fields(batch)):
        value = getattr(batch, name)
        if isinstance(value, Tensor):
            yield name, value
    for name in (one.name for one in fields(batch.phrases)):
        yield f"phrases.{name}", getattr(batch.phrases, name)


def link(source: Path, target: Path) -> None:
    """Link a file under a second name, or copy it where there are no links; no file is ever written to twice."""
    with writing(target):
        try:
            os.link(source, target)
        except OSError:
            shutil.copyfile(source, target)


def average(paths: list[Path]) -> dict[str, Tensor]:
    """Return the mean of several files of weights; tensors that are not floating-point are those of the last file."""
    mean = read_tensors(paths[-1])
    for path in paths[:-1]:
        given = read_tensors(path)
        mean = {name: one + given[name] if one.is_floating_point() else one for name, one in mean.items()}
    return {name: one / len(paths) if one.is_floating_point() else one for name, one in mean.items()}
