"""Who judges which documents, and in which order summaries are shown: balanced, and drawn with a seed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

Counts = npt.NDArray[np.int64]

FORBIDDEN = 1e9
LOADED, CONCURRENT = 1e4, 1e2
"""Costs of giving a judge one setting more, and of a pair of settings that shared a judge before; a draw by chance
below 1 decides between equals."""


def balanced_orders(items: int, judges: int, systems: int, generator: np.random.Generator) -> Counts:
    """Return the system shown in each position: [judges × items × positions].

    Every block of as many items as systems is a Latin square: a judge sees each system once in each position. The
    squares of judges are shifted against each other, so that each item is shown in each order equally often, too. Both
    are exact where the number of items, or of judges, is a multiple of the number of systems, else as even as can be.
    """
    blocks = -(-items // systems)
    labels = np.concatenate([np.tile(generator.permutation(systems), (systems, 1)) for _ in range(blocks)])[:items]
    shifts = np.concatenate([generator.permutation(systems) for _ in range(blocks)])[:items]
    offsets = generator.permutation(np.arange(judges) % systems)
    positions = (np.arange(systems) + shifts[None, :, None] + offsets[:, None, None]) % systems
    return np.take_along_axis(np.broadcast_to(labels, (judges, *labels.shape)), positions, axis=2)


def judges_of_items(items: int, judges: int, per_item: int, generator: np.random.Generator) -> list[list[int]]:
    """Return the judges of each item; their loads differ by one at most.

    Raises ValueError if there are fewer judges than each document should have.
    """
    if not 1 <= per_item <= judges:
        raise ValueError(f"Each document can have 1 to {judges} judges, not {per_item}.")
    ranks = generator.permutation(judges).tolist()
    found = [[ranks[(place * per_item + step) % judges] for step in range(per_item)] for place in range(items)]
    generator.shuffle(found)
    return [sorted(one) for one in found]


def assign_settings(
    methods: int, datasets: int, judges: int, replicates: int, most_methods: int, generator: np.random.Generator
) -> list[list[int | None]]:
    """Assign settings, which are a method on a data set, to judges by an incomplete block design.

    Each setting gets exactly `replicates` judges. A judge reads the documents of a data set in one setting at most, so
    that nobody reads two summaries of one document, and reads `most_methods` methods at most. The design is balanced
    as far as whole numbers allow: the loads of judges differ by one at most, and pairs of settings share judges as
    evenly as can be. (With 10 settings, 3 judges each and 22 judges no design has all pairs together equally often.)

    Returns:
        For each judge the method read on each data set, None where there is none: [judges][datasets].

    Raises:
        ValueError: If there are too few judges.
    """
    if methods * replicates > judges:
        raise ValueError(
            f"{methods} methods with {replicates} judges each need {methods * replicates} judges or more, since nobody "
            f"may read two summaries of one document; there are {judges}."
        )
    design: list[list[int | None]] = [[None] * datasets for _ in range(judges)]
    shared = np.zeros((datasets, methods, datasets, methods))
    for dataset in generator.permutation(datasets).tolist():
        for _ in range(replicates):
            costs = np.array(
                [[_cost(read, method, dataset, most_methods, shared) for read in design] for method in range(methods)]
            )
            for method, judge in zip(*linear_sum_assignment(costs + generator.random(costs.shape)), strict=True):
                for other, held in enumerate(design[judge]):
                    if held is not None:
                        shared[dataset, method, other, held] += 1
                        shared[other, held, dataset, method] += 1
                design[judge][dataset] = int(method)
    return design


def _cost(
    read: Sequence[int | None], method: int, dataset: int, most_methods: int, shared: npt.NDArray[np.float64]
) -> float:
    """Cost of giving a judge, who reads these methods already, a method on a data set."""
    held = [(other, one) for other, one in enumerate(read) if one is not None]
    if read[dataset] is not None or len({method, *(one for _, one in held)}) > most_methods:
        return FORBIDDEN
    return LOADED * len(held) + CONCURRENT * sum(float(shared[dataset, method, other, one]) for other, one in held)
