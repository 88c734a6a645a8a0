"""Pages of a PDF whose words run together: fonts without widths, or text that was drawn so."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST_WORD = 24
"""Number of letters from which a run of letters is likely to be several words."""

GLUED = 0.05
"""Share of the letters of a page in such runs from which its words are taken to run together."""

_RUN = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u052f]+")


def share_glued(text: str) -> float:
    """Share of the Latin, Greek and Cyrillic letters of a text that stand in runs too long to be words."""
    runs = [len(run) for run in _RUN.findall(text)]
    return sum(length for length in runs if length > LONGEST_WORD) / max(1, sum(runs))


def told_glued(texts: Iterable[str], name: str) -> str | None:
    """Notice of the pages whose words run together; None if there are none."""
    glued = [share_glued(text) >= GLUED for text in texts]
    return f"{name}: the words of {sum(glued)} of {len(glued)} pages run together." if any(glued) else None
