"""A number with its unit, as a value that can be compared.

A number is as exact as it is written: "1.2 million" stands for everything that is rounded to it, "the 1980s" for each
of ten years. What can be read in several ways ("400m", "200 pounds", "9:30") has several readings, and one that agrees
is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from nutgraf.faithfulness.units import Unit, comparable, symbols

CLOCK = Unit((("time of day", 1),), 1.0)
"""Unit of times of day: a minute after midnight."""

ROUND_SHARE = 2.0
"""Percentage points within which a fraction in words stands for a percentage: "a third" for 32 % as for 35 %."""

CONVERTED = 0.05
"""Share of its value by which a number may differ from one in a unit of another size, as miles of km."""

(PERCENT,) = symbols()["%"]
"""Unit of shares."""


class Reading(NamedTuple):
    """One way to read a quantity.

    Attributes:
        value: The number as it is written, with its scale and without its sign.
        unit: Its unit, None if none is known.
        amount: The number that is compared where the other one has a unit, too: of a time of day the minutes after
            midnight, of a temperature the number with its sign.
        below: How far a number that it stands for may lie below.
        above: How far it may lie above.
    """

    value: float
    unit: Unit | None
    amount: float
    below: float = 0.0
    above: float = 0.0

    def covers(self, other: Reading, slack: float) -> bool:
        """Return True if this stands for the other reading."""
        if self.unit is None or other.unit is None:
            amount, found = self.value, other.value
        else:
            units = comparable(self.unit, other.unit)
            if units is None:
                return False
            amount, found = self.amount, other.amount
            if units[0].size != units[1].size or units[0].zero != units[1].zero:
                found = (found * units[1].size + units[1].zero - units[0].zero) / units[0].size
                slack = max(slack, CONVERTED * abs(found))
        exact = 1e-9 * max(1.0, abs(amount))
        return amount - max(self.below, slack) - exact <= found <= amount + max(self.above, slack) + exact


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, or a time of day.

    Attributes:
        readings: What it may mean.
        figure: The number as it is written, without its scale.
        start: First character.
        end: Character after the number.
        unit_end: Character after the unit.
        fraction: True for a share in words, such as "a third".
    """

    readings: tuple[Reading, ...]
    figure: float
    start: int
    end: int
    unit_end: int
    fraction: bool = False

    @property
    def values(self) -> tuple[float, ...]:
        """Values of the readings."""
        return tuple(dict.fromkeys(reading.value for reading in self.readings))

    @property
    def is_time(self) -> bool:
        """True for a time of day."""
        return self.readings[0].unit is CLOCK

    @property
    def has_unit(self) -> bool:
        """True for a number with a unit."""
        return any(reading.unit is not None for reading in self.readings)

    def covers(self, other: Quantity) -> bool:
        """Return True if one of its readings stands for one of another's; a fraction in words stands for shares."""
        slack = ROUND_SHARE if self.fraction or other.fraction else 0.0
        return any(
            one.covers(found, slack)
            for one in self.readings
            for found in other.readings
            if not slack or (one.unit is not None and found.unit is not None)
        )
