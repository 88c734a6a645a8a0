"""What scores share: the record of precision, recall and F, and the pedigree without which no figure travels."""

from __future__ import annotations

from typing import NamedTuple

from nutgraf.version import __version__


class Score(NamedTuple):
    """Shares between 0 and 1."""

    precision: float
    recall: float
    f: float


def sign(name: str, **settings: object) -> str:
    """All that must be known to get a score again.

    >>> sign("rouge", stem=True, refs="average")
    'rouge|stem:yes|refs:average|v0.1.0'
    """
    pairs = [f"{key}:{_say(value)}" for key, value in settings.items()]
    return "|".join([name, *pairs, f"v{__version__}"])


def _say(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
