"""What strangers who had not seen the project broke, each mended since."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from table import Case

NOTICE = "The ferry left at noon. It carried a piano. A storm broke its mast near the rock. Nobody was hurt.\n"


def _with(**files: str) -> Callable[[Path], None]:
    """Writes files; a name's last underscore stands for its dot."""

    def build(folder: Path) -> None:
        (folder / "given.txt").write_text(NOTICE, encoding="utf-8")
        for name, text in files.items():
            (folder / ".".join(name.rsplit("_", 1))).write_text(text, encoding="utf-8")

    return build


def _with_a_pipe(folder: Path) -> None:
    _with(a_toml='extends = "pipe.toml"\n')(folder)
    os.mkfifo(folder / "pipe.toml")


def _summarize(system: str) -> list[str]:
    return ["summarize", "given.txt", "--system", system, "--words", "30"]


CASES = [
    Case("a preset that extends a pipe", _summarize("a.toml"), "refused", _with_a_pipe, says="no regular file"),
    Case(
        "a preset with a key of forty thousand parts",
        _summarize("a.toml"),
        "refused",
        _with(a_toml='extends = "lead"\n' + ".".join(["a"] * 40_000) + " = 1\n"),
        says="more than 32 parts",
    ),
    Case(
        "word vectors without an end",
        _summarize("a.toml"),
        "refused",
        _with(a_toml='extends = "mls_plus"\n[magnifier.kernels.redundancy]\nvectors = "/dev/zero"\n'),
        says="is not a word vector",
    ),
    Case(
        "lists nested nine hundred deep",
        ["summarize", "given.json"],
        "refused",
        _with(given_json='{"documents":' + "[" * 900 + "]" * 900 + "}"),
        says="nested too deeply",
    ),
    Case(
        "a folder in which no file can be made",
        ["evaluate", "lead", "--data", "given.jsonl", "--out", "/proc/self"],
        "refused",
        _with(given_jsonl='{"text": "The ferry left.", "summary": "It left."}\n'),
        says="cannot be written",
    ),
]
