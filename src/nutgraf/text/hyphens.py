"""Words that a line end divides: "earth-" at the end of a line and "worm" at the beginning of the next one.

A hyphen at a line end may belong to the word ("well-known"), and a text that was pasted may have a blank in place of
the line end. So two parts are joined only if the whole word is known: if it occurs elsewhere in the text or, in
English, in a dictionary that does not have it with a hyphen.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_DIVIDED = re.compile(r"(?<![\w'’-])([^\W\d_]{2,})[-\u2010](?:[^\S\n]|[^\S\n]*\n[^\S\n]*)([^\W\d_]{2,})(?![\w'’-])")


def without_divisions(text: str, is_whole: Callable[[str, str], bool]) -> str:
    r"""Join the parts of divided words.

    >>> without_divisions("An earth-\nworm in a well-\nknown bed.", lambda *parts: parts == ("earth", "worm"))
    'An earthworm in a well-\nknown bed.'

    Args:
        text: A passage of a text.
        is_whole: Returns True for two lowercased parts that together are a word.
    """
    hyphenated = "- " in text or "-\n" in text or "\u2010" in text
    return _DIVIDED.sub(lambda found: _whole(found, is_whole), text) if hyphenated else text


def _whole(found: re.Match[str], is_whole: Callable[[str, str], bool]) -> str:
    first, last = found.groups()
    return first + last if last.islower() and is_whole(first.lower(), last) else found.group()
