"""Numbers that a summary works out from those of its sources: sums, shares, changes, counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations, islice, pairwise, permutations, product, starmap

import numpy as np

from nutgraf.faithfulness.dates import days_between, months_between
from nutgraf.faithfulness.quantities import quantities, quantities_of
from nutgraf.faithfulness.quantity import PERCENT, Quantity, Reading, minutes_between
from nutgraf.faithfulness.shares import (
    LONGEST_BEFORE,
    MOST_WORKED_WITH,
    counts_of,
    has,
    is_part_of_amount,
    is_remaining_share,
    is_rest,
    is_share,
    is_share_of_amount,
    measures,
    percent,
)
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.faithfulness.times import CLOCK
from nutgraf.faithfulness.units import names
from nutgraf.text.document import Document

LEAST_WORKED_OUT = 100
"""Smallest sum or difference of two numbers; smaller ones come about by chance."""

LEAST_PART = 10
"""Smallest number that is added or subtracted."""

YEARS = range(1900, 2100)
"""Numbers that are not worked out, since they are years."""

MOST_LIKELY = 10
"""Sentences of the sources most like a claim, in which a sum or a difference may lie."""

WORKED_AROUND = 2
"""Sentences before and after one that supports a claim, whose numbers are worked with together."""

_TOGETHER = re.compile(
    r"\b(?:between them|combined|in total|(?:a|the|brings?) total|altogether|in all|aggregate)\b", re.IGNORECASE
)
"""What tells that a number is a sum."""

LEAST_ITEMS = 3
"""Items of the shortest list whose items are counted."""

LONGEST_ITEM = 4
"""Words of an item of a list that is counted."""

_CHANGES = re.compile(
    r"\b(?:rise|rose|risen|rising|gr[eo]w|climb|gain|increas|jump|soar|surg|expand|up\b|"
    r"fall|fell|drop|declin|decreas|shr[aiu]nk|s[aiu]nk|slid|slump|plung|tumbl|reduc|cut|lower|down\b)",
    re.IGNORECASE,
)
"""What tells that a share is one of a change."""

_AND = re.compile(r"\s(?:and\s)?|,\s(?:and\s)?")
_FROM = re.compile(r"\b(?:from|against|compared (?:with|to))\s(?:about\s|some\s)?$", re.IGNORECASE)
_FACTOR = re.compile(
    r"\b(?P<half>half|halve[sd]?|halving)\b|\ba\s(?P<third>third)\b|\ba\s(?P<quarter>quarter)\b"
    r"|\b(?P<double>doubl(?:ed?|es|ing)|twice)\b|\b(?P<triple>tripl(?:ed?|es|ing)|trebled?|three\stimes)\b",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:each|every|apiece)\b", re.IGNORECASE)
"""What tells that a number stands for a part or for a multiple of another one."""

_VOTE = re.compile(r"\bvot\w*\b[^.;]{0,60}?\b(\d{1,3})\s?(?:[-–]|to)\s?(\d{1,3})\b", re.IGNORECASE)
"""The result of a vote."""

_RECIPROCAL = frozenset({"half", "double", "triple"})
"""Factors of which the other number may be told: the old one where the new one holds twice as much."""

_PARTS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "double": 2.0, "triple": 3.0}

(YEAR,), (MONTH,), (DAY,), (HOUR,) = (names("en")[name] for name in ("years", "months", "days", "hours"))

_PERIOD = re.compile(
    r"\b(?:first|second|third|fourth|last)[\s-](?P<part>half|quarter)\b|\bhalf[\s-]year\b", re.IGNORECASE
)
_MONTHS_OF = {"half": 6.0, "quarter": 3.0}


def is_worked_out(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for a number that the sources do not have, but from which it can be worked out.

    Args:
        quantity: A number of the claim.
        claim: A sentence of a summary.
        sources: Its sources.
    """
    if _is_sum(quantity, claim, sources):
        return True
    told = sorted(_sentences(claim, sources))
    texts = list(_texts(told, sources.document))
    if _is_between_dates(quantity, texts):
        return True
    if any(rule(quantity, claim, text, sources) for text in texts for rule in _RULES):
        return True
    if any(rule(quantity, claim, "\n".join(texts), sources) for rule in _RULES_OF_ALL):
        return True
    around = "\n".join(_texts(_around(told, len(sources.document.sentences)), sources.document))
    if any(rule(quantity, claim, around, sources) for rule in _RULES_AROUND):
        return True
    shares = sources.shares(claim.terms)
    likely = [int(index) for index in np.argsort(-shares, kind="stable")[:MOST_LIKELY] if shares[index] > 0]
    return any(_is_sum_or_difference(quantity, claim, text, sources) for text in _texts(likely, sources.document))


