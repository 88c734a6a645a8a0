"""Splits of a data set that has none, at random but always the same.

MLS (Sarkhel et al.) splits its sets into 25 % for training, 10 % for validation and 65 % for testing and gives no seed;
ours is 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from nutgraf.errors import InputError

T = TypeVar("T")

MLS_SHARES = (Fraction(25, 100), Fraction(10, 100), Fraction(65, 100))


@dataclass(frozen=True, slots=True)
class Split(Generic[T]):
    """The parts of a data set, each in the set's own order."""

    train: list[T]
    validation: list[T]
    test: list[T]


def split(
    items: Sequence[T],
    group: Callable[[T], str],
    shares: tuple[Fraction, Fraction, Fraction] = MLS_SHARES,
    seed: int = 0,
) -> Split[T]:
    """Deal the groups of `items` out to the three parts.

    group: what must not be torn apart, by name: an example's id, or the story that several examples ask about.

    Groups are ordered by a hash of their name and the seed, so that neither the order of a file nor a version of a
    random generator changes the split. Raises InputError where a part would get no group.
    """
    if sum(shares) != 1:
        raise ValueError(f"shares {shares} do not sum to 1")
    groups = sorted({group(item) for item in items}, key=lambda name: _key(name, seed))
    train = round(shares[0] * len(groups))
    validation = round(shares[1] * len(groups))
    if min(train, validation, len(groups) - train - validation) < 1:
        raise InputError(f"{len(groups)} examples are too few to be split into three parts.")
    place = {name: rank for rank, name in enumerate(groups)}
    parts: Split[T] = Split([], [], [])
    for item in items:
        rank = place[group(item)]
        part = parts.train if rank < train else parts.validation if rank < train + validation else parts.test
        part.append(item)
    return parts


def _key(name: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}\n{name}".encode()).digest()
