"""Work on many documents separately: several processes read and handle files, and results keep their order.

What goes wrong with one document is said and does not disturb the others; the command ends with status 2 then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from nutgraf.cli._say import notice, unseen
from nutgraf.errors import NutgrafError, TaskError
from nutgraf.runtime.lanes import Lanes
from nutgraf.runtime.workers import Workers

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from nutgraf.text.document import Document

SECONDS = 600.0
"""Limit of time for reading a file and for working on a document."""

INLINE = 4
"""Files that are worked on in this process: starting others would take longer."""

STANDARD_INPUT = "-"

NAMED = 5
"""Documents that the closing sentence names."""

Result = TypeVar("Result", covariant=True)


class Job(Protocol[Result]):
    """Work on each document."""

    @property
    def language(self) -> str | None:
        """Language of the documents, if it is known."""

    @property
    def reader(self) -> str | None:
        """Name of the reader of the files; None finds it."""

    @property
    def fetch(self) -> bool:
        """True if addresses of the web may be read."""

    @property
    def at_once(self) -> int:
        """Documents to take at a time, in this process; 1 for a job that several processes share."""

    def warnings(self, document: Document) -> Sequence[str]:
        """Return notices that come before the work on a document."""

    def work(self, documents: Sequence[Document]) -> Sequence[Result | NutgrafError]:
        """Return a result for each document, or the error in its place."""


def each(files: Sequence[str], job: Job[Result], what: str, quiet: bool) -> tuple[list[Result], bool]:
    """Work on every document of every file; every process has a copy of the job, which loads what it needs by itself.

    Returns the results in the order of the documents, and False if there is a document without one.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from nutgraf.readers.reading import files_of

    here = copy(job)
    files = [file for path in files for file in files_of(path, job.reader)]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = unseen(quiet) or len(files) <= INLINE
    with Progress(*columns, console=Console(stderr=True), disable=hidden, transient=True) as bar:
        count = _Count(bar, bar.add_task(what, total=len(files)), quiet)
        with Workers(copy, (job,), seconds=SECONDS, inline=INLINE) as workers:
            results = list(_results(files, here, workers, count))
    if count.failed:
        notice([_failures(count.failed, len(results) + len(count.failed))])
    return results, not count.failed


class _Count:
    """Progress of the work, and the documents that failed."""

    def __init__(self, bar: Progress, task: TaskID, quiet: bool) -> None:
        self.bar, self.task, self.quiet, self.failed = bar, task, quiet, list[str]()

    def found(self, documents: int) -> None:
        """Count the documents of a file."""
        total = self.bar.tasks[0].total or 0
        self.bar.update(self.task, total=total + documents - 1)

    def done(self) -> None:
        """Count a document as done."""
        self.bar.advance(self.task)

    def fail(self, name: str, sentence: str) -> None:
        """A file or document has no result."""
        self.failed.append(name)
        self.bar.advance(self.task)
        notice([sentence])


def _results(files: Sequence[str], job: Job[Result], workers: Lanes, count: _Count) -> Iterator[Result]:
    documents = _announced(_read(files, job, workers, count), job, count)
    pairs = _here(job, documents) if job.at_once > 1 else _shared(workers, documents)
    for name, result in pairs:
        if isinstance(result, NutgrafError):
            count.fail(name, f"{name}: {result}")
        else:
            count.done()
            yield result


def _read(files: Sequence[str], job: Job[Result], workers: Lanes, count: _Count) -> Iterator[Document]:
    """The documents of all files; standard input is read here, because other processes do not have it."""
    others = workers.map(_read_file, ((file,) for file in files if file != STANDARD_INPUT))
    for file in files:
        found = _read_file(job, file) if file == STANDARD_INPUT else next(others)
        if isinstance(found, NutgrafError):
            count.fail(file, f"{file}: {found}" if isinstance(found, TaskError) else str(found))
        else:
            count.found(len(found))
            yield from found


def _announced(documents: Iterator[Document], job: Job[Result], count: _Count) -> Iterator[Document]:
    for document in documents:
        notice((f"{document.name}: {warning}" for warning in job.warnings(document)), count.quiet)
        yield document


def _read_file(job: Job[Any], file: str) -> list[Document] | NutgrafError:
    from nutgraf.readers.reading import read

    try:
        return read(file, job.language, job.reader, fetch=job.fetch)
    except NutgrafError as error:
        return error


def _shared(workers: Lanes, documents: Iterator[Document]) -> Iterator[tuple[str, Result | NutgrafError]]:
    """Results with the names of their documents, by several processes."""
    names = deque[str]()

    def tasks() -> Iterator[tuple[Document]]:
        for document in documents:
            names.append(document.name)
            yield (document,)

    for result in workers.map(_work, tasks()):
        yield names.popleft(), result


def _work(job: Job[Result], document: Document) -> Result | NutgrafError:
    [result] = job.work([document])
    return result


def _here(job: Job[Result], documents: Iterator[Document]) -> Iterator[tuple[str, Result | NutgrafError]]:
    """Results with the names of their documents, several at a time."""
    while some := list(islice(documents, job.at_once)):
        yield from zip((document.name for document in some), job.work(some), strict=True)


def _failures(failed: Sequence[str], total: int) -> str:
    """The closing sentence of a batch in which some failed; why each of them did was said before."""
    named = ", ".join(failed[:NAMED])
    others = f" and {len(failed) - NAMED} others" if len(failed) > NAMED else ""
    return (
        f"{len(failed)} of {total} documents {'has' if len(failed) == 1 else 'have'} no result, for the reasons above: "
        f"{named}{others}."
    )
