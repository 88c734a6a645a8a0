"""One row of the table of hostile cases: what is built, what is run on it, and what must come of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sandbox import GIB, Ran


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
        seconds: Ten times what is expected, as a ceiling.
        memory: Address space in bytes.
        check: Asserts on the folder and the outcome afterwards.
        env: Environment variables.
    """

    name: str
    argv: list[str]
    outcome: Literal["ok", "refused"]
    build: Callable[[Path], None] = _nothing
    says: str = ""
    seconds: float = 10.0
    memory: int = 2 * GIB
    check: Callable[[Path, Ran], None] = _anything
    env: dict[str, str] = field(default_factory=dict)
