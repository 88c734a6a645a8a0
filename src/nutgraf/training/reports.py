"""The log on disk: JSON lines, and how they are read again."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from nutgraf.runtime.files import AppendOnlyFile
from nutgraf.runtime.metadata import load, parse
from nutgraf.training.events import Notice, Progress, Report, Validation

LOG, CURVE, BOARD = "log.jsonl", "curve.png", "tensorboard"
"""Names of files in a model folder beside the model."""

REPETITION, REFERENCES = "repetition", "repetition_references"
"""Scores of a validation: the share of repeated trigrams in summaries, and in references."""

KINDS: dict[str, type[Report]] = {one.__name__.lower(): one for one in (Progress, Validation, Notice)}
"""Record of a line of the log, by its `kind`."""


@dataclass(frozen=True)
class _Line:
    kind: Literal["progress", "validation", "notice"]


class Log:
    """A file with a line for each report, whose `kind` says which it is."""

    def __init__(self, path: Path, length: int = 0) -> None:
        """Open the log; what a killed training wrote after its last checkpoint, beyond `length` bytes, is cut off."""
        self._file = AppendOnlyFile(path, length)

    def __call__(self, report: Report) -> None:
        """Append a line. Raises OutputError."""
        self._file.append(json.dumps({"kind": type(report).__name__.lower(), **asdict(report)}))

    def keep(self) -> int:
        """Return its length, once all of it is on the disk. Raises OutputError."""
        self._file.flush()
        return self._file.length

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_log(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a log, without what is no report, as a line that a kill has cut; [] where there is no log."""
    lines = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []:
        with suppress(ValueError):
            load(line, KINDS[load(line, _Line).kind])
            lines.append(parse(line))
    return lines
