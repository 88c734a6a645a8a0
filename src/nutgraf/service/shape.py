"""The shape of JSON that a stranger sent, counted before anything is built from it."""

from __future__ import annotations

from nutgraf.service.errors import TooLarge

MAX_VALUES = 100_000
"""Maximum number of strings, other values and keys in JSON; an honest request has one for each text and field."""


def check_shape(data: bytes) -> None:
    """Count the strings and values of JSON, which is not parsed.

    A few passes in C over the bytes and no objects but copies of them: parsing a body of millions of small values would
    take gigabytes. Up to its first mistake the count is that of the JSON; what follows a mistake is never parsed.

    Raises:
        TooLarge: If it has too many strings or values.
    """
    unescaped = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    if unescaped.count(b'"') > 2 * MAX_VALUES:
        raise _too_many()
    outside = b"".join(unescaped.split(b'"')[::2])
    if sum(map(outside.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise _too_many()


def _too_many() -> TooLarge:
    return TooLarge(f"The JSON has too many values; the most are {MAX_VALUES:,}.")
