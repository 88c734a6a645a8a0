"""The engine of the service: a bounded queue before worker processes.

Only as many requests are handed on as there are processes: what waits can be cancelled, counted and put together here.
Requests that wait for the same network with the same settings are summarized together; where such a batch fails, each
of them is tried by itself, so that a poisonous document costs the others one attempt.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from nutgraf.errors import NutgrafError, TaskError, UnknownName
from nutgraf.runtime.hardware import Compute, available_cores
from nutgraf.runtime.lanes import Lanes
from nutgraf.runtime.workers import Pieces, Worker
from nutgraf.service import checking, desk
from nutgraf.service.checking import PresentCheck
from nutgraf.service.desk import Asking, Capacity, Desk, Present
from nutgraf.service.errors import Busy, Loading, Stopping
from nutgraf.service.limits import Limits
from nutgraf.service.prepared import MOST_INPUTS
from nutgraf.service.progress import Progress
from nutgraf.service.reading import Parse, read
from nutgraf.service.requests import (
    Asked,
    CheckRequest,
    DifferenceRequest,
    FindRequest,
    Packed,
    PhrasesRequest,
    ScoreRequest,
    SummaryRequest,
)
from nutgraf.service.systems import served_systems
from nutgraf.service.times import OF_REQUEST, Times
from nutgraf.text.difference import Difference
from nutgraf.text.document import Document

T = TypeVar("T")
Listener = Callable[[Progress], None]
State = Literal["loading", "ready", "stopping", "failed"]
"""State of an engine; it has failed if a system cannot be loaded."""

READING_SECONDS = 20.0
"""Time limit for reading a body into a request."""

LOADING_SECONDS = 600.0
"""Time limit for loading all systems in a process."""

PATIENCE = 2.0
"""Seconds that work goes on after nobody waits for it any more: to start another process takes about as long."""

LONGEST_WAIT = 600
"""Maximum number of seconds after which a client is told to try again."""

MEMORY_OF_MEAN = 0.1
"""Weight of the latest request in the mean time of a request."""


@dataclass(eq=False)
class _Job:
    """A request in the queue or in work, and the function of `desk` that does the work."""

    asking: Asking
    function: Callable[..., Any]
    done: asyncio.Future[Any]
    listener: Listener | None = None
    alone: bool = False
    """True if it must not share a batch, because one with it has failed."""

    times: Times = field(default_factory=lambda: OF_REQUEST.get(Times()))
    came: float = field(default_factory=time.monotonic)

    @property
    def system(self) -> str | None:
        return self.asking.request.system

    @property
    def input(self) -> int | None:
        return self.asking.request.input

    def tell(self, progress: Progress) -> None:
        if self.listener is not None and not self.done.done():
            self.listener(progress)

    def finish(self, result: Any) -> None:
        """Hand over the result, unless nobody waits for it any more."""
        if self.done.done():
            return
        if isinstance(result, NutgrafError):
            self.done.set_exception(_told(result))
        else:
            self.done.set_result(result)


@dataclass(frozen=True)
class Figures:
    """Counts of an engine; `Metrics` says of what."""

    waiting: int
    running: int
    workers: int
    refused: int
    killed: int
    batches: int


class _Slot:
    """A worker process."""

    def __init__(
        self,
        folders: Mapping[str, str | None],
        compute: Compute,
        limits: Limits,
        fetch: bool,
        tell: Callable[..., None],
    ) -> None:
        self.worker = Worker(Desk, (folders, compute, limits, fetch), seconds=limits.seconds, memory=limits.memory)
        self.lane = Lanes([self.worker])
        self._tell = tell
        self.jobs: Sequence[_Job] = ()
        self.loaded = False
        self.latest = deque[int](maxlen=MOST_INPUTS)
        self.names: frozenset[str] = frozenset()

    async def run(self, function: Callable[..., Any], *task: Any, seconds: float | None = None) -> Any:
        """Return the result of a task, or the error in its place."""
        listened = any(job.listener is not None for job in self.jobs)  # else each note would wake the loop for nobody
        heard = self._tell if listened else None
        try:
            return await asyncio.wrap_future(self.lane.submit(function, *task, seconds=seconds, heard=heard))
        except TaskError as error:  # no process can be started
            return error

    def fits(self, job: _Job) -> bool:
        """Return True if the process may work on a request."""
        return job.system is None or job.system in self.names


@dataclass
class Engine:
    """Summarizes, finds phrases and scores in worker processes.

    >>> async with Engine() as engine:  # doctest: +SKIP
    ...     await engine.ready()
    ...     summary = await engine.summarize(SummaryRequest((Text("…"),)))

    Attributes:
        folders: Model folders by the names that requests use; presets that need no training are there by themselves.
        workers: Number of worker processes; None for one per core.
        limits: Limits of a request and of the queue.
        device: Device of networks, as torch names it; "auto" is the GPU if there is one.
        fetch: Fetch the page where a document is nothing but a web address; only public addresses are connected to.

    Raises:
        InputError: If a folder is not a trained model, or has the name of a preset that needs no training.
        PresetError: If a folder's preset does not fit.
    """

    folders: Mapping[str, str | Path] = field(default_factory=dict)
    workers: int | None = None
    limits: Limits = field(default_factory=Limits)
    device: str = "auto"
    fetch: bool = False

    def __post_init__(self) -> None:
        self.systems = served_systems(self.folders)
        self.capacities: dict[str, Capacity] = {}
        self._size = self.workers or available_cores()
        self.state: State = "loading"
        self._error: NutgrafError | None = None
        self._tickets = itertools.count(1)
        self._waiting: deque[_Job] = deque()
        self._jobs: dict[int, _Job] = {}
        self._slots: list[_Slot] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._refused = self._killed = self._batches = 0
        self._mean_seconds = 0.5
        self._reader = Lanes([Worker(copy, (self.limits,), seconds=READING_SECONDS, memory=self.limits.memory)])

    async def __aenter__(self) -> Engine:
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop(0 if error[0] is not None else self.limits.seconds)

    async def start(self, *, prepare: Callable[[Limits], None] | None = None) -> None:
        """Start the worker processes, which begin to load their systems.

        Args:
            prepare: First task of the process that reads bodies; None starts it with the first of them.
        """
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._settled = asyncio.Event()
        folders = {name: one.folder for name, one in self.systems.items()}
        compute = Compute(threads=max(1, available_cores() // self._size), device=self.device)
        self._slots = [
            _Slot(folders, compute, self.limits, self.fetch, self._tell_from_thread) for _ in range(self._size)
        ]
        self._tasks = [asyncio.create_task(self._begin(prepare))]

    async def ready(self) -> None:
        """Wait until all systems are loaded. Raises NutgrafError if one of them cannot be loaded."""
        await self._settled.wait()
        if self._error is not None:
            raise self._error

    async def stop(self, seconds: float = 30.0) -> None:
        """Refuse new requests, wait for those that are there, and end the worker processes.

        Args:
            seconds: Time for what waits and what is in work; after that it has no result.
        """
        self.state = "stopping"
        pending = [job.done for job in self._jobs.values()]
        if pending:
            await asyncio.wait(pending, timeout=seconds)
        for job in list(self._jobs.values()):
            job.finish(Stopping("The service has been stopped."))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        stops = [self._reader.stop, *(slot.lane.stop for slot in self._slots)]
        await asyncio.gather(*map(asyncio.to_thread, stops))

    @property
    def figures(self) -> Figures:
        """Counts for whoever watches the service."""
        running = sum(len(slot.jobs) for slot in self._slots)
        counts = self._refused, self._killed, self._batches
        return Figures(len(self._waiting), running, len(self._slots), *counts)

    async def read(self, parse: Parse[T], body: Pieces, media_type: str) -> T:
        """Return the request that a body makes, read in a process of its own with limits of time and memory.

        Args:
            parse: Coroutine function at the top level of a module; it is given the body, its media type and the limits,
                and returns an object whose attribute `request` is a request, or an error that is an answer.
            body: The body.
            media_type: Header `Content-Type`.

        Returns:
            What `parse` returns, with its request packed.

        Raises:
            NutgrafError: What `parse` raises; a TaskError if it took too long or too much memory.
        """
        result = await asyncio.wrap_future(self._reader.submit(read, parse, body, media_type))
        if isinstance(result, NutgrafError):
            raise _told(result)
        found: T = result
        return found

    async def summarize(
        self, request: SummaryRequest | Packed, present: Present[Any] = desk.whole, *, progress: Listener | None = None
    ) -> Any:
        """Return a summary, or what is made of it.

        Args:
            request: Documents, system, length and highlights; packed if `read` made it.
            present: Function at the top level of a module, or a `partial` of one, that the worker process calls with
                the summary and its system; what it returns is sent back. By default it is the summary itself.
                Bytes are limited as a body is, and many of them come in pieces.
            progress: Called in this event loop with the progress of the request.

        Raises:
            InputError: If a document cannot be read, or has no sentence.
            BudgetError: If no summary can have this length.
            UnknownName: If there is no such system.
            TooLarge: If the request exceeds a limit of size.
            TaskError: If it took too long or too much memory, or its process ended.
            Busy: If the queue is full.
            Loading: If the systems are not loaded yet.
            Stopping: If the service is about to end.
        """
        if request.system not in self.systems:
            raise UnknownName("system", request.system or "", self.systems)
        return await self._result(desk.summarize, request, present, progress)

    async def find(
        self,
        request: FindRequest | Packed,
        present: Callable[[Any, Document], Any] = desk.by_itself,
        *,
        progress: Listener | None = None,
    ) -> Any:
        """Return `Minutes`, an `Agreement`, `Changes` or an `Answer` of documents, or what is made of it.

        Args:
            request: What to find, and in which documents.
            present: As in `summarize`; it is called with what was found and the documents, joined.
            progress: As in `summarize`.

        Raises:
            InputError: If a document cannot be read, or there are too few.
            ServiceError: As in `summarize`.
        """
        return await self._result(desk.find, request, present, progress)

    async def phrases(
        self,
        request: PhrasesRequest | Packed,
        present: Callable[[dict[str, Any]], Any] = desk.as_it_is,
        *,
        progress: Listener | None = None,
    ) -> Any:
        """Return the key phrases of documents, in the schema `nutgraf.phrases/1`; the rest is as in `summarize`."""
        return await self._result(desk.phrases, request, present, progress)

    async def score(
        self,
        request: ScoreRequest | Packed,
        present: Callable[[dict[str, Any]], Any] = desk.as_it_is,
        *,
        progress: Listener | None = None,
    ) -> Any:
        """Return scores of summaries, in the schema `nutgraf.scores/1`; the rest is as in `summarize`."""
        return await self._result(desk.score, request, present, progress)

    async def check(
        self,
        request: CheckRequest | Packed,
        present: PresentCheck = checking.as_it_is,
        *,
        progress: Listener | None = None,
    ) -> Any:
        """Return what documents say to a summary, a `Faithfulness`; the rest is as in `summarize`."""
        return await self._result(checking.check, request, present, progress)

    async def difference(
        self, request: DifferenceRequest | Packed, present: Callable[[Difference], Any] = desk.as_it_is
    ) -> Any:
        """Return the words that differ between two texts; the rest is as in `summarize`."""
        return await self._result(desk.difference, request, present, None)

    async def _result(
        self,
        function: Callable[..., Any],
        request: Asked | Packed,
        present: Callable[..., Any],
        progress: Listener | None,
    ) -> Any:
        packed = Packed.of(request, self.limits)
        self.admit()
        asking = Asking(next(self._tickets), packed, present)
        job = _Job(asking, function, self._loop.create_future(), progress)
        self._jobs[asking.ticket] = job
        self._waiting.append(job)
        self._tell_places()
        self._changed.set()
        try:
            return await job.done
        except asyncio.CancelledError:
            self._give_up(job)
            raise
        finally:
            self._jobs.pop(asking.ticket, None)

    def admit(self) -> None:
        """Raise ServiceError if no request can be taken now; to ask this is cheaper than to read one first.

        Raises:
            Busy: If the queue is full.
            Loading: If the systems are not loaded yet.
            Stopping: If the service is about to end.
        """
        if self.state == "stopping":
            raise Stopping("The service is about to stop and takes no more requests.", 10)
        if self.state == "failed":
            raise Loading(f"The systems could not be loaded: {self._error}", 60)
        if self.state == "loading":
            raise Loading("The systems are still being loaded; try again in a few seconds.", 5)
        idle = sum(not slot.jobs for slot in self._slots)
        if len(self._waiting) >= self.limits.queue + idle:
            self._refused += 1
            seconds = self._mean_seconds * (len(self._waiting) + 1) / len(self._slots)
            after = min(LONGEST_WAIT, max(1, math.ceil(seconds)))
            raise Busy(f"All places in the queue are taken; try again in {after} second{'s'[: after > 1]}.", after)

    def _give_up(self, job: _Job) -> None:
        """Take a request that nobody waits for any more from the queue, or end the work on it."""
        if job in self._waiting:
            self._waiting.remove(job)
            self._tell_places()
        for slot in self._slots:
            if job in slot.jobs and all(one.done.done() for one in slot.jobs):
                self._loop.call_later(PATIENCE, self._end_unless_awaited, slot, slot.jobs)

    def _end_unless_awaited(self, slot: _Slot, jobs: Sequence[_Job]) -> None:
        if slot.jobs is jobs:
            slot.worker.stop()

    def _tell_from_thread(self, ticket: int, progress: Progress) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._tell, ticket, progress)

    def _tell(self, ticket: int, progress: Progress) -> None:
        if ticket in self._jobs:
            self._jobs[ticket].tell(progress)

    def _tell_places(self) -> None:
        for place, job in enumerate(self._waiting):
            job.tell(Progress("waiting", place))

    async def _begin(self, prepare: Callable[[Limits], None] | None) -> None:
        """Load all systems in the first process, then in the others those that may be there several times."""
        try:
            await self._load(self._slots[0], sorted(self.systems))
            for index, slot in enumerate(self._slots):
                slot.names = frozenset(
                    name for name, one in self.capacities.items() if one.processes is None or one.processes > index
                )
            await asyncio.gather(*(self._load(slot, sorted(slot.names)) for slot in self._slots[1:]))
            if prepare:
                await asyncio.wrap_future(self._reader.submit(prepare, seconds=LOADING_SECONDS))
        except NutgrafError as error:
            self._error, self.state = error, "failed"
            self._settled.set()
            return
        if self.state == "loading":
            self.state = "ready"
        self._settled.set()
        self._tasks += [asyncio.create_task(self._serve(slot)) for slot in self._slots]

    async def _load(self, slot: _Slot, names: Sequence[str]) -> None:
        """Load systems in a process. Raises NutgrafError if one of them cannot be loaded."""
        loaded = await slot.run(desk.load_systems, names, seconds=LOADING_SECONDS)
        if isinstance(loaded, NutgrafError):
            raise loaded
        self.capacities = {**loaded, **self.capacities}
        slot.loaded = True

    async def _serve(self, slot: _Slot) -> None:
        """Take requests from the queue, one batch after another."""
        while True:
            if not slot.loaded:
                with suppress(NutgrafError):  # a request that needs the system will say it
                    await self._load(slot, sorted(slot.names))
            slot.jobs = self._take(slot)
            if not slot.jobs:
                self._changed.clear()
                await self._changed.wait()
                continue
            began = time.monotonic()
            await self._work(slot, slot.jobs)
            taken = (time.monotonic() - began) / len(slot.jobs)
            self._mean_seconds += MEMORY_OF_MEAN * (taken - self._mean_seconds)
            slot.jobs = ()

    def _has_better(self, slot: _Slot, job: _Job) -> bool:
        """Return True if an idle process, which is about to look into the queue, too, has just read the same input."""
        if job.input is None or job.input in slot.latest:
            return False
        return any(
            one.loaded and not one.jobs and one.fits(job) and job.input in one.latest
            for one in self._slots
            if one is not slot
        )

    def _take(self, slot: _Slot) -> list[_Job]:
        """Take the first request that a process can work on, and those that it can work on together with it."""
        first = next((job for job in self._waiting if slot.fits(job) and not self._has_better(slot, job)), None)
        if first is None:
            return []
        taken = [first]
        if first.system is not None and not first.alone:
            most = self.capacities[first.system].at_once
            settings = first.asking.request.settings
            alike = (job for job in self._waiting if job.asking.request.settings == settings and not job.alone)
            taken = list(itertools.islice(alike, most))
        slot.latest.extend(job.input for job in taken if job.input is not None)
        self._waiting = deque(job for job in self._waiting if job not in taken)
        if self._waiting:
            self._changed.set()  # whoever left a request to this process looks again
        self._tell_places()
        return taken

    async def _work(self, slot: _Slot, jobs: Sequence[_Job]) -> None:
        """Work on requests together; if that fails, on each of them by itself, before all others."""
        self._batches += len(jobs) > 1
        began = time.monotonic()
        made = await slot.run(jobs[0].function, [job.asking for job in jobs])
        for job in jobs:
            job.times.queue, job.times.work = began - job.came, time.monotonic() - began
        if isinstance(made, TaskError) and made.cause in ("time", "ended"):
            self._killed += 1
            slot.loaded = False
            slot.latest.clear()
        if isinstance(made, NutgrafError) and len(jobs) > 1:
            for job in jobs:
                job.alone = True
            self._waiting.extendleft(job for job in reversed(jobs) if not job.done.done())
            self._changed.set()
            return
        results = [made] if isinstance(made, NutgrafError) else made
        for job, result in zip(jobs, results, strict=True):
            job.finish(result)


def _told(error: NutgrafError) -> NutgrafError:
    """Return an error as a sentence about a request."""
    if isinstance(error, TaskError):
        return TaskError(f"This request has no result: {error}.", error.details, error.cause)
    return error
