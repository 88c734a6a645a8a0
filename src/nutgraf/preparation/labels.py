"""Labels that a tagger learns from: what of a source its summary has, too.

Tokens: Gehrmann, Deng and Rush 2018 (Bottom-Up), Sec. 4.1. The source is read from left to right; the longest span from
a token on that stands in the summary is selected, and the reading goes on behind it. A span that was selected before is
not selected again.

Sentences: the extractive oracle of `text/extractive_oracle.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from nutgraf.presets.ranges import PositiveInt

UNSELECTED, SELECTED = 4, 5
"""Labels, as `model/records.py` has them."""


@dataclass(frozen=True)
class Labels:
    """Labels of a tagger."""

    unit: Literal["tokens", "sentences"] = "tokens"
    """What is selected: "tokens" of spans that the summary has too, or "sentences" that are most like the summary."""

    num_sentences: PositiveInt = 3
    """Most sentences that are selected."""


def copied_spans(source: Sequence[Hashable], summary: Sequence[Hashable]) -> list[bool]:
    """Return for each token of a source whether it is in a span that is selected."""
    places = defaultdict(list)
    for at, token in enumerate(summary):
        places[token].append(at)
    chosen: list[bool] = []
    seen: set[tuple[Hashable, ...]] = set()
    while (start := len(chosen)) < len(source):
        found = places.get(source[start], ())
        length = max((_shared(source[start:], summary[at:]) for at in found), default=0)
        span = tuple(source[start : start + length])
        chosen += [length > 0 and span not in seen] * max(1, length)
        seen.add(span)
    return chosen


def _shared(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return with how many tokens both begin."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
