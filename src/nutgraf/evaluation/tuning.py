"""The magnifier's weights by grid search on validation data. Sarkhel et al. 2020 (MLS), Sec. 2.3.

Every w with −1 ≤ w_i ≤ 1 and Σ w_i = 1 on a grid is tried; the objective is ROUGE-1 F1, averaged over the budgets and
the examples. Among equals the weights nearest to equal ones win.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.datasets import Record
from nutgraf.errors import InputError, check_type
from nutgraf.metrics import Example, Metric, metrics
from nutgraf.presets import Preset, assignments
from nutgraf.runtime.files import AppendOnlyFile, lock_path, write_text
from nutgraf.systems.steering import Steering
from nutgraf.systems.two_stage import TwoStage, as_prototype
from nutgraf.text.summary import Budget

Weights = tuple[float, ...]

SHARES = (Fraction(1, 32), Fraction(1, 16), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2))
"""The paper's budgets."""


@dataclass(frozen=True)
class Tuned:
    """The outcome of a grid search.

    Attributes:
        grid: Weights that were tried: [points × kernels].
        scores: Mean ROUGE-1 F1 of each point: [points × budgets].
        best: Index of the best point.
    """

    kernels: tuple[str, ...]
    grid: tuple[Weights, ...]
    scores: npt.NDArray[np.float64]
    best: int
    examples: int
    signature: str

    @property
    def weights(self) -> dict[str, float]:
        """The best weights, by kernel."""
        return dict(zip(self.kernels, self.grid[self.best], strict=True))


def as_preset(
    tuned: Tuned, preset: Preset, shares: Sequence[Fraction], data: str, overrides: Iterable[str] = ()
) -> str:
    """Return a preset with the tuned weights, as TOML; its head tells the scores and where they come from.

    Args:
        tuned: Outcome of the search.
        preset: Preset that was tuned.
        shares: Budgets, as shares of the input.
        data: Signature of the examples.
        overrides: Changes of `preset` when it was read, which the new preset keeps.
    """
    means = 100 * tuned.scores[tuned.best]
    by_budget = ", ".join(f"{share}: {mean:.2f}" for share, mean in zip(shares, means, strict=True))
    remarks = [
        f"Weights tuned on {tuned.examples} examples of {data}, among {len(tuned.grid)} of a grid.",
        f"ROUGE-1 F1 by budget: {by_budget}; mean {means.mean():.2f}. {tuned.signature}",
    ]
    settings = {
        "extends": str(Path(preset.origin).resolve()) if preset.origin else preset.name,
        "about": f"{preset.name}, its weights tuned on {data}.",
        **dict(assignments(overrides)),
        **{f"magnifier.kernels.{name}.weight": weight for name, weight in tuned.weights.items()},
    }
    return as_toml(settings, remarks)


def as_toml(settings: Mapping[str, Any], remarks: Iterable[str] = ()) -> str:
    """Return a preset of options by dotted keys, with remarks at its head."""
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in settings.items())
    return "\n".join([*(f"# {one}" for one in remarks), *lines, ""])


def simplex_grid(kernels: int, step: float) -> list[Weights]:
    """All weights that are multiples of `step` between −1 and 1 and sum to one; 231 of them for three and 0.1.

    Raises InputError for a step that does not divide one, or is below 0.01.
    """
    ticks = round(1 / step) if 0.01 <= step <= 1 else 0
    if ticks < 1 or abs(ticks * step - 1) > 1e-9:
        raise InputError(f"The step must divide 1 and be 0.01 at least, as 0.1 or 0.25; {step} does not fit.")
    points = []
    for free in itertools.product(range(-ticks, ticks + 1), repeat=kernels - 1):
        last = ticks - sum(free)
        if -ticks <= last <= ticks:
            points.append(tuple(round(tick / ticks, 10) for tick in (*free, last)))
    return points