def _sentences(claim: Claim, sources: Sources) -> Sequence[int]:
    """Return the sentences that support a claim, and the first ones in which its other numbers stand."""
    found = dict.fromkeys(claim.evidence)
    for one in islice(quantities_of(claim.sentence, sources.document.language), MOST_WORKED_WITH):
        for same in sources.quantity_index.covered_by(one)[:1]:
            found[sources.sentence_at(same.start)] = None
    return list(found)


def _around(sentences: Iterable[int], count: int) -> Sequence[int]:
    """Return sentences and those around them, in order."""
    near = {at for index in sentences for at in range(index - WORKED_AROUND, index + WORKED_AROUND + 1)}
    return sorted(at for at in near if 0 <= at < count)


def _texts(sentences: Iterable[int], document: Document) -> Iterator[str]:
    for index in sentences:
        yield document.text[document.sentences[index].start : document.sentences[index].end]


def _is_sum_or_difference(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    if max(quantity.values) < LEAST_WORKED_OUT or quantity.figure in YEARS:
        return False
    counts = counts_of(text, sources.document.language)
    parts = [[value for value in one.values if value >= LEAST_PART] for one in counts]
    pairs = (pair for one, other in combinations(parts, 2) for pair in product(one, other))
    return any(abs(one + sign * other) in quantity.values for one, other in pairs for sign in (1, -1))


def _is_count_of_items(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the number of items of a list: three for "A, B and C"."""
    return any(float(count) in quantity.values for count in _lists(text))


def _is_change(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the share by which something rose or fell: "fell by 80 %" for "to 10 tonnes from 50"."""
    if all(reading.unit != PERCENT for reading in quantity.readings) or not has(_CHANGES, claim.sentence):
        return False
    for one, other in combinations(counts_of(text, sources.document.language), 2):
        first, second = _is_earlier(one, text), _is_earlier(other, text)
        bracketed = _is_in_brackets(other, text)
        before, after = (other, one) if bracketed or (second and not first) else (one, other)
        if before.figure and (first or second or bracketed or _have_one_unit(one, other)):
            old, new = (before.figure, after.figure) if bracketed else (before.values[0], after.values[0])
            if quantity.covers(percent(one, 100 * abs(new - old) / old)):
                return True
    return False


def _is_earlier(one: Quantity, text: str) -> bool:
    """Return True for a number from which another one is said to have changed."""
    return bool(_FROM.search(text, max(0, one.start - LONGEST_BEFORE), one.start))


def _is_in_brackets(one: Quantity, text: str) -> bool:
    """Return True for a number alone in brackets, as reports give the one of the year before: "1,284 (1,196)"."""
    return text[one.start - 1 : one.start] == "(" and text[one.end : one.end + 1] == ")"


def _have_one_unit(one: Quantity, other: Quantity) -> bool:
    """Return True for amounts in the same unit, which is no share."""
    units = {reading.unit for reading in one.readings}
    return not units.isdisjoint(reading.unit for reading in other.readings) and units.isdisjoint({None, PERCENT})


def _is_part_or_multiple(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for what a text calls half or twice another number: £35 for "£70, which is halved"."""
    named = {match.lastgroup or "" for match in _FACTOR.finditer(text)}
    factors = {factor for name in named for factor in (_PARTS[name], 1 - _PARTS[name]) if factor > 0}
    factors |= {1 / _PARTS[name] for name in named & _RECIPROCAL}
    counts = counts_of(text, sources.document.language) if factors else ()
    readings = (reading for one in counts for reading in one.readings)
    return any(measures(quantity, factor * reading.value, reading.unit) for reading in readings for factor in factors)


def _is_vote(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for all who voted: nine for "voted 7-2"."""
    votes = (int(vote[1]) + int(vote[2]) for vote in _VOTE.finditer(text)) if "vot" in claim.sentence.lower() else ()
    return any(measures(quantity, float(cast), None) for cast in votes)


def _unhedged(quantity: Quantity, claim: Claim, sources: Sources) -> Quantity:
    """Return a number of a claim without "about" and the like, which would stand for many products."""
    found = _exact(claim.sentence, sources.document.language)
    return next((one for one in found if (one.start, one.fraction) == (quantity.start, quantity.fraction)), quantity)


@lru_cache(maxsize=64)
def _exact(sentence: str, language: str) -> tuple[Quantity, ...]:
    return tuple(quantities(sentence, language, hedged=False))


def _is_product(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for so many of each of so many: 128 for "two in each street" of 64."""
    if not has(_EACH, text):
        return False
    counts = counts_of(text, sources.document.language)
    exact = _unhedged(quantity, claim, sources)
    return any(measures(exact, one.values[0] * other.values[0], None) for one, other in combinations(counts, 2))


def _is_quotient(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for what each of so many has of an amount: €130 each for 60 that are worth €7,800."""
    if not has(_EACH, claim.sentence):
        return False
    counts = counts_of(text, sources.document.language)
    quotients = (
        (reading.value / other.values[0], reading.unit)
        for one, other in permutations(counts, 2)
        for reading in one.readings
        if other.values[0] > 1
    )
    return any(measures(quantity, value, unit) for value, unit in quotients)


def _is_compound(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for a duration in one unit that is told in two: 32 months for "two years and eight months"."""
    return any(
        first.unit is not None
        and second.unit is not None
        and first.unit.dimension == second.unit.dimension != CLOCK.dimension
        and measures(quantity, first.value + second.value * second.unit.size / first.unit.size, first.unit)
        for one, other in pairwise(counts_of(text, sources.document.language))
        if _AND.fullmatch(text, one.unit_end, other.start)
        for first, second in product(one.readings, other.readings)
    )


def _is_part_nearby(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for an amount that is half or twice another one, in a unit, where the sentences name that part."""
    measured = any(reading.unit is not None for reading in quantity.readings)
    return measured and _is_part_or_multiple(quantity, claim, text, sources)


def _is_length_of_period(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the months of a half or a quarter of a year: "six months" for "the first half of 2024"."""
    periods = {(match["part"] or "half").lower() for match in _PERIOD.finditer(text)}
    return any(measures(quantity, _MONTHS_OF[part], MONTH) for part in periods)


def _is_years_between(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the years between two that a sentence names, or from one to the last that the sources name."""
    if all(reading.unit != YEAR for reading in quantity.readings):
        return False
    named = {one.figure for one in counts_of(text, sources.document.language) if one.figure in YEARS}
    last = max((one.figure for one in sources.quantities if one.figure in YEARS), default=0.0)
    between = (after - before for before in named for after in {*named, last} if after > before)
    return any(
        quantity.covers(replace(quantity, readings=(Reading(years, YEAR, years, 1.0, 1.0),))) for years in between
    )


def _is_time_between(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the hours between two times of day: "from 9 a.m. to noon"."""
    if all(reading.unit is None or reading.unit.dimension != HOUR.dimension for reading in quantity.readings):
        return False
    found = quantities(text, sources.document.language, hedged=False)
    times = list(islice((one for one in found if one.is_time), MOST_WORKED_WITH))
    minutes = (*map(float, sources.durations), *chain.from_iterable(starmap(minutes_between, pairwise(times))))
    return any(measures(quantity, minute / 60, HOUR) for minute in minutes if minute)


def _is_between_dates(quantity: Quantity, texts: Sequence[str]) -> bool:
    """Return True for the days or months between two dates in the sentences that support the claim."""
    if all(reading.unit is None or reading.unit.dimension != DAY.dimension for reading in quantity.readings):
        return False
    told = [(float(one), DAY) for one in days_between(texts)] + [(float(one), MONTH) for one in months_between(texts)]
    return any(measures(quantity, one, unit) for one, unit in told)


def _lists(sentence: str) -> Iterator[int]:
    """Numbers of items of a sentence's lists, three at least, and one fewer: a short clause may stand before."""
    begun = 0
    for part in sentence.split(","):
        written = part.split()
        last = next((place for place, word in enumerate(written[: LONGEST_ITEM + 1]) if word in ("and", "or")), None)
        if last is not None and begun + min(last, 1) > 1:
            count = begun + min(last, 1) + 1
            yield from (count, count - 1)[: count - LEAST_ITEMS + 1]
        begun = begun + 1 if len(written) <= LONGEST_ITEM else 1


def _is_sum(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for the sum of two numbers of the sources in a sentence that speaks of a sum."""
    if not has(_TOGETHER, claim.sentence):
        return False
    values = sources.values
    return any(total - value in values and total != 2 * value for total in quantity.values for value in values)


_RULES = (
    _is_sum_or_difference,
    _is_count_of_items,
    is_share,
    is_rest,
    _is_change,
    _is_part_or_multiple,
    _is_vote,
    is_remaining_share,
    is_part_of_amount,
    _is_years_between,
    _is_length_of_period,
    _is_compound,
)
"""How a number may follow from a source sentence that supports the claim."""

_RULES_OF_ALL = (_is_product, _is_quotient)
"""How a number may follow from all of them together."""

_RULES_AROUND = (is_share_of_amount, _is_time_between, _is_part_nearby, _is_years_between)
"""How a number may follow from all of them and those around them together."""
