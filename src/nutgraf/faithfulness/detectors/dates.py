"""Dates: months and days of the week of the summary stand in the sources, months with the same day."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nutgraf.faithfulness.dates import WEEKDAYS, Date, dates
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.sources import Claim, Sources

_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})\b", re.IGNORECASE)


class Dates(Detector):
    """Flags months and days of the week that no source has, and days of a month where the sources have others.

    Sources whose dates of publication are known may say "yesterday" for a day that a summary names; they are left out.
    """

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield dates; see `Detector`."""
        if sources.document.language != "en" or any(sources.document.published):
            return
        for date, (start, end) in dates(claim.sentence):
            reason = _fault(date, claim.sentence[start:end], sources.dates)
            if reason:
                yield (claim.start + start, claim.start + end), reason
        for match in _WEEKDAY.finditer(claim.sentence):
            if not {match[0].lower(), match[0].lower()[:3]} & sources.vocabulary:
                yield (claim.start + match.start(), claim.start + match.end()), f"No source has the day {match[0]}."


def _fault(date: Date, written: str, known: frozenset[Date]) -> str:
    days = {one.day for one in known if one.month == date.month}
    if not days:
        return f"No source has the month of {written}."
    given = sorted(days - {0})
    if date.day and given and date.day not in days:
        return f"The sources have other days of this month ({', '.join(map(str, given))})."
    return ""
