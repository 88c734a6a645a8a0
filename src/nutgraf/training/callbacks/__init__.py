"""Callbacks: what happens around the loop of a training. One file, one callback."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from nutgraf.presets.family import Family
from nutgraf.training.events import Listener, Report, TrainingState

if TYPE_CHECKING:
    from nutgraf.model.network import Network


ALL = (
    "log", "tensorboard", "early_stopping", "rouge", "f1", "order", "accuracy", "selection", "checkpoints", "averaging",
    "card", "repetition", "curve", "prospect",
)  # fmt: skip
"""Callbacks of every training into a model folder, in the order in which they are told."""


class Callback:
    """Told what happens in a training; made with its `Config` and the `Context` (`training/context.py`).

    Every method does nothing until a callback says otherwise. `report`, `scores`, `before_save` and `save` are called
    in the main process alone, all others in every process.
    """

    def __init__(self, config: Any, context: Any) -> None:
        """Keep the options and the context."""
        self.config, self.context = config, context

    def begin(self, state: TrainingState) -> None:
        """Hear that training begins, or goes on after a resume."""

    def report(self, report: Report) -> None:
        """Hear a report."""

    def scores(self, network: Network) -> Mapping[str, float]:
        """Return scores of the network, in evaluation mode, for the report of a validation."""
        return {}

    def before_save(self, state: TrainingState) -> None:
        """Change the state before a checkpoint is written."""

    def save(self, state: TrainingState) -> None:
        """Write what belongs to a checkpoint."""

    def resume(self, state: TrainingState) -> None:
        """Bring things into line with the checkpoint that was restored."""

    def phase_over(self, state: TrainingState) -> None:
        """Hear that the first phase is over; its last checkpoint has been written."""

    def reason(self, state: TrainingState) -> str:
        """Return why training, or its first phase, should end now; "" to go on.

        The answer must be the same in every process. In the second of two phases nobody asks: its last step ends it.
        """
        return ""

    def end(self, state: TrainingState, reason: str) -> None:
        """Hear that training has ended for a reason, "stopped" if by the user; its last checkpoint has been written."""


callbacks: Family[Callback] = Family(__name__, Callback)


class Callbacks:
    """Callbacks in the order in which they are told, and then functions that are told of every report."""

    def __init__(self, main: bool, listeners: Iterable[Listener] = ()) -> None:
        self.members: list[Callback] = []
        self.listeners = list(listeners) if main else []
        self._main = main
        self._waiting: deque[Report] = deque()

    def report(self, report: Report) -> None:
        """Tell the main process's callbacks of a report; one that comes of it is told after it."""
        self._waiting.append(report)
        if len(self._waiting) > 1:
            return
        try:
            while self._waiting:
                for tell in (*(one.report for one in self._of_main()), *self.listeners):
                    tell(self._waiting[0])
                self._waiting.popleft()
        finally:
            self._waiting.clear()

    def save(self, state: TrainingState) -> None:
        """Have the main process write a checkpoint."""
        for one in self._of_main():
            one.before_save(state)
        for one in self._of_main():
            one.save(state)

    def scores(self, network: Network) -> dict[str, float]:
        """Return the scores of all callbacks; {} outside the main process."""
        return {name: value for one in self._of_main() for name, value in one.scores(network).items()}

    def reason(self, state: TrainingState) -> str:
        """Return the first reason to end; "" to go on."""
        return next(filter(None, (one.reason(state) for one in self.members)), "")

    def _of_main(self) -> Iterable[Callback]:
        return tuple(self.members) if self._main else ()
