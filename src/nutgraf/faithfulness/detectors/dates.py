"""Dates: months and days of the week of the summary stand in the sources, months with the same day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from nutgraf.faithfulness.dates import MONTHS, Date, dates, weekdays
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.text.tokenize import Span


class Dates(Detector):
    """Flags months and days of the week that no source has, and other days of a month.

    Sources whose dates of publication are known may say "yesterday" for a day that a summary names; they are left out.
    """

    def lacks(self, language: str) -> str:
        """Return "dates" for other languages than English; see `Detector`."""
        return "" if language == "en" else "dates"

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield dates; see `Detector`."""
        if sources.document.language != "en" or any(sources.document.published):
            return
        text, offset = claim.sentence, claim.start
        readings: dict[Span, list[str]] = defaultdict(list)
        for date, (start, end) in dates(text):
            readings[start, end].append(_fault(date, text[start:end], sources.dates))
        for (start, end), reasons in readings.items():
            if all(reasons):
                yield (offset + start, offset + end), reasons[0]
        for day, (start, end) in weekdays(text):
            if sources.vocabulary.isdisjoint({f"{day}s", *(day[:length] for length in range(3, len(day) + 1))}):
                yield (offset + start, offset + end), f"No source has the day {text[start:end]}."


def _fault(date: Date, written: str, known: frozenset[Date]) -> str:
    days = {one.day for one in known if one.month == date.month}
    if not days:
        month = MONTHS[date.month - 1].capitalize()
        return f"No source has {written} or any other day in {month}." if date.day else f"No source names {written}."
    given = sorted(days - {0})
    if date.day and given and date.day not in days:
        month = MONTHS[date.month - 1].capitalize()
        return f"In {month}, the sources name other days ({', '.join(map(str, given))})."
    return ""
