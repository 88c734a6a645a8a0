"""Odd texts, given to `summarize`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sandbox import Ran
from table import Case

NOTICE = b"The ferry left at noon. It carried a piano. A storm broke its mast near the rock. Nobody was hurt.\n"


def _writes(data: bytes, name: str = "given.txt") -> Callable[[Path], None]:
    def build(folder: Path) -> None:
        (folder / name).write_bytes(data)

    return build


def _within_eight_words(folder: Path, ran: Ran) -> None:
    assert 0 < len(ran.stdout.split()) <= 8


CASES = [
    Case(
        "a plain notice", ["summarize", "given.txt", "--words", "8"], "ok", _writes(NOTICE), check=_within_eight_words
    ),
    Case("an empty file", ["summarize", "given.txt"], "refused", _writes(b""), says="is empty"),
    Case("only white space", ["summarize", "given.txt"], "refused", _writes(b" \n\t\n" * 100), says="is empty"),
    Case("random bytes", ["summarize", "given.txt"], "refused", _writes(bytes(range(256)) * 40)),
    Case(
        "NULs between the words",
        ["summarize", "given.txt", "--words", "8"],
        "ok",
        _writes(NOTICE.replace(b" ", b"\0 ")),
    ),
    Case("no such file", ["summarize", "given.txt"], "refused", says="There is no file"),
]
