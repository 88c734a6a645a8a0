"""Filling: sentences that bring a summary as close below its budget as possible.

This is ours, not the paper's: MLS stops when nothing of the prototype fits, which can leave much of a budget unused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median_high

MOST = 400
"""Number of sentences from which the last ones are chosen."""

SHORTEST = 3
"""Minimum number of words of a filling sentence, unless the typical sentence is shorter."""


def fill(
    order: Sequence[int],
    lengths: Sequence[int],
    room: int,
    repeats: Callable[[int], bool],
    add: Callable[[int], None],
    shortest: int = SHORTEST,
) -> list[int]:
    """Select sentences, best first in `order`, that fill `room`, which is measured in words or characters.

    While the room is more than twice the typical sentence, the best sentence that fits is taken; the rest is filled by
    the few sentences that come closest to it and, among equals, are rated best. Sentences below the length `shortest`
    are left out, unless the typical one is shorter.
    """
    taken: list[int] = []
    usual = median_high([lengths[index] for index in order]) if order else 0
    least = min(shortest, usual)
    rest: list[int] = []

    def take(index: int) -> int:
        """Take a sentence and return its length, or leave it out and return 0 if it is redundant."""
        if repeats(index):
            return 0
        add(index)
        taken.append(index)
        return lengths[index]

    for index in order:
        if room > 2 * usual and least <= lengths[index] <= room:
            room -= take(index)
        elif len(rest) < MOST:
            rest.append(index)
    closing = rest
    while closing:
        rest = [index for index in rest if least <= lengths[index] <= room and not repeats(index)]
        closing = _closest(rest, lengths, room)
        for index in closing:
            room -= take(index)
            rest.remove(index)
    return taken


def _closest(order: Sequence[int], lengths: Sequence[int], room: int) -> list[int]:
    """Subset whose length comes closest to `room` from below, among equals the one found with the best ranks.

    A sum reached by better-ranked sentences is never replaced, so ranks decide where lengths agree.
    """
    reached: dict[int, list[int]] = {0: []}
    for index in order:
        for total in sorted(reached, reverse=True):
            grown = total + lengths[index]
            if grown <= room and grown not in reached:
                reached[grown] = [*reached[total], index]
        if room in reached:
            break
    return reached[max(reached)]
