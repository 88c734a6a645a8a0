"""Precision, recall and F, and the signature of a score."""

from __future__ import annotations

from typing import NamedTuple

from nutgraf.version import __version__


class Score(NamedTuple):
    """Precision, recall and F, between 0 and 1."""

    precision: float
    recall: float
    f: float


def harmonic(precision: float, recall: float) -> Score:
    """Return a score whose F is the harmonic mean."""
    total = precision + recall
    return Score(precision, recall, 2 * precision * recall / total if total else 0.0)


def sign(name: str, **settings: object) -> str:
    """Make a signature: everything needed to reproduce a score.

    >>> sign("rouge", stem=True, refs="average").rsplit("|", 1)[0]
    'rouge|stem:yes|refs:average'
    """
    pairs = [f"{key}:{_shown(value)}" for key, value in settings.items()]
    return "|".join([name, *pairs, f"v{__version__}"])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
