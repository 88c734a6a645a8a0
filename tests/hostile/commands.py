"""One warm process for all commands that the tests here run, two at a time: it has imported what they need."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from folders import NEURAL
from kill import built
from sandbox import Sandbox

Result = TypeVar("Result")


def step_back(niceness: str) -> None:
    """Leave the processor to what others wait for: the making of networks."""
    os.nice(int(niceness))


class Commands:
    """Runs commands and other programs in sandboxes.

    Attributes:
        can_kill: True if `killpoints.c` counts what the sandboxes write.
        folder: Where what all of them need is.
    """

    def __init__(self, folder: Path) -> None:
        self.can_kill = sys.platform.startswith("linux") and shutil.which(os.environ.get("CC", "cc")) is not None
        self.folder = folder
        self._first = Sandbox(env={"LD_PRELOAD": str(built(folder))} if self.can_kill else {})
        self._pool, self._loading = ThreadPoolExecutor(2), ThreadPoolExecutor(1)
        self._plain = self._loading.submit(self._first.twin)
        self._neural: Future[Sandbox] | None = None
        self._twins: dict[tuple[int, bool], Sandbox] = {}
        self._twinning = threading.Lock()

    def begin_networks(self) -> Path:
        """Import torch and make what `make_sources` makes, while other work goes on.

        Returns:
            The folder where that will be when work with `networks=True` begins.
        """
        self._neural = self._loading.submit(self._with_networks)
        return self.folder

    def submit(self, work: Callable[[Sandbox], Result], *, networks: bool = False) -> Future[Result]:
        """Do some work as soon as it has its turn.

        Args:
            work: Is given a sandbox.
            networks: True if the sandbox must have torch.
        """
        base = self._neural if networks else self._plain
        assert base is not None
        return self._pool.submit(lambda: work(self._twin(base.result(), networks)))

    def _with_networks(self) -> Sandbox:
        self._first.load([name for name in NEURAL if not name.startswith("matplotlib")])
        self._first.call("folders:make_sources", str(self.folder))
        return self._first

    def _twin(self, base: Sandbox, networks: bool) -> Sandbox:
        """Each thread's own."""
        with self._twinning:
            key = threading.get_ident(), networks
            if key not in self._twins:
                self._twins[key] = base.twin()
                if not networks:
                    self._twins[key].call("commands:step_back", "10")
            return self._twins[key]

    def close(self) -> None:
        """End all processes."""
        self._pool.shutdown(cancel_futures=True)
        self._loading.shutdown()
        for sandbox in (*self._twins.values(), self._plain.result()):
            sandbox.close()
        self._first.close()
