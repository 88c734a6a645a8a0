"""The work on a Ray cluster: lanes that are actors, and sources that Ray Data reads.

Ray starts a process for each actor on whatever node has room. An actor that takes too long is killed and replaced; one
that dies, or whose node does, is replaced as well. Everything else is as on one machine: the driver hands out documents
and writes the results.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from nutgraf.batch.sources import LINES, TABLES, Item, Source
from nutgraf.errors import InputError, TaskError, requires
from nutgraf.runtime.lanes import Lanes
from nutgraf.runtime.lines import suffix_of
from nutgraf.runtime.workers import ENVIRONMENT, MakePool, begin, run_task

LOCAL, AUTO = "local", "auto"
"""Clusters without an address: one that is started here, and the one that this machine belongs to."""


class _Actor:
    """A process of the cluster."""

    def __init__(self, folder: str, setup: Callable[..., Any], given: tuple[Any, ...], memory: int | None) -> None:
        with suppress(OSError):  # another machine may do without: then all paths are absolute
            os.chdir(folder)
        begin(setup, given, memory)

    def run(self, function: Callable[..., Any], *task: Any) -> Any:
        """Return the result of a task, or the error in its place."""
        return run_task(function, *task)

    def wait(self) -> None:
        """Return at once: whoever waits for this knows that the actor has begun."""


class RayLane:
    """An actor that does one task after the other; see `nutgraf.runtime.lanes.Lane`."""

    def __init__(
        self, setup: Callable[..., Any], given: tuple[Any, ...], seconds: float | None, memory: int | None, gpus: bool
    ) -> None:
        self._given, self._seconds, self._gpus = (setup, given, memory), seconds, gpus
        self._actor: Any = None

    def stop(self) -> None:
        """End the actor at once; the next task begins another one."""
        import ray

        actor, self._actor = self._actor, None
        if actor is not None:
            ray.kill(actor)

    def run(self, function: Callable[..., Any], *task: Any) -> Any:
        """Return the result of a task, or the error in its place, within its time from the moment when it begins."""
        import ray
        from ray.exceptions import GetTimeoutError, RayActorError, RayError

        try:
            if self._actor is None:
                resources = {"num_cpus": 1, "num_gpus": int(self._gpus)}
                options = {**resources, "runtime_env": {"env_vars": ENVIRONMENT}}
                self._actor = ray.remote(_Actor).options(**options).remote(str(Path.cwd()), *self._given)
                ray.get(self._actor.wait.remote())
            return ray.get(self._actor.run.remote(function, *task), timeout=self._seconds)
        except GetTimeoutError:
            self.stop()
            return TaskError(f"it took longer than {self._seconds:g} seconds and was stopped", cause="time")
        except RayActorError:
            self._actor = None
            return TaskError("its process was terminated, perhaps for lack of memory", cause="ended")
        except RayError as error:
            return TaskError(f"its result could not be returned ({type(error).__name__}: {error})")


@contextmanager
def connected(address: str | None, *, gpus: bool = False) -> Iterator[MakePool | None]:
    """Yield what makes pools of a cluster's actors, connected to the cluster meanwhile; None where none is named.

    Args:
        address: Address of the cluster; "auto" for the one that this machine belongs to, "local" to start one here.
        gpus: Give each actor a GPU.

    Raises:
        MissingPackage: If Ray is not installed.
        InputError: If there is no such cluster, or it has no GPU.
    """
    if address is None:
        yield None
        return
    with requires("batch", "A cluster needs"):
        import ray
    ending = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(
            address, include_dashboard=False if address == LOCAL else None, logging_level="ERROR", log_to_driver=False
        )
    except Exception as error:  # some of Ray's are of no other class
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
        raise InputError(
            f"There is no Ray cluster at {address!r}, or it does not answer: {reason}. `ray start --head` begins one, "
            "and --cluster local begins one that ends with this command."
        ) from error
    if ending is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, ending)  # Ray has one of its own, which ends with another exit status
    try:
        most = int(ray.cluster_resources().get("GPU" if gpus else "CPU", 0))
        if gpus and not most:
            raise InputError("The cluster has no GPU; leave out --device, or add nodes that have one.")

        def pool(setup: Callable[..., Any], given: tuple[Any, ...] = (), **limits: Any) -> Lanes:
            count = limits.get("processes") or most or 1
            seconds, memory = limits.get("seconds"), limits.get("memory")
            return Lanes([RayLane(setup, given, seconds, memory, gpus) for _ in range(count)])

        yield pool
    finally:
        ray.shutdown()


class RemoteSource(Source):
    """Files that Ray Data reads at an address, such as a folder of an object store, in the order of their names.

    JSON lines and tables, by the suffix of the address, have a document in each row; other files are documents.
    """

    def __init__(self, address: str) -> None:
        self.name = address

    def identity(self) -> str:
        """Return the address: Ray tells nothing of the content that would come at little cost."""
        return self.name

    def items(self, position: int) -> Iterator[Item]:
        """Yield its documents; see `Source`."""
        from ray.exceptions import RayError

        number = 0
        try:
            for number, (name, content, size) in enumerate(self._contents(), start=1):
                row = self._row(position, number, content, size, "row")
                yield row if name is None else replace(row, name=name, place=name)
                position += 1
        except (RayError, OSError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            yield self._rest(position, number, reason, "row")

    def _contents(self) -> Iterator[tuple[str | None, Any, int]]:
        """Yield the name of a document, if it is a file, its content and its size."""
        from ray import data

        context = data.DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        suffix = suffix_of(self.name)
        if suffix in LINES:
            for row in data.read_text(self.name).iter_rows():
                yield None, row["text"], len(row["text"])
        elif suffix in TABLES:
            read = {".parquet": data.read_parquet, ".csv": data.read_csv}.get(suffix)
            if read is None:
                raise ValueError(f"Of tables on an object store, CSV and Parquet are read, and no {suffix}")
            for row in read(self.name).iter_rows():
                yield None, row, sum(len(value) for value in row.values() if isinstance(value, str))
        else:
            for row in data.read_binary_files(self.name, include_paths=True).iter_rows():
                yield row["path"], row["bytes"], len(row["bytes"])
