"""Numbers: each number of the summary stands in the sources, near what the sentence is about, and in the same unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.quantities import Quantity, quantities
from nutgraf.faithfulness.sources import BESIDE, HYPHEN, Claim, Sources
from nutgraf.presets.ranges import NonNegativeInt, Options, Share

SPELLED_OUT = range(101)
"""Numbers that sources in other languages than English may have in words, which are not known here."""

_TOGETHER = re.compile(
    r"\b(?:between them|combined|in total|(?:a|the|brings?) total|altogether|in all|aggregate)\b", re.IGNORECASE
)
"""What tells that a number is a sum."""

_NAME_BEFORE = re.compile(r"([^\W\d_]{4,})[-‐‑]$")


@dataclass(frozen=True)
class Config(Options):
    """Numbers."""

    smallest_in_words: NonNegativeInt = 3
    """Smallest number in words that is checked; "two" is often counted and not read."""

    least_likeness: Share = 0.1
    """Share of a sentence's weight that must stand around the number in the sources, where its neighbors differ."""


class Numbers(Detector):
    """Flags numbers that no source has, or only where it speaks of something else, and units that the sources lack."""

    config: Config

    def lacks(self, language: str) -> str:
        """Return "numbers in words or up to a hundred" for other languages than English; see `Detector`."""
        return "" if language == "en" else "numbers in words or up to a hundred"

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield numbers and units; see `Detector`."""
        fractions: list[Quantity] = []
        for quantity in quantities(claim.sentence, sources.document.language):
            inside = any(part.start <= quantity.start and quantity.end <= part.end for part in fractions)
            if quantity.fraction:
                fractions.append(quantity)
            if inside or self._is_exempt(quantity, claim.sentence, sources.document.language):
                continue
            reason = self._fault(quantity, claim, sources)
            if reason:
                yield (claim.start + quantity.start, claim.start + quantity.end), reason

    def _is_exempt(self, quantity: Quantity, sentence: str, language: str) -> bool:
        """Return True for the number of an item, and for small ones in words, which are often counted and not read."""
        written = sentence[quantity.start : quantity.end]
        if written.isalpha():
            return max(quantity.values) < self.config.smallest_in_words
        if language != "en" and max(quantity.values) in SPELLED_OUT:
            return True
        return quantity.start == 0 and sentence[quantity.end :].startswith((". ", ") "))

    def _fault(self, quantity: Quantity, claim: Claim, sources: Sources) -> str:
        written = claim.sentence[quantity.start : quantity.end].strip()
        same = [one for one in sources.quantities if quantity.covers(one)]
        if not same:
            if _is_sum(quantity, claim, sources) or _names_something(quantity, claim, sources):
                return ""
            return f"No source has the number {written}."
        units = {one.unit for one in same}
        if quantity.unit and "" not in units and quantity.unit not in units:
            return f"The sources have {written} with another unit ({', '.join(sorted(units))})."
        beside = sources.terms_beside(claim.text, claim.start + quantity.start, claim.start + quantity.end)
        text = sources.document.text
        if any(
            not beside.isdisjoint(sources.terms_beside(text, one.start, one.end))
            or sources.likeness(claim.terms, one.start) >= self.config.least_likeness
            or _in_company(one, quantity, claim, sources)
            for one in same
        ):
            return ""
        return f"The sources have the number {written} only where they speak of something else."


def _is_sum(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for the sum of two numbers of the sources in a sentence that speaks of a sum."""
    if not _TOGETHER.search(claim.sentence):
        return False
    values = {value for one in sources.quantities if not one.fraction for value in one.values}
    return any(first + second in quantity.values for first, second in combinations(sorted(values), 2))


def _names_something(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for the number in a name that the sources have without any: "COVID-19", "COVID"."""
    name = _NAME_BEFORE.search(claim.sentence, 0, quantity.start)
    if name is None:
        return False
    word = name[1].lower()
    return word in sources.vocabulary and not any(
        HYPHEN.split(one)[0] == word for one in sources.vocabulary if HYPHEN.search(one)
    )


def _in_company(one: Quantity, quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True if another number of the sentence stands next to one of the sources."""
    others = [
        other
        for other in quantities(claim.sentence, sources.document.language)
        if other.start >= quantity.end or other.end <= quantity.start
    ]
    return any(
        other.covers(near)
        for near in sources.quantities
        if 0 < abs(near.start - one.start) < BESIDE
        for other in others
    )
