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
_DATELINE = re.compile(
    rf"(?:(?:{_CAPITALS}|{_NAME}){_MORE} {_AGENCY}|{_CAPITALS}(?P<more>{_MORE})|{_AGENCY}){_DASH}",
)


def end_of_dateline(text: str, bare: bool = False) -> int:
    """Number of characters of the dateline that a text begins with, and of the dash after it; 0 if there is none.

    >>> end_of_dateline("TREMOUTH, May 3 (Wire) - The ferry is late."), end_of_dateline("Tremouth (Wire) – It came.")
    (25, 18)
    >>> end_of_dateline("LONDON — The ferry is late."), end_of_dateline("LONDON — The ferry is late.", bare=True)
    (0, 9)
    >>> end_of_dateline("NASA, it said, — which paid for it — was pleased."), end_of_dateline("A ferry - An Odyssey.")
    (0, 0)

    Args:
        text: The text.
        bare: Accept a word in capitals alone, which may be something else wherever news are not expected.
    """
    found = _DATELINE.match(text[: LONGEST + 1])
    return found.end() if found and (bare or found["more"] != "") else 0
