"""Words that a line end divides: "earth-" at the end of a line and "worm" at the beginning of the next one.

A hyphen at a line end may belong to the word ("well-known"), or stand for a part that follows later ("in- and output").
So two parts are joined only where the evidence says how: by the whole word, or by the word with a hyphen, if it occurs
elsewhere in the text or, in English, in a dictionary. Within a line nothing is changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

COORDINATING = {
    "de": "und oder bzw beziehungsweise sowie als wie bis",
    "en": "and or nor but",
    "es": "ni",
    "fr": "et ou ni",
    "it": "ed od",
    "nl": "en of",
    "pt": "ou",
    "ru": "или",
}
"""Words before which a hyphen stands for what follows later, by language; those of one letter need no list."""

_PART = r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*"
_DIVIDED = re.compile(rf"(?<![\w'’-])({_PART})([-\u2010\u00ad])[^\S\n]*\n[^\S\n]*({_PART})(?![\w'’])")
_DIVIDED_NUMBER = re.compile(r"(?<=\d)([-\u2010–])[^\S\n]*\n[^\S\n]*(?=\d)")
_ALL_COORDINATING = frozenset(word for words in COORDINATING.values() for word in words.split())
_HYPHENS = ("-\n", "\u2010\n", "\u00ad\n", "–\n", "- ")


def without_divisions(
    text: str, is_whole: Callable[[str, str], bool], is_hyphenated: Callable[[str, str], bool] | None = None
) -> str:
    r"""Join the parts of words, and of ranges of numbers, that a line end divides.

    >>> without_divisions(
    ...     "An earth-\nworm in a well-\nknown bed, on pages 12-\n14.",
    ...     lambda *parts: parts == ("earth", "worm"),
    ...     lambda *parts: parts == ("well", "known"),
    ... )
    'An earthworm in a well-known bed, on pages 12-14.'

    Args:
        text: A passage of a text.
        is_whole: Returns True for two lowercased parts that together are a word.
        is_hyphenated: Returns True for two lowercased parts that are a word with a hyphen between them.
    """
    if "\n" not in text or not any(mark in text for mark in _HYPHENS):
        return text

    def joined(found: re.Match[str]) -> str:
        first, hyphen, last = found.groups()
        parts = first.lower(), last.lower()
        if hyphen == "\u00ad":
            return first + last
        if len(first) > 1 and len(last) > 1 and last.islower() and is_whole(*parts):
            return first + last
        return first + hyphen + last if is_hyphenated and is_hyphenated(*parts) else found.group()

    return _DIVIDED_NUMBER.sub(r"\1", _DIVIDED.sub(joined, text))


def is_coordinating(word: str, language: str | None = None) -> bool:
    """Return True if a lowercased word coordinates, so that a hyphen before it divides no word.

    >>> is_coordinating("or", "en"), is_coordinating("worm", "en"), is_coordinating("und")
    (True, False, True)

    Args:
        word: The word.
        language: ISO 639-1 code; None for any language.
    """
    return word in (_ALL_COORDINATING if language is None else COORDINATING.get(language, "").split())
