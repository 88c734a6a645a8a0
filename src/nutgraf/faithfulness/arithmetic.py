"""Numbers that a summary works out from those of its sources: sums, shares, changes, counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, islice, pairwise, product

import numpy as np

from nutgraf.faithfulness.dates import days_between, months_between
from nutgraf.faithfulness.quantities import quantities, quantities_of
from nutgraf.faithfulness.quantity import PERCENT, Quantity, Reading
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.faithfulness.units import Unit, names
from nutgraf.text.document import Document

LEAST_WORKED_OUT = 100
"""Smallest sum or difference of two numbers; smaller ones come about by chance."""

LEAST_PART = 10
"""Smallest number that is added or subtracted."""

YEARS = range(1900, 2100)
"""Numbers that are not worked out, since they are years."""

MOST_LIKELY = 10
"""Sentences of the sources most like a claim, in which a sum or a difference may lie."""

MOST_WORKED_WITH = 20
"""Most numbers of a sentence that are added and subtracted."""

_TOGETHER = re.compile(
    r"\b(?:between them|combined|in total|(?:a|the|brings?) total|altogether|in all|aggregate)\b", re.IGNORECASE
)
"""What tells that a number is a sum."""

_PART_OF = re.compile(
    r"\s?/\s?|(?:\s[^\W\d_]+)?\s(?:out\s)?of\s(?:(?:the|all|its|our|their|his|her|a total of|\w+['’]s?)\s){0,3}",
    re.IGNORECASE,
)
_OF = re.compile(r"\b(?:of|among)\s(?:(?:the|all|its|our|their)\s)?$", re.IGNORECASE)
_OF_THEM = re.compile(r"\sof\s(?:them|whom|these|those|which)\b", re.IGNORECASE)
"""What stands behind a part whose whole was told: "twelve left, nine of them"."""

_IN_BRACKETS = re.compile(r"(?:\s[^\W\d_][\w-]*){0,5}\s?\(")
"""What stands between a whole and a part in brackets: "128 nurses (97 women …"."""

_WHOLE_BEFORE = re.compile(r"(?:\s[^\W\d_][\w-]*){0,5},?\s")
"""What stands between two numbers of which one is a part of the other, and before a whole."""

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

_LEFT = re.compile(r"\b(?:remaining|remainder|rest|others?|not|without|failed|missed)\b|n['’]t\b", re.IGNORECASE)
"""What tells that a number is what another one leaves."""

_FROM = re.compile(r"\b(?:from|against|compared (?:with|to))\s(?:about\s|some\s)?$", re.IGNORECASE)
LONGEST_BEFORE = 20
"""Characters before a number in which "from" or "of" may stand."""

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

_A_DAY = 24 * 60
"""Minutes."""


def is_worked_out(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for a number that the sources do not have, but from which it can be worked out.

    Args:
        quantity: A number of the claim.
        claim: A sentence of a summary.
        sources: Its sources.
    """
    if _is_sum(quantity, claim, sources):
        return True
    texts = list(_texts(_sentences(claim, sources), sources.document))
    if _is_between_dates(quantity, texts):
        return True
    if any(rule(quantity, claim, text, sources) for text in texts for rule in _RULES):
        return True
    if any(rule(quantity, claim, "\n".join(texts), sources) for rule in _RULES_OF_ALL):
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


def _texts(sentences: Iterable[int], document: Document) -> Iterator[str]:
    for index in sentences:
        yield document.text[document.sentences[index].start : document.sentences[index].end]


@lru_cache(maxsize=64)
def _counts_of(text: str, language: str) -> tuple[Quantity, ...]:
    """Return what can be added, in order: no shares in words and no times of day."""
    found = (one for one in quantities(text, language, hedged=False) if not one.fraction and not one.is_time)
    return tuple(islice(found, MOST_WORKED_WITH))


