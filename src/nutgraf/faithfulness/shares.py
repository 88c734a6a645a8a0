"""Shares that a summary works out from the numbers of its sources: parts of wholes, and what they leave of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, islice, pairwise

from nutgraf.faithfulness.quantities import quantities
from nutgraf.faithfulness.quantity import PERCENT, Quantity, Reading
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.faithfulness.units import Unit
from nutgraf.text.language import stemmer
from nutgraf.text.stop_words import STOP_WORDS
from nutgraf.text.tokenize import words

MOST_WORKED_WITH = 20
"""Most numbers of a sentence that are added and subtracted."""

LONGEST_BEFORE = 20
"""Characters before a number in which "from" or "of" may stand."""

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

_LEFT = re.compile(r"\b(?:remaining|remainder|rest|others?|not|without|failed|missed)\b|n['’]t\b", re.IGNORECASE)
"""What tells that a number is what another one leaves."""

_BRACKETS = re.compile(r"\s?\([^()]*\)")

_COMPLEMENTS = tuple(
    frozenset(map(stemmer("en"), pair.split()))
    for pair in (
        "men women", "male female", "boys girls", "urban rural", "public private", "adults children", "yes no",
        "smokers non-smokers", "domestic foreign", "left-handed right-handed",
    )
)  # fmt: skip
"""Two words that name the two parts of a whole."""

_AS_MANY = re.compile(r"\sas\s(?:many|much|often|likely|common|high|large|big)\b", re.IGNORECASE)
"""What follows a share of another number: "half as many"."""

_WORDS_AFTER = re.compile(r"\s(?P<first>[^\W\d_]{3,})(?:\s(?P<second>[^\W\d_]{3,}))?")


@lru_cache(maxsize=64)
def counts_of(text: str, language: str) -> tuple[Quantity, ...]:
    """Return what can be added, in order: no shares in words and no times of day."""
    found = (one for one in quantities(text, language, hedged=False) if not one.fraction and not one.is_time)
    return tuple(islice(found, MOST_WORKED_WITH))


def is_share(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for the share of two numbers: "half of them" for "of the 240, 120"."""
    if all(reading.unit != PERCENT for reading in quantity.readings):
        return False
    pairs = _parts_and_wholes(text, sources.document.language)
    return any(quantity.covers(percent(part, 100 * part.figure / whole.figure)) for part, whole in pairs)


def is_rest(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for what a part leaves of a whole: "nine of the eleven", "nine did not", for "two of the eleven"."""
    language = sources.document.language
    own = _parts_and_wholes(claim.sentence, language)
    wholes = {whole.figure for part, whole in own if part.start == quantity.start}
    left = has(_LEFT, claim.sentence)
    return any(
        part.figure + quantity.figure == whole.figure and (left or whole.figure in wholes)
        for part, whole in _parts_and_wholes(text, language)
    )


def is_share_of_amount(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for a share in words of two amounts in one unit, or of two numbers of the same things.

    So it is "half" for "20 mg, and 10 mg over 75", and for "It can carry 420 passengers. On board were 214 passengers."
    """
    if not quantity.fraction:
        return False
    counts = counts_of(text, sources.document.language)
    compared = _AS_MANY.match(claim.sentence, quantity.end) is not None
    values = [(one.values[0], {PERCENT} if compared and _is_percent(one) else _measured(one, text)) for one in counts]
    return any(
        units & others and 0 < min(one, other) < max(one, other)
        and quantity.covers(percent(quantity, 100 * min(one, other) / max(one, other)))
        for (one, units), (other, others) in combinations(values, 2)
    )  # fmt: skip


def _is_percent(one: Quantity) -> bool:
    return any(reading.unit == PERCENT for reading in one.readings)


def _measured(one: Quantity, text: str) -> set[Unit | str]:
    """Return the units of a number, without that of shares; where it has none, the stems of two words behind it."""
    units: set[Unit | str] = {reading.unit for reading in one.readings if reading.unit not in (None, PERCENT)}
    behind = None if units else _WORDS_AFTER.match(text, one.end)
    told = [word.lower() for word in behind.groups() if word] if behind else []
    return units or {stemmer("en")(word) for word in told if word not in STOP_WORDS["en"]}


def is_part_of_amount(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for what a percentage is of an amount: €5,200 for "2% of the order value (€260,000)"."""
    readings = [reading for one in counts_of(text, sources.document.language) for reading in one.readings]
    shares = [reading.value / 100 for reading in readings if reading.unit == PERCENT]
    amounts = [reading for reading in readings if reading.unit not in (None, PERCENT)]
    return any(measures(quantity, share * one.value, one.unit) for share in shares for one in amounts)


def is_remaining_share(quantity: Quantity, claim: Claim, text: str, sources: Sources) -> bool:
    """Return True for "the remaining two thirds" where a third is told, and for 62% of men where 38% are women."""
    if all(reading.unit != PERCENT for reading in quantity.readings):
        return False
    if not has(_LEFT, claim.sentence) and not _are_complements(claim.sentence, text):
        return False
    shares = (
        reading.value
        for one in quantities(text, sources.document.language, hedged=False)
        for reading in one.readings
        if reading.unit == PERCENT
    )
    return any(quantity.covers(percent(quantity, 100 - share)) for share in shares)


@lru_cache(maxsize=64)
def _are_complements(one: str, other: str) -> bool:
    """Return True if two sentences name the two parts of a whole: men and women."""
    first, second = (set(map(stemmer("en"), words(text))) for text in (one, other))
    return any((pair & first) and (pair & second) and (pair & first) != (pair & second) for pair in _COMPLEMENTS)


def _parts_and_wholes(text: str, language: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield two numbers of which one is a part of the other: "120 of the 240", "of 240, 120", "240, 120 of them"."""
    counts = counts_of(text, language)
    for one, other in (*pairwise(counts), *_of_first(counts, text)):
        between = text[one.end : other.start]
        if _PART_OF.fullmatch(between):
            part, whole = one, other
        elif (
            _IN_BRACKETS.fullmatch(between)
            or (_WHOLE_BEFORE.fullmatch(between) and _OF_THEM.match(text, other.end))
            or (_is_whole(one, text) and _WHOLE_BEFORE.fullmatch(_BRACKETS.sub("", between)))
        ):
            part, whole = other, one
        else:
            continue
        if 0 < part.figure < whole.figure:
            yield part, whole


def _is_whole(one: Quantity, text: str) -> bool:
    """Return True for a number behind "of" or "among"."""
    return _OF.search(text, max(0, one.start - LONGEST_BEFORE), one.start) is not None


def _of_first(counts: Sequence[Quantity], text: str) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield numbers behind "of", each with the next one outside brackets: "of the 342 (38% women), 281 …"."""
    for place, one in enumerate(counts):
        if _is_whole(one, text):
            following = (other for other in counts[place + 2 :] if _closes(text[one.end : other.start]))
            yield from ((one, other) for other in islice(following, 1))


def _closes(between: str) -> bool:
    return between.count("(") == between.count(")")


def percent(one: Quantity, share: float) -> Quantity:
    """Return a quantity with a share of so many percent in its place."""
    return replace(one, readings=(Reading(share, PERCENT, share),))


def measures(quantity: Quantity, value: float, unit: Unit | None) -> bool:
    """Return True if a quantity stands for a number of a unit."""
    return quantity.covers(replace(quantity, readings=(Reading(value, unit, value),)))


@lru_cache(maxsize=256)
def has(pattern: re.Pattern[str], text: str) -> bool:
    """Return True if a text has a pattern; it is asked again for each of its numbers."""
    return pattern.search(text) is not None
