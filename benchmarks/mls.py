"""MLS, MLS*, MLS+ against A1, A2 and A3 at five budgets, as Sarkhel et al. 2020 compare them (their Tables 2 and 3).

    python benchmarks/mls.py squality ../shared/data/squality --out runs/mls_squality \
        --mls trained/pg_squality --mls-star trained/pg_squality_alone --a3 trained/lengths_squality

The corpus is split 25/10/65. Weights are tuned on its validation part, for each two-stage system by itself, and the
test part is summarized within each of the five budgets in two modes: `strict` never exceeds the budget,
`at_least_prototype` is never shorter than the prototype (A1 and A2: than one sentence). Systems that rest on a network
take part where its trained folder is named. --shuffled adds MLS+ with one kernel after the other shuffled.

A run that was stopped goes on where it was, and systems may join later. --out holds the tuned presets, every summary
with its scores, and for each mode a table as Markdown and as CSV.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from nutgraf.datasets import Record
from nutgraf.evaluation.metrics import choose
from nutgraf.evaluation.outputs import Key, Output, Outputs
from nutgraf.evaluation.plan import Examples, Plan, budgets_of
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.evaluation.table import Table, evaluate, make_table
from nutgraf.evaluation.tuning import SHARES, as_preset, tune
from nutgraf.files import write_text
from nutgraf.systems import System, load
from nutgraf.systems.two_stage import TwoStage

METRICS = "rouge,meteor,topics,sentiment,coherence,novelty,copying,repetition"
MODES = ("strict", "at_least_prototype")

STARTS = Counter(int(np.random.default_rng(seed).integers(2)) for seed in range(5))
"""A1 begins at one of two sentences: how often at which, in five seeds."""
SEED_OF = {int(np.random.default_rng(seed).integers(2)): seed for seed in reversed(range(5))}

SHUFFLED = ("topics", "keywords", "redundancy")


def main() -> None:
    """Tune, evaluate, write tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", help="of the corpus: squality, scisummnet, msr_narrative, thinking_machines")
    parser.add_argument("data", help="the corpus's folder or file")
    parser.add_argument("--out", type=Path, required=True, help="folder for presets, summaries and tables")
    parser.add_argument("--mls", help="a trained folder: pre-trained, then fine-tuned on the training part")
    parser.add_argument("--mls-star", help="a trained folder: trained on the training part alone")
    parser.add_argument("--a3", help="a trained folder of length_controlled")
    parser.add_argument("--shuffled", action="store_true", help="also MLS+ with each kernel shuffled")
    parser.add_argument("--step", type=float, default=0.1, help="of the grid of weights")
    parser.add_argument("--limit", type=int, help="only the first so many test examples")
    parser.add_argument("--metrics", default=METRICS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    test = _examples(options, "test")
    networks = {"mls": options.mls, "mls_star": options.mls_star}
    tuned = {name: _tuned(options, name, name, folder) for name, folder in networks.items() if folder}
    tuned["mls_plus"] = _tuned(options, "mls_plus", "mls_plus_paper")
    for mode in MODES:
        systems = _systems(options, tuned, mode)
        for system in systems.values():
            system.fit(test.training)
        table = _evaluate(options, systems, test.records, mode)
        write_text(options.out / f"{mode}.md", _markdown(table))
        _write_csv(options.out / f"{mode}.csv", table)
        print(f"{mode}\n{_markdown(table)}")


def _examples(options: argparse.Namespace, part: str) -> Examples:
    limit = options.limit if part == "test" else None
    return Plan(["lead"], options.data, [], kind=options.kind, part=part, limit=limit).examples()


def _tuned(options: argparse.Namespace, label: str, preset: str, prototype: str = "") -> Path:
    """A preset with the best weights on the validation part."""
    path: Path = options.out / f"{label}.toml"
    if not path.exists():
        overrides = [f"prototype={Path(prototype).resolve()}"] if prototype else []
        system = load(preset, overrides)
        assert isinstance(system, TwoStage)
        validation = _examples(options, "validation")
        system.fit(validation.training)
        tell = _Progress(f"tuning {label}", len(validation.records))
        keep = options.out / f"{label}.scores.jsonl"
        found = tune(system, validation.records, step=options.step, keep=keep, fit="train", progress=tell)
        write_text(path, as_preset(found, system.preset, SHARES, f"{options.kind}, validation part", overrides))
        print(f"{label}: {found.weights}, mean ROUGE-1 {100 * found.scores[found.best].mean():.2f}", flush=True)
    return path


def _systems(options: argparse.Namespace, tuned: Mapping[str, Path], mode: str) -> dict[str, System]:
    """By their labels; the others are tested against the first."""
    magnifier = {} if mode == "strict" else {"magnifier.mode": mode}
    selection = {} if mode == "strict" else {"selection.at_least_one": True}
    systems = {label: load(path, magnifier) for label, path in tuned.items()}
    if options.shuffled:
        for kernel in SHUFFLED:
            shuffled = {**magnifier, f"magnifier.kernels.{kernel}.shuffle": 0}
            systems[f"mls_plus, {kernel} shuffled"] = load(tuned["mls_plus"], shuffled)
    for start in STARTS:
        systems[f"A1 from {start}"] = load("systematic", {**selection, "seed": SEED_OF[start]})
    systems["A2"] = load("graph_sample", selection)
    if options.a3:
        systems["A3"] = load(Path(options.a3))
    return systems


def _evaluate(options: argparse.Namespace, systems: Mapping[str, System], records: list[Record], mode: str) -> Table:
    metrics = choose(options.metrics)
    budgets = budgets_of(shares=map(str, SHARES))
    signatures = {name: metric.signature for metric in metrics for name in metric.directions}
    settings = {"kind": options.kind, "part": "test", **signatures}
    outputs = Outputs(options.out / mode, settings, {label: system.signature for label, system in systems.items()})
    tell = _Progress(mode, len(records))
    try:
        made = evaluate(tell.over(records), systems, budgets, metrics, outputs)
        kept = {
            (label, budget): [outputs.of((label, budget))[index] for index in range(len(records))]
            for budget in budgets
            for label in systems
        }
    finally:
        outputs.close()
    return make_table(_with_mean_of_starts(kept), list(made.columns), Bootstrap())


def _with_mean_of_starts(kept: Mapping[Key, list[Output]]) -> dict[Key, list[Output]]:
    """A1 as the mean over its five seeds, example by example, in the place of its two starts."""
    merged: dict[Key, list[Output]] = {}
    for (label, budget), outputs in kept.items():
        if not label.startswith("A1 from "):
            merged[label, budget] = outputs
        elif ("A1", budget) not in merged:
            starts = [kept[f"A1 from {start}", budget] for start in STARTS]
            merged["A1", budget] = [_mean(those) for those in zip(*starts, strict=True)]
    return merged


def _mean(outputs: Iterable[Output]) -> Output:
    outputs = list(outputs)
    weights = np.array(list(STARTS.values()), dtype=float)

    def mean(values: Iterable[float | None]) -> float | None:
        found = np.array([np.nan if value is None else value for value in values])
        known = ~np.isnan(found)
        return float(found[known] @ weights[known] / weights[known].sum()) if known.any() else None

    scores = {name: mean(output.scores[name] for output in outputs) for name in outputs[0].scores}
    words = round(mean(float(output.words) for output in outputs) or 0.0)
    summary = next((output.summary for output in outputs if output.summary), ())
    return Output(outputs[0].index, outputs[0].id, summary, words, scores, limit=outputs[0].limit)


class _Progress:
    """Says on stderr how far it has come."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total, self.done, self.start = what, total, 0, time.monotonic()

    def __call__(self) -> None:
        took = (time.monotonic() - self.start) / 60
        print(f"{self.what}: {self.done} of {self.total} after {took:.1f} minutes", file=sys.stderr, flush=True)
        self.done += 1

    def over(self, records: list[Record]) -> Iterator[Record]:
        for record in records:
            self()
            yield record


def _markdown(table: Table) -> str:
    names = [column.name for column in table.columns]
    lines = ["| budget | system | words | used | " + " | ".join(names) + " |", "|---" * (len(names) + 4) + "|"]
    for row in table.rows:
        pairs = zip(row.cells, table.columns, strict=True)
        cells = " | ".join(_shown(cell.interval.mean, column.scale) for cell, column in pairs)
        lines.append(f"| {row.budget.share} | {row.system} | {row.words:.0f} | {row.used:.0%} | {cells} |")
    return "\n".join([*lines, ""])


def _shown(value: float, scale: int) -> str:
    if np.isnan(value):
        return "–"
    return f"{scale * value:.2f}" if scale > 1 else f"{value:.3f}"


def _write_csv(path: Path, table: Table) -> None:
    """All figures, unscaled, with intervals and the probability that a system equals the first one."""
    head = ["budget", "system", "words", "used", "empty", "metric", "mean", "low", "high", "examples", "p"]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        for row in table.rows:
            for column, cell in zip(table.columns, row.cells, strict=True):
                one = cell.interval
                p = "" if cell.difference is None else cell.difference.p
                columns = [row.budget.share, row.system, row.words, row.used, row.empty]
                writer.writerow([*columns, column.name, one.mean, one.low, one.high, one.examples, p])


if __name__ == "__main__":
    main()
