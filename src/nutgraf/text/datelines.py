"""Datelines: where, and when, a report was written, as news open with it: "TREMOUTH, May 3 (Wire) - "."""

from __future__ import annotations

import re

_CAPITALS = r"[A-ZÀ-Þ]{2,}[A-ZÀ-Þ.'’-]*(?:[ /][A-ZÀ-Þ][A-ZÀ-Þ.'’-]*)*"
_NAME = r"[A-ZÀ-Þ][\w.'’-]+(?: [A-ZÀ-Þ][\w.'’-]+){0,2}"
_MORE = r"(?:, ?[^\s,()—–][^,()—–\n]{0,30}?){0,2}"
_AGENCY = r"\([A-Za-zÀ-ÿ][\w./ -]{1,30}\)"
_DATELINE = re.compile(
    rf"(?:{_CAPITALS}{_MORE}(?: {_AGENCY})?|{_NAME}{_MORE} {_AGENCY}|{_AGENCY})"
    r"\s?(?:-{1,2}|[–—])\s(?=[\"“”„«»‘'¿¡]?[A-ZÀ-Þ0-9])"
)


def end_of_dateline(text: str) -> int:
    """Number of characters of the dateline that a text begins with, and of the dash after it; 0 if there is none.

    >>> end_of_dateline("TREMOUTH, May 3 (Wire) - The ferry is late.")
    25
    >>> end_of_dateline("LONDON — The ferry is late."), end_of_dateline("Tremouth (Wire) – Die Fähre kam.")
    (9, 18)
    >>> end_of_dateline("NASA — which paid for it — was pleased."), end_of_dateline("The ferry - An Odyssey.")
    (0, 0)
    """
    found = _DATELINE.match(text)
    return found.end() if found else 0
