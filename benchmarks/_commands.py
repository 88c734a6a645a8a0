"""Commands of nutgraf, run by a benchmark."""

from __future__ import annotations

from collections.abc import Sequence


def nutgraf(*arguments: object) -> None:
    """Run a command of nutgraf, in this process: starting others takes longer than some of the work."""
    from nutgraf.cli.app import run

    if run([*map(str, arguments)]):
        raise SystemExit(2)


def settings(options: Sequence[str]) -> list[str]:
    """Return the arguments that set options of a preset."""
    return [word for one in options for word in ("--set", one)]
