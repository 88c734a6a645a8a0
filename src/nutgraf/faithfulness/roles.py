"""Who did it, and to whom: names around a verb in English, in the active and in the passive voice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from nutgraf.faithfulness.company import BE
from nutgraf.faithfulness.opposites import base_stem
from nutgraf.text.irregular import base_forms
from nutgraf.text.stop_words import STOP_WORDS

_MODALS = frozenset("to must will would shall should can could may might".split())
_ARTICLES = frozenset("a an the".split())
_OWNERS = frozenset("his her its their our my your whose".split())
_UNCHANGED = frozenset("beat bet burst cast cost cut hit hurt let put set shed shut split spread upset".split())
"""Verbs whose past has the form of the present."""

MOSTBETWEEN = 3
"""Most words between a verb and the name that they describe: "the third seed, Diego Arce"."""

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
    >>> list(roles("Vane is suing its insurer Okri".split(), {0, 5}))
    [Role(agent=0, verb='su', patient=5)]
    >>> list(roles("Vane must sue Okri".split(), {0, 3}))
    [Role(agent=0, verb='sue', patient=3)]

    Args:
        words: Words of a sentence; a name of several words counts as one.
        names: Places of the names.
    """
    written = [word.lower() for word in words]
    for first in sorted(names):
        modal = first + 1 < len(written) and written[first + 1] in _MODALS
        helped = first + 1 + modal < len(written) and written[first + 1 + modal] in BE
        at = first + 1 + modal + helped
        if at >= len(written):
            continue
        passive = helped and written[at + 1 : at + 2] == ["by"]
        continuous = helped and not passive
        if continuous:
            follows = written[at].endswith("ing")
        else:
            follows = written[at] not in STOP_WORDS["en"] if modal else _is_verb(written[at])
        if not follows:
            continue
        second = _named(at + 1 + passive, written, names)
        if second is not None and (verb := base_stem(written[at])) not in _BOTH_WAYS:
            yield Role(second, verb, first) if passive else Role(first, verb, second)


def _named(start: int, written: Sequence[str], names: Collection[int]) -> int | None:
    """Return the place of the name that begins at a place, behind an article and what describes it; None for none."""
    described = start < len(written) and written[start] in _ARTICLES | _OWNERS
    last = start + 1 + MOSTBETWEEN if described else start
    for place in range(start, min(last + 1, len(written))):
        if place in names:
            return place
        if place > start and written[place] in STOP_WORDS["en"]:
            return None
    return None


def _is_verb(word: str) -> bool:
    """Return True for the form of a verb after a name: one with an ending, an irregular one, or an unchanged one."""
    return word not in BE and (word.endswith(("ed", "s")) or word in base_forms("verb") or word in _UNCHANGED)
