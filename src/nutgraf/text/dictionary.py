"""A dictionary of English: the lexicon of the tagger, in American spelling."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

COMMENT = ";;;"
"""Mark of the lines before the first entry of the lexicon."""

_BRITISH = {
    "is(?=(e|ed|es|er|ers|ing|ations?)$)": "iz",
    "our": "or",
    "ence(?=s?$)": "ense",
    "[ao]e": "e",
    "tre(?=s?$)": "ter",
}
_SUFFIXES = dict.fromkeys(("'s", "’s", "s", "es", "ed", "d", "ing", "ly"), "") | {"ies": "y", "ied": "y"}
"""Endings, and what stands in the place of each in the dictionary."""


@lru_cache(maxsize=1)
def _entries() -> list[str]:
    """Entries of the lexicon, "word TAG", sorted: to look up the words of a text takes less time than to part them all.

    They are read where the lexicon lies: importing textblob loads NLTK, which takes longer than to find key phrases.
    """
    found = find_spec("textblob")
    assert found is not None
    assert found.origin is not None
    lexicon = (Path(found.origin).parent / "en" / "en-lexicon.txt").read_text(encoding="utf-8-sig")
    return sorted(lexicon.rpartition(COMMENT)[2].split("\n")[1:])


@lru_cache(maxsize=1 << 16)
def english_tag(word: str) -> str | None:
    """The most frequent tag (of the Penn Treebank) of an English word or name in its case; None for an unknown one."""
    entries = _entries()
    place = bisect_left(entries, f"{word} ")
    known, _, tag = entries[place].partition(" ") if place < len(entries) else ("", "", "")
    return tag if known == word else None


def is_english(word: str) -> bool:
    """Return True if the dictionary has a word or name in its case."""
    return english_tag(word) is not None


def is_common(word: str) -> bool:
    """Return True if the dictionary has a word in lower case, perhaps without its ending, or in American spelling."""
    plain = word.lower().replace("our", "or")
    return is_english(word.lower()) or is_english(plain) or any(map(_stands, _stems(plain)))


def _stems(word: str) -> Iterator[str]:
    """Yield a word without each ending that it may have; "Ross" is no plural."""
    for end, base in _SUFFIXES.items():
        if word.endswith(end) and not (end == "s" and word.endswith("ss")):
            yield word[: -len(end)] + base


def _stands(stem: str) -> bool:
    return len(stem) > 2 and (is_english(stem) or is_english(stem + "e"))


def american(word: str) -> str:
    """Return a word in British spelling as Americans, and the dictionary, spell it.

    >>> american("criticised"), american("defence"), american("colours"), american("haemophilia")
    ('criticized', 'defense', 'colors', 'hemophilia')
    """
    for british, other in _BRITISH.items():
        word = re.sub(british, other, word)
    return word
