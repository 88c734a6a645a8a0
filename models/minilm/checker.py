"""Train the checker of this distribution: five runs, each of which begins with the weights of the one before.

    python models/minilm/checker.py DATA BEGUN OUT [--threads 2]

DATA is the folder of the corpora, BEGUN what `nutgraf convert` made of a MiniLM; the last folder in OUT is the checker.
The first two runs learn from the first pairs that were written for it, the next two above all from public pairs at a
rate that averaged weights can bear, the last above all from written pairs, half of which are true sentences with twins
that are false by a word or two. What was interrupted goes on with the same command.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

WRITTEN = Path(__file__).parent / "pairs"


class Run(NamedTuple):
    """A run: its pairs, how many steps it takes, at which rate, and what share of it is left after how many."""

    pairs: str
    steps: int
    rate: float
    end_step: int
    end_factor: float
    averaged: bool = True


PAIRS = {
    "first": ("abcd", ["--share", "0.03"]),
    "more": ("abcdefghi", ["--share", "0.02", "--public", "0.25", "--seed", "1"]),
    "public": ("abcdefghi", ["--share", "0.03", "--seed", "3"]),
    "twins": ("abcdefghijklmnopq", ["--share", "0.02", "--public", "0.25", "--seed", "5"]),
}
"""Letters of the files of written pairs, and options of `nutgraf.preparation.pairs.make`, by name."""

RUNS = (
    Run("first", 1350, 3e-4, 1350, 0.1, averaged=False),
    Run("more", 1400, 2e-4, 1400, 0.03, averaged=False),
    Run("public", 500, 3e-4, 4000, 0.1, averaged=False),
    Run("public", 1500, 2e-4, 4000, 0.1),
    Run("twins", 2500, 2.2e-4, 2500, 0.03),
)


def main() -> None:
    """Train, run after run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("begun", type=Path, metavar="BEGUN")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    for folder in (options.data / "nli", options.begun):
        if not folder.is_dir():
            parser.error(f"there is no folder {folder}")
    options.out.mkdir(parents=True, exist_ok=True)
    before = options.begun
    for number, run in enumerate(RUNS, 1):
        pairs, folder = options.out / f"pairs-{run.pairs}", options.out / f"{number}"
        if not pairs.is_dir():
            letters, shares = PAIRS[run.pairs]
            files = [WRITTEN / f"written-{letter}.jsonl" for letter in letters]
            begun = pairs.with_suffix(".part")
            python("nutgraf.preparation.pairs.make", options.data, begun, "--written", *files, "--times", 1, *shares)
            begun.rename(pairs)
        resumed = ["--resume"] if folder.is_dir() else []
        given = ["--data", pairs, "--init-from", before, "--out", folder, "--threads", options.threads, *resumed]
        python("nutgraf", "train", "checker", *given, *settings(run, number))
        before = folder
    print(f"The checker is in {before}.")


def settings(run: Run, number: int) -> list[str]:
    """Return the options of a run."""
    chosen = {
        "seed": number,
        "training.max_steps": run.steps,
        "training.max_epochs": 5,
        "training.validate_every": run.steps,
        "training.schedule.learning_rate": run.rate,
        "training.schedule.warmup_steps": 40,
        "training.schedule.end_step": run.end_step,
        "training.schedule.end_factor": run.end_factor,
    } | ({"training.ema_decay": 0.997} if run.averaged else {})
    return [argument for key, value in chosen.items() for argument in ("--set", f"{key}={value}")]


def python(module: str, *arguments: object) -> None:
    """Run a module. Exits with its status if it fails."""
    try:
        ran = subprocess.run([sys.executable, "-m", module, *map(str, arguments)], check=False)
    except KeyboardInterrupt:
        sys.exit("Interrupted; this command goes on where it was.")
    if ran.returncode:
        sys.exit(ran.returncode)


if __name__ == "__main__":
    main()
