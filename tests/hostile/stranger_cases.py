"""What strangers who had not seen the project broke, each mended since."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from sandbox import Ran
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


def _as_it_was(folder: Path, ran: Ran) -> None:
    assert [path.name for path in folder.iterdir()] == ["given.txt"]


def _untitled(folder: Path, ran: Ran) -> None:
    assert ran.stdout.strip() == "The ferry left at noon."


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
    Case("a file without a name", ["summarize", ""], "refused", says="Invalid value for 'files': it is empty"),
    Case(
        "a headline of three sentences",
        ["summarize", "given.txt", "--format", "headline", "--sentences", "3"],
        "refused",
        _with(),
        says="leave out --sentences 3",
    ),
    Case(
        "a number of five thousand digits",
        ["summarize", "given.json"],
        "refused",
        _with(given_json=f'{{"text": "The ferry left.", "number": {"9" * 5000}}}'),
        says="more than 4,300 digits",
    ),
    Case(
        "a text that would name the window",
        ["summarize", "given.txt", "--system", "lead", "--sentences", "1"],
        "ok",
        _with(given_txt=f"\x1b]0;pwned\x07{NOTICE}"),
        says="1 terminal sequence left out",
        check=_untitled,
    ),
    Case(
        "a result among the files that are read",
        ["summarize", ".", "-o", "result.txt"],
        "refused",
        _with(),
        says="the next run would read it",
        check=_as_it_was,
    ),
]
