"""The quantities of a text by their values, so that those for which a number stands are found without trying all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from nutgraf.faithfulness.quantity import CONVERTED, ROUND_SHARE, Quantity, Reading
from nutgraf.faithfulness.units import Unit

Values = list[tuple[float, int]]
"""Values in order, each with the place of its quantity."""


class QuantityIndex:
    """Finds quantities.

    Args:
        quantities: Those that are found, in the order in which they are returned.
    """

    def __init__(self, quantities: Sequence[Quantity]) -> None:
        """Sort them by their values, by their amounts in base units, and by their figures."""
        self._quantities = quantities
        self._values: Values = []
        self._amounts: dict[object, Values] = defaultdict(list)
        self._figures: dict[float, dict[object, Quantity]] = defaultdict(dict)
        for place, one in enumerate(quantities):
            self._figures[one.figure].setdefault(one.readings, one)
            for reading in one.readings:
                self._values.append((reading.value, place))
                for unit in _units(reading):
                    self._amounts[unit.dimension].append((_base(reading.amount, unit), place))
        for values in (self._values, *self._amounts.values()):
            values.sort()
        self._covered: dict[object, list[Quantity]] = {}

    def covered_by(self, quantity: Quantity) -> list[Quantity]:
        """Return the quantities for which another one stands."""
        key = quantity.readings, quantity.fraction
        if key not in self._covered:
            self._covered[key] = self._search(quantity)
        return self._covered[key]

    def _search(self, quantity: Quantity) -> list[Quantity]:
        places: set[int] = set()  # of more than those: how near is near enough, `covers` decides
        for reading in quantity.readings:
            width = max(reading.below, reading.above, ROUND_SHARE) + 1e-6 * abs(reading.value)
            places.update(_between(self._values, reading.value - width, reading.value + width))
            slack = width + 2 * CONVERTED * abs(reading.amount)
            for unit in _units(reading):
                ends = sorted(_base(reading.amount + shift, unit) for shift in (-slack, slack))
                places.update(_between(self._amounts.get(unit.dimension, []), *ends))
        return [one for place in sorted(places) if quantity.covers(one := self._quantities[place])]

    def in_other_units(self, quantity: Quantity) -> list[Quantity]:
        """Return the first quantity with the same figures in each other unit; see `Quantity.differs_in_unit`."""
        return [one for one in self._figures.get(quantity.figure, {}).values() if quantity.differs_in_unit(one)]


def _units(reading: Reading) -> list[Unit]:
    """Return the unit of a reading, and of "mg per day" also the one that is counted."""
    return [unit for unit in (reading.unit, reading.unit and reading.unit.counted) if unit is not None]


def _base(amount: float, unit: Unit) -> float:
    """Return an amount in the base unit."""
    return amount * unit.size + unit.zero


def _between(values: Values, low: float, high: float) -> list[int]:
    return [place for _, place in values[bisect_left(values, (low, -1)) : bisect_right(values, (high, len(values)))]]
