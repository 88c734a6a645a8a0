"""Progress of a training: a bar at a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from nutgraf.cli._say import notice, unseen
from nutgraf.errors import PresetError
from nutgraf.runtime.durations import spoken
from nutgraf.text.clean import visible

if TYPE_CHECKING:
    from nutgraf.training.events import Progress, Report, Validation


def own_kind(preset: str, source: str, set_: Sequence[str] | None, trust: bool, quiet: bool) -> list[str]:
    """Return the change of a preset that reads files of one's own, which are in another form than its corpus.

    Nothing is returned if the changes of the preset name the data set.
    """
    from nutgraf.datasets import datasets, generic_kind
    from nutgraf.preparation.tasks import tasks
    from nutgraf.presets import assignments
    from nutgraf.systems import read_preset

    given = read_preset(preset, trust=trust)
    named_there = "dataset.kind" in dict(assignments(set_ or []))
    if named_there or not given.reads("dataset") or (Path(source) / "manifest.json").is_file():
        return []
    if given.reads("task") and tasks.find(given.options("task").kind).dataset:
        return []
    dataset, named = None, ""
    with suppress(PresetError):  # a preset of one's own may leave the data set to the file
        choice = read_preset(preset, set_ or [], trust).options("dataset")
        dataset, named = datasets.build(choice), choice.kind
    kind = generic_kind(dataset, Path(source))
    if kind in (None, named):
        return []
    if named:
        notice(
            [f"{source} is not in the form of {named} and is read as {kind}; --set dataset.kind=… names another."],
            quiet,
        )
    return [f"dataset.kind={kind}"]


@contextmanager
def preparing(quiet: bool, limit: int | None = None) -> Iterator[Callable[[str, int], None]]:
    """Show the progress of preparing a corpus, of which at most `limit` examples are taken."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), disable=unseen(quiet), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=limit)
            bar.update(tasks[what], completed=done)

        yield tell


class Screen:
    """Shows the reports of a training."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.live = not unseen(quiet)
        self.bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[left]}"),
            console=Console(stderr=True),
            disable=not self.live,
            transient=True,
        )
        self.task: TaskID | None = None

    def __enter__(self) -> Screen:
        self.bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.bar.stop()

    def __call__(self, report: Report) -> None:
        """Show a report."""
        from nutgraf.training.events import Progress, Validation

        if self.quiet:
            return
        if isinstance(report, Progress):
            self._progress(report)
        elif isinstance(report, Validation):
            self._line(validated(report))
        else:
            self._line(report.text)

    def _progress(self, report: Progress) -> None:
        if not self.live:
            self._line(f"{described(report)} · {left(report)}".removesuffix(" · "))
            return
        if self.task is None:
            self.task = self.bar.add_task("", left="")
        total = None if report.seconds_left is None else report.seconds + report.seconds_left
        self.bar.update(
            self.task, description=described(report), left=left(report), total=total, completed=report.seconds
        )

    def _line(self, text: str) -> None:
        if self.live:
            self.bar.console.print(f"nutgraf: {visible(text)}", highlight=False, markup=False, soft_wrap=True)
        else:
            notice([text])


def described(report: Progress) -> str:
    """Return the state of the training in one line."""
    rate, speed = report.learning_rate, report.tokens_per_second
    return f"{where(report)} · loss {report.loss:.3f} · rate {rate:.2e} · {speed:,.0f} tokens/s"


def where(report: Progress | Validation) -> str:
    """Return the progress, with the phase if there are two."""
    phase = "" if report.phase is None else f" · phase {report.phase}"
    return f"step {report.step:,}{phase} · epoch {report.epoch:.2f}"


def left(report: Progress) -> str:
    """Return the remaining time, "" if it is unknown."""
    return "" if report.seconds_left is None else f"{spoken(report.seconds_left)} left"


def validated(report: Validation) -> str:
    """Return the losses and scores in one line."""
    scores = "".join(f" · {name.replace('_', ' of ')} {value:.4f}" for name, value in report.scores.items())
    best = ", the best so far" if report.best else ""
    return f"{where(report)} · validation loss {report.loss:.4f}{scores}{best}"
