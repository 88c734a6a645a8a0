"""Trains a preset on a corpus into a model folder.

OUT/preset.toml, tokenizer/, weights.safetensors, card.json    see `checkpoint.py`
OUT/checkpoints/                                               see `training/store.py`
OUT/log.jsonl, curve.png, tensorboard/                         see `training/callbacks/`
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from nutgraf.checkpoint import build, create_folder, read_tensors
from nutgraf.errors import PresetError
from nutgraf.model_folder import TOKENIZER, WEIGHTS, read_card, read_preset
from nutgraf.preparation.prepare import Progress as Preparing
from nutgraf.preparation.scoring import RougeReward, judges
from nutgraf.preparation.word_vectors import vectors_of
from nutgraf.presets import Preset
from nutgraf.runtime.files import lock_folder
from nutgraf.training.callbacks import ALL
from nutgraf.training.events import Listener
from nutgraf.training.folder import first_card, open_data, open_folder, with_dataset
from nutgraf.training.initial import initialize, initialize_optimizer
from nutgraf.training.kept import with_vectors
from nutgraf.training.l1_to_init import L1ToInit
from nutgraf.training.machine import Machine
from nutgraf.training.outcome import Outcome, conclude
from nutgraf.training.setup import assemble
from nutgraf.training.store import CheckpointStore


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
    config, folder, machine = preset.config.training, Path(out), Machine(preset.config.training)
    with lock_folder(folder) if machine.main else nullcontext():
        if config.init_from is not None and not resume:
            read_preset(config.init_from, preset.sections, preset.trust)  # refused before the corpus is prepared
        with machine.main_first():
            resumed = open_folder(folder, preset, resume, machine.main)
            vectors = None if resumed else vectors_of(preset)
            shards, checks = open_data(preset, Path(data), folder, config.init_from, preparing)
        if resumed:
            config = replace(config, precision=CheckpointStore(folder).state().precision)
        preset = with_dataset(preset, shards)
        network = build(preset, len(tokenizer := shards.tokenizer()))
        decoding = preset.options("decoding") if preset.reads("decoding") else None
        notices, record = ([], {}) if resumed else initialize(preset, network, tokenizer, vectors)
        card = {**first_card(preset, shards, network, command, read_card(folder) if resumed else {}), **record}
        examples = with_vectors(network, (shards, checks), folder if resumed else None, machine, preparing)
        parts = config, network, *examples, folder, preset.seed
        loop = assemble(
            *parts,
            reward=RougeReward(tokenizer),
            names=ALL,
            listeners=listeners,
            opening=notices,
            title=preset.name,
            card=card,
            **judges(checks, tokenizer, config.rouge_examples),
            decoding=decoding and replace(decoding, beam_size=1, num_return_sequences=1, diversity=None),
        )
        if resumed:
            loop.resume()
        else:
            initialize_optimizer(config, network, loop.update.optimizer)
        if config.l1_to_init:
            begun = read_tensors(Path(str(config.init_from)) / WEIGHTS)
            loop.update.penalty = L1ToInit(config.l1_to_init, network, begun)
        if machine.main:
            create_folder(folder, preset, shards.folder / TOKENIZER, card)
        loop.run()
        return conclude(loop, folder, shards, checks, decoding, card)
