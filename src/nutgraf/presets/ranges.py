"""Ranges of options: a `Config` checks its numbers by one call in `__post_init__`."""

from __future__ import annotations

import operator
from dataclasses import dataclass

COMPARISONS = {"at least": operator.ge, "above": operator.gt, "at most": operator.le, "below": operator.lt}


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers that an option may have.

    Attributes:
        bounds: The bounds, each after the comparison that holds: ("above", 0), ("at most", 1).
    """

    bounds: tuple[tuple[str, float], ...]

    def __contains__(self, number: float) -> bool:
        return all(COMPARISONS[comparison](number, bound) for comparison, bound in self.bounds)

    def __str__(self) -> str:
        return " and ".join(f"{comparison} {bound:,}" for comparison, bound in self.bounds)

    def at_most(self, bound: float) -> Range:
        """Return the numbers of the range up to a bound."""
        return Range((*self.bounds, ("at most", bound)))

    def below(self, bound: float) -> Range:
        """Return the numbers of the range below a bound."""
        return Range((*self.bounds, ("below", bound)))


def at_least(bound: float) -> Range:
    """Return the numbers from a bound on."""
    return Range((("at least", bound),))


def above(bound: float) -> Range:
    """Return the numbers above a bound."""
    return Range((("above", bound),))


def check_ranges(config: object, **ranges: Range) -> None:
    """Raise ValueError if an option lies outside of its range.

    Args:
        config: The options; one that is None is absent.
        ranges: Ranges by the names of the options.
    """
    for name, allowed in ranges.items():
        value = getattr(config, name)
        if value is not None and value not in allowed:
            raise ValueError(f"{name} must be {allowed}, not {value}.")
