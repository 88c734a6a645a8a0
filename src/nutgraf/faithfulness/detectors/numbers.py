"""Numbers: each number of the summary stands in the sources, near what the sentence is about, and in the same unit."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nutgraf.faithfulness.arithmetic import YEARS, is_worked_out
from nutgraf.faithfulness.dates import dates_of
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.quantities import quantities_of
from nutgraf.faithfulness.quantity import Quantity
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.presets.ranges import NonNegativeInt, Share
from nutgraf.text.tokenize import words

LEAST_IN_PLACE = 0.3
"""Share of a sentence's weight that a sentence of the sources has in which a number has another unit."""

LONGEST_MONTH = 31
"""Days of the longest month."""

SPELLED_OUT = range(101)
"""Numbers that sources in other languages than English may have in words, which are not known here."""

MOST_IN_COMPANY = 20
"""Most numbers before and after one of a sentence that tell whether it stands in the same company in the sources."""

MOST_SAME = 100
"""Most places of a number in the sources that are looked at; one that has more stands where it likes."""

MOST_NAMED = 3
"""Most numbers of the sources that a reason names."""

_ORDINALS = dict(
    zip(
        "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split(),
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(),
        strict=True,
    )
)

_ALWAYS = re.compile(r"\b24/7\b")
"""Figures that stand for no number."""

_VAGUE = re.compile(r"\b(?:several|few|many|some|couple of)\s$")
LONGEST_VAGUE = 12
"""Letters in which a word may stand that makes a number vague: "several thousand"."""

_SENTENCE_END = re.compile(r"(?<=[^\W\d_]{2})\.$")
"""A full stop that is no part of an abbreviation such as "a.m."."""

LONGEST_NAME = 40
"""Letters of a name before a number."""

_BEFORE_A_LIST = frozenset({"", "the", "these", "here are", "here are the", "other", "another"})
"""What may stand before the number of a list, at the beginning of a sentence."""

_LIST = re.compile(r"\s+[^\W\d_][^:.;!?]{2,}:(?=\s)")

_NIL = re.compile(r"\b(\d{1,2})\s?[-–]\s?0\b|\b0\s?[-–]\s?(\d{1,2})\b")
LONGEST_SCORE = 5
"""Characters of a score beside one of its numbers."""

_NAME_BEFORE = re.compile(rf"(?<![^\W\d_])([^\W\d_]{{4,{LONGEST_NAME}}})[-‐‑]$")


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
            vague = _VAGUE.search(sentence, max(0, quantity.start - LONGEST_VAGUE), quantity.start)
            return vague is not None or max(quantity.values) < self.config.smallest_in_words
        if _ALWAYS.search(sentence[max(0, quantity.start - 4) : quantity.start + 5]):
            return True
        return quantity.start == 0 and sentence[quantity.end :].startswith((". ", ") "))

    def _faults(self, quantity: Quantity, claim: Claim, sources: Sources) -> Iterator[Finding]:
        number = claim.start + quantity.start, claim.start + quantity.end
        same = sources.quantity_index.covered_by(quantity)
        if len(same) > MOST_SAME:
            return
        others = sources.quantity_index.in_other_units(quantity)[:MOST_SAME]
        in_words = _may_be_in_words(quantity, claim.sentence, sources.document.language)
        elsewhere = bool(others) and not same
        if same and _is_beside(same, quantity, claim, sources):
            others = []
        elif same:
            others = [one for one in others if _is_beside([one], quantity, claim, sources)]
        else:
            others = [one for one in others if _is_in_place(one, quantity, claim, sources)]
        measured = number[0], claim.start + quantity.unit_end
        written = _words(claim.sentence[quantity.start : quantity.unit_end]).removesuffix(".")
        if others and (same or not any(excuse(quantity, claim, sources) for excuse in _EXCUSES)):
            theirs = _written(others, sources)
            told = f"{theirs} in another unit" if theirs == written else f"{theirs}, not {written}"
            yield measured, f"The sources have {told}."
        elif others or in_words or (same and quantity.figure in YEARS):
            return  # a year that a text names once holds for what it tells later
        elif self._is_borne_out(quantity, same, claim, sources):
            return
        elif same:
            yield number, f"The sources have {_written(same, sources)} only where they speak of something else."
        elif elsewhere:
            yield measured, f"No source has {written}."
        else:
            yield number, f"No source has {_called(quantity, claim.sentence).removesuffix('.')}."

    def _is_borne_out(self, quantity: Quantity, same: Sequence[Quantity], claim: Claim, sources: Sources) -> bool:
        """Return True if the sources have the number where they tell of this, or if it follows from others."""
        return any(self._is_of_this(one, quantity, claim, sources) for one in same) or any(
            excuse(quantity, claim, sources) for excuse in _EXCUSES
        )

    def _is_of_this(self, one: Quantity, quantity: Quantity, claim: Claim, sources: Sources) -> bool:
        """Return True if a number of the sources stands near what surrounds one of the claim, or what the claim says.

        A time to the minute is taken for the same one wherever it stands.
        """
        return (
            (quantity.is_time and bool(quantity.figure % 1))
            or _is_beside([one], quantity, claim, sources)
            or sources.likeness(_other_terms(quantity, claim, sources), one.start) >= self.config.least_likeness
            or _in_company(one, quantity, claim, sources)
        )


