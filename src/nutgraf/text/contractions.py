"""Contractions of English, written in full."""

from __future__ import annotations

import re

_FULL = {"m": "am", "re": "are", "ll": "will", "ve": "have"}
_NOT = {"ca": "can", "wo": "will", "sha": "shall"}
_VERB = re.compile(rf"(?<=[^\W\d_])\s?['’]({'|'.join(_FULL)})\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:(ca|wo|sha)|([^\W\d_]+?))\s?n['’]t\b", re.IGNORECASE)


def in_full(text: str) -> str:
    """Return a text with the contractions that can mean one thing only written in full; "'s" and "'d" stay.

    >>> in_full("I 'm sure they won't, and it's late"), in_full("We can’t")
    ("I am sure they will not, and it's late", 'We can not')
    """
    text = _DENIED.sub(lambda found: f"{_NOT.get((found[1] or '').lower(), found[1] or found[2])} not", text)
    return _VERB.sub(lambda found: f" {_FULL[found[1].lower()]}", text)
