"""One row of the table of hostile cases: what is built, what is run on it, and what must come of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sandbox import GIB, Ran, Sandbox

NEURAL = "folder_cases"
"""The module whose cases need torch."""

PATIENCE = 6.0
"""Seconds on the clock for a second of processor time, on a machine that is busy with other things."""


def _nothing(folder: Path) -> None:
    pass


def _anything(folder: Path, ran: Ran) -> None:
    pass


@dataclass(frozen=True)
class Case:
    """A hostile input, folder or option, and its outcome.

    Attributes:
        name: What is odd about it, in a few words.
        argv: The arguments after `nutgraf`; the working directory is an empty folder.
        outcome: "ok" for exit status 0, "refused" for exit status 2 and a sentence.
        build: Writes what the command needs into that folder.
        says: Words that standard error must contain.
        seconds: Processor time that is ten times what is expected, as a ceiling.
        memory: Address space in bytes.
        check: Asserts on the folder and the outcome afterwards.
        env: Environment variables.
        campaign: True if it is too large for every run of the tests; `make campaign NAME=large` runs it.
    """

    name: str
    argv: list[str]
    outcome: Literal["ok", "refused"]
    build: Callable[[Path], None] = _nothing
    says: str = ""
    seconds: float = 2.0
    memory: int = 2 * GIB
    check: Callable[[Path, Ran], None] = _anything
    env: dict[str, str] = field(default_factory=dict)
    campaign: bool = False


@dataclass(frozen=True)
class Outcome:
    """What came of a case in its folder."""

    folder: Path
    ran: Ran


def ended(sandbox: Sandbox, case: Case, folder: Path) -> Outcome:
    """Build a case in a folder and run it."""
    case.build(folder)
    return Outcome(
        folder,
        sandbox.run(case.argv, folder, seconds=PATIENCE * case.seconds, memory=case.memory, env=case.env),
    )
