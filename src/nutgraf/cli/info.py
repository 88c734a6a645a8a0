"""`nutgraf info`: a trained model and its origin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nutgraf.cli._options import Trust
from nutgraf.cli._say import put, put_json
from nutgraf.text.clean import visible

if TYPE_CHECKING:
    from nutgraf.model_folder import Card, Precisions, Tuning


def info(
    folder: Annotated[
        str, typer.Argument(help="Trained model, or the name of one of an installed package.", show_default=False)
    ],
    trust: Trust = False,
    json_: Annotated[bool, typer.Option("--json", help="Card and preset as JSON.")] = False,
) -> None:
    """Show what a trained model is: preset, data, scores, licence, and the commands that made it.

    Example: nutgraf info trained
    """
    from nutgraf.model_folder import is_trained, read_card, read_preset, record_of
    from nutgraf.presets.installed import installed_model
    from nutgraf.systems import sections_of

    announced = None if Path(folder).is_dir() else installed_model(folder)
    folder = folder if announced is None else str(announced.folder)
    card, preset = read_card(folder), read_preset(folder, sections_of, trust)
    if json_:
        put_json({**card, "table": preset.table})
        return
    ready = "" if is_trained(folder) else " (no weights yet)"
    rows = list(_rows(record_of(card)))
    width = max(len(name) for name, _ in rows)
    put("\n".join([f"{visible(folder)}{ready}", *(f"{name:<{width}}  {visible(value)}" for name, value in rows)]))


def _rows(card: Card) -> Iterator[tuple[str, str]]:
    """The card, line by line; what it does not say is left out."""
    yield "preset", f"{card.preset}: {card.title}".removesuffix(": ")
    if card.parameters and card.vocab_size:
        yield "network", f"{card.parameters:,} parameters, a vocabulary of {card.vocab_size:,}"
    if at := card.training:
        processes = f" in {at.processes} processes" if at.processes > 1 else ""
        kernels = f" ({at.kernels})" if at.kernels else ""
        threads = f", {at.threads} thread{'' if at.threads == 1 else 's'} at the end" if at.threads else ""
        seed = "" if card.seed is None else f", seed {card.seed}"
        yield (
            "training",
            f"{at.step:,} steps, {at.epochs:g} epochs, {at.hours:g} hours on {at.device}{kernels}"
            f"{processes}, {at.precision}{threads}{seed}",
        )
        yield "ended", at.ended or "not yet"
    if card.weights:
        of = f", of steps {', '.join(map(str, card.weights.of))}" if card.weights.of else ""
        kept = f", in {card.quantization}" if card.quantization else ""
        yield "weights", f"the {card.weights.from_}, step {card.weights.step:,}{of}{kept}"
    if card.init_from:
        yield "began with", card.init_from.folder
    if card.converted:
        yield "made of", card.converted.from_
    if card.scores:
        yield "validation", ", ".join(f"{name} {value:.4g}" for name, value in card.scores.items())
    if card.precision_gate:
        yield "precisions", _precisions(card.precision_gate, card.weights)
    if card.tuning and card.tuning.weights == card.weights:
        yield "tuned", _tuning(card.tuning)
    if data := card.data:
        counts = "".join(f", {split} {of.examples:,}" for split, of in data.splits.items())
        if data.tokens_per_word and data.target_length:
            yield "length", _length(data.target_length, data.tokens_per_word, card)
        yield "data", f"{data.dataset or 'unknown'}{counts}; manifest {data.manifest[:12] or 'unknown'}"
        for split, found in data.splits.items():
            for why, count in sorted(found.dropped.items()):
                yield "dropped", f"{split} {count:,}, {why}"
        if data.oracle:
            yield "oracle", "its phrases were taken from the summaries; its results are no system's results"
    if card.licence:
        yield "licence", card.licence
    if card.version:
        yield "made by", f"nutgraf {card.version}"
    for command in card.commands:
        yield "", command


def _tuning(tuning: Tuning) -> str:
    """Return the options that were found on examples."""
    options = ", ".join(f"{name} = {value}" for name, value in tuning.options.items())
    return f"{options}; {tuning.score} {tuning.after:.4g}, {tuning.before:.4g} before, on {tuning.examples:,} examples"


def _length(mean: float, per_word: float, card: Card) -> str:
    """Return the lengths that the network is told."""
    told = f"told; {per_word:g} tokens for each word of a budget, without one the {mean:g} of a training summary"
    found = card.length_calibration
    if not found or found.weights != card.weights:
        return told
    return f"{told} × {found.factor:g}, by {found.examples:,} examples"


def _precisions(gate: Precisions, weights: object) -> str:
    """Return the verdicts on lower precisions."""
    if gate.weights != weights:
        return "compared for other weights; nutgraf precision compares them anew"
    verdicts = [f"{name} {'passes' if one.passes else 'does not pass'}" for name, one in gate.precisions.items()]
    return f"{', '.join(verdicts) or 'none lower here'}, by {gate.examples:,} examples"
