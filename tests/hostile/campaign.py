"""Runs a campaign by its name, or lists them: `make campaign`, `make campaign NAME=fuzz MINUTES=5 SEED=0`.

A variable of the environment that a campaign knows becomes an option of its script: `MINUTES=5` is `--minutes 5`. What
a script finds is written to `build/campaigns/` as JSON.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
REPORTS = Path("build/campaigns")


@dataclass(frozen=True)
class Campaign:
    """One campaign.

    Attributes:
        tries: What it tries, in a sentence.
        script: The file below `tests/`; none if it consists of tests.
        variables: Variables that it knows, with the defaults of the script.
        tests: Arguments of pytest, if it consists of tests.
    """

    tries: str
    script: str = ""
    variables: str = ""
    tests: Sequence[str] = ()

    def command(self, name: str, environment: Mapping[str, str]) -> list[str]:
        """Return the command line."""
        if not self.script:
            return [sys.executable, "-m", "pytest", *self.tests]
        argv = [sys.executable, str(TESTS / self.script), "--report", str(REPORTS / f"{name}.json")]
        for variable in self.variables.split():
            key = variable.partition("=")[0]
            if environment.get(key):
                argv += [f"--{key.lower()}", *environment[key].split()]
        return argv


CAMPAIGNS = {
    "fuzz": Campaign(
        "commands on mutated documents, each in a sandbox",
        "hostile/fuzz.py",
        "MINUTES=5 SEED=0 COUNT=… JOBS=…",
    ),
    "large": Campaign("the hostile cases that are too large for every run", tests=("tests/hostile", "-m", "campaign")),
    "scaling": Campaign(
        "how time grows with long strings, for every reader and splitter",
        "hostile/scaling.py",
        "SUBJECT=… JOBS=…",
    ),
    "kill": Campaign(
        "a kill at every call that writes, and full disks and second writers",
        "hostile/kill.py",
        "EVERY=1 SEED=0 JOBS=… SUBJECTS=… MODES=… FOLDER=…",
    ),
    "batch-kills": Campaign(
        "kills of nutgraf batch and its workers, at random moments",
        "hostile/batch_kills.py",
        "DOCUMENTS=100000 KILLS=200 SEED=0 FOLDER=…",
    ),
    "xss": Campaign(
        "reports full of injected scripts, opened in Chromium",
        "hostile/xss.py",
        "EVERY=1 COUNT=…",
    ),
    "options": Campaign(
        "odd values for every option of every command",
        "hostile/options.py",
        "COUNT=1600 SEED=1",
    ),
    "folders": Campaign(
        "models, corpora and foreign weights with one thing damaged",
        "hostile/folders.py",
        "COUNT=335 SEED=1 KINDS=…",
    ),
    "service": Campaign(
        "requests generated from the service's description, and bodies of odd shapes",
        "service/generated.py",
        "COUNT=5000 SHAPES=400 SEED=0",
    ),
    "browser": Campaign(
        "the pages in Chromium, by mouse and keyboard (skipped without one)",
        tests=("tests/browser", "-rs", "-m", "campaign or not campaign"),
    ),
    "postgres": Campaign(
        "the judgements on a PostgreSQL server of its own (skipped without initdb)",
        tests=("tests/judging/test_judging_postgresql.py", "-rs"),
    ),
}
"""All of them. `tests/hostile/README.md` says more about each."""


def listed() -> str:
    """Return a line for each campaign."""
    lines = ["make campaign NAME=…", ""]
    for name, campaign in CAMPAIGNS.items():
        lines.append(f"  {name:12} {campaign.tries}{campaign.variables and f' ({campaign.variables})'}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Run the campaign that is named, or list all of them."""
    if not arguments:
        print(listed())
        return 0
    (name,) = arguments
    if name not in CAMPAIGNS:
        print(f"There is no campaign {name!r}.\n\n{listed()}", file=sys.stderr)
        return 2
    return subprocess.run(CAMPAIGNS[name].command(name, os.environ), cwd=TESTS.parent).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
