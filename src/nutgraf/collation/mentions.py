"""Numbers, times and dates that a text mentions, each with the words by which one tells what it is about."""

from __future__ import annotations

import bisect
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from nutgraf.collation.alike import Terms
from nutgraf.collation.days import Day, Frame, days, frame_of, reads_days, verbs_of_saying
from nutgraf.collation.numerals import numerals, reads_numerals
from nutgraf.collation.records import Kind
from nutgraf.faithfulness.quantities import quantities
from nutgraf.faithfulness.quantity import PERCENT, Quantity, Reading
from nutgraf.faithfulness.units import Unit
from nutgraf.text.document import Document
from nutgraf.text.language import UNDETERMINED, called
from nutgraf.text.tokenize import Span, is_word, token_spans

NEAR = 4
"""Words before and behind a number that tell what is counted."""

BESIDE = 4
"""Words before a day among which a verb says that it is the day on which something was said: "said on Monday"."""

LEAST_TELLING = 3
"""Smallest number by which two sentences are alike."""

LEAST_ZEROS, ROUNDED = 2, 0.025
"""Zeros at the end of a number that is round, and the largest share of it by which it may differ from the exact one."""

YEARS = range(1500, 2200)
"""Numbers of four figures that are years where nothing is counted with them."""

OLDEST = 120
"""Years that a person may be old."""

YEAR = 365.25 * 24 * 60 * 60
"""Seconds of a year, in which ages are where no unit is said."""

ELAPSED = Unit((("time", 1),), 1.0)
"""Unit of times such as 2:14:31."""

_ELAPSED = re.compile(r"(?<![\d:.,])(\d{1,2}):(\d{2}):(\d{2})(?![\d:])")
_SCORE = re.compile(r"(?<![\w.,:/$€£-])(\d{1,3})\s?(?:[-–:]|to|zu|a|à|tot)\s?(\d{1,3})(?![\w%:/-]|[.,]\d)")
_SCORE_IN_WORDS = re.compile(r"\b([a-z]+)[\s-]to[\s-]([a-z]+)\b")


