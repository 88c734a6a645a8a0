"""How the weights that ship with mls_plus were tuned: on three open sets at once, SQuALITY, SciSummNet and SciTLDR.

    python benchmarks/weights.py --data ../shared/data --out runs/weights

SQuALITY: questions on the plot, from its training part, four references. SciSummNet: the training part of our split.
SciTLDR: its training part, abstracts of some 160 words, so that short texts have their say. The sets count alike: the
best weights have the highest mean of the sets' mean ROUGE-1 F1 over five budgets. Of all weights within one standard
error of the best (paired over examples) those nearest to equal ones ship. The
scores of every example are kept in --out, and the search goes on from there.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from nutgraf.evaluation.plan import Plan
from nutgraf.evaluation.tuning import tune
from nutgraf.systems import load
from nutgraf.systems.two_stage import TwoStage

SETS: dict[str, dict[str, Any]] = {
    "squality": {"query": "plot"},
    "scisummnet": {"part": "train"},
    "scitldr": {},
}


def main() -> None:
    """Tune on all sets; print what each alone would choose, the best for all, and the most even that are as good."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/weights"), help="folder for the scores")
    parser.add_argument("--limit", type=int, default=40, help="examples of each set")
    parser.add_argument("--step", type=float, default=0.1, help="of the grid")
    parser.add_argument("--set", action="append", default=[], help="change the preset: section.key=value")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    found = []
    for name, chosen in SETS.items():
        system = load("mls_plus", options.set)
        assert isinstance(system, TwoStage)
        plan = Plan(["mls_plus"], str(options.data / name / "train.jsonl.xz"), [], limit=None, **chosen)
        records = [record for record in plan.examples().records if any(record.references)]
        kept = options.out / f"{name}.jsonl"
        tuned = tune(system, records[: options.limit], step=options.step, keep=kept)
        print(f"{name}: {tuned.examples} examples; alone it would choose {tuned.weights}")
        rows = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()[1:]]
        found.append(np.array([row["scores"] for row in rows]).mean(axis=2))
    _report(tuned.kernels, np.array(tuned.grid), found)


def _report(kernels: tuple[str, ...], grid: np.ndarray, found: list[np.ndarray]) -> None:
    """found: ROUGE-1 by set: [examples × points]."""
    joint = np.mean([scores.mean(axis=0) for scores in found], axis=0)
    best = int(joint.argmax())
    variance = sum((scores - scores[:, [best]]).var(axis=0, ddof=1) / len(scores) for scores in found)
    error = np.sqrt(variance) / len(found)
    print(f"best: {dict(zip(kernels, grid[best], strict=True))} with a mean ROUGE-1 of {joint[best]:.4f}")
    within = np.flatnonzero(joint[best] - joint <= error)
    even = within[np.argsort(((grid[within] - 1 / len(kernels)) ** 2).sum(axis=1), kind="stable")]
    print(f"{len(within)} of {len(grid)} points lie within one standard error; the most even of them:")
    for index in even[:5]:
        print(f"{joint[index]:.4f}  {dict(zip(kernels, grid[index], strict=True))}")


if __name__ == "__main__":
    main()
