"""Metrics by their names, with what they need besides their options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nutgraf.errors import PresetError
from nutgraf.metrics import Metric, metrics
from nutgraf.metrics.bert_score import Embedder
from nutgraf.presets import assignments


def choose(names: str, options: Iterable[str] = ()) -> list[Metric]:
    """Return metrics by their names.

    Args:
        names: Names with commas between them.
        options: Lines "metric.option=value", such as "meteor.wordnet=/usr/share/wordnet".

    Raises:
        UnknownName: If there is no such metric.
        PresetError: If an option does not fit.
    """
    chosen: dict[str, dict[str, Any]] = {name.strip(): {} for name in names.split(",") if name.strip()}
    if not chosen:
        raise PresetError(f"No metric was named; there are {', '.join(metrics.names())}.")
    for key, value in assignments(options):
        metric, _, option = key.rpartition(".")
        if metric not in chosen:
            raise PresetError(
                f"{key!r} belongs to none of the metrics {', '.join(chosen)}; write it as metric.option. An option "
                "of the data set is written as dataset.option; options of a system stand in a .toml file that extends "
                "its preset, and the file is named as the system."
            )
        chosen[metric][option] = value
    return [_made(name, given) for name, given in chosen.items()]


def _made(name: str, options: Mapping[str, Any]) -> Metric:
    """Build a metric; one that compares embeddings is handed what reads their model."""
    return metrics.make(name, *([_read_embedder] if metrics.find(name).embeds else []), **options)


def _read_embedder(folder: str, layer: int | None) -> Embedder:
    from nutgraf.systems.embedding import read_embedder

    return read_embedder(folder, layer)
