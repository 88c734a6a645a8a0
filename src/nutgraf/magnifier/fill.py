"""What still fits: the closing of a summary that was asked to be as close below its budget as its sentences allow.

Ours, not the paper's: MLS stops when nothing of the prototype fits, which can leave much of a budget unused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

MOST = 400
"""Sentences that a closing is chosen among."""

SHORTEST = 3
"""Words below which a sentence is no filling."""


def fill(
    order: Sequence[int], lengths: Sequence[int], room: int, repeats: Callable[[int], bool], add: Callable[[int], None]
) -> list[int]:
    """Sentences, best first in `order`, that fill `room` words.

    As long as the room is more than twice the typical sentence, the best that fits is taken; the rest is closed by
    those few sentences that come closest to it and, among equals, are rated best.
    """
    taken: list[int] = []
    usual = sorted(lengths[index] for index in order)
    gap = 2 * usual[len(usual) // 2] if usual else 0
    rest: list[int] = []
    for index in order:
        if room > gap and SHORTEST <= lengths[index] <= room:
            if not repeats(index):
                add(index)
                taken.append(index)
                room -= lengths[index]
        elif len(rest) < MOST:
            rest.append(index)
    fitting = [index for index in rest if SHORTEST <= lengths[index] <= room and not repeats(index)]
    for index in _closest(fitting, lengths, room):
        if not repeats(index):
            add(index)
            taken.append(index)
            room -= lengths[index]
    return taken


def _closest(order: Sequence[int], lengths: Sequence[int], room: int) -> list[int]:
    """The subset whose length comes closest to `room` from below; among such the one found with the best ranks.

    A sum reached by better-ranked sentences is never replaced, so ranks decide wherever lengths agree.
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
