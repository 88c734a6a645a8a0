"""Tests and intervals of human judgements on simulated studies with known preferences.

    python benchmarks/judging.py [--studies 2000] [--resamples 200] [--seed 0]
    python benchmarks/judging.py --mixed 300

For each size of a study and each kind of judges: the share of studies that find a difference where there is none (false
positives, at p < 0.05), and the shares of 95 % intervals that hold the true difference of wins and losses, and the true
strength. The true values are those of the population that judges and documents are drawn from; with fewer than ten
judges, who are not drawn, judges do not lean.

With `--mixed`: the mixed model of studies with fewer than ten judges, who are drawn and do lean, beside the exact test,
which speaks about the judges that were drawn; so many studies are simulated for each size.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass

import numpy as np

from nutgraf.judging.bradley_terry import strengths
from nutgraf.judging.comparison import FEW_JUDGES, compare
from nutgraf.judging.mixed_model import mixed_model
from nutgraf.judging.simulation import Raters

SIZES = ((4, 50), (10, 50), (20, 50))
FEW_SIZES = ((3, 50), (4, 50))
LEANING = (0.2, 0.5)
"""Sizes of studies with few judges, and standard deviations of judges."""

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


def simulate_few(raters: Raters, judges: int, items: int, studies: int, seed: int) -> tuple[float, float, float]:
    """Return the shares of false positives of the mixed model and of the exact test, and of intervals that cover."""
    generator = np.random.default_rng([seed, judges, items])
    found, exact, covered = 0, 0, 0
    for _ in range(studies):
        scores = raters.draw(judges, items, generator)
        model = mixed_model(scores)
        found += model.p < 0.05
        covered += model.low <= raters.win - raters.lose <= model.high
        exact += compare(scores).p < 0.05
    return found / studies, exact / studies, covered / studies


def few_judges(studies: int, seed: int) -> None:
    """Print a table of studies with few judges."""
    print("| judges × documents | judges vary | mixed model | its intervals | exact test, of these judges |")
    print("|---|---|---|---|---|")
    for judges, items in FEW_SIZES:
        for leaning in LEANING:
            shares = simulate_few(Raters(0.3, 0.3, 1.0, leaning), judges, items, studies, seed)
            model, exact, covered = (f"{one:.1%}" for one in shares)
            print(f"| {judges} × {items} | {leaning:g} | {model} | {covered} | {exact} |", flush=True)


def main() -> None:
    """Print a table of all sizes and judges."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mixed", type=int, default=0, metavar="STUDIES")
    given = parser.parse_args()
    if given.mixed:
        few_judges(given.mixed, given.seed)
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
