"""Numbers: each number of the summary stands in the sources, near what the sentence is about, and in the same unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nutgraf.faithfulness.arithmetic import YEARS, is_worked_out
from nutgraf.faithfulness.dates import dates
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.quantities import quantities_of
from nutgraf.faithfulness.quantity import Quantity
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.presets.ranges import NonNegativeInt, Share

LONGEST_MONTH = 31
"""Days of the longest month."""

SPELLED_OUT = range(101)
"""Numbers that sources in other languages than English may have in words, which are not known here."""

MOST_SAME = 100
"""Most places of a number in the sources that are looked at; one that has more stands where it likes."""

MOST_NAMED = 3
"""Most numbers of the sources that a reason names."""


@dataclass(frozen=True)
class Config:
    """Numbers."""

    smallest: NonNegativeInt = 3
    """Smallest number in words, or in figures without a unit, that is checked; "two" is often counted and not read."""

    least_likeness: Share = 0.15
    """Share of a sentence's weight that must stand around the number in the sources."""


class Numbers(Detector):
    """Flags numbers that no source has, or only where few words of a sentence stand, and units that sources lack."""

    config: Config

    def lacks(self, language: str) -> str:
        """Return "numbers in words or up to a hundred" for other languages than English; see `Detector`."""
        return "" if language == "en" else "numbers in words or up to a hundred"

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield numbers, those with another unit together with it; see `Detector`."""
        shares: set[int] = set()
        for quantity in quantities_of(claim.sentence, sources.document.language):
            if shares.issuperset(range(quantity.start, quantity.end)):
                continue
            if quantity.fraction:
                shares.update(range(quantity.start, quantity.end))
            if not self._is_exempt(quantity, claim.sentence) and not _is_of_date(quantity, claim, sources):
                yield from self._faults(quantity, claim, sources)

    def _is_exempt(self, quantity: Quantity, sentence: str) -> bool:
        """Return True for the number of an item, and for small ones, which are often counted and not read."""
        in_words = sentence[quantity.start : quantity.end].isalpha()
        if (in_words or not quantity.has_unit) and max(quantity.values) < self.config.smallest:
            return True
        return quantity.start == 0 and sentence[quantity.end :].startswith((". ", ") "))

    def _faults(self, quantity: Quantity, claim: Claim, sources: Sources) -> Iterator[Finding]:
        number = claim.start + quantity.start, claim.start + quantity.end
        same = sources.quantity_index.covered_by(quantity)
        others = [one for one in sources.quantity_index.in_other_units(quantity) if self._is_near(one, claim, sources)]
        if quantity.has_unit and any(one.has_unit for one in others):
            same = [one for one in same if one.has_unit]  # "nine days" is not borne out by "nine of them"
        if same:
            elsewhere = len(same) <= MOST_SAME and quantity.figure not in YEARS  # a year holds for what is told later
            if elsewhere and not any(self._is_near(one, claim, sources) for one in same):
                yield number, f"The sources have {_written(same, sources)} only where few words of this sentence stand."
        elif is_worked_out(quantity, claim, sources):
            return
        elif others:
            measured = number[0], claim.start + quantity.unit_end
            written = _flattened(claim.text, *measured).removesuffix(".")
            yield measured, f"The sources have {_written(others, sources)}, not {written}."
        elif not _may_be_in_words(quantity, claim, sources):
            kind = "share" if quantity.fraction else "time" if quantity.is_time else "number"
            written = _flattened(claim.text, *number).removesuffix(".")
            yield number, f"No source has the {kind} {written}."

    def _is_near(self, one: Quantity, claim: Claim, sources: Sources) -> bool:
        """Return True if a number of the sources stands near what a claim says."""
        return sources.likeness(claim.terms, one.start) >= self.config.least_likeness


def _is_of_date(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for the day or the month in figures of a date, which the detector of dates looks up."""
    if quantity.figure > LONGEST_MONTH or sources.document.language != "en":
        return False
    spans = (span for _, span in dates(claim.sentence))
    return any(start <= quantity.start and quantity.end <= end for start, end in spans)


def _may_be_in_words(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for what sources in other languages than English may have in words, which are not known here."""
    if sources.document.language == "en" or claim.sentence[quantity.start : quantity.end].isalpha():
        return False
    return quantity.is_time or quantity.figure in SPELLED_OUT


def _flattened(text: str, start: int, end: int) -> str:
    return " ".join(text[start:end].split())


def _written(found: Iterable[Quantity], sources: Sources) -> str:
    """Some quantities as the sources write them."""
    text = sources.document.text
    forms = list(dict.fromkeys(_flattened(text, one.start, one.unit_end) for one in found))
    return " or ".join(filter(None, (", ".join(forms[:MOST_NAMED][:-1]), forms[:MOST_NAMED][-1])))