@dataclass(frozen=True)
class Mention:
    """A number, a time or a date in a text.

    Attributes:
        kind: What it is.
        start: First character in the text.
        end: Character after it, its unit included.
        sentence: Index of the sentence.
        quantity: The number; None for a score, a date or a day of the week.
        numbers: The numbers of a score; () for all others.
        day: The date or the day of the week; None for all others.
        behind: Terms of the words behind it, the nearest first.
        near: Terms of the words around it.
        own: Terms of its own words, such as "fourteen" and "tuesday".
        frame: From where a length of time is counted.
    """

    kind: Kind
    start: int
    end: int
    sentence: int
    quantity: Quantity | None
    numbers: tuple[int, ...]
    day: Day | None
    behind: tuple[str, ...]
    near: tuple[str, ...]
    own: tuple[str, ...]
    frame: Frame = ""

    def agrees(self, other: Mention) -> bool:
        """Return True if both can be the same number, time or date."""
        if self.day or other.day:
            return self.kind == other.kind and bool(self.day and other.day and self.day.agrees(other.day))
        if self.numbers or other.numbers:
            return self.numbers == other.numbers
        mine, its = self.quantity, other.quantity
        if mine is None or its is None:
            return False
        return mine.covers(its) or its.covers(mine) or self._rounds(other) or other._rounds(self)

    def _rounds(self, other: Mention) -> bool:
        """Return True for a round number, as 250,000 is, near which the other one lies."""
        figure = self.quantity.figure if self.quantity else 0.0
        written = f"{figure:.0f}" if figure and figure.is_integer() else ""
        zeros = len(written) - len(written.rstrip("0"))
        if zeros < LEAST_ZEROS or self.key != other.key:
            return False
        return abs(other.size - self.size) <= self.size * min(0.5 * 10**zeros / figure, ROUNDED)

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Its kind, what its unit measures and from where it is counted: two mentions with one key can differ."""
        unit = self.quantity.readings[0].unit if self.quantity else None
        return self.kind, unit.dimension if unit and self.kind == "measure" else None, self.frame

    @cached_property
    def size(self) -> float:
        """Its size in the base unit of what it measures."""
        reading = self.quantity.readings[0] if self.quantity else None
        if reading is None:
            return 1.0
        if self.kind == "age":
            return reading.amount * (reading.unit.size if reading.unit else YEAR)
        return reading.amount * (reading.unit.size if reading.unit and self.kind == "measure" else 1.0)

    @cached_property
    def values(self) -> tuple[float, ...]:
        """Its number in all its readings, without the unit; () for a score or a day."""
        return tuple(round(value, 6) for value in self.quantity.values) if self.quantity else ()

    @cached_property
    def amounts(self) -> tuple[float, ...]:
        """Minutes after midnight of a time of day, in all its readings."""
        return tuple(reading.amount for reading in self.quantity.readings) if self.quantity else ()

    @cached_property
    def digits(self) -> str:
        """The figures of its number in ascending order."""
        return "".join(sorted(one for one in f"{self.quantity.figure:.10g}" if one.isdigit())) if self.quantity else ""

    @property
    def terms(self) -> list[str]:
        """Terms by which sentences that have it are alike, however it is written; small numbers tell nothing."""
        if self.day:
            return [f"{self.kind} {self.day.month} {self.day.day}"]
        if self.numbers:
            return ["score {} {}".format(*self.numbers)]
        return [f"number {value:g}" for value in self.values if value >= LEAST_TELLING]


def mentions(document: Document, terms: Terms) -> list[Mention]:
    """Find what the sentences of a document mention, in order.

    Args:
        document: The text.
        terms: Its terms.
    """
    found: list[Mention] = []
    saying = verbs_of_saying(document.language)
    for index, sentence in enumerate(document.sentences):
        text = document.text[sentence.start : sentence.end]
        if not _MAYBE.search(text) and document.language == "en":
            continue
        tokens = [span for span in token_spans(text, language=document.language) if is_word(text[slice(*span)])]
        written = [text[slice(*span)].lower() for span in tokens]
        stems = [terms[word] for word in written]
        bare = stems.copy()
        ends, starts = [end for _, end in tokens], [start for start, _ in tokens]
        told = list(_found(text, document.language))
        for start, end in (span for _, span, *_ in told):
            for place in range(bisect.bisect_right(ends, start), bisect.bisect_left(starts, end)):
                bare[place] = ""
        for kind, (start, end), quantity, numbers, day in told:
            if day and _heads(document.text, sentence.start + start, sentence.start + end, document.language):
                continue
            frame, last_end = frame_of(text, start, end, document.language) if quantity else ("", end)
            first, last = bisect.bisect_right(ends, start), bisect.bisect_left(starts, last_end)
            if day and not saying.isdisjoint((*written[max(0, first - BESIDE) : first], *written[last : last + 1])):
                continue
            before, after = bare[max(0, first - NEAR) : first], bare[last : last + NEAR]
            aside = kind == "age" and not frame
            found.append(
                Mention(
                    kind,
                    sentence.start + start,
                    sentence.start + end,
                    index,
                    quantity,
                    numbers,
                    day,
                    tuple(filter(None, before[::-1] if aside else after)),
                    tuple(filter(None, (*before, *after))),
                    tuple(filter(None, stems[first:last])),
                    frame if kind == "measure" else "",
                )
            )
    return found


_MAYBE = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+t(?:y|ies)|dozen|hundred|half|third|"
    r"quarter|\w+th|thousand|million|billion|\w+day|january|february|march|april|may|june|july|august|september|october|"
    r"november|december)s?\b",
    re.IGNORECASE,
)
"""What an English sentence has that mentions a number or a date; most have nothing."""

_AFTER_PLACE = re.compile(r"\s?(?:\([^()\n]{1,40}\)\s?)?(?:—|–|--|-)\s")
"""What follows the date of a report behind its place: "LONDON, March 3 (Reuters) — "."""

_WORD = re.compile(r"[^\W\d_]+")

LONGEST_DATELINE, LONGEST_PLACE = 120, 60
"""Characters of a line that says when a text appeared, and of the place before the date."""

MOST_IN_A_DATELINE = 2
"""Words beside the date in a line that says when a text appeared."""


def _heads(text: str, start: int, end: int, language: str) -> bool:
    """Return True for a date that says when a text appeared: alone in its line, or behind a place and before a dash."""
    first = text.rfind("\n", max(0, start - LONGEST_DATELINE), start) + 1
    if not first and start > LONGEST_DATELINE:
        return False
    if start - first < LONGEST_PLACE and _AFTER_PLACE.match(text, end):
        return True
    last = text.find("\n", end, end + LONGEST_DATELINE)
    if last < 0:
        last = len(text)
    if last - first > LONGEST_DATELINE:
        return False
    line = text[first:last]
    named = {place for _, span in days(line, language) for place in range(*span)}
    return sum(match.start() not in named for match in _WORD.finditer(line)) <= MOST_IN_A_DATELINE


_Found = tuple[Kind, Span, Quantity | None, tuple[int, ...], Day | None]


def _found(text: str, language: str) -> Iterator[_Found]:
    """Yield what a sentence mentions; characters belong to the first that is found: dates before scores and numbers."""
    taken: set[int] = set()

    def is_free(span: Span) -> bool:
        free = taken.isdisjoint(range(*span))
        taken.update(range(*span))
        return free

    for day, span in days(text, language):
        if is_free(span):
            yield "date" if day.month else "weekday", span, None, (), day
    for match in _ELAPSED.finditer(text):
        if is_free(match.span()):
            value = 3600.0 * int(match[1]) + 60 * int(match[2]) + int(match[3])
            yield (
                "measure",
                match.span(),
                Quantity((Reading(value, ELAPSED, value),), value, *match.span(), match.end()),
                (),
                None,
            )
    for numbers, span in _scores(text):
        if is_free(span):
            yield "score", span, None, numbers, None
    found = [*quantities(text, language), *numerals(text, language)]
    for one in found:
        if is_free((one.start, one.end)) and (one.has_unit or not _is_name(one, text)):
            yield _kind_of(one, text, language), (one.start, one.unit_end), one, (), None


def _is_name(one: Quantity, text: str) -> bool:
    """Return True for a number that counts nothing: an article, or a part of a name such as "F-16"."""
    return text[one.start : one.end].lower() in ("one", "a") or bool(_IN_A_NAME.search(text[: one.start][-2:]))


_IN_A_NAME = re.compile(r"[^\W\d_][-‐‑]$")


def _scores(text: str) -> Iterator[tuple[tuple[int, ...], Span]]:
    """Find votes and results such as "5 to 4"; the larger number comes first, as it does in no range."""
    for match in _SCORE.finditer(text):
        if int(match[1]) > int(match[2]):
            yield (int(match[1]), int(match[2])), match.span()
    for match in _SCORE_IN_WORDS.finditer(text.lower()):
        both = [one for part in match.groups() for one in quantities(part) if one.end == len(part)]
        if len(both) == 2 and both[0].figure > both[1].figure:
            yield (int(both[0].figure), int(both[1].figure)), match.span()


def _kind_of(one: Quantity, text: str, language: str) -> Kind:
    written = text[one.start : one.end]
    if frame_of(text, one.start, one.unit_end, language)[0] == "old" or _stands_aside(one, text):
        return "age"
    if one.is_time:
        return "time of day"
    if one.fraction or any(reading.unit and reading.unit.dimension == PERCENT.dimension for reading in one.readings):
        return "share"
    if one.has_unit:
        return "measure"
    if len(written) == len("2026") and written.isdecimal() and one.figure in YEARS:
        return "year"
    return "order" if _ORDER.search(written) else "count"


def _stands_aside(one: Quantity, text: str) -> bool:
    """Return True for the number of "Ada Brook, 57, a baker"."""
    if one.figure > OLDEST or one.has_unit or not _ASIDE.match(text, one.end):
        return False
    return bool(_BEFORE_ASIDE.search(text[max(0, one.start - LONGEST_PLACE) : one.start]))


_BEFORE_ASIDE = re.compile(r"\b[^\W\d_]{2,},\s$")
_ASIDE = re.compile(r"\s?[,.;)—–]")

_ORDER = re.compile(r"(?:st|nd|rd|th|third)$")


def other_terms(document: Document, terms: Terms, found: Sequence[Mention]) -> list[list[str]]:
    """Return the terms of each sentence, without those of the numbers and dates that it mentions."""
    own: dict[int, set[str]] = defaultdict(set)
    for one in found:
        own[one.sentence].update(one.own)
    return [
        [term for word in words if (term := terms[word]) and term not in own[index]]
        for index, words in enumerate(document.words)
    ]


def lacking(language: str) -> tuple[str, ...]:
    """Return what is not read in texts of a language, in a sentence."""
    unread = [
        what for what, reads in (("dates", reads_days), ("numbers in words", reads_numerals)) if not reads(language)
    ]
    if not unread or language == "en":
        return ()
    unknown = language == UNDETERMINED
    where = "The language of the documents was not recognized, so" if unknown else f"In {called(language)},"
    return (f"{where} these are not compared: {', '.join(unread)}.",)
