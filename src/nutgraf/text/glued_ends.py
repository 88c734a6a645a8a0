"""Ends of sentences without a space after them: "the points of the original.As the problem grew".

Names of files, sites and code look alike ("Node.js", "example.com", "System.Text"). So the words around it have to be
known: a sentence begins with a stop word, or both words stand in a dictionary of English or elsewhere in the text.
What occurs twice is a name, and so is a word with several others behind it ("time.Now", "time.Sleep"), unless the text
often lacks spaces.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from nutgraf.text.abbreviations import FINAL_OF, TITLES_OF
from nutgraf.text.dictionary import is_common, is_english
from nutgraf.text.stop_words import STOP_WORDS

MIN_HABIT = 2
"""Number of certain ends without a space from which a text lacks spaces, so that a name may stand before one."""

MIN_WORD, MIN_NAME = 3, 5
"""Letters of a word, and of one with a capital, that is no abbreviation; stop words may be shorter."""

MAX_QUOTATION = 300
"""Characters before a straight quotation mark in which the one is looked for that it closes."""

DOMAINS = frozenset("com org net gov edu info io co uk de fr".split())
"""Ends of names of sites, which people also write with a capital."""

MAX_BEFORE = 100
"""Characters before a mark in which the word is looked for that it ends."""

# Marks are rarer than words, so they are looked for first.
_GLUED = re.compile(
    r"[.!?]{1,3}(?![.!?])[)\]”’»]*(?P<quote>\"?)"
    r"(?=[“„«(\[]?(?P<after>[^\W\d_]+)(?:['’][^\W\d_]+)?[,;:]?[\"”’»)]*(?:\s|\Z))"
)
_BEFORE = re.compile(r"(?<![\w.@/\\:#&=-])([^\W\d_]++(?:['’-][^\W\d_]++)*+)[)\]\"”’»]*\Z")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class _Candidate(NamedTuple):
    before: str
    after: str
    end: int


def glued_ends(text: str, language: str) -> list[int]:
    """Return the offsets at which sentences end without a space after them, in order.

    >>> glued_ends("It went down.As the tug left, they ran Node.js on it.", "en")
    [13]
    """
    candidates = [one for found in _GLUED.finditer(text) if (one := _candidate(text, found, language))]
    if not candidates:
        return []
    knows = _Knowledge(text, language)
    times, left = Counter(one[:2] for one in candidates), Counter(one.before for one in candidates)
    unique = [one for one in candidates if times[one[:2]] == 1]
    likely = [one for one in unique if _begins(one, language) or (one.before.islower() and knows.both(one))]
    certain = [one.end for one in likely if left[one.before] == 1]
    if len(certain) < MIN_HABIT:
        return certain
    return [one.end for one in unique if _begins(one, language) or knows.both(one)]


def _candidate(text: str, found: re.Match[str], language: str) -> _Candidate | None:
    """Words around a mark that may end a sentence, judged by their letters; None if they cannot."""
    after = found["after"]
    if not (after[0].isupper() and (after[1:].islower() or len(after) == 1)):
        return None
    ended = _BEFORE.search(text, max(0, found.start() - MAX_BEFORE), found.start())
    if ended is None:
        return None
    before = ended[1]
    lowered = before.lower()
    if before[0].islower():
        word = before[-2:].islower() and (len(before) >= MIN_WORD or before in STOP_WORDS.get(language, ()))
    else:
        word = before[-2:].islower() and len(before) >= MIN_NAME
    abbreviation = lowered in TITLES_OF.get(language, ()) or lowered in FINAL_OF.get(language, ())
    if not word or abbreviation or after.lower() in DOMAINS:
        return None
    closes = found["quote"] and _is_open(text, found.start("quote"))
    return _Candidate(before, after, found.end() if closes else found.start("quote"))


def _is_open(text: str, quote: int) -> bool:
    """Return True if a straight quotation mark closes the one before it."""
    last = text.rfind('"', max(0, quote - MAX_QUOTATION), quote)
    return last >= 0 and (last == 0 or not text[last - 1].isalnum()) and not text[last + 1].isspace()


def _begins(candidate: _Candidate, language: str) -> bool:
    """Return True if the word after the mark is one with which sentences rather than names begin."""
    return candidate.after.lower() in STOP_WORDS.get(language, ())


class _Knowledge:
    """Words that are known from elsewhere in a text or, in English, from a dictionary."""

    def __init__(self, text: str, language: str) -> None:
        self._english = language == "en"
        self._counts = Counter(word.lower() for word in _WORD.findall(text))

    def both(self, candidate: _Candidate) -> bool:
        """Return True if both words of a candidate are known."""
        return self._has(candidate.before) and self._has(candidate.after)

    def _has(self, word: str) -> bool:
        return self._counts[word.lower()] > 1 or (self._english and _in_dictionary(word))


@lru_cache(maxsize=1 << 12)
def _in_dictionary(word: str) -> bool:
    return is_common(word) or is_english(word)
