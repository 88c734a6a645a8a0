"""Durations in words."""

from __future__ import annotations


def spoken(seconds: float) -> str:
    """Return a time as people say it: 45 s, 12 min, 3.5 h, 12 days."""
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.0f} s"
