"""Ranges of options: each stands beside the type of its option, and `Options` checks them.

@dataclass(frozen=True)
class Config(Options):
top: PositiveInt = 10
window: Annotated[int, at_least(2)] = 3
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_type_hints

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


PositiveInt = Annotated[int, at_least(1)]
NonNegativeInt = Annotated[int, at_least(0)]
PositiveFloat = Annotated[float, above(0)]
NonNegativeFloat = Annotated[float, at_least(0)]
Share = Annotated[float, at_least(0).at_most(1)]
PositiveShare = Annotated[float, above(0).at_most(1)]
ShareBelowOne = Annotated[float, at_least(0).below(1)]
ProperShare = Annotated[float, above(0).below(1)]


class Options:
    """Options of which numbers lie in the ranges that stand in their annotations."""

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            ValueError: If an option lies outside of its range.
        """
        config_class: Any = type(self)
        check_ranges(self, **ranges_of(config_class))


@cache
def ranges_of(config_class: type[Any]) -> dict[str, Range]:
    """Return the ranges of the options that have one, by their names."""
    return {
        name: allowed
        for name, hint in get_type_hints(config_class, include_extras=True).items()
        for alternative in (hint, *get_args(hint))
        for allowed in getattr(alternative, "__metadata__", ())
        if isinstance(allowed, Range)
    }


def check_ranges(config: object, **ranges: Range) -> None:
    """Raise ValueError if an option lies outside of its range, which may depend on other options.

    Args:
        config: The options; a range holds for numbers, and neither for None nor for a word.
        ranges: Ranges by the names of the options.
    """
    for name, allowed in ranges.items():
        value = getattr(config, name)
        if isinstance(value, int | float) and value not in allowed:
            raise ValueError(f"{name} must be {allowed}, not {value}.")
