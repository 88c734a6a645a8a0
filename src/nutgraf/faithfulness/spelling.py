"""Words of the dictionary, in whatever spelling: British, derived, joined, or with one slip of the pen."""

from __future__ import annotations

import re
from itertools import takewhile

from nutgraf.text.dictionary import american, is_common

LEAST_DERIVED = 8
"""Letters from which on a word may be derived from one of the dictionary; shorter ones may be names: Parker."""

DERIVING_PREFIX = re.compile(
    r"(?:un|non|multi|re|pre|sub|inter|over|under|micro|mid|anti|super|semi|auto|mis|dis|out|hyper|meta|self|post|pseudo|quasi)"
)
_DERIVING_SUFFIX = re.compile(r"(?:ers?|ors?|ees?|[ai]ble|ative|ations?|ing|ments?|ness)$")


_NEWER = frozenset(
    "blogger emoji emojis goalless goalkeeper hashtag hashtags livestream midfielder onside paparazzi podcast podcasts "
    "quarterfinal repost reposted scoreline selfie selfies semifinal shortlist shortlisted smartphone smartphones "
    "smartwatch striker takeaway unfollow vlog vlogger webcam website websites".split()
)
"""Words that the dictionary, which is older than most of them, lacks."""


def is_ordinary(word: str) -> bool:
    """Return True for a word of the dictionary, also in British spelling, derived from one, or made of two.

    >>> is_ordinary("criticised"), is_ordinary("unsupervised"), is_ordinary("playmaker"), is_ordinary("Schumacher")
    (True, True, True, False)
    """
    if is_common(word) or is_common(american(word)) or american(word.lower()) in _NEWER:
        return True
    if len(word) < LEAST_DERIVED:
        return False
    lowered = american(word.lower())
    prefix, suffix = DERIVING_PREFIX.match(lowered), _DERIVING_SUFFIX.search(lowered)
    if prefix and any(is_common(one[prefix.end() :]) for one in (word.lower(), lowered)):
        return True
    if suffix is None:
        return False
    stem = lowered[: suffix.start()]
    stems = [stem, f"{stem}e", f"{stem}ate", stem[:-1] if stem[-1] == stem[-2] else stem]
    if any(map(is_common, stems)):
        return True
    return any(is_common(lowered[:at]) and is_common(lowered[at:]) for at in range(3, len(stem) - 2))


def is_one_slip(one: str, other: str) -> bool:
    """Return True if words differ by a letter, by one that is left out, or by two neighbors that are exchanged.

    The last letter is the same: another ending is no slip.

    >>> is_one_slip("hybird", "hybrid"), is_one_slip("equiliser", "equaliser"), is_one_slip("walker", "walked")
    (True, True, False)
    """
    if abs(len(one) - len(other)) > 1 or one[-1:] != other[-1:]:
        return False
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    first, second = one[at:], other[at:]
    return (
        first[1:] == second[1:]
        or first[1:] == second
        or first == second[1:]
        or (first[:2] == second[1::-1] and first[2:] == second[2:])
    )
