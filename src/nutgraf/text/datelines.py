"""Datelines: where, and when, a report was written, as news open with it: "TREMOUTH, May 3 (Wire) - "."""

from __future__ import annotations

import re

LONGEST = 100
"""Maximum number of characters of a dateline."""

_CAPITALS = r"[A-ZÀ-Þ][A-ZÀ-Þ.'’-]++(?:[ /][A-ZÀ-Þ][A-ZÀ-Þ.'’-]*+){0,4}"
_NAME = r"[A-ZÀ-Þ][\w.'’-]++(?: [A-ZÀ-Þ][\w.'’-]++){0,2}"
_MORE = r"(?:, ?[^\s,()—–][^,()—–\n]{0,30}?){0,2}"
_AGENCY = r"\([A-Za-zÀ-ÿ][\w./ -]{1,30}\)"
_DASH = r"\s?(?:-{1,2}|[–—])\s+(?=[\"“”„«»‘'¿¡]?[A-ZÀ-Þ0-9])"
_DATELINE = re.compile(rf"(?:{_CAPITALS}{_MORE}(?: {_AGENCY})?|{_NAME}{_MORE} {_AGENCY}|{_AGENCY}){_DASH}")


def has_dateline(text: str) -> bool:
    """Return True if a text begins with a dateline and the dash after it.

    >>> has_dateline("TREMOUTH, May 3 (Wire) - The ferry is late."), has_dateline("Tremouth (Wire) – Die Fähre kam.")
    (True, True)
    >>> has_dateline("LONDON — The ferry is late.")
    True
    >>> has_dateline("NASA — which paid for it — was pleased."), has_dateline("The ferry - An Odyssey.")
    (False, False)
    """
    return _DATELINE.match(text[: LONGEST + 1]) is not None
