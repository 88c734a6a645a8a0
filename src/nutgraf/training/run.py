"""Trains a preset on a corpus into a model folder.

OUT/preset.toml, tokenizer/, weights.safetensors, card.json    see `checkpoint.py`
OUT/checkpoints/                                               see `training/store.py`
OUT/log.jsonl, curve.png, tensorboard/                         see `training/callbacks/`
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from nutgraf.checkpoint import build, create_folder, read_tensors
from nutgraf.errors import PresetError
from nutgraf.files import lock_folder, remove_unfinished
from nutgraf.model_folder import TOKENIZER, WEIGHTS, read_card, read_preset
from nutgraf.preparation import Shards
from nutgraf.preparation.prepare import Progress as Preparing
from nutgraf.preparation.scoring import SummaryScorer
from nutgraf.preparation.word_vectors import begin_with, vectors_of
from nutgraf.presets import Preset, merge
from nutgraf.training.config import Config
from nutgraf.training.events import Listener, Notice
from nutgraf.training.folder import check_folder, first_card, open_data
from nutgraf.training.initial import begin_from, told
from nutgraf.training.l1_to_init import L1ToInit
from nutgraf.training.loop import Loop
from nutgraf.training.machine import Machine
from nutgraf.training.setup import ALL, assemble
from nutgraf.training.store import CheckpointStore

FEWEST_TO_COMPARE = 100
"""Validation examples below which precisions are not compared: intervals would be too wide to tell anything."""


@dataclass(frozen=True)
class Outcome:
    """Result of a training."""

    folder: Path
    """The trained model."""

    data: Path
    """Prepared data that it was trained on."""

    step: int
    """Last step."""

    finished: bool
    """False if the user stopped it; it can be resumed then."""

    card: dict[str, Any]
    """Card of the model."""

    comparison: Literal["possible", "few", "pointless"]
    """Comparison of precisions: "few" if there are too few validation examples; "pointless" if the preset names the
    precision of decoding, or the network is on a GPU."""


def train(
    preset: Preset,
    data: str | Path,
    out: str | Path,
    *,
    resume: bool = False,
    listeners: Iterable[Listener] = (),
    preparing: Preparing | None = None,
    command: str = "",
) -> Outcome:
    """Train a network into a folder.

    Args:
        preset: A preset of a network.
        data: A folder that `prepare` wrote, or a corpus, which is then prepared in `OUT.data`.
        out: Folder to write.
        resume: Go on from the last checkpoint in `out`, if there is one.
        listeners: Functions that are told of every report.
        preparing: Told how far the preparation of a corpus is.
        command: Command to write on the card.

    Raises:
        NutgrafError: For all that a user can mend, before anything is written where that is possible.
    """
    if not preset.reads("training"):
        raise PresetError(f"The preset {preset.name!r} makes a system of kind {preset.system!r}; it has no network.")
    machine = Machine(preset.config.training)
    with lock_folder(out) if machine.main else nullcontext():
        return _train(preset, machine, Path(data), Path(out), resume, listeners, preparing, command)


def _train(
    preset: Preset,
    machine: Machine,
    data: Path,
    folder: Path,
    resume: bool,
    listeners: Iterable[Listener],
    preparing: Preparing | None,
    command: str,
) -> Outcome:
    """Train in a folder that nobody else writes into."""
    config: Config = preset.config.training
    if config.init_from is not None and not resume:
        read_preset(config.init_from, preset.trust)  # refused before the corpus is prepared
    with machine.main_first():
        if machine.main:
            CheckpointStore(folder).settle()
        resumed = check_folder(folder, preset, resume)
        vectors = None if resumed else vectors_of(preset)
        shards, checks = open_data(preset, data, folder, config.init_from, preparing)
        if machine.main:
            remove_unfinished(folder)
    if resumed:
        precision: Any = CheckpointStore(folder).state().precision
        config = replace(config, precision=precision)
    preset = replace(preset, table=merge(preset.table, {"dataset": shards.manifest["configuration"]["dataset"]}))
    tokenizer = shards.tokenizer()
    network = build(preset, len(tokenizer))
    scorer = SummaryScorer(checks, tokenizer, config.rouge_examples) if config.rouge_examples and checks else None
    card = first_card(preset, shards, network, command, read_card(folder) if resumed else {})
    opening: list[str] = []
    loop = assemble(
        config,
        network,
        shards,
        checks,
        folder,
        preset.seed,
        names=ALL,
        listeners=listeners,
        opening=opening,
        title=preset.name,
        card=card,
        scorer=scorer,
        decoding=replace(preset.options("decoding"), beam_size=1, num_return_sequences=1),
    )
    if vectors is not None:
        card["vectors"] = begin_with(vectors, network, tokenizer)
        said = "{known:,} of {entries:,} entries of the vocabulary begin with a vector of the file."
        opening.append(said.format(**card["vectors"]))
    if resumed:
        loop.resume()
    elif config.init_from is not None:
        card["init_from"] = begin_from(config, network, loop.update.optimizer, tokenizer, preset.trust)
        opening.append(told(card["init_from"]))
    if config.l1_to_init:
        loop.update.penalty = L1ToInit(config.l1_to_init, network, read_tensors(Path(str(config.init_from)) / WEIGHTS))
    if machine.main:
        create_folder(folder, preset, shards.folder / TOKENIZER, card)
    state = loop.run()
    if machine.main:
        loop.callbacks.report(Notice(state.step, _farewell(loop, folder, card)))
    machine.wait()
    return Outcome(folder, shards.folder, state.step, not loop.stopped, card, _comparison(preset, machine, checks))


def _comparison(preset: Preset, machine: Machine, checks: Shards | None) -> Literal["possible", "few", "pointless"]:
    asked = preset.options("decoding").precision
    enough = checks is not None and len(checks) >= FEWEST_TO_COMPARE and bool(checks.references(0))
    if asked != "auto" or not machine.main or machine.device.type != "cpu":
        return "pointless"
    return "possible" if enough else "few"


def _farewell(loop: Loop, folder: Path, card: dict[str, Any]) -> str:
    """Return what came of the training, in words."""
    step = loop.state.step
    if loop.stopped:
        said = f"Stopped at step {step:,} and saved; the same command with --resume goes on."
        best = card["weights"]["step"]
        return said if best == step else f"{said} Until then {folder} holds the network of step {best:,}, the best."
    scores = "".join(f", {name.replace('_', ' of ')} {value:.4g}" for name, value in card["scores"].items())
    return f"Training ends at step {step:,}: {loop.reason}. The network is in {folder}{scores}."