def _is_beside(ones: Iterable[Quantity], quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True if a number of the sources stands next to a word that one of the claim stands next to."""
    beside = _terms_beside(quantity, claim.text, claim.start, sources)
    text = sources.document.text
    return bool(beside) and not all(beside.isdisjoint(_terms_beside(one, text, 0, sources)) for one in ones)


def _is_in_place(one: Quantity, quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True if a number of the sources in another unit stands where one of the claim would stand."""
    terms = sources.document.terms[sources.sentence_at(one.start)]
    return (
        _is_beside([one], quantity, claim, sources)
        or sources.share(_other_terms(quantity, claim, sources), terms) >= LEAST_IN_PLACE
        or _in_company(one, quantity, claim, sources)
    )


def _is_of_date(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for the day or the month in figures of a date that the sources have: "2019-05-03", "3 May"."""
    return quantity.figure <= LONGEST_MONTH and any(
        start <= quantity.start
        and quantity.end <= end
        and not sources.dates.union(sources.month_ends, sources.weekday_dates).isdisjoint({date})
        for date, (start, end) in dates_of(claim.sentence)
    )


def _may_be_in_words(quantity: Quantity, sentence: str, language: str) -> bool:
    """Return True for what sources in other languages than English may have in words, which are not known here."""
    if language == "en" or sentence[quantity.start : quantity.end].isalpha():
        return False
    return quantity.is_time or quantity.figure in SPELLED_OUT


def _called(quantity: Quantity, sentence: str) -> str:
    written = _words(sentence[quantity.start : quantity.end])
    if quantity.decade:
        return f"a year of the {written}"
    if quantity.fraction:
        return f"the share “{written}”"
    return f"the {'time' if quantity.is_time else 'number'} {written}"


def _written(found: Iterable[Quantity], sources: Sources) -> str:
    """Some quantities as the sources write them."""
    text = sources.document.text
    forms = list(dict.fromkeys(_SENTENCE_END.sub("", _words(text[one.start : one.unit_end])) for one in found))
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


def _words(written: str) -> str:
    return " ".join(written.split())


def _names_something(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for the number in a name that the sources have without any: "COVID-19", "COVID"."""
    name = _NAME_BEFORE.search(claim.sentence, max(0, quantity.start - LONGEST_NAME - 2), quantity.start)
    return name is not None and name[1].lower() in sources.vocabulary and name[1].lower() not in sources.first_parts


def _is_ordinal(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for "1st" where the sources have "first", for "five" where those that support the claim have "fifth".

    So it is for "the 1700s" and "the eighteenth century" or "the 18th century".
    """
    written = claim.sentence[quantity.start : quantity.unit_end].lower()
    if written in _ORDINALS:
        return _ORDINALS[written] in sources.vocabulary
    if quantity.decade and not quantity.figure % 100:
        return int(quantity.figure // 100) + 1 in sources.centuries
    place = int(quantity.figure) - 1 if written.isalpha() else -1
    ordinals = list(_ORDINALS.values())
    return place in range(len(ordinals)) and any(
        ordinals[place] in sources.document.words[index] for index in claim.evidence
    )


def _counts_a_list(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for the number of the items that a summary names next: "Five stars with a trade of their own: …"."""
    beginning = claim.sentence[: quantity.start].strip().lower()
    return beginning in _BEFORE_A_LIST and bool(_LIST.match(claim.sentence, quantity.end))


def _in_company(one: Quantity, quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True if another number of the sentence stands next to one of the sources."""
    own = _in_order(claim.sentence, sources.document.language)
    place = bisect_left(own, quantity.start, key=lambda other: other.start)
    beside = own[max(0, place - MOST_IN_COMPANY) : place + MOST_IN_COMPANY]
    others = [other for other in beside if other.start >= quantity.end or other.end <= quantity.start]
    return any(other.covers(near) for near in sources.quantities_near(one.start) for other in others)


@lru_cache(maxsize=64)
def _in_order(sentence: str, language: str) -> list[Quantity]:
    return sorted(quantities_of(sentence, language), key=lambda one: one.start)


def _is_nil(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for the 0 of a score of which the sources tell the goals: "2-0 down" for "two goals down"."""
    if quantity.figure:
        return False
    score = _NIL.search(claim.sentence, max(0, quantity.start - LONGEST_SCORE), quantity.end + LONGEST_SCORE)
    goals = {float(one) for one in score.groups() if one} if score else set[float]()
    return any(not goals.isdisjoint(one.values) for one in sources.goals)


_EXCUSES = (is_worked_out, _is_ordinal, _names_something, _counts_a_list, _is_nil)
