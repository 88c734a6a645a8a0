"""A campaign of odd options: every option of every command, with values that no option should have.

    python tests/hostile/options.py [--count N] [--seed S] [--only I] [--report FILE]

The options are read off the commands themselves, so that a new one is tried at once. Each case is a command line that
works, with one option odd, missing, repeated or contradicted; besides these there are odd arguments, odd environments
and odd streams. It must end with status 0, 2, or 130, without a traceback, and every line on standard error is a
sentence of nutgraf's or says how the command is used; nothing half-written is left.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from folders import NEURAL, make_sources, violation
from sandbox import GIB, PRELOADED, Sandbox

VALUES = [
    "", " ", "0", "-1", "1.5", "nan", "inf", "1e999", "-1e-999999999", f"1{'0' * 30}", "9" * 5000, "0x10", "1/0", "1/3",
    "100%", "1e99999999%", "٣", "a" * 300, "a" * 5000, "../" * 50, "~root/x", "-", "--", "-q", "a\nnutgraf: done",
    "\x1b]0;x\x07\x9b31m", "\u202etxt.exe", "é\u0301漢🐟", "\udc80\udcff", "folder", "no/such/file", "no-such-name",
    "/dev/full", "/dev/null", "/dev/zero", "/dev/stdin", "/", ".", "locked", "loop", "empty", "broken.toml",
    "deep.toml", "model.evil", "unittest.__main__", "a.b=c", "=", "x=", "=x", "kind=a.b", "seed=1e999", "seed=[[[[",
    f"seed={'[' * 3000}", "a=1\nb=2", "magnifier=5", "magnifier.kernels=5", "extractive.kind=", "training.max_steps=-1",
    "training.max_steps=1e3", "decoding.beam_size=1000000", "model.d_model=100000", "model.d_model=1048576",
    "model.encoder.num_layers=99999",
    "model.num_heads=0", "rouge.references=worst", "rouge.variants=[]", "phrase:-1", "phrase:1e400", "::",
    "rouge,,", ",",
]  # fmt: skip
"""What a text on the command line may be; NUL cannot be."""

ENVIRONMENTS = [
    {"COLUMNS": "0"}, {"COLUMNS": "-5"}, {"COLUMNS": "9" * 12}, {"COLUMNS": "x"}, {"COLUMNS": ""}, {"LINES": "-1"},
    {"TERMINAL_WIDTH": "x"}, {"LC_ALL": "C"}, {"LANG": "xx_YY.nothing"}, {"TMPDIR": "/no/such/folder"},
    {"HOME": "/no/such"},
    {"TERM": "x" * 5000}, {"NUTGRAF_DEBUG": "0"}, {"FORCE_COLOR": "1"}, {"PYTHONHASHSEED": "7"},
]  # fmt: skip


JUDGING = (
    "statsmodels.stats.inter_rater", "scipy.optimize", "krippendorff", "choix", "sqlalchemy",
    "nutgraf.judging.*", "nutgraf.reproduction.*",
)  # fmt: skip
"""Modules that the commands of judging load."""


@dataclass(frozen=True)
class Line:
    """A command line: what stands after `nutgraf`, with which environment and standard input."""

    argv: list[str]
    env: dict[str, str] = field(default_factory=dict)
    stdin: str = ""


WORKING: dict[str, list[str]] = {
    "summarize": ["given.txt"],
    "phrases": ["given.txt"],
    "check": ["given.txt", "given.txt"],
    "presets": [],
    "score": ["-H", "pairs.jsonl"],
    "evaluate": ["lead", "--data", "notices.jsonl", "--sentences", "1"],
    "tune": ["mls_plus", "--data", "notices.jsonl", "--step", "0.5", "--share", "1/2", "-o", "tuned.toml"],
    "prepare": ["whole.toml", "notices.jsonl", "out", "--workers", "1"],
    "train": ["whole.toml", "--data", "prepared", "--out", "out", "-q"],
    "convert": ["bert", "out"],
    "batch": ["notices.jsonl", "--sentences", "1", "--out", "out", "--workers", "1"],
    "info": ["trained"],
    "reproduce": ["kpat", "table5"],
    "judge plan": ["--win", "0.6", "--lose", "0.1", "--judges", "3", "--studies", "10"],
    "judge sheet": ["first=leads.txt", "second=leads.txt", "--judges", "2", "--out", "out"],
    "judge collect": ["study", "study/rehearsal"],
    "judge report": ["study"],
    "judge export": ["study"],
}
"""What each command does when nothing is odd. An odd option is added behind it: of options that may be given once, the
last one counts."""


def lines() -> Iterator[Line]:
    """All command lines, in a fixed order."""
    from nutgraf.cli.app import command_group

    command: Any
    for named, working in WORKING.items():
        name, command = named.split(), command_group()
        for part in name:
            command = command.commands[part]
        yield Line([*name, *working])
        yield Line(name)
        yield Line([*name, "--help"])
        for env in ENVIRONMENTS:
            yield Line([*name, *working], env)
        for stdin in ("given.txt", "/dev/zero", "binary"):
            yield Line([*name, *["-" if one == "given.txt" else one for one in working]], stdin=stdin)
        for at, argument in enumerate(working):
            if not argument.startswith("-"):
                for value in VALUES:
                    yield Line([*name, *working[:at], value, *working[at + 1 :]])
        yield Line([*name, *working, *working])
        for parameter in command.params:
            if not parameter.opts or not parameter.opts[0].startswith("-") or "--help" in parameter.opts:
                continue
            longest = max(parameter.opts, key=len)
            if getattr(parameter, "is_flag", False):
                yield Line([*name, *working, longest])
                yield Line([*name, *working, longest, longest])
                yield Line([*name, *working, f"{longest}=x"])
                continue
            yield Line([*name, *working, longest])
            for value in VALUES:
                yield Line([*name, *working, f"{longest}={value}"])
            yield Line([*name, *working, longest, "1", longest, "2"])
    for odd in ([], ["--version", "x"], ["--no"], ["x"], ["--debug"], ["--"], ["-h"], ["summarize", "--", "-x"]):
        yield Line(odd)


def make_study(folder: Path) -> None:
    """Write a study of two systems with answers of simulated judges, and a file of summaries."""
    from typer.testing import CliRunner

    from nutgraf.cli.app import app
    from tiny_network import NOTICES

    (folder / "leads.txt").write_text("".join(f"{summary}\n" for _, summary in NOTICES))
    study = str(folder / "study")
    systems = [f"first={folder / 'leads.txt'}", f"second={folder / 'leads.txt'}"]
    for line in (
        ["sheet", *systems, "--out", study, "--judges", "2", "--rehearsal"],
        ["collect", study, f"{study}/rehearsal"],
    ):
        assert CliRunner().invoke(app, ["judge", *line]).exit_code == 0


def build(folder: Path, sources: Path) -> None:
    """Everything that the command lines name."""
    for name in ("trained", "prepared", "bert"):
        (folder / name).symlink_to(sources / name)
    for name in ("notices.jsonl", "leads.txt"):
        shutil.copyfile(sources / name, folder / name)
    shutil.copytree(sources / "study", folder / "study")
    preset = (sources / "trained" / "preset.toml").read_text()
    (folder / "whole.toml").write_text(preset)
    (folder / "given.txt").write_text(
        "The ferry left at noon. It carried a piano. A storm broke its mast. Nobody was hurt.\n"
    )
    (folder / "pairs.jsonl").write_text('{"hypothesis": "The ferry left.", "reference": "The ferry left at noon."}\n')
    (folder / "binary").write_bytes(bytes(range(256)) * 20)
    (folder / "empty").touch()
    (folder / "folder").mkdir()
    (folder / "locked").mkdir(mode=0)
    (folder / "loop").symlink_to("loop")
    (folder / "broken.toml").write_text("[[[")
    (folder / "deep.toml").write_text(f"a = {'[' * 50_000}")


def left_behind(folder: Path) -> str:
    """The name of something half-written, "" if there is none. What goes on at the next call is not that."""
    names = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_symlink())
    odd = [one for one in names if one.name.startswith(".") and one.parts[0] not in ("out", "out.data")]
    return next((str(one) for one in odd if one.name != ".lock"), "")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=1600, help="command lines, drawn from all; 0 is all of them")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", type=int)
    options.add_argument("--report", type=Path)
    given = options.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    every = list(enumerate(lines()))
    chosen = every if not given.count else sorted(random.Random(given.seed).sample(every, min(given.count, len(every))))
    chosen = chosen if given.only is None else [every[given.only]]
    with tempfile.TemporaryDirectory() as place, Sandbox([*PRELOADED, *NEURAL, *JUDGING]) as sandbox:
        make_sources(place)
        make_study(Path(place))
        found: list[dict[str, Any]] = []
        ends: Counter[int] = Counter()
        for number, line in chosen:
            with tempfile.TemporaryDirectory() as folder:
                build(Path(folder), Path(place))
                stdin = Path(folder) / line.stdin if line.stdin else None
                ran = sandbox.run(line.argv, Path(folder), stdin=stdin, seconds=60, memory=8 * GIB, env=line.env)
                left = left_behind(Path(folder))
            ends[ran.status] += 1
            wrong = violation(ran) or (f"left behind: {left}" if left else "")
            if given.only is not None:
                print(line, ran, sep="\n")
            if wrong:
                found.append({"case": number, "argv": line.argv, "env": line.env, "stdin": line.stdin, "wrong": wrong})
                print(f"{number}: {str(line.argv)[:200]} {line.env} {line.stdin}\n   {wrong}", flush=True)
    outcome = {"cases": len(chosen), "of": len(every), "statuses": dict(ends), "violations": found}
    print(f"{len(chosen)} of {len(every)} command lines, statuses {dict(ends)}, {len(found)} violations")
    if given.report:
        given.report.parent.mkdir(parents=True, exist_ok=True)
        given.report.write_text(json.dumps(outcome, indent=2) + "\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
