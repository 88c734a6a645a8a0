"""Tests and intervals of human judgements on simulated studies with known preferences.

    python benchmarks/judging.py [--studies 2000] [--resamples 200] [--seed 0]
    OMP_NUM_THREADS=1 python benchmarks/judging.py --mixed 2000

For each size of a study and each kind of judges: the share of studies that find a difference where there is none (false
positives, at p < 0.05), and the shares of 95 % intervals that hold the true difference of wins and losses, and the true
strength. The true values are those of the population that judges and documents are drawn from; with fewer than ten
judges, who are not drawn, judges do not lean.

With `--mixed`: the mixed model's intervals of judges in general, in studies without a difference. Judges are drawn, and
they lean or do not; so many studies are simulated for each row. Beside them, where they exist, are the widths of exact
intervals: Student's t of the means of documents where judges do not lean, and of the means of judges where documents do
not vary. The last figures are of the exact test, which speaks about the judges that were drawn.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from nutgraf.judging.bradley_terry import strengths
from nutgraf.judging.comparison import FEW_JUDGES, Array, compare
from nutgraf.judging.mixed_model import mixed_model
from nutgraf.judging.simulation import Raters

SIZES = ((4, 50), (10, 50), (20, 50))
MIXED_SIZES = ((3, 3, 12), (3, 3, 50), (10, 10, 12), (10, 10, 50), (3, 2, 12), (3, 2, 50), (10, 3, 12), (10, 3, 50))
"""Judges, judges of each document, and documents."""

MIXED_SPREADS = ((1.0, 0.0), (1.0, 0.2), (1.0, 1.0), (0.0, 0.0), (0.0, 1.0))
"""Standard deviations of documents and of judges; documents vary wherever not all judge all."""

SPREADS = ((0.0, 0.0), (1.0, 0.2), (2.0, 0.2), (1.0, 0.5))
"""Standard deviations of documents and of judges."""

SHARES = ((0.3, 0.3), (0.465, 0.215))
"""Wins and losses: no difference, and the informativeness of KPAT."""


@dataclass
class Tally:
    """Shares over simulated studies."""

    found: float = 0.0
    covered: float = 0.0
    strength_covered: float = 0.0


def simulate(raters: Raters, judges: int, items: int, studies: int, resamples: int, seed: int) -> Tally:
    """Simulate studies and count."""
    generator = np.random.default_rng([seed, judges, items])
    difference = raters.win - raters.lose
    share = (1 + difference) / 2
    strength = math.log(share / (1 - share)) / 2
    tally = Tally()
    for study in range(studies):
        scores = raters.draw(judges, items, generator)
        one = compare(scores)
        wins = np.zeros((judges, items, 2, 2))
        wins[..., 0, 1], wins[..., 1, 0] = (1 + scores) / 2, (1 - scores) / 2
        first = strengths(wins, resamples, seed=study)[0]
        tally.found += (one.p < 0.05) / studies
        tally.covered += (one.low <= difference <= one.high) / studies
        tally.strength_covered += (first.low <= strength <= first.high) / studies
    return tally


@dataclass
class MixedTally:
    """Intervals over simulated studies: the share that covers, their median width, and that of exact ones."""

    covered: float
    width: float
    exact_width: float
    exact_found: float
    unknown: int


def simulate_mixed(raters: Raters, judges: int, per_item: int, items: int, studies: int, seed: int) -> MixedTally:
    """Simulate studies without a difference; each document has as many judges, who are drawn for it."""
    generator = np.random.default_rng([seed, judges, per_item, items])
    models, exact_widths, exact_found = [], [], 0
    for _ in range(studies):
        scores = raters.draw(judges, items, generator).astype(np.float64)
        turns = generator.random((judges, items)).argsort(axis=0)
        scores[turns >= per_item] = np.nan
        models.append(mixed_model(scores))
        exact_widths.append(exact_width(scores, raters))
        exact_found += compare(scores).p < 0.05
    known = [model for model in models if not model.unknown]
    covered = sum(model.low <= raters.win - raters.lose <= model.high for model in known) / len(known)
    width = float(np.median([model.high - model.low for model in known]))
    return MixedTally(covered, width, float(np.median(exact_widths)), exact_found / studies, studies - len(known))


def exact_width(scores: Array, raters: Raters) -> float:
    """Return the width of the exact 95 % interval; NaN where there is none."""
    if raters.judge_sd and raters.item_sd:
        return math.nan
    means = np.nanmean(scores, axis=1 if raters.judge_sd else 0)
    return 2 * float(special.stdtrit(len(means) - 1, 0.975)) * float(means.std(ddof=1)) / math.sqrt(len(means))


def mixed(studies: int, seed: int) -> None:
    """Print a table of the mixed model."""
    print("| judges × documents | judges of each | documents vary | judges vary | intervals | median width |", end="")
    print(" exact width | ratio | exact test, if it spoke about judges in general | not fitted |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for judges, per_item, items in MIXED_SIZES:
        for item_sd, judge_sd in MIXED_SPREADS:
            if per_item < judges and not item_sd:
                continue
            tally = simulate_mixed(Raters(0.3, 0.3, item_sd, judge_sd), judges, per_item, items, studies, seed)
            exact = "" if math.isnan(tally.exact_width) else f"{tally.exact_width:.2f}"
            ratio = f"{tally.width / tally.exact_width:.2f}" if exact else ""
            cells = (f"{judges} × {items}", per_item, f"{item_sd:g}", f"{judge_sd:g}", f"{tally.covered:.1%}")
            ends = (f"{tally.width:.2f}", exact, ratio, f"{tally.exact_found:.1%}", tally.unknown)
            print("|", " | ".join(map(str, (*cells, *ends))), "|", flush=True)


def main() -> None:
    """Print a table of all sizes and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mixed", type=int, default=0, metavar="STUDIES")
    given = parser.parse_args()
    if given.mixed:
        mixed(given.mixed, given.seed)
        return
    print(
        "| judges × documents | documents vary | judges vary | kappa | false positives | intervals | strengths |",
        "power |",
    )
    print("|---|---|---|---|---|---|---|---|")
    for judges, items in SIZES:
        for item_sd, judge_sd in SPREADS:
            leaning = judge_sd if judges >= FEW_JUDGES else 0.0
            if leaning != judge_sd and item_sd == 1.0 and judge_sd > 0.2:
                continue
            equal, better = (Raters(*shares, item_sd, leaning) for shares in SHARES)
            size = (judges, items, given.studies, given.resamples, given.seed)
            null, other = simulate(equal, *size), simulate(better, *size)
            intervals = f"{null.covered:.1%}, {other.covered:.1%}"
            strong = f"{null.strength_covered:.1%}, {other.strength_covered:.1%}"
            cells = (f"{judges} × {items}", f"{item_sd:g}", f"{leaning:g}", f"{equal.kappa:.2f}", f"{null.found:.1%}")
            print("|", " | ".join((*cells, intervals, strong, f"{other.found:.1%}")), "|", flush=True)


if __name__ == "__main__":
    main()
