"""Times at which something is said: seconds from the beginning of a recording, or dates and hours of a chat."""

from __future__ import annotations

from collections.abc import Iterable

Time = float | str
"""Seconds from the beginning of a recording, or a date and time, or a time of day, by ISO 8601."""

Mark = tuple[int, Time]
"""A place in a text, in characters, and the time from which on it is said."""


def in_words(time: Time | None, *, dated: bool = True) -> str:
    """Return a time as people write it; "" for None.

    >>> in_words(751.0), in_words(3723.5), in_words("2024-03-12T09:15:30"), in_words("09:15")
    ('12:31', '1:02:03', '2024-03-12 09:15', '09:15')

    Args:
        time: The time.
        dated: Show the date, if there is one.
    """
    if time is None:
        return ""
    if isinstance(time, str):
        if "T" not in time and ":" not in time:
            return time  # a date alone
        date, _, hour = time.rpartition("T")
        return f"{date} {hour[:5]}" if date and dated else hour[:5]
    minutes, seconds = divmod(int(time), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def on_one_day(times: Iterable[Time]) -> bool:
    """Return True if no two of the times are of different dates."""
    return len({time.rpartition("T")[0] for time in times if isinstance(time, str)}) < 2
