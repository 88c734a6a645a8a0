"""Quantities found by their values are those that trying each one finds."""

from __future__ import annotations

import random

from nutgraf.faithfulness.quantities import quantities
from nutgraf.faithfulness.quantity_index import QuantityIndex

FORMS = (
    "{} boats", "{} km", "{} miles", "{} mg per day", "{} mg", "{} g", "{} %", "{} °C", "{} °F", "−{} °C", "£{}",
    "${}m", "about {}", "more than {} km", "nearly {} %", "a third", "half of it", "one in {}", "9:{} p.m.", "{} hours",
    "{} minutes", "the 19{}0s", "{} million", "a quarter of a million", "around 9:30",
)  # fmt: skip


def test_the_index_finds_what_trying_all_finds() -> None:
    draw = random.Random(3)
    text = ". ".join(draw.choice(FORMS).format(draw.choice((1, 2, 3, 20, 25, 33, 50, 93, 100))) for _ in range(300))
    known = list(quantities(text, hedged=False))
    index = QuantityIndex(known)
    asked = list(quantities(text))
    assert len(asked) > 250
    found = [index.covered_by(one) for one in asked]
    assert found == [[other for other in known if one.covers(other)] for one in asked]
    assert sum(map(len, found)) > 1000
    others = [index.in_other_units(one) for one in asked]
    first = {one.readings: one for one in reversed(known) if not one.fraction}.values()
    assert [set(some) for some in others] == [
        {other for other in first if one.figure == other.figure and not one.fraction and not one.covers(other)}
        for one in asked
    ]
    assert sum(map(len, others)) > 100
