"""The quantities of a text by their values, so that those for which a number stands are found without trying all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from nutgraf.faithfulness.quantity import CONVERTED, ROUND_SHARE, Quantity, Reading

Values = tuple[list[float], list[int]]


class QuantityIndex:
    """Finds quantities.

    Args:
        quantities: Those that are found, in the order in which they are returned.
    """

    def __init__(self, quantities: Sequence[Quantity]) -> None:
        self._quantities = quantities
        readings = [(reading, place) for place, one in enumerate(quantities) for reading in one.readings]
        self._values = _sorted((reading.value, place) for reading, place in readings)
        self._amounts = _sorted((amount, place) for reading, place in readings for amount in _amounts(reading, 0.0))
        self._covered: dict[tuple[tuple[Reading, ...], bool], list[Quantity]] = {}
        self._others: dict[tuple[tuple[Reading, ...], float, bool], list[Quantity]] = {}
        self._figures: dict[float, list[Quantity]] = defaultdict(list)
        for one in quantities:
            self._figures[one.figure].append(one)

    def covered_by(self, quantity: Quantity) -> Sequence[Quantity]:
        """Return the quantities for which one stands; see `Quantity.covers`."""
        what = quantity.readings, quantity.fraction
        if what not in self._covered:
            self._covered[what] = self._search(quantity)
        return self._covered[what]

    def _search(self, quantity: Quantity) -> list[Quantity]:
        places: set[int] = set()  # of more than those: how near is near enough, `covers` decides
        for reading in quantity.readings:
            width = max(reading.below, reading.above) + 1e-6 * max(1.0, abs(reading.value))
            places.update(_between(self._values, reading.value - width, reading.value + width))
            width = max(reading.below, reading.above, ROUND_SHARE) + 2 * CONVERTED * abs(reading.amount)
            for low, high in zip(_amounts(reading, -width), _amounts(reading, width), strict=True):
                places.update(_between(self._amounts, low, high))
        found = (self._quantities[place] for place in sorted(places))
        return [one for one in found if quantity.covers(one)]

    def in_other_units(self, quantity: Quantity) -> Sequence[Quantity]:
        """Return the quantities with the same figures in another unit; see `Quantity.differs_in_unit`."""
        what = quantity.readings, quantity.figure, quantity.fraction
        if what not in self._others:
            same = self._figures.get(quantity.figure, ())
            self._others[what] = [one for one in same if quantity.differs_in_unit(one)]
        return self._others[what]


def _sorted(pairs: Iterator[tuple[float, int]]) -> Values:
    ordered = sorted(pairs)
    return [value for value, _ in ordered], [place for _, place in ordered]


def _amounts(reading: Reading, shift: float) -> list[float]:
    """Amount of a reading, shifted by so much in its unit, in the basic units with which it can be compared."""
    units = [] if reading.unit is None else [reading.unit, reading.unit.counted or reading.unit]
    return [(reading.amount + shift) * unit.size + unit.zero for unit in units]


def _between(values: Values, low: float, high: float) -> list[int]:
    return values[1][bisect_left(values[0], low) : bisect_right(values[0], high)]
