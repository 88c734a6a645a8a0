"""Dates: months, quarters and days of the week of the summary stand in the sources, months with the same day."""

from __future__ import annotations

from collections.abc import Iterator

from nutgraf.faithfulness.dates import MONTHS, WEEKDAYS, Date, dates_of, quarters, weekdays
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.sources import Claim, Sources

LEAST_LIKENESS, MOST_LIKENESS = 0.5, 0.7
"""Share of a sentence's weight that a source sentence with another day of the week must bear out, and how much of that
the sentences with this day may: then the day belongs to something else."""


class Dates(Detector):
    """Flags months, quarters and days of the week that no source has, and days where the sources say it of others.

    Sources whose dates of publication are known may say "yesterday" for a day that a summary names; they are left out.
    """

    def lacks(self, language: str) -> str:
        """Return "dates" for other languages than English; see `Detector`."""
        return "" if language == "en" else "dates"

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield dates; see `Detector`."""
        if sources.document.language != "en" or any(sources.document.published):
            return
        for date, (start, end) in dates_of(claim.sentence):
            reason = _fault(date, claim.sentence[start:end], sources.dates)
            told = date in sources.weekday_dates if date.day else date.month in sources.months_later
            if reason and not told:
                yield (claim.start + start, claim.start + end), reason
        for quarter, (start, end) in quarters(claim.sentence):
            reason = _wrong_quarter(quarter, claim.sentence[start:end], sources)
            if reason:
                yield (claim.start + start, claim.start + end), reason
        for day, (start, end) in weekdays(claim.sentence):
            reason = _wrong_day(day, claim.sentence[start:end], claim, sources)
            if reason:
                yield (claim.start + start, claim.start + end), reason


def _wrong_day(day: str, written: str, claim: Claim, sources: Sources) -> str:
    if not {day, day[:3], f"{day}s"} & sources.vocabulary:
        return f"No source has the day {written}."
    document = sources.document
    terms = set(claim.terms).difference(map(document.stem, WEEKDAYS))
    shares = sources.shares(terms)
    same = max((shares[index] for index in sources.sentences_of_weekday.get(day, ())), default=1.0)
    likely = (index for index in sources.weekdays if shares[index] >= LEAST_LIKENESS)
    others = (index for index in likely if day not in sources.weekdays[index])
    other = max(others, key=lambda index: (shares[index], -index), default=None)
    if other is None or same >= MOST_LIKENESS * shares[other]:
        return ""
    days = ", ".join(one.capitalize() for one in WEEKDAYS if one in sources.weekdays[other])
    return f"The sources say this of {days}, and {written} only of something else."


def _wrong_quarter(quarter: int, written: str, sources: Sources) -> str:
    """A month of the sources that lies in a quarter bears it out, and so does the quarter in other words."""
    known = sources.quarters
    if quarter in known or any((date.month + 2) // 3 == quarter for date in sources.dates):
        return ""
    others = ", ".join(f"Q{one}" for one in sorted(known))
    if others:
        return f"The sources have other quarters ({others})."
    return "" if " " in written else f"No source has the quarter {written}."  # games have quarters in words, too


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
