"""The quantities of a text by their values, so that those for which a number stands are found without trying all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from nutgraf.faithfulness.quantity import CONVERTED, ROUND_SHARE, Quantity, Reading


class QuantityIndex:
    """Finds quantities."""

    def __init__(self, quantities: Sequence[Quantity]) -> None:
        """Sort them by their values and by their amounts in base units, and keep them by their figures."""
        self._quantities = quantities
        self._values = sorted(
            (value, place)
            for place, one in enumerate(quantities)
            for reading in one.readings
            for value, _ in _between(reading)
        )
        self._figures: dict[float, dict[object, Quantity]] = defaultdict(dict)
        for one in quantities:
            self._figures[one.figure].setdefault(one.readings, one)
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
            width = max(reading.below, reading.above, ROUND_SHARE) + 2 * CONVERTED * abs(reading.amount)
            for low, high in _between(reading, width):
                first = bisect_left(self._values, (low, -1))
                last = bisect_right(self._values, (high, len(self._quantities)))
                places.update(place for _, place in self._values[first:last])
        return [one for place in sorted(places) if quantity.covers(one := self._quantities[place])]

    def in_other_units(self, quantity: Quantity) -> list[Quantity]:
        """Return the first quantity with the same figures in each other unit, scale or sign; none for a share."""
        same = () if quantity.fraction else self._figures.get(quantity.figure, {}).values()
        return [one for one in same if not one.fraction and not quantity.covers(one)]


def _between(reading: Reading, width: float = 0.0) -> Iterator[tuple[float, float]]:
    """Yield the least and the greatest value around a reading, as it is written and in base units."""
    yield reading.value - width, reading.value + width
    for unit in (reading.unit, reading.unit and reading.unit.counted):
        if unit is not None:
            low, high = ((reading.amount + shift) * unit.size + unit.zero for shift in (-width, width))
            yield low, high
