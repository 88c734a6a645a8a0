"""Who judges what: the block design of the fact-checking study, and the balance of orders."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from nutgraf.judging.design import assign_settings, balanced_orders, judges_of_items

METHODS, DATASETS, JUDGES, REPLICATES = 5, 2, 22, 3


@pytest.mark.parametrize("seed", range(5))
def test_the_design_of_the_paper(seed: int) -> None:
    """22 judges, 10 settings with three judges each, at most two methods and one summary of a document for a judge."""
    design = assign_settings(METHODS, DATASETS, JUDGES, REPLICATES, 2, np.random.default_rng(seed))
    settings = Counter((at, method) for read in design for at, method in enumerate(read) if method is not None)
    assert len(design) == JUDGES
    assert set(settings.values()) == {REPLICATES}
    assert len(settings) == METHODS * DATASETS
    assert max(len(set(read) - {None}) for read in design) <= 2
    loads = Counter(sum(method is not None for method in read) for read in design)
    assert loads == {1: 14, 2: 8}, "30 places over 22 judges"
    pairs = Counter(tuple(read) for read in design if None not in read)
    assert max(pairs.values()) == 1, "two settings share one judge at most"


@pytest.mark.parametrize(("methods", "datasets", "judges"), [(3, 3, 9), (4, 3, 13), (2, 5, 6)])
def test_every_setting_has_its_judges_where_there_are_more_data_sets(methods: int, datasets: int, judges: int) -> None:
    design = assign_settings(methods, datasets, judges, 3, 2, np.random.default_rng(7))
    settings = Counter((at, method) for read in design for at, method in enumerate(read) if method is not None)
    assert settings == dict.fromkeys([(at, method) for at in range(datasets) for method in range(methods)], 3)
    assert max(len(set(read) - {None}) for read in design) <= 2


def test_too_few_judges_are_refused() -> None:
    with pytest.raises(ValueError, match="15 judges"):
        assign_settings(5, 2, 14, 3, 2, np.random.default_rng(0))


@pytest.mark.parametrize(("items", "judges", "systems"), [(50, 4, 2), (21, 6, 3), (20, 5, 5)])
def test_every_system_stands_equally_often_in_each_place(items: int, judges: int, systems: int) -> None:
    orders = balanced_orders(items, judges, systems, np.random.default_rng(1))
    assert orders.shape == (judges, items, systems)
    assert (np.sort(orders, axis=2) == np.arange(systems)).all()
    for system in range(systems):
        of_judges = (orders == system).sum(axis=1)
        of_items = (orders == system).sum(axis=0)
        assert np.ptp(of_judges) <= (items % systems > 0)
        assert np.ptp(of_items) <= (judges % systems > 0)


def test_orders_depend_on_the_seed_alone() -> None:
    first, again, other = (balanced_orders(30, 3, 2, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_judges_share_the_documents() -> None:
    found = judges_of_items(50, 7, 3, np.random.default_rng(0))
    assert all(len(set(judges)) == 3 for judges in found)
    loads = Counter(judge for judges in found for judge in judges)
    assert max(loads.values()) - min(loads.values()) <= 1
    met = Counter(pair for judges in found for pair in combinations(judges, 2))
    assert len(met) > 3, "not always the same judges together"
    with pytest.raises(ValueError, match="1 to 2 judges, not 3"):
        judges_of_items(5, 2, 3, np.random.default_rng(0))
