"""How the weights that ship with mls_plus were tuned: on three open sets at once, SQuALITY, SciSummNet and SciTLDR.

    python benchmarks/weights.py --data ../shared/data --out runs/weights

SQuALITY: questions on the plot, from its training part, four references. SciSummNet: the training part of our split.
SciTLDR: its training part, abstracts of some 160 words, so that short texts have their say. The sets count alike: the
best weights have the highest mean of the sets' mean ROUGE-1 F1 over five budgets. The
scores of every example are kept in --out, and the search goes on from there.
"""

from __future__ import annotations

import argparse
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
    """Tune on all sets, print the ten best weights, and what each set alone would choose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/weights"), help="folder for the scores")
    parser.add_argument("--limit", type=int, default=40, help="examples of each set")
    parser.add_argument("--step", type=float, default=0.1, help="of the grid")
    parser.add_argument("--set", action="append", default=[], help="change the preset: section.key=value")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    means = []
    for name, chosen in SETS.items():
        system = load("mls_plus", options.set)
        assert isinstance(system, TwoStage)
        plan = Plan(["mls_plus"], str(options.data / name / "train.jsonl.xz"), [], limit=None, **chosen)
        records = [record for record in plan.examples()[0] if record.document.sentences and any(record.references)]
        tuned = tune(system, records[: options.limit], step=options.step, keep=options.out / f"{name}.jsonl")
        means.append(tuned.scores.mean(axis=1))
        print(f"{name}: {tuned.examples} examples; alone it would choose {tuned.weights} ({means[-1].max():.4f})")
    joint = np.mean(means, axis=0)
    for index in np.argsort(-joint)[:10]:
        weights = dict(zip(tuned.kernels, tuned.grid[index], strict=True))
        print(f"{joint[index]:.4f}  {weights}  " + "  ".join(f"{mean[index]:.4f}" for mean in means))


if __name__ == "__main__":
    main()
