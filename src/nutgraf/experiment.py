"""A preset and a corpus become a trained model.

OUT/preset.toml, tokenizer/, weights.safetensors, card.json    see `checkpoint.py`
OUT/checkpoints/                                                see `training/keeping.py`
OUT/log.jsonl, curve.png, tensorboard/                          how it went
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from torch import nn

from nutgraf.checkpoint import (
    CARD,
    PRESET,
    TOKENIZER,
    WEIGHTS,
    begin,
    build,
    put_matching,
    read_card,
    read_preset,
    read_tensors,
    write_card,
)
from nutgraf.compute import kernels
from nutgraf.decoding import search
from nutgraf.errors import InputError, OutputError, PresetError
from nutgraf.files import beside, list_names, lock_folder, remove_unfinished
from nutgraf.metrics import Example, metrics
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.preparation import Shards, prepare
from nutgraf.preparation.prepare import Progress as Preparing
from nutgraf.preparation.shards import MANIFEST, differing, read_tokenizer
from nutgraf.preparation.word_vectors import begin_with, vectors_of
from nutgraf.presets import Preset, merge, refuse_other_modules
from nutgraf.text.tokenize import sentence_spans
from nutgraf.tokenizers import Tokenizer
from nutgraf.training.config import Config
from nutgraf.training.curve import draw
from nutgraf.training.keeping import FAILED, OPTIMIZER, Keeper, card_of, put_moments
from nutgraf.training.machine import Machine
from nutgraf.training.pull import Pull
from nutgraf.training.repetition import OWN, REFERENCES, Meter
from nutgraf.training.reports import Listener, Log, Notice, board, read_log
from nutgraf.training.trainer import Judge, Trainer
from nutgraf.version import __version__

LOG, CURVE, BOARD, CHECKPOINTS = "log.jsonl", "curve.png", "tensorboard", "checkpoints"

FEWEST_TO_COMPARE = 100
"""Validation examples below which precisions are not compared: intervals would be too wide to tell anything."""


@dataclass(frozen=True)
class Outcome:
    """What came of a training.

    Attributes:
        folder: The trained model.
        data: The prepared data that it was trained on.
        step: The last step.
        finished: False if somebody stopped it; it can be resumed then.
        card: As it was written.
        comparison: Of precisions: "possible"; "few", if there are too few validation examples; "pointless", if the
            preset names the precision of decoding, or the network is on a GPU.
    """

    folder: Path
    data: Path
    step: int
    finished: bool
    card: dict[str, Any]
    comparison: Literal["possible", "few", "pointless"]


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
    """Train a network into the folder `out`.

    data: a folder that `prepare` wrote, or a corpus, which is then prepared in `OUT.data`. resume: go on from the last
    checkpoint in `out`, if there is one. listeners: told how it goes. command: what to write on the card.

    Raises NutgrafError for all that a user can mend, before anything is written where that is possible.
    """
    if not preset.reads("training"):
        raise PresetError(f"The preset {preset.name!r} makes a system of kind {preset.system!r}; it has no network.")
    config: Config = preset.config.training
    machine = Machine(config)
    with lock_folder(out) if machine.main else nullcontext():
        return _train(preset, config, machine, Path(data), Path(out), resume, listeners, preparing, command)


def _train(
    preset: Preset,
    config: Config,
    machine: Machine,
    data: Path,
    folder: Path,
    resume: bool,
    listeners: Iterable[Listener],
    preparing: Preparing | None,
    command: str,
) -> Outcome:
    """What `train` does in a folder that nobody else writes into."""
    if config.init_from is not None and not resume:
        # What is no trained model is refused before the corpus is prepared.
        read_preset(config.init_from, preset.trust)
    with machine.main_first():
        if machine.main:
            Keeper(folder).settle()
        resumed = _check_folder(folder, preset, resume)
        vectors = None if resumed else vectors_of(preset)
        shards, checks = _examples(preset, data, folder, config.init_from, preparing)
        if machine.main:
            remove_unfinished(folder)
    if resumed:
        precision: Any = Keeper(folder).position().precision
        config = replace(config, precision=precision)
    preset = replace(preset, table=merge(preset.table, {"dataset": shards.manifest["configuration"]["dataset"]}))
    tokenizer = shards.tokenizer()
    network = build(preset, len(tokenizer))
    judge = _judge(preset, config, checks, tokenizer) if config.rouge_examples and checks else None
    trainer = Trainer(config, network, shards, checks, folder, preset.seed, judge=judge)
    card = _card(preset, shards, network, trainer, command, read_card(folder) if resumed else {})
    if vectors is not None:
        card["vectors"] = begin_with(vectors, network, tokenizer)
    if resumed:
        trainer.resume()
        _sign(card, trainer)
    elif config.init_from is not None:
        card["init_from"] = _warm_start(config, trainer, tokenizer, preset.trust)
    if config.l1_to_init:
        trainer.pull = Pull(config.l1_to_init, network, read_tensors(Path(str(config.init_from)) / WEIGHTS))
    if machine.main:
        begin(folder, preset, shards.folder / TOKENIZER, card)
        trainer.log = Log(folder / LOG, trainer.position.logged)
        boards = filter(None, [board(folder / BOARD, trainer.position.step)])
        meter = Meter(trainer.report, read_log(folder / LOG))
        trainer.listeners += [trainer.log, *boards, *listeners, meter]
        trainer.describe = partial(_describe, folder, card, trainer)
    if vectors is not None:
        said = "{known:,} of {entries:,} entries of the vocabulary begin with a vector of the file."
        trainer.report(Notice(0, said.format(**card["vectors"])))
    if "init_from" in card and not resumed:
        trainer.report(_told(card["init_from"]))
    trainer.run()
    _describe(folder, card, trainer)
    if machine.main:
        draw(folder / LOG, folder / CURVE, preset.name)
    trainer.report(Notice(trainer.position.step, _farewell(folder, trainer, card)))
    machine.wait()
    return Outcome(
        folder, shards.folder, trainer.position.step, not trainer.stopped, card, _comparison(preset, machine, checks)
    )


def _comparison(preset: Preset, machine: Machine, checks: Shards | None) -> Literal["possible", "few", "pointless"]:
    asked = preset.options("decoding").precision
    enough = checks is not None and len(checks) >= FEWEST_TO_COMPARE and bool(checks.references(0))
    if asked != "auto" or not machine.main or machine.device.type != "cpu":
        return "pointless"
    return "possible" if enough else "few"


def _check_folder(folder: Path, preset: Preset, resume: bool) -> bool:
    """Whether there is a training to go on with. Raises OutputError if the folder holds something that would be lost,
    PresetError for another training."""
    ours = {CARD, PRESET, TOKENIZER, WEIGHTS, LOG, CURVE, BOARD, CHECKPOINTS}
    held = {name for name in list_names(folder) if not name.startswith((".", FAILED))}
    resumable = Keeper(folder).resumable
    if resumable:
        if not resume:
            raise OutputError(f"{folder} holds a training already: --resume goes on with it; or name another folder.")
        there = read_preset(folder, trust=True)
        refuse_other_modules(there.table, preset, folder / PRESET)
        keys = differing(preset.complete(compared=True), there.complete(compared=True))
        if keys:
            raise PresetError(
                f"{folder} holds the training of another preset: {'; '.join(keys)}. Take {folder / PRESET} itself to "
                "go on, or name another folder."
            )
    elif held - ours or WEIGHTS in held:
        name = sorted(held - ours)[0] if held - ours else WEIGHTS
        raise OutputError(f"{folder} is not empty ({name}) and holds no training to go on with; name another folder.")
    return resumable


def _examples(
    preset: Preset, data: Path, folder: Path, trunk: str | None, preparing: Preparing | None
) -> tuple[Shards, Shards | None]:
    """The training and validation examples; a corpus is prepared first, with the tokenizer of the trunk if there is
    one."""
    if not data.exists():
        raise InputError(f"There is no {data}; --data is a corpus, or a folder that nutgraf prepare wrote.")
    prepared = data
    if not (data / MANIFEST).is_file():
        prepared = beside(folder, "{}.data")
        prepare(preset, data, prepared, tokenizer=trunk, progress=preparing)
    shards = Shards.open(prepared, "train", preset)
    has = "validation" in shards.manifest["splits"]
    return shards, Shards.open(prepared, "validation", preset) if has else None


def _card(
    preset: Preset, shards: Shards, network: nn.Module, trainer: Trainer, command: str, before: Mapping[str, Any]
) -> dict[str, Any]:
    """What is known before training. before: the card of a training that goes on. Raises InputError if that one had
    other data."""
    manifest = shards.manifest
    digest = hashlib.sha256((shards.folder / MANIFEST).read_bytes()).hexdigest()
    if before and before.get("data", {}).get("manifest") != digest:
        raise InputError(f"{shards.folder} is not the data that this training began with; --resume needs the same.")
    return {
        **before,
        "preset": preset.name,
        "title": preset.table.get("title", preset.name),
        "version": __version__,
        "seed": preset.seed,
        "parameters": sum(one.numel() for one in network.parameters()),
        "vocab_size": len(shards.tokenizer()),
        "commands": list(dict.fromkeys([*before.get("commands", []), command])),
        "data": {
            "manifest": digest,
            "dataset": manifest["configuration"]["dataset"]["kind"],
            "files": manifest["files"],
            "splits": manifest["splits"],
            "limit": manifest.get("limit"),
            "target_length": round(float(shards.lengths[1].mean()) - 2, 2),
            **({"oracle": True} if manifest.get("oracle") else {}),
        },
        "licence": manifest.get("licence", "not said by the data; the terms of the texts it was trained on apply"),
    }


def _describe(folder: Path, card: dict[str, Any], trainer: Trainer) -> None:
    """Write the card as it is now."""
    _sign(card, trainer)
    if trainer.machine.main:
        write_card(folder, card)


def _sign(card: dict[str, Any], trainer: Trainer) -> None:
    """How far the training is, and which weights are the folder's."""
    at = trainer.position
    card["training"] = {
        "step": at.step,
        "epochs": round(at.epochs, 3),
        "hours": round(at.seconds / 3600, 3),
        "tokens": at.tokens,
        "device": str(trainer.machine.device),
        "precision": at.precision,
        "kernels": kernels(trainer.machine.device),
        "threads": trainer.machine.threads.threads,
        "processes": trainer.machine.processes,
        "second_phase_from": at.second,
        "ended": trainer.reason,
    }
    if trainer.chosen:
        card.update(card_of(trainer.chosen, trainer.scores))