def _is_sum_or_difference(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    if max(quantity.values) < LEAST_WORKED_OUT or quantity.figure in YEARS:
        return False
    counts = _counts_of(text, sources.document.language)
    parts = [[value for value in one.values if value >= LEAST_PART] for one in counts]
    pairs = (pair for one, other in combinations(parts, 2) for pair in product(one, other))
    return any(abs(one + sign * other) in quantity.values for one, other in pairs for sign in (1, -1))


def _is_count_of_items(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the number of items of a list: three for "A, B and C"."""
    return any(float(count) in quantity.values for count in _lists(text))


def _is_share(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the share of two numbers: "half of them" for "of the 240, 120"."""
    if all(reading.unit != PERCENT for reading in quantity.readings):
        return False
    pairs = _parts_and_wholes(text, sources.document.language)
    return any(quantity.covers(_percent(part, 100 * part.figure / whole.figure)) for part, whole in pairs)


def _is_rest(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for what a part leaves of a whole: "nine of the eleven", "nine did not", for "two of the eleven"."""
    language = sources.document.language
    own = _parts_and_wholes(claim.sentence, language)
    wholes = {whole.figure for part, whole in own if part.start == quantity.start}
    left = _has(_LEFT, claim.sentence)
    return any(
        part.figure + quantity.figure == whole.figure and (left or whole.figure in wholes)
        for part, whole in _parts_and_wholes(text, language)
    )


def _is_change(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the share by which something rose or fell: "fell by 80 %" for "to 10 tonnes from 50"."""
    if all(reading.unit != PERCENT for reading in quantity.readings) or not _has(_CHANGES, claim.sentence):
        return False
    for one, other in combinations(_counts_of(text, sources.document.language), 2):
        first, second = _is_earlier(one, text), _is_earlier(other, text)
        before, after = (other, one) if second and not first else (one, other)
        if before.figure and (first or second or _have_one_unit(one, other)):
            change = 100 * abs(after.values[0] - before.values[0]) / before.values[0]
            if quantity.covers(_percent(one, change)):
                return True
    return False


def _is_earlier(one: Quantity, text: str) -> bool:
    """Return True for a number from which another one is said to have changed."""
    return bool(_FROM.search(text, max(0, one.start - LONGEST_BEFORE), one.start))


def _have_one_unit(one: Quantity, other: Quantity) -> bool:
    """Return True for amounts in the same unit, which is no share."""
    units = {reading.unit for reading in one.readings}
    return not units.isdisjoint(reading.unit for reading in other.readings) and units.isdisjoint({None, PERCENT})


def _is_part_or_multiple(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for what a text calls half or twice another number: £35 for "£70, which is halved"."""
    named = {match.lastgroup or "" for match in _FACTOR.finditer(text)}
    factors = {factor for name in named for factor in (_PARTS[name], 1 - _PARTS[name]) if factor > 0}
    factors |= {1 / _PARTS[name] for name in named & _RECIPROCAL}
    counts = _counts_of(text, sources.document.language) if factors else ()
    readings = (reading for one in counts for reading in one.readings)
    return any(_measures(quantity, factor * reading.value, reading.unit) for reading in readings for factor in factors)


def _is_vote(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for all who voted: nine for "voted 7-2"."""
    votes = (int(vote[1]) + int(vote[2]) for vote in _VOTE.finditer(text)) if "vot" in claim.sentence.lower() else ()
    return any(_measures(quantity, float(cast), None) for cast in votes)


def _unhedged(quantity: Quantity, claim: Claim, sources: Sources) -> Quantity:
    """Return a number of a claim without "about" and the like, which would stand for many products."""
    found = _exact(claim.sentence, sources.document.language)
    return next((one for one in found if (one.start, one.fraction) == (quantity.start, quantity.fraction)), quantity)


@lru_cache(maxsize=64)
def _exact(sentence: str, language: str) -> tuple[Quantity, ...]:
    return tuple(quantities(sentence, language, hedged=False))


def _is_share_of_amount(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for a share in words of two amounts in one unit: "half" for "20 mg, and 10 mg over 75"."""
    if not quantity.fraction:
        return False
    values = [
        (one.values[0], {reading.unit for reading in one.readings} - {PERCENT})
        for one in _counts_of(text, sources.document.language)
    ]
    return any(
        units & others and 0 < min(one, other) < max(one, other)
        and quantity.covers(_percent(quantity, 100 * min(one, other) / max(one, other)))
        for (one, units), (other, others) in combinations(values, 2)
    )  # fmt: skip


def _is_product(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for so many of each of so many: 128 for "two in each street" of 64."""
    if not _has(_EACH, text):
        return False
    counts = _counts_of(text, sources.document.language)
    exact = _unhedged(quantity, claim, sources)
    return any(_measures(exact, one.values[0] * other.values[0], None) for one, other in combinations(counts, 2))


def _is_remaining_share(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for "the remaining two thirds" where a third is told."""
    if all(reading.unit != PERCENT for reading in quantity.readings) or not _has(_LEFT, claim.sentence):
        return False
    shares = (
        reading.value
        for one in quantities(text, sources.document.language, hedged=False)
        for reading in one.readings
        if reading.unit == PERCENT
    )
    return any(quantity.covers(_percent(quantity, 100 - share)) for share in shares)


def _is_years_between(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the years between two that a sentence names, or from one to the last that the sources name."""
    if all(reading.unit != YEAR for reading in quantity.readings):
        return False
    named = {one.figure for one in _counts_of(text, sources.document.language) if one.figure in YEARS}
    last = max((one.figure for one in sources.quantities if one.figure in YEARS), default=0.0)
    between = (after - before for before in named for after in {*named, last} if after > before)
    return any(
        quantity.covers(replace(quantity, readings=(Reading(years, YEAR, years, 1.0, 1.0),))) for years in between
    )


def _is_time_between(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the hours between two times of day that a sentence names: "from 9 a.m. to noon"."""
    if all(reading.unit is None or reading.unit.dimension != HOUR.dimension for reading in quantity.readings):
        return False
    found = quantities(text, sources.document.language, hedged=False)
    times = islice((one for one in found if one.is_time), MOST_WORKED_WITH)
    minutes = (
        (after.amount - before.amount) % _A_DAY
        for one, other in pairwise(times)
        for before, after in product(one.readings, other.readings)
    )
    return any(_measures(quantity, minute / 60, HOUR) for minute in minutes if minute)


def _is_between_dates(quantity: Quantity, texts: Sequence[str]) -> bool:
    """Return True for the days or months between two dates in the sentences that support the claim."""
    if all(reading.unit is None or reading.unit.dimension != DAY.dimension for reading in quantity.readings):
        return False
    told = [(float(one), DAY) for one in days_between(texts)] + [(float(one), MONTH) for one in months_between(texts)]
    return any(_measures(quantity, one, unit) for one, unit in told)


def _measures(quantity: Quantity, value: float, unit: Unit | None) -> bool:
    """Return True if a quantity stands for a number of a unit."""
    return quantity.covers(replace(quantity, readings=(Reading(value, unit, value),)))


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
    if not _has(_TOGETHER, claim.sentence):
        return False
    values = {value for one in sources.quantities if not one.fraction for value in one.values}
    return any(total - value in values and total != 2 * value for total in quantity.values for value in values)


@lru_cache(maxsize=256)
def _has(pattern: re.Pattern[str], text: str) -> bool:
    """Return True if a text has a pattern; it is asked again for each of its numbers."""
    return pattern.search(text) is not None


def _parts_and_wholes(text: str, language: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield two numbers of which one is a part of the other: "120 of the 240", "of 240, 120", "240, 120 of them"."""
    for one, other in pairwise(_counts_of(text, language)):
        between = text[one.end : other.start]
        if _PART_OF.fullmatch(between):
            part, whole = one, other
        elif (
            _IN_BRACKETS.fullmatch(between)
            or (_WHOLE_BEFORE.fullmatch(between) and _OF_THEM.match(text, other.end))
            or (_OF.search(text, max(0, one.start - LONGEST_BEFORE), one.start) and _WHOLE_BEFORE.fullmatch(between))
        ):
            part, whole = other, one
        else:
            continue
        if 0 < part.figure < whole.figure:
            yield part, whole


def _percent(one: Quantity, share: float) -> Quantity:
    return replace(one, readings=(Reading(share, PERCENT, share),))


_RULES = (
    _is_sum_or_difference,
    _is_count_of_items,
    _is_share,
    _is_rest,
    _is_change,
    _is_part_or_multiple,
    _is_vote,
    _is_remaining_share,
    _is_years_between,
    _is_time_between,
)
"""How a number may follow from a source sentence that supports the claim."""

_RULES_OF_ALL = (_is_share_of_amount, _is_product)
"""How a number may follow from all of them together."""
