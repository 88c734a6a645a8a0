"""Distance of copying from centrality, and the scores of the summaries.

Xu et al. 2020 (SAGCopy), Fig. 2.

The network reads each summary that it wrote once more, word by word. What it copied from is the mean of its attention
over the source; what is central are degrees in the graph of its encoder's last self-attention, whether the network was
guided by them or not. The two are compared by KL divergence, both ways, in nats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from scipy.stats import spearmanr
from torch import Tensor

from nutgraf.checkpoint import Trained, load
from nutgraf.datasets import Record
from nutgraf.errors import PresetError, UnknownName
from nutgraf.evaluation.forms import comma_separated
from nutgraf.evaluation.outputs import Output, read_outputs
from nutgraf.evaluation.plan import Plan
from nutgraf.evaluation.scores import Values
from nutgraf.model.ops.centrality import indegree, outdegree
from nutgraf.model.records import Batch, SelfAttentionGraph
from nutgraf.model.seq2seq import Seq2Seq
from nutgraf.model_folder import is_trained
from nutgraf.preparation import Preparation, batch
from nutgraf.preparation.shards import TOKENIZER
from nutgraf.runtime.files import atomic_write, lock_folder, write_text
from nutgraf.systems import sections_of
from nutgraf.text.summary import Budget
from nutgraf.training.objectives.guidance import divergence, over_steps

MEASURES: Mapping[str, Callable[[SelfAttentionGraph], Tensor]] = {
    "outdegree": outdegree,
    **{f"indegree-{k}": partial(indegree, iterations=k) for k in (1, 2, 3)},
}

TABLE, PICTURE = "centrality.csv", "centrality.png"

AT_ONCE = 8
"""Summaries read side by side."""

MOST_BINS, LEAST_IN_BIN = 10, 20


@dataclass(frozen=True, slots=True)
class Point:
    """One summary beside one centrality.

    Attributes:
        copying: Mean probability of copying rather than generating.
    """

    system: str
    budget: Budget
    id: str
    centrality: str
    kl_copying_centrality: float
    kl_centrality_copying: float
    copying: float
    scores: Values


DIRECTIONS = {
    "kl_copying_centrality": "KL(mean copying ‖ centrality)",
    "kl_centrality_copying": "KL(centrality ‖ mean copying)",
}


def measures_of(names: str) -> list[str]:
    """Return the centralities of a list with commas. Raises UnknownName."""
    chosen = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    unknown = next((name for name in chosen if name not in MEASURES), None)
    if unknown is not None or not chosen:
        raise UnknownName("centrality", unknown or names, MEASURES)
    return chosen


def networks_of(plan: Plan) -> dict[str, Trained[Seq2Seq]]:
    """The networks of a plan that copy and have a graph, by their labels; the other systems are left out.

    Raises:
        PresetError: If there is none.
    """
    folders = {label: Path(name) for label, name in zip(plan.labels, plan.systems, strict=True)}
    trained = {label: folder for label, folder in folders.items() if is_trained(folder)}
    loaded = {label: load(folder, sections_of, trust=plan.trust) for label, folder in trained.items()}
    found = {
        label: one
        for label, one in loaded.items()
        if isinstance(one.network, Seq2Seq) and one.network.head.needs_attention and one.network.encoder.provides_graph
    }
    if not found:
        raise PresetError(
            "Centrality is compared with what a network copies from, and none of the systems is a trained model of "
            'one that copies and whose encoder is a transformer with plain attention (kind = "dot_product").'
        )
    return found


def compare(
    plan: Plan, folder: str | Path, networks: Mapping[str, Trained[Seq2Seq]], measures: Sequence[str]
) -> list[Point]:
    """Compare every summary in an evaluation's folder with every centrality."""
    records = plan.examples().records
    return [
        point
        for label, trained in networks.items()
        for budget in plan.budgets
        for point in _points(label, budget, trained, records, read_outputs(folder, (label, budget)), measures)
    ]


def _points(
    label: str,
    budget: Budget,
    trained: Trained[Seq2Seq],
    records: Sequence[Record],
    outputs: Mapping[int, Output],
    measures: Sequence[str],
) -> Iterator[Point]:
    preparation = Preparation.of(trained.preset, trained.tokenizer, trained.folder / TOKENIZER)
    written = sorted(index for index, output in outputs.items() if output.summary and index < len(records))
    for first in range(0, len(written), AT_ONCE):
        some = [outputs[index] for index in written[first : first + AT_ONCE]]
        sources = [preparation.source(records[one.index].document) for one in some]
        targets = [preparation.target(one.summary, source) for one, source in zip(some, sources, strict=True)]
        for name, found in _measure(trained.network, batch(sources, targets), measures):
            for output, (there, back, copying) in zip(some, found.tolist(), strict=True):
                yield Point(label, budget, output.id, name, there, back, copying, output.scores)


