"""Who tells a sentence: its personal pronouns.

What happens in a story is told of "him" and "her"; "I" and "you" are what its people say to each other, of which a
summary of the plot needs little. The lists are English; other languages have none yet.
"""

from __future__ import annotations

from collections.abc import Sequence

SPEAKING = frozenset(
    "i me my mine myself i'm i'll i've i'd you your yours yourself yourselves you're you'll you've you'd "
    "we us our ours ourselves we're we'll we've we'd let's".split()
)
"""Pronouns of the first and second person, and their contractions."""

TOLD = frozenset("he him his himself she her hers herself they them their theirs themselves".split())
"""Pronouns of the third person, for people."""

TOLD_WEIGHT = 0.3
"""Weight of a pronoun of the third person relative to one of the first or second."""


def narration(words: Sequence[str], language: str) -> float:
    """Return how far a sentence tells, rather than speaks: −1 if all its words are "I" and "you", at most 0.3.

    Args:
        words: Its words, lowercased.
        language: ISO 639-1 code; 0 for all but English.

    >>> narration(["you", "gave", "me", "nothing"], "en")
    -0.5
    """
    if language != "en" or not words:
        return 0.0
    told, speaking = _count(words, TOLD), _count(words, SPEAKING)
    return (TOLD_WEIGHT * told - speaking) / len(words)


def is_third_person(words: Sequence[str], language: str) -> bool:
    """Return True if a sentence has pronouns of the third person, and none of the first and second."""
    return language == "en" and _count(words, TOLD) > 0 and not _count(words, SPEAKING)


def _count(words: Sequence[str], pronouns: frozenset[str]) -> int:
    return sum(word in pronouns for word in words)
