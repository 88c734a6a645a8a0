"""Odd options, and odd places to read from and to write to."""

from __future__ import annotations

from pathlib import Path

from sandbox import Ran
from table import Case

NOTICE = "The ferry left at noon. It carried a piano. A storm broke its mast near the rock. Nobody was hurt.\n"
SUMMARIZE = ["summarize", "given.txt"]


def _given(folder: Path) -> None:
    (folder / "given.txt").write_text(NOTICE)


def _loop(folder: Path) -> None:
    _given(folder)
    (folder / "loop").symlink_to("loop")


def _pairs(folder: Path) -> None:
    (folder / "given.jsonl").write_text('{"hypothesis": "The ferry left.", "reference": "The ferry left at noon."}\n')


def _one_line(folder: Path, ran: Ran) -> None:
    """Nothing in it forges a second line, or reaches the terminal as a control character."""
    assert ran.stderr.count("\n") == 1
    assert all(character.isprintable() for character in ran.stderr[:-1])


def _trace(folder: Path, ran: Ran) -> None:
    assert "nutgraf: There is no file" in ran.stderr


CASES = [
    Case("words without end", [*SUMMARIZE, "--words", f"1{'0' * 30}"], "refused", _given, says="longer than any text"),
    Case("sentences without end", [*SUMMARIZE, "--sentences", f"1{'0' * 30}"], "refused", _given, says="longer"),
    Case("a share of a tiny power", [*SUMMARIZE, "--share", "1e-999999999"], "refused", _given, says="is not a share"),
    Case("a share of a huge power", [*SUMMARIZE, "--share", "1e999999999"], "refused", _given, says="is not a share"),
    Case("a share per cent of a huge power", [*SUMMARIZE, "--share", "1e99999999%"], "refused", _given),
    Case("a highlight of infinite weight", [*SUMMARIZE, "--highlight", "ferry:1e999"], "refused", _given),
    Case("an infinite option", [*SUMMARIZE, "--set", "magnifier.temperature=1e999"], "refused", _given),
    Case("a seed of thousands of digits", [*SUMMARIZE, "--set", f"seed=0x{'f' * 5000}"], "refused", _given),
    Case("an option nested without end", [*SUMMARIZE, "--set", f"seed={'[' * 5000}"], "refused", _given),
    Case(
        "words that are none",
        [*SUMMARIZE, "--words", "abc"],
        "refused",
        _given,
        says="'--words': 'abc' should be a",
    ),
    Case("no thread", [*SUMMARIZE, "--threads", "0"], "refused", _given, says="'--threads': '0' should be greater"),
    Case("data in a format", [*SUMMARIZE, "--json", "--format", "markdown"], "refused", _given, says="leave out"),
    Case("no such option", [*SUMMARIZE, "--length", "5"], "refused", _given, says="No such option"),
    Case("a name of 300 letters", ["summarize", "n" * 300], "refused", says="name too long"),
    Case("a system of 300 letters", [*SUMMARIZE, "--system", "n" * 300], "refused", _given),
    Case("an output of 300 letters", [*SUMMARIZE, "-o", "n" * 300], "refused", _given),
    Case(
        "resamples without end",
        ["score", "-H", "given.jsonl", "--resamples", f"1{'0' * 12}"],
        "refused",
        _pairs,
        says="--resamples",
    ),
    Case("a negative seed", ["score", "-H", "given.jsonl", "--seed", "-1"], "refused", _pairs, says="--seed"),
    Case("a limit without end", ["evaluate", "lead", "--data", "given.jsonl", "--limit", "9" * 30], "refused", _pairs),
    Case("a name that would forge a line", ["summarize", "a\nnutgraf: done"], "refused", check=_one_line),
    Case("a name that would colour a terminal", ["summarize", "\x1b[31m\x9b0m\u202e"], "refused", check=_one_line),
    Case(
        "a preset that would forge a line",
        [*SUMMARIZE, "--system", "a\nnutgraf: done"],
        "refused",
        _given,
        check=_one_line,
    ),
    *(
        Case(
            f"a device called {name!r}", [*SUMMARIZE, "--device", name], "refused", _given, "no device", check=_one_line
        )
        for name in ("banana", "meta", "cuda:", "cuda:-1", "\x1b[2J\n")
    ),
    Case("a terminal of a billion columns", ["presets"], "ok", seconds=5, env={"COLUMNS": "1000000000"}),
    Case("a terminal of no columns", ["summarize", "-h"], "ok", env={"COLUMNS": "0"}),
    Case("a terminal of x columns", ["score", "-h"], "ok", env={"COLUMNS": "x"}),
    Case("writing to a link to itself", [*SUMMARIZE, "-o", "loop"], "ok", _loop),
    Case("a module that is a program", ["phrases", "given.txt", "--extractor", "unittest.__main__"], "refused", _given),
    Case("writing to a full device", [*SUMMARIZE, "-o", "/dev/full"], "refused", _given, says="No space left"),
]