def _farewell(folder: Path, trainer: Trainer, card: Mapping[str, Any]) -> str:
    """What came of it, for whoever watched."""
    step = trainer.position.step
    if trainer.stopped:
        said = f"Stopped at step {step:,} and saved; the same command with --resume goes on."
        best = card["weights"]["step"]
        return said if best == step else f"{said} Till then the network in {folder} is that of step {best:,}, the best."
    scores = "".join(f", {name.replace('_', ' of ')} {value:.4g}" for name, value in card["scores"].items())
    return f"Training ends at step {step:,}: {trainer.reason}. The network is in {folder}{scores}."


def _warm_start(config: Config, trainer: Trainer, tokenizer: Tokenizer, trust: bool) -> dict[str, Any]:
    """Take over the weights of another trained model. Raises InputError if it has another tokenizer."""
    folder = Path(str(config.init_from))
    preset = read_preset(folder, trust)
    theirs = read_tokenizer(preset.options("tokenizer"), folder / TOKENIZER)
    if list(theirs.tokens) != list(tokenizer.tokens):
        raise InputError(
            f"{folder} has another tokenizer ({len(theirs)} entries) than the data ({len(tokenizer)}); their ids would "
            f"mean other words. Prepare the data with it: nutgraf prepare … --tokenizer {folder}."
        )
    matched = put_matching(trainer.network, read_tensors(folder / WEIGHTS))
    if not matched.matched:
        raise InputError(f"Nothing in {folder / WEIGHTS} fits this network; their presets have too little in common.")
    if config.init_optimizer:
        _warm_moments(trainer, folder / CHECKPOINTS / "best" / OPTIMIZER)
    return {
        "folder": str(folder),
        "card": {key: read_card(folder).get(key) for key in ("preset", "seed", "training", "weights")},
        "optimizer": config.init_optimizer,
        **{name: list(names) for name, names in vars(matched).items()},
        "matched": len(matched.matched),
    }


