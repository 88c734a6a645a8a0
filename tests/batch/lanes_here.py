"""Lanes without processes, for tests of everything but processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nutgraf.errors import NutgrafError
from nutgraf.runtime.lanes import Lanes


class Here:
    """A lane that does each task at once, in this process."""

    def __init__(self, setup: Callable[..., Any], given: tuple[Any, ...]) -> None:
        self.state = setup(*given)
        self.tasks: list[Any] = []

    def run(self, function: Callable[..., Any], *task: Any) -> Any:
        self.tasks.append(task)
        try:
            return self.do(function, *task)
        except NutgrafError as error:
            return error

    def do(self, function: Callable[..., Any], *task: Any) -> Any:
        return function(self.state, *task)

    def stop(self) -> None:
        """Nothing is there to stop."""


class Pools:
    """Makes pools of such lanes, and remembers them."""

    def __init__(self, kind: type[Here] = Here) -> None:
        self.kind, self.lanes = kind, list[Here]()

    def __call__(self, setup: Callable[..., Any], given: tuple[Any, ...] = (), **limits: Any) -> Lanes:
        self.lanes = [self.kind(setup, given) for _ in range(limits.get("processes") or 2)]
        return Lanes(self.lanes)

    @property
    def tasks(self) -> list[Any]:
        """Ids of the documents of all tasks so far."""
        return [[item.name for item in task[0]] for lane in self.lanes for task in lane.tasks if task]
