"""Words of which sentences about the page, the publication, the meeting or the call are made.

Each class of words stands for something that is no subject of a document, but that documents say about themselves or
to their readers. A word alone proves nothing, since any of these may be a subject ("the meeting ended in a fight");
`junk_odds.py` weighs how many of the words of a sentence there are, and what else speaks for it. The words are English,
German, French and Spanish, and stand in `page_words.json`; one with an asterisk stands for all that begin with it.
Small words are counted, but are not what a sentence is about. An invitation to the reader begins with an inviting verb.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from nutgraf.text.clean import with_plain_apostrophes

LANGUAGES = ("en", "de", "fr", "es")
"""Languages of the words."""

CLASSES = (
    "web",
    "publication",
    "legal",
    "credit",
    "meeting",
    "call",
    "greeting",
    "show",
    "signpost",
    "caption",
    "author",
    "revision",
    "contact",
    "offer",
)
"""Names of the classes of words that a sentence may be about."""

NAMES = (*CLASSES, "you", "we", "i", "please", "deictic", "tell", "past")
"""Names of all classes, those of small words last; each has a bit, in this order."""

_SHORTEST = 3
"""Fewest letters before an asterisk."""


@cache
def _written() -> dict[str, dict[str, dict[str, list[str]]]]:
    return json.loads(Path(__file__).with_name("page_words.json").read_text(encoding="utf-8"))


@cache
def _table(language: str) -> dict[str, int]:
    """Bits of the classes of each word, and of each beginning with its asterisk."""
    written, table = _written(), dict[str, int]()
    every = {**written["classes"], **written["small_classes"]}
    for place, name in enumerate(NAMES):
        for word in " ".join(every[name][language]).split():
            table[word] = table.get(word, 0) | 1 << place
    return table


@cache
def _inviting(language: str) -> frozenset[str]:
    """Verbs with which an invitation begins."""
    return frozenset(" ".join(_written()["inviting"][language]).split())


_NO_REQUESTS = ("assez", "chez", "nez")
_PLEASE = 1 << NAMES.index("please")


@lru_cache(maxsize=1 << 14)
def classes_of(word: str, language: str) -> int:
    """Bits of the classes that a lowercased word of one of `LANGUAGES` belongs to."""
    table = _table(language)
    word = with_plain_apostrophes(word)
    if language == "fr" and "'" in word[:3] and word not in table:
        word = word.partition("'")[2]
    bits = table.get(word, 0)
    for end in range(_SHORTEST, len(word) + 1):
        bits |= table.get(word[:end] + "*", 0)
    return bits


def invites(words: Sequence[str], language: str) -> bool:
    """Return True if a sentence begins like an invitation or a request."""
    first = next((word for word in words[:3] if not classes_of(word, language) & _PLEASE), "")
    if first in _inviting(language):
        return True
    if language == "de":
        return first.endswith("en") and "sie" in words[1:2]
    return language == "fr" and first.endswith("ez") and first not in _NO_REQUESTS
