"""A dictionary of English: the lexicon of the tagger, in American spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

_COMMENT = re.compile(r"^;;;.*", re.MULTILINE)

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
def english_tags() -> dict[str, str]:
    """The most frequent tag (of the Penn Treebank) of each English word or name, which are in their case.

    It is read where the lexicon lies: importing textblob loads NLTK, which takes longer than to find key phrases.
    """
    found = find_spec("textblob")
    assert found is not None
    assert found.origin is not None
    lexicon = Path(found.origin).parent / "en" / "en-lexicon.txt"
    entries = _COMMENT.sub("", lexicon.read_text(encoding="utf-8-sig")).split()
    return dict(zip(entries[::2], entries[1::2], strict=True))


@lru_cache(maxsize=1)
def english_words() -> frozenset[str]:
    """English words and names in their case."""
    return frozenset(english_tags())


def is_common(word: str) -> bool:
    """Return True if the dictionary has a word in lower case, perhaps without its ending, or in American spelling."""
    known = english_words()
    plain = word.lower().replace("our", "or")
    return word.lower() in known or plain in known or any(_stands(stem, known) for stem in _stems(plain))


def _stems(word: str) -> Iterator[str]:
    """Yield a word without each ending that it may have; "Ross" is no plural."""
    for end, base in _SUFFIXES.items():
        if word.endswith(end) and not (end == "s" and word.endswith("ss")):
            yield word[: -len(end)] + base


def _stands(stem: str, known: frozenset[str]) -> bool:
    return len(stem) > 2 and (stem in known or stem + "e" in known)


def american(word: str) -> str:
    """Return a word in British spelling as Americans, and the dictionary, spell it.

    >>> american("criticised"), american("defence"), american("colours"), american("haemophilia")
    ('criticized', 'defense', 'colors', 'hemophilia')
    """
    for british, other in _BRITISH.items():
        word = re.sub(british, other, word)
    return word
