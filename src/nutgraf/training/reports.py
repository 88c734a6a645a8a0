"""What a training says of itself while it runs, and who keeps it: a log in JSON lines, and TensorBoard's files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nutgraf.files import AppendOnlyFile
from nutgraf.metadata import Shape, mismatch, parse, shape_of


@dataclass(frozen=True)
class Progress:
    """Progress of a training. loss: mean per target token since the last report. tokens_per_second: of sources and
    targets. seconds_left: until the end, where that is known. phase: of a training that has two."""

    step: int
    epoch: float
    loss: float
    learning_rate: float
    tokens_per_second: float
    seconds: float
    seconds_left: float | None = None
    phase: int | None = None


@dataclass(frozen=True)
class Validation:
    """How well it goes. loss: a wanted word's negative log-likelihood. best: whether none was better before, in this
    phase. scores: what else was measured. phase: of a training that has two."""

    step: int
    epoch: float
    loss: float
    best: bool
    seconds: float
    scores: dict[str, float] = field(default_factory=dict)
    phase: int | None = None


@dataclass(frozen=True)
class Notice:
    """A sentence for whoever watches."""

    step: int
    text: str


Report = Progress | Validation | Notice

SHAPES: dict[object, Shape] = {one.__name__.lower(): shape_of(one) for one in (Progress, Validation, Notice)}
"""What a line of the log has, by its `kind`."""

Listener = Callable[[Report], None]


class Log:
    """`log.jsonl`: a line each report, `kind` saying which. length: how many bytes of what is there have happened; what
    a killed training wrote after its last checkpoint has not, and is cut off."""

    def __init__(self, path: Path, length: int = 0) -> None:
        self._file = AppendOnlyFile(path, length)

    def __call__(self, report: Report) -> None:
        """Append a line. Raises OutputError."""
        self._file.append(json.dumps({"kind": type(report).__name__.lower(), **asdict(report)}))

    def keep(self) -> int:
        """Its length, once all of it is on the disk. Raises OutputError."""
        self._file.flush()
        return self._file.length

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of a log; [] where there is none. What is no report is left out, as a last line that a kill has cut."""
    lines = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []:
        try:
            found = parse(line)
        except ValueError:
            continue
        if isinstance(found, dict) and not mismatch(found, SHAPES.get(found.get("kind", ""), "")):
            lines.append(found)
    return lines


class Board:
    """TensorBoard's files in `tensorboard/`."""

    def __init__(self, folder: Path, step: int) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self._writer: Any = SummaryWriter(str(folder), purge_step=step + 1)

    def __call__(self, report: Report) -> None:
        """Its numbers as curves."""
        if isinstance(report, Progress):
            values = {
                "loss/training": report.loss,
                "learning rate": report.learning_rate,
                "tokens per second": report.tokens_per_second,
            }
        elif isinstance(report, Validation):
            values = {"loss/validation": report.loss, **report.scores}
        else:
            return
        for name, value in values.items():
            self._writer.add_scalar(name, value, report.step)
        self._writer.flush()


def board(folder: Path, step: int) -> Board | None:
    """A Board if TensorBoard is installed."""
    try:
        return Board(folder, step)
    except ImportError:
        return None
