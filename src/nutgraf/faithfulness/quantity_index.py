"""The quantities of a text by their values, so that those for which a number stands are found without trying all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from nutgraf.faithfulness.quantity import CONVERTED, ROUND_SHARE, Quantity, Reading
from nutgraf.faithfulness.units import Unit, comparable, is_multiple

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
        in_unit: dict[tuple[Unit, bool], list[tuple[float, int]]] = defaultdict(list)
        for reading, place in readings:
            if reading.unit is not None:
                in_unit[reading.unit, quantities[place].fraction].append((reading.amount, place))
        self._amounts = {what: _sorted(iter(pairs)) for what, pairs in in_unit.items()}
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
            for (unit, fraction), amounts in self._amounts.items():
                if reading.unit is not None and (units := comparable(reading.unit, unit)) is not None:
                    around = _around(reading, units, ROUND_SHARE if fraction or quantity.fraction else 0.0)
                    places.update(_between(amounts, *around))
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


def _around(reading: Reading, units: tuple[Unit, Unit], slack: float) -> tuple[float, float]:
    """Return between which amounts in the second unit lie all for which a reading in the first one may stand."""
    one, other = units
    width = max(reading.below, reading.above, slack) + 1e-6 * max(1.0, abs(reading.amount))
    if (one.size, one.zero) == (other.size, other.zero):
        return reading.amount - width, reading.amount + width
    if not is_multiple(one, other):
        width += 2 * CONVERTED * abs(reading.amount)
    low, high = (
        ((reading.amount + shift) * one.size + one.zero - other.zero) / other.size for shift in (-width, width)
    )
    return low, high


def _between(values: Values, low: float, high: float) -> list[int]:
    return values[1][bisect_left(values[0], low) : bisect_right(values[0], high)]
