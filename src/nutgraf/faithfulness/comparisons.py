"""Two sides of an English sentence, exchanged: "more of this than of that", "by this, not by that"."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from nutgraf.text.tokenize import is_word

THAN = "than"

_NOT = "not"
_PREFERRED = (("rather", "than"), ("instead", "of"))
_TURNS = ("but", "while", "whereas", "although", "though", "yet")
"""Words between two clauses that say different things of different subjects."""

LEAST_SHARED = 0.8
"""Share of the content words that both sentences must have for one to be compared with the other."""

LEAST_SHARED_DENIED = 0.6
"""The same where "not" tells the sides apart."""


def turned(own: Sequence[str], theirs: Sequence[str], small: Collection[str]) -> int | None:
    """Return the place of the first word after "than" that the other sentence has before it, or None.

    >>> turned("ewes eat more than rams".split(), "rams eat more than ewes".split(), ("more", "than"))
    4

    Args:
        own: Lowercased words of a sentence.
        theirs: Those of the one that it follows.
        small: Stop words, which count on neither side.
    """
    if own.count(THAN) != 1 or theirs.count(THAN) != 1 or degrees(own) != degrees(theirs):
        return None
    first, second = own.index(THAN), theirs.index(THAN)
    before, after = _content(own[:first], small), _content(own[first:], small)
    their_before, their_after = _content(theirs[:second], small), _content(theirs[second:], small)
    shared = (before | after) & (their_before | their_after)
    if len(shared) < LEAST_SHARED * len(before | after):
        return None
    mine, other = after - before, their_after - their_before  # "farms" is on both sides of "hill farms than lake farms"
    if mine and other and mine <= their_before - their_after and other <= before - after:
        return next(place for place, word in enumerate(own) if place > first and word in mine)
    return None


def crossed(own: Sequence[str], theirs: Sequence[str], small: Collection[str]) -> int | None:
    """Return the place of a word that has changed sides around "not" or "but" while others have not, or None.

    >>> crossed("it came by sea , not by land".split(), "it came by land , not by sea".split(), ("it", "by", "not"))
    3
    >>> crossed("ewes ate but rams drank".split(), "rams ate but ewes drank".split(), ("but",))
    0

    Args:
        own: Lowercased words and marks of a sentence.
        theirs: Those of the one that it follows.
        small: Stop words, which count on neither side.
    """
    first, second = _denial(own), _denial(theirs)
    denied = first is not None and second is not None
    if not denied:
        first, second = _turn(own), _turn(theirs)
    if first is None or second is None:
        return None
    before, after = _content(own[:first], small), _content(own[first:], small)
    their_before, their_after = _content(theirs[:second], small), _content(theirs[second:], small)
    before, after = before - after, after - before
    their_before, their_after = their_before - their_after, their_after - their_before
    left, came = before & their_after, after & their_before
    stayed = (before & their_before) | (after & their_after)
    if not left or not came or len(stayed) < (1 if denied else max(len(left), len(came))):
        return None
    if len(stayed | left | came) < (LEAST_SHARED_DENIED if denied else LEAST_SHARED) * len(before | after):
        return None
    return next(place for place, word in enumerate(own) if word in left | came)


def _denial(words: Sequence[str]) -> int | None:
    """Return the place of the "not", "rather than" or "instead of" with which the second half of a clause begins."""
    found = [place for place, pair in enumerate(pairwise(words)) if pair in _PREFERRED]
    denials = [place for place, word in enumerate(words) if word == _NOT]
    if len(found) + len(denials) != 1:
        return None
    if found:
        return found[0]
    place = denials[0]
    return place if place and (not is_word(words[place - 1]) or words[place - 1] == "and") else None


def _turn(words: Sequence[str]) -> int | None:
    """Return the place of the word or the semicolon between two clauses, if there is one of them."""
    found = [place for place, word in enumerate(words) if word in _TURNS or word == ";"]
    return found[0] if len(found) == 1 else None


def degrees(words: Sequence[str]) -> set[str]:
    """Return the words that say in which direction is compared."""
    return {
        word for word in words if word in ("more", "less", "fewer", "worse") or (len(word) > 4 and word.endswith("er"))
    }


def _content(words: Sequence[str], small: Collection[str]) -> set[str]:
    return {word for word in words if is_word(word) and word not in small and word != THAN}
