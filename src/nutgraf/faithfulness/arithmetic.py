"""Numbers that a summary works out from two neighboring ones of its sources: sums, differences, shares and changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise, product

from nutgraf.faithfulness.quantity import CLOCK, PERCENT, Quantity, Reading
from nutgraf.faithfulness.sources import Claim, Sources

LEAST_WORKED_OUT = 100
"""Smallest sum or difference of two numbers without a unit; smaller ones come about by chance."""

YEARS = range(1900, 2100)
"""Numbers that are not added, since they are years."""

MOST_IN_A_SENTENCE = 20
"""Most numbers of a sentence that are worked with."""


def is_worked_out(quantity: Quantity, claim: Claim, sources: Sources) -> bool:
    """Return True for a number that follows from two neighbors in the sentences that support a claim.

    So 4,260 tonnes and 82 % follow from "fell from 5,200 to 940 tonnes", and £5,000 from "half of the £10,000".

    Args:
        quantity: A number of the claim.
        claim: A sentence of a summary.
        sources: Its sources.
    """
    sentences = (sources.document.sentences[index] for index in sorted(claim.evidence))
    found = chain.from_iterable(sources.quantities_in(one.start, one.end)[:MOST_IN_A_SENTENCE] for one in sentences)
    counts = (one for one in found if one.has_unit or one.figure not in YEARS)
    results = chain.from_iterable(_results(one, other) for one, other in pairwise(counts))
    return any(quantity.covers(replace(quantity, readings=(result,), fraction=False)) for result in results)


def _results(one: Quantity, other: Quantity) -> Iterator[Reading]:
    """Yield what follows from two numbers, for each way to read them."""
    for first, second in product(one.readings, other.readings):
        if (first.unit == PERCENT) != (second.unit == PERCENT):
            share, amount = (first, second) if first.unit == PERCENT else (second, first)
            value = share.value / 100 * amount.value
            yield Reading(value, amount.unit, value)
        elif CLOCK not in (first.unit, second.unit) and (size := _ratio(first, second)):
            low, high = sorted((first.value, second.value * size))
            least = LEAST_WORKED_OUT if first.unit is None else 0
            yield from (Reading(value, first.unit, value) for value in (high + low, high - low) if value > least)
            if 0 < low < high:
                shares = low / high, (high - low) / high, (high - low) / low
                yield from (Reading(100 * share, PERCENT, 100 * share) for share in shares)


def _ratio(first: Reading, second: Reading) -> float:
    """Return by how much the second unit is larger; 0 where two numbers do not go together."""
    if first.unit is None or second.unit is None:
        return float(first.unit == second.unit)
    return second.unit.size / first.unit.size if first.unit.dimension == second.unit.dimension else 0.0
