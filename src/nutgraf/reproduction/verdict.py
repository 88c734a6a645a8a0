"""Verdicts: is a published difference found again?

What can be reproduced are orderings, since figures depend on corpora, lengths and scorers. So a row is compared with
the row that its table is about, and what counts is the sign of that difference: ours holds if its whole interval has
the published sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nutgraf.evaluation.significance import Difference

Word = Literal["holds", "does not hold", "cannot be told"]


@dataclass(frozen=True)
class Verdict:
    """A verdict on one figure, with the reason where it cannot be told."""

    word: Word
    why: str = ""

    def __str__(self) -> str:
        return f"{self.word}: {self.why}" if self.why else self.word


def give(published: float, ours: Difference, obstacles: Sequence[str] = ()) -> Verdict:
    """Return the verdict on a published difference."""
    low, high = ours.interval.low, ours.interval.high
    reasons = [*obstacles]
    if published == 0:
        reasons.append("the published figures are equal")
    elif not ours.interval.examples:
        reasons.append("no example has a value of both")
    elif low <= 0 <= high:
        reasons.append("our interval holds zero")
    if reasons:
        return Verdict("cannot be told", "; ".join(reasons))
    return Verdict("holds" if (low > 0) == (published > 0) else "does not hold")
