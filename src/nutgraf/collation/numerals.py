"""Numbers in words of languages other than English: "dreiundzwanzig", "une soixantaine", "tres mil"."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nutgraf.faithfulness.quantity import Quantity, Reading
from nutgraf.faithfulness.units import units_after

LONGEST = 60
"""Characters of a word that may be a number."""

_GAP = re.compile(r"\s|[-‐‑]")


class Numerals(NamedTuple):
    """Words for numbers of a language.

    Attributes:
        run: A pattern of a number in words.
        part: A pattern of one of its parts.
        added: The value of each part that is added.
        times: The value of each part that multiplies what stands before it.
        small: Words that may be articles, and are numbers only beside others.
    """

    run: re.Pattern[str]
    part: re.Pattern[str]
    added: dict[str, float]
    times: dict[str, float]
    small: frozenset[str]


def numerals(text: str, language: str) -> Iterator[Quantity]:
    """Find the numbers in words of a text, with their units; none of a language whose words are not known.

    >>> [(one.figure, one.end) for one in numerals("Dreiundzwanzig Tage", "de")]
    [(23.0, 14)]
    """
    known = _numerals(language)
    for match in known.run.finditer(text) if known else ():
        value = _value(match[0].lower(), known) if known else None
        if value is not None:
            units, unit_end = units_after(text, match.end(), language)
            readings = tuple(Reading(value, unit, value) for unit in units or (None,))
            yield Quantity(readings, value, match.start(), match.end(), unit_end)


def _value(written: str, known: Numerals) -> float | None:
    """Return the value of a number in words; None for what may be an article."""
    if written in known.small:
        return None
    total = current = last = 0.0
    parts = known.part.findall(written)
    if parts[0] in known.small and parts[1] in known.added and written.startswith(f"{parts[0]} "):
        del parts[0]  # "une soixantaine"
    for part in parts:
        if part in known.times and (by := known.times[part]) >= 1000:
            total, current, last = total + max(current, 1.0) * by, 0.0, by
        elif part in known.times and last != by:
            current, last = max(current, 1.0) * by, by
        elif part in known.added:
            last = known.added[part]
            current += last
    return total + current


def reads_numerals(language: str) -> bool:
    """Return True for a language whose numbers in words are known."""
    return language == "en" or _numerals(language) is not None


@cache
def _numerals(language: str) -> Numerals | None:
    path = Path(__file__).with_name("numerals.toml")
    told = tomllib.loads(path.read_text(encoding="utf-8")).get(language)
    if told is None:
        return None
    values = {word: float(value) for value, word in enumerate(told["ones"].split(), 1)}
    values |= {word: 10.0 * value for value, word in enumerate(told["tens"].split(), 2)}
    values |= {word: float(value) for word, value in told["others"].items()} | dict.fromkeys(told["small"], 1.0)
    times = {word: float(value) for word, value in told["times"].items()}
    atoms = "|".join(sorted({*values, *times}, key=len, reverse=True))
    joins = "|".join(told["joins"].split())
    word = rf"(?:{atoms})(?:(?:{joins})?(?:{atoms})){{0,6}}"
    between = rf"(?:[-‐‑]|\s(?:(?:{joins})\s)?|[-‐‑](?:{joins})[-‐‑])"
    run = re.compile(rf"\b(?:{word})(?:{between}(?:{word})\b){{0,6}}(?![^\W_])", re.IGNORECASE)
    return Numerals(run, re.compile(atoms), values, times, frozenset(told["small"]))