def _warm_moments(trainer: Trainer, place: Path) -> None:
    """Take over what another training's optimizer remembers. Raises InputError if that was of another kind."""
    given = read_tensors(place)
    there, needed = {name.rpartition("/")[2] for name in given}, set(trainer.optimizer_factory.state_names)
    if not needed <= there:
        raise InputError(
            f"{place} keeps {', '.join(sorted(there - {'step'})) or 'nothing'}, but this optimizer needs "
            f"{', '.join(sorted(needed))}: init_optimizer takes the training.optimizer of the folder it begins with."
        )
    wanted = {name: value for name, value in given.items() if name.rpartition("/")[2] in {*needed, "step"}}
    put_moments(trainer.network, trainer.optimizer, wanted)


def _told(warm: Mapping[str, Any]) -> Notice:
    """What a warm start brought, as a sentence."""
    said = [f"{warm['matched']} tensors come from {warm['folder']}"]
    for what, key in (("new", "new"), ("of another size", "other_shape"), ("not used", "unused")):
        names = warm[key]
        more = f" and {len(names) - 4} more" if len(names) > 4 else ""
        said += [f"{what}: {', '.join(names[:4])}{more}"] if names else []
    return Notice(0, f"{'; '.join(said)}.")


def _judge(preset: Preset, config: Config, checks: Shards, tokenizer: Tokenizer) -> Judge:
    """ROUGE of greedy summaries of some validation examples, and how much they repeat themselves, beside the
    references."""
    decoding: search.Config = replace(preset.options("decoding"), beam_size=1, num_return_sequences=1)
    count = min(config.rouge_examples, len(checks))
    if not checks.references(0):
        raise PresetError("training.rouge_examples scores summaries, and these data have none: set it to 0.")
    chosen = [at * len(checks) // count for at in range(count)]
    chosen.sort(key=lambda index: int(checks.lengths[0][index]))
    rouge, repetition = metrics.make("rouge", variants=("1", "2", "L")), metrics.make("repetition")
    usual = _mean([repetition(Example(one)) for index in chosen for one in checks.references(index)], "repetition")

    def judge(network: Seq2Seq) -> dict[str, float]:
        device = next(network.parameters()).device
        scores, repeated = [], []
        for start in range(0, count, 16):
            indices = chosen[start : start + 16]
            found = search.search(network, checks.batch(indices).to(device), decoding)
            for index, best in zip(indices, found, strict=True):
                text = _text(best[0].ids, tokenizer, checks.source(index).unknown)
                made = Example([text[start:end] for start, end in sentence_spans(text)], checks.references(index))
                scores.append(rouge(made))
                repeated.append(repetition(made))
        means = {name: _mean(scores, name) for name in rouge.directions}
        return {**means, OWN: _mean(repeated, "repetition"), REFERENCES: usual}

    return judge


def _mean(scores: Sequence[Mapping[str, float | None]], name: str) -> float:
    return float(np.mean([score[name] or 0.0 for score in scores]))


def _text(ids: Sequence[int], tokenizer: Tokenizer, unknown: Sequence[str]) -> str:
    texts = tokenizer.tokens
    return tokenizer.decode([texts[one] if one < len(texts) else unknown[one - len(texts)] for one in ids])
