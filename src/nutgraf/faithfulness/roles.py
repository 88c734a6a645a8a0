"""Who did it, and to whom: names around a verb in English, in the active and in the passive voice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from nutgraf.faithfulness.opposites import base_stem
from nutgraf.text.irregular import base_forms

_BE = frozenset("is are was were be been being".split())
_ARTICLES = frozenset("a an the".split())
_BOTH_WAYS = frozenset(
    base_stem(verb)
    for verb in "border date divorce draw equal face fight kiss marry match meet oppose play resemble rival wed".split()
)
"""Verbs that say the same of both sides."""


class Role(NamedTuple):
    """Who does something to whom: places of the two names, and the stem of the verb between them."""

    agent: int
    verb: str
    patient: int


def roles(words: Sequence[str], names: Collection[int]) -> Iterator[Role]:
    """Find verbs between two names.

    >>> list(roles("Vane sued Okri and was sued by Lang".split(), {0, 2, 7}))
    [Role(agent=0, verb='su', patient=2)]
    >>> list(roles("Okri was sued by the Vane".split(), {0, 5}))
    [Role(agent=5, verb='su', patient=0)]

    Args:
        words: Words of a sentence; a name of several words counts as one.
        names: Places of the names.
    """
    written = [word.lower() for word in words]
    for first in sorted(names):
        passive = first + 1 < len(written) and written[first + 1] in _BE
        at = first + 1 + passive
        if at >= len(written) or not _is_verb(written[at]) or (passive and written[at + 1 : at + 2] != ["by"]):
            continue
        second = at + 1 + passive
        second += second < len(written) and written[second] in _ARTICLES
        if second in names and (verb := base_stem(written[at])) not in _BOTH_WAYS:
            yield Role(second, verb, first) if passive else Role(first, verb, second)


def _is_verb(word: str) -> bool:
    """Return True for the form of a verb after a name: one with an ending, or an irregular one."""
    return word not in _BE and (word.endswith(("ed", "s")) or word in base_forms("verb"))
