"""Types of options with the range of their numbers, as in `top: PositiveInt = 10`."""

from __future__ import annotations

from typing import Annotated

from nutgraf.runtime.metadata import Range as Range

PositiveInt = Annotated[int, Range(ge=1)]
NonNegativeInt = Annotated[int, Range(ge=0)]
PositiveFloat = Annotated[float, Range(gt=0)]
NonNegativeFloat = Annotated[float, Range(ge=0)]
Share = Annotated[float, Range(ge=0, le=1)]
PositiveShare = Annotated[float, Range(gt=0, le=1)]
ShareBelowOne = Annotated[float, Range(ge=0, lt=1)]
ProperShare = Annotated[float, Range(gt=0, lt=1)]


def check_rising(config: object, *names: str) -> None:
    """Raise ValueError if one of two bounds that an option holds is above the other."""
    for name in names:
        low, high = getattr(config, name)
        if low > high:
            raise ValueError(f"{name} = [{low}, {high}] does not fit: the first number is at most the second")
