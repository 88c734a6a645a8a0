"""The command `nutgraf`: one command, one file; `app.py` binds them, `main.py` runs them."""

from __future__ import annotations

import sys

_report = sys.excepthook


def _tell_of_interrupt(kind: type[BaseException], error: BaseException, traceback: object) -> None:
    """Say that the command was interrupted where Ctrl-C comes before `main` can: while it is still imported."""
    if kind is KeyboardInterrupt:
        sys.stderr.write("nutgraf: interrupted.\n")
    else:
        _report(kind, error, traceback)  # type: ignore[arg-type]


sys.excepthook = _tell_of_interrupt
