"""Numbers: each number of the summary stands in the sources, near what the sentence is about, and in the same unit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nutgraf.faithfulness.arithmetic import YEARS, is_worked_out
from nutgraf.faithfulness.dates import dates
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.quantities import quantities_of
from nutgraf.faithfulness.quantity import Quantity
from nutgraf.faithfulness.sources import BESIDE, Claim, Sources
from nutgraf.presets.ranges import NonNegativeInt, Share
from nutgraf.text.tokenize import words

LONGEST_MONTH = 31
"""Days of the longest month."""

SPELLED_OUT = range(101)
"""Numbers that sources in other languages than English may have in words, which are not known here."""

MOST_SAME = 100
"""Most places of a number in the sources that are looked at; one that has more stands where it likes."""

MOST_BESIDE = 10
"""Most numbers before and after one of a sentence that tell whether it stands beside the same ones: a score."""

MOST_NAMED = 3
"""Most numbers of the sources that a reason names."""


@dataclass(frozen=True)
class Config:
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
        """Return True for the number of an item, and for small ones in words, which are often counted and not read."""
        if sentence[quantity.start : quantity.end].isalpha():
            return max(quantity.values) < self.config.smallest_in_words
        return quantity.start == 0 and sentence[quantity.end :].startswith((". ", ") "))

    def _faults(self, quantity: Quantity, claim: Claim, sources: Sources) -> Iterator[Finding]:
        number = claim.start + quantity.start, claim.start + quantity.end
        same = sources.quantity_index.covered_by(quantity)
        others = sources.quantity_index.in_other_units(quantity)
        others = [one for one in others if self._is_of_this(one, quantity, claim, sources)]
        if quantity.has_unit and any(one.has_unit for one in others):
            same = [one for one in same if one.has_unit]  # "nine days" is not borne out by "nine of them"
        if same:
            elsewhere = len(same) <= MOST_SAME and quantity.figure not in YEARS  # a year holds for what is told later
            if elsewhere and not any(self._is_of_this(one, quantity, claim, sources) for one in same):
                yield number, f"The sources have {_written(same, sources)} only where they speak of something else."
        elif is_worked_out(quantity, claim, sources):
            return
        elif others:
            written = " ".join(claim.sentence[quantity.start : quantity.unit_end].split()).removesuffix(".")
            measured = number[0], claim.start + quantity.unit_end
            yield measured, f"The sources have {_written(others, sources)}, not {written}."
        elif not _may_be_in_words(quantity, claim, sources):
            yield number, f"No source has {_called(quantity, claim.sentence)}."

    def _is_of_this(self, one: Quantity, quantity: Quantity, claim: Claim, sources: Sources) -> bool:
        """Return True if a number of the sources stands near what surrounds one of the claim, or what the claim says.

        A time to the minute is taken for the same one wherever it stands.
        """
        if quantity.is_time and quantity.figure % 1:
            return True
        beside = _terms_beside(quantity, claim.text, claim.start, sources)
        if not beside.isdisjoint(_terms_beside(one, sources.document.text, 0, sources)):
            return True
        if sources.likeness(_other_terms(quantity, claim, sources), one.start) >= self.config.least_likeness:
            return True
        own = quantities_of(claim.sentence, sources.document.language)
        place = bisect_left(own, quantity.start, key=lambda other: other.start)
        others = [other for other in own[max(0, place - MOST_BESIDE) : place + MOST_BESIDE] if other != quantity]
        near = sources.quantities_in(one.start - BESIDE, one.start + BESIDE)
        return any(other.covers(found) for found in near if found.start != one.start for other in others)


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


def _called(quantity: Quantity, sentence: str) -> str:
    written = " ".join(sentence[quantity.start : quantity.end].split()).removesuffix(".")
    if quantity.decade:
        return f"a year of the {written}"
    if quantity.fraction:
        return f"the share “{written}”"
    return f"the {'time' if quantity.is_time else 'number'} {written}"


def _written(found: Iterable[Quantity], sources: Sources) -> str:
    """Some quantities as the sources write them."""
    text = sources.document.text
    forms = list(dict.fromkeys(" ".join(text[one.start : one.unit_end].split()) for one in found))
    return " or ".join(filter(None, (", ".join(forms[:MOST_NAMED][:-1]), forms[:MOST_NAMED][-1])))


def _terms_beside(quantity: Quantity, text: str, offset: int, sources: Sources) -> frozenset[str]:
    """Stems of the content words next to a number, its unit among them, and next to its unit."""
    start, ends = offset + quantity.start, dict.fromkeys((quantity.end, quantity.unit_end))
    return frozenset().union(*(sources.terms_beside(text, start, offset + end) for end in ends))


def _other_terms(quantity: Quantity, claim: Claim, sources: Sources) -> list[str]:
    """Stems of a claim without those of a quantity that the sources write otherwise: "500 micrograms" for "0.5 mg"."""
    document = sources.document
    written = words(claim.sentence[quantity.start : quantity.unit_end], document.language)
    own = {term for terms in document.terms_of([written]) for term in terms if term not in sources.stems}
    return [term for term in claim.terms if term not in own]
