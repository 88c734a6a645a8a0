"""Files of a training beside the model; the log, JSON lines, and how they are read again."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nutgraf.runtime.metadata import load, parse
from nutgraf.training.events import Notice, Progress, Report, Validation

LOG, CURVE, BOARD = "log.jsonl", "curve.png", "tensorboard"
"""Names of files in a model folder beside the model."""

REPETITION, REFERENCES = "repetition", "repetition_references"
"""Scores of a validation: the share of repeated trigrams in summaries, and in references."""

KINDS: dict[str, type[Report]] = {one.__name__.lower(): one for one in (Progress, Validation, Notice)}
"""Record of a line of the log, by its `kind`."""


def line_of(report: Report) -> str:
    """Return the line of a report, whose `kind` says which it is."""
    return json.dumps({"kind": type(report).__name__.lower(), **asdict(report)})


def read_log(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a log, without what is no report, as a line that a kill has cut; [] where there is no log."""
    lines = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []:
        with suppress(ValueError, LookupError, TypeError):
            found = parse(line)
            load(line, KINDS[found["kind"]])
            lines.append(found)
    return lines