def tune(
    system: TwoStage,
    records: Iterable[Record],
    *,
    shares: Sequence[Fraction] = SHARES,
    step: float = 0.1,
    keep: Path | None = None,
    fit: str = "",
    progress: Callable[[], None] = lambda: None,
) -> Tuned:
    """Search the weights of a two-stage system's kernels.

    Args:
        system: The system.
        records: Examples; those without a sentence or a reference are passed over.
        shares: Budgets, as shares of the input.
        step: Step of the grid.
        keep: File of scores, one line per example; scores that it holds already are not computed again.
        fit: Signature of the examples to which the system was fitted; scores that were kept with another are refused.
        progress: Called as each example's turn comes.

    Raises:
        InputError: If there is no example.
    """
    check_type(progress, (Callable, type(None)), "progress is a function or None")
    kernels = tuple(system.magnifier.weights)
    grid = simplex_grid(len(kernels), step)
    rouge = metrics.make("rouge", variants=["1"], stem=True)
    header = {"signature": system.signature, "shares": [str(share) for share in shares], "step": step, "fit": fit}
    total, examples = np.zeros((len(grid), len(shares))), 0
    with lock_path(keep) if keep else nullcontext():
        done = _done(keep, header)
        for record in records:
            progress()
            if not record.document.sentences or not any(record.references):
                continue
            key = _key(record)
            if key not in done:
                weights = [dict(zip(kernels, point, strict=True)) for point in grid]
                done[key] = _score(system, rouge, record, shares, weights)
                _keep(keep, header, key, done[key])
            total += done[key]
            examples += 1
    if not examples:
        raise InputError(
            "There is no example with a reference summary to tune on. For the kinds jsonl, csv and parquet, --set "
            "dataset.summary_column=NAME names its column."
        )
    scores = total / examples
    return Tuned(kernels, tuple(grid), scores, _best(grid, scores.mean(axis=1)), examples, rouge.signature)


def _key(record: Record) -> str:
    """Return the key of an example in the file of scores: a hash of its content, since names may come twice."""
    return hashlib.sha256(json.dumps([record.document.text, record.references]).encode()).hexdigest()[:16]


def _score(
    system: TwoStage, rouge: Metric, record: Record, shares: Sequence[Fraction], grid: Sequence[Mapping[str, float]]
) -> list[list[float]]:
    """ROUGE-1 F1 of one example: [points × budgets]."""
    document = record.document
    draft = system.prototype.summarize(document, Budget(), Steering())
    prepared = system.magnifier.prepare(document, as_prototype(draft))
    budgets = [Budget(share=share).words_of(document) or 0 for share in shares]
    scores = []
    for weights in grid:
        pieces = [system.assemble(draft, prepared, budget, Steering(), weights) for budget in budgets]
        texts = [[one.text for one in system.sentences(draft, summary, Steering())] for summary in pieces]
        scores.append([rouge(Example(text, record.references))["ROUGE-1"] or 0.0 for text in texts])
    return scores


def _best(grid: Sequence[Weights], means: npt.NDArray[np.float64]) -> int:
    equal = 1 / len(grid[0])
    distances = [sum((weight - equal) ** 2 for weight in point) for point in grid]
    return min(range(len(grid)), key=lambda index: (-round(float(means[index]), 12), distances[index], index))


def _done(keep: Path | None, header: Mapping[str, object]) -> dict[str, list[list[float]]]:
    """Scores by example. A last line that was not written to its end does not count."""
    if keep is None or not keep.exists():
        return {}
    whole = [line for line in keep.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
    try:
        first, *rows = [json.loads(line) for line in whole] or [header]
        if first == header:
            write_text(keep, "".join(whole))
            return {row["key"]: row["scores"] for row in rows}
    except (ValueError, KeyError, TypeError):
        pass  # a file of somebody's own
    raise InputError(f"{keep} holds scores of another search; remove it, or write elsewhere.")


def _keep(keep: Path | None, header: Mapping[str, object], key: str, scores: list[list[float]]) -> None:
    if keep is None:
        return
    with closing(AppendOnlyFile(keep)) as file:
        if not file.length:
            file.append(json.dumps(header))
        file.append(json.dumps({"key": key, "scores": scores}))
