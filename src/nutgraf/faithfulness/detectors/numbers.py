"""Numbers: each number of the summary stands in the sources, near what the sentence is about, and in the same unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.quantities import Quantity, quantities
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.presets.ranges import NonNegativeInt, Options, Share

SPELLED_OUT = range(101)
"""Numbers that sources in other languages than English may have in words, which are not known here."""


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
            return f"No source has the number {written}."
        units = {one.unit for one in same}
        if quantity.unit and "" not in units and quantity.unit not in units:
            return f"The sources have {written} with another unit ({', '.join(sorted(units))})."
        beside = sources.terms_beside(claim.text, claim.start + quantity.start, claim.start + quantity.end)
        text = sources.document.text
        if any(
            not beside.isdisjoint(sources.terms_beside(text, one.start, one.end))
            or sources.likeness(claim.terms, one.start) >= self.config.least_likeness
            for one in same
        ):
            return ""
        return f"The sources have the number {written} only where they speak of something else."
