"""Sentences that count nobody, and those that count somebody: "nobody was hurt" and "two people were hurt" disagree."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from nutgraf.faithfulness.opposites import base_stem

REACH = 5
"""Words behind a number or a "nobody" among which what they did is looked for."""

_NOBODY = frozenset("nobody none no-one".split())
NOBODY = _NOBODY | {"no"}
"""Words of which one stands in a sentence that counts nobody."""

_SOME = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty "
    "fifty several some many most all both everyone everybody every dozens hundreds thousands".split()
)


class Counted(NamedTuple):
    """A word that counts, and what is said of those that it counts.

    Attributes:
        place: Place of the word.
        nobody: True if it counts nobody.
        stems: Stems of the content words behind it, in order; behind "nobody" the first one, behind "no" and "none" the
            first two.
    """

    place: int
    nobody: bool
    stems: tuple[str, ...]


def counted(words: Sequence[str], small: Collection[str]) -> Iterator[Counted]:
    """Find words that count, with what follows them up to the next mark.

    >>> list(counted("no ship was lost".split(), {"was"}))
    [Counted(place=0, nobody=True, stems=('ship', 'lose'))]
    >>> list(counted("two men were lost".split(), {"were"}))
    [Counted(place=0, nobody=False, stems=('men', 'lose'))]

    Args:
        words: Words of a sentence in lower case, "" for a mark at which a reader pauses.
        small: Stop words.
    """
    for place, word in enumerate(words):
        before, behind = words[max(0, place - 1) : place], list(words[place + 1 : place + 1 + REACH])
        end = behind.index("") if "" in behind else len(behind)
        stems = tuple(base_stem(one) for one in behind[:end] if one not in small and not one.isdigit())
        if word in _NOBODY or [*before, word] == ["no", "one"]:
            if stems:
                yield Counted(place, True, stems[: 2 if word == "none" else 1])
        elif word == "no":
            if len(stems) > 1 and behind[0] != "one" and not behind[0][:1].isdigit():
                yield Counted(place, True, stems[:2])
        elif stems and (word in _SOME or word.isdigit()) and before not in (["no"], ["no."]):
            yield Counted(place, False, stems)


def contradict(one: Counted, other: Counted) -> bool:
    """Return True if one counts nobody, the other somebody, and both of the same.

    "No ships were lost" is denied by "two ships were lost", and not by "two men were lost".
    """
    if one.nobody == other.nobody:
        return False
    nobody, some = (one, other) if one.nobody else (other, one)
    return set(nobody.stems) <= set(some.stems)
