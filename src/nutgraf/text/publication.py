"""When a document was published, as its page or its record says."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

_NAMES = frozenset(
    "article:published_time og:published_time datepublished date pubdate publishdate dc.date dc.date.issued "
    "dcterms.created dcterms.issued parsely-pub-date sailthru.date".split()
)
"""Names of the meta elements that hold a date of publication."""


def moment_of(written: str) -> str:
    """Return a date or time of ISO 8601 in UTC, such as "2024-05-03T10:00:00+00:00"; "" if it is none.

    A time without a zone is taken for UTC.
    """
    try:
        found = datetime.fromisoformat(written.strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        return ""


def moment_on(page: Any) -> str:
    """Return when a page, an element of lxml, says that it was published; "" if it does not say so."""
    return next(filter(None, map(moment_of, _written_on(page))), "")


def _written_on(page: Any) -> Iterator[str]:
    for meta in page.iter("meta"):
        if any((meta.get(key) or "").lower() in _NAMES for key in ("property", "name", "itemprop")):
            yield meta.get("content") or ""
    for time in page.iter("time"):
        if time.get("pubdate") is not None or (time.get("itemprop") or "").lower() == "datepublished":
            yield time.get("datetime") or ""
