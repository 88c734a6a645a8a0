"""Numbers that a summary works out from two neighboring ones of its sources: sums, differences, shares and changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise, product

from nutgraf.faithfulness.quantity import CLOCK, PERCENT, Quantity, Reading
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.faithfulness.units import comparable

LEAST_WORKED_OUT = 100
"""Smallest sum or difference of two numbers without a unit; smaller ones come about by chance, except behind "by"."""

_CHANGED_BY = re.compile(r"\bby\s$", re.IGNORECASE)

_WITHOUT_A_NOUN = re.compile(r"\s?\w*\s?|\s?[-–]\s?")
"""What stands behind a number that has the unit of the next one: "from 43 million to 48 million euros"."""

YEARS = range(1900, 2100)
"""Numbers that are not added, since they are years."""

MOST_IN_A_SENTENCE = 20
"""Most numbers of a sentence that are worked with."""


def is_worked_out(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for a number that follows from two neighbors in the sentences that support a claim.

    So 4,260 tonnes and 82 % follow from "fell from 5,200 to 940 tonnes", and £5,000 from "half of the £10,000".
    """
    sentences = (sources.document.sentences[index] for index in sorted(claim.evidence))
    found = chain.from_iterable(sources.quantities_in(one.start, one.end)[:MOST_IN_A_SENTENCE] for one in sentences)
    counts = [one for one in found if one.has_unit or one.figure not in YEARS]
    pairs = chain(pairwise(counts), pairwise(one for one in counts if one.has_unit))
    least = 0 if _CHANGED_BY.search(claim.sentence, 0, quantity.start) else LEAST_WORKED_OUT
    text = sources.document.text
    results = chain.from_iterable(_results(one, other, text, least) for one, other in pairs)
    measured = (result for result in results if (result.unit is not None) == quantity.has_unit)
    return any(quantity.covers(replace(quantity, readings=(result,), fraction=False)) for result in measured)


def _results(one: Quantity, other: Quantity, text: str, least_bare: int) -> Iterator[Reading]:
    """Yield what follows from two numbers, for each way to read them."""
    shares_unit = not one.has_unit and _WITHOUT_A_NOUN.fullmatch(text, one.end, other.start)
    for first, second in product(one.readings, other.readings):
        if shares_unit:
            first = first._replace(unit=second.unit)
        if (first.unit == PERCENT) != (second.unit == PERCENT):
            share, amount = (first, second) if first.unit == PERCENT else (second, first)
            value = share.value / 100 * amount.value
            yield Reading(value, amount.unit, value)
        elif CLOCK not in (first.unit, second.unit) and (size := _ratio(first, second)):
            low, high = sorted((first.value, second.value * size))
            least = least_bare if first.unit is None else 0
            yield from (Reading(value, first.unit, value) for value in (high + low, high - low) if value > least)
            if 0 < low < high:
                shares = low / high, (high - low) / high, (high - low) / low
                yield from (Reading(100 * share, PERCENT, 100 * share) for share in shares)


def _ratio(first: Reading, second: Reading) -> float:
    """Return by how much the second unit is larger; 0 where two numbers do not go together."""
    if first.unit is None or second.unit is None:
        return float(first.unit == second.unit)
    units = comparable(first.unit, second.unit)
    return units[1].size / units[0].size if units else 0.0
