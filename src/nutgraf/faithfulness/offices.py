"""Offices before names in English: "Mayor Ada Brandt"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nutgraf.text.tokenize import Span

OFFICES = (
    "admiral ambassador archbishop bishop captain chancellor coach colonel commissioner congressman congresswoman "
    "councillor councilman councilwoman detective director general governor inspector judge justice king lieutenant "
    "mayor minister pope president prince princess professor queen rabbi representative secretary senator sergeant "
    "sheriff"
).split()
"""Words that are offices before a name."""

_NAMED = re.compile(
    rf"\b(?P<office>{'|'.join(f'[{one[0].upper()}{one[0]}]{one[1:]}' for one in OFFICES)})"
    r"\s(?P<name>[^\W\d_a-z][\w’'-]+(?:\s(?:[^\W\d_a-z]\.|[^\W\d_a-z][\w’'-]+)){0,3})"
)


def offices(text: str) -> Iterator[tuple[str, str, Span]]:
    """Find offices before names: the office in lower case, the name, and the place of both.

    >>> [(office, name) for office, name, _ in offices("Mayor Ada Brandt met councillor Kim and the president.")]
    [('mayor', 'Ada Brandt'), ('councillor', 'Kim')]
    """
    for match in _NAMED.finditer(text):
        yield match["office"].lower(), match["name"], match.span()