@torch.inference_mode()
def _measure(
    network: Seq2Seq, given: Batch, measures: Sequence[str]
) -> list[tuple[str, Float[Tensor, "batch numbers"]]]:
    """Return for each centrality the divergences in both directions, and the mean probability of copying."""
    trace, steps = network(given), ~given.labels_mask
    copied = over_steps(trace.cross_attention, ~steps)
    copying = (trace.p_copy * steps).sum(1) / steps.sum(1)
    graph = network.encoder(network.embed_source(given), given, needs_graph=True).graph
    assert graph is not None
    centralities = [(name, MEASURES[name](graph)) for name in measures]
    return [
        (name, torch.stack([divergence(copied, central), divergence(central, copied), copying], -1))
        for name, central in centralities
    ]


def write(points: Sequence[Point], folder: str | Path) -> list[str]:
    """Write the points as a table and, with matplotlib, as a picture; return the names of the files."""
    place = Path(folder)
    with lock_folder(place):
        write_text(place / TABLE, _table(points))
        return [TABLE, *([PICTURE] if draw(points, place / PICTURE) else [])]


def _table(points: Sequence[Point]) -> str:
    columns = list(dict.fromkeys(name for point in points for name in point.scores))
    rows = [["system", "budget", "id", "centrality", *DIRECTIONS, "copying", *columns]]
    for point in points:
        numbers = [getattr(point, name) for name in (*DIRECTIONS, "copying")] + [point.scores.get(n) for n in columns]
        rounded = ["" if number is None else f"{number:.6g}" for number in numbers]
        rows.append([point.system, str(point.budget), point.id, point.centrality, *rounded])
    return comma_separated(rows)


def draw(points: Sequence[Point], picture: Path) -> bool:
    """Draw the first score over the divergence, in bins of equally many summaries.

    A row for each centrality, a column for each direction, a line for each system and budget. Returns False without
    matplotlib or without points. Raises OutputError.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    if not points:
        return False
    measures = list(dict.fromkeys(point.centrality for point in points))
    score = next(iter(points[0].scores))
    figure = Figure(figsize=(11, 4.2 * len(measures)), layout="constrained")
    grid = figure.subplots(len(measures), 2, squeeze=False, sharey=True)
    for row, measure in zip(grid, measures, strict=True):
        for axes, (direction, meaning) in zip(row, DIRECTIONS.items(), strict=True):
            for (system, budget), group in groupby(
                (point for point in points if point.centrality == measure), lambda point: (point.system, point.budget)
            ):
                chosen = [point for point in group if point.scores[score] is not None]
                label = system if budget == Budget() else f"{system}, {budget}"
                _draw_line(axes, chosen, direction, score, label)
            axes.set(xlabel=f"{meaning}, nats", title=measure)
            axes.grid(alpha=0.3)
            axes.legend(title="ρ: rank correlation")
        row[0].set_ylabel(f"{score} × 100")
    with atomic_write(picture) as temporary:
        figure.savefig(temporary, format="png", dpi=120)
    return True


def _draw_line(axes: Any, points: Sequence[Point], direction: str, score: str, label: str) -> None:
    """Means of bins, with their 95 % intervals."""
    far = np.array([getattr(point, direction) for point in points])
    good = np.array([point.scores[score] for point in points], dtype=float) * 100
    if not len(far):
        return
    bins = np.array_split(far.argsort(kind="stable"), max(1, min(MOST_BINS, len(far) // LEAST_IN_BIN)))
    means, heights = ([float(values[one].mean()) for one in bins] for values in (far, good))
    errors = [1.96 * float(good[one].std(ddof=1)) / len(one) ** 0.5 if len(one) > 1 else 0.0 for one in bins]
    rho = spearmanr(far, good).statistic if np.ptp(far) and np.ptp(good) else np.nan
    legend = f"{label}, ρ = {rho:.2f}" if len(far) > 2 else label
    axes.errorbar(means, heights, yerr=errors, fmt="o-", ms=4, lw=1.5, capsize=2, label=legend)
