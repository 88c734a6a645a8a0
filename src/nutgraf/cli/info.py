"""`nutgraf info`: a trained model and its origin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from nutgraf.cli._options import Trust
from nutgraf.cli._say import put, put_json
from nutgraf.text.clean import visible


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
    from nutgraf.model_folder import is_trained, read_card, read_preset
    from nutgraf.presets.installed import installed_model
    from nutgraf.systems import sections_of

    announced = None if Path(folder).is_dir() else installed_model(folder)
    folder = folder if announced is None else str(announced.folder)
    card, preset = read_card(folder), read_preset(folder, sections_of, trust)
    if json_:
        put_json({**card, "table": preset.table})
        return
    ready = "" if is_trained(folder) else " (no weights yet)"
    rows = list(_rows(card))
    width = max(len(name) for name, _ in rows)
    put("\n".join([f"{visible(folder)}{ready}", *(f"{name:<{width}}  {visible(value)}" for name, value in rows)]))


def _rows(card: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The card, line by line; what it does not say is left out."""
    yield "preset", f"{card['preset']}: {card.get('title', '')}".removesuffix(": ")
    if "parameters" in card and "vocab_size" in card:
        yield "network", f"{card['parameters']:,} parameters, a vocabulary of {card['vocab_size']:,}"
    if "training" in card:
        at = card["training"]
        processes = f" in {at['processes']} processes" if at["processes"] > 1 else ""
        kernels = f" ({at['kernels']})" if "kernels" in at else ""
        threads = f", {at['threads']} thread{'' if at['threads'] == 1 else 's'} at the end" if "threads" in at else ""
        seed = f", seed {card['seed']}" if "seed" in card else ""
        yield (
            "training",
            f"{at['step']:,} steps, {at['epochs']:g} epochs, {at['hours']:g} hours on {at['device']}{kernels}"
            f"{processes}, {at['precision']}{threads}{seed}",
        )
        yield "ended", at["ended"] or "not yet"
    if "weights" in card:
        of = f", of steps {', '.join(map(str, card['weights']['of']))}" if "of" in card["weights"] else ""
        kept = f", in {card['quantization']}" if "quantization" in card else ""
        yield "weights", f"the {card['weights']['from']}, step {card['weights']['step']:,}{of}{kept}"
    if "init_from" in card:
        yield "began with", str(card["init_from"]["folder"])
    if "converted" in card:
        yield "made of", str(card["converted"]["from"])
    if card.get("scores"):
        yield "validation", ", ".join(f"{name} {value:.4g}" for name, value in card["scores"].items())
    if "precision_gate" in card:
        yield "precisions", _precisions(card["precision_gate"], card.get("weights"))
    if "tuning" in card and card["tuning"]["weights"] == card.get("weights"):
        yield "tuned", _tuning(card["tuning"])
    if "data" in card:
        data = card["data"]
        counts = "".join(f", {split} {of['examples']:,}" for split, of in data.get("splits", {}).items())
        if "tokens_per_word" in data:
            yield "length", _length(card)
        yield "data", f"{data.get('dataset', 'unknown')}{counts}; manifest {data.get('manifest', 'unknown')[:12]}"
        for split, of in data.get("splits", {}).items():
            for why, count in sorted(of.get("dropped", {}).items()):
                yield "dropped", f"{split} {count:,}, {why}"
        if data.get("oracle"):
            yield "oracle", "its phrases were taken from the summaries; its results are no system's results"
    if "licence" in card:
        yield "licence", card["licence"]
    if "version" in card:
        yield "made by", f"nutgraf {card['version']}"
    for command in card.get("commands", []):
        yield "", command


def _tuning(tuning: Mapping[str, Any]) -> str:
    """Return the options that were found on examples."""
    options = ", ".join(f"{name} = {value}" for name, value in tuning["options"].items())
    scores = f"{tuning['after']:.4g}, {tuning['before']:.4g} before"
    return f"{options}; {tuning['score']} {scores}, on {tuning['examples']:,} examples"


def _length(card: dict[str, Any]) -> str:
    """Return the lengths that the network is told."""
    mean, per_word = card["data"]["target_length"], card["data"]["tokens_per_word"]
    told = f"told; {per_word:g} tokens for each word of a budget, without one the {mean:g} of a training summary"
    found = card.get("length_calibration")
    if not found or found["weights"] != card.get("weights"):
        return told
    return f"{told} × {found['factor']:g}, by {found.get('examples', 0):,} examples"


def _precisions(gate: dict[str, Any], weights: object) -> str:
    """Return the verdicts on lower precisions."""
    if gate["weights"] != weights:
        return "compared for other weights; nutgraf precision compares them anew"
    verdicts = [f"{name} {'passes' if one['passes'] else 'does not pass'}" for name, one in gate["precisions"].items()]
    return f"{', '.join(verdicts) or 'none lower here'}, by {gate.get('examples', 0):,} examples"
