"""Names in addresses of the internet: nydailynews.com spells New York Daily News."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import product

LEAST_LETTERS, MOST_LETTERS = 5, 63
"""Letters of an address that spells a name; no part of a host has more."""

MOST_WORDS = 8
"""Words at the end of a name that an address may spell: each can be whole or a letter, so there are 256 ways."""

LEAST_WHOLE = 4
"""Letters of a word of the name that stands in it as a whole; of the others the first letter is enough."""

_HOST = re.compile(r"(?<![\w.-])(?:[\w-]+\.)+[a-z]{2,6}\b", re.IGNORECASE)
_HANDLE = re.compile(r"[@#](\w+)")


def spellings(text: str) -> Iterator[str]:
    """Yield the parts of addresses, and of handles and hashtags, in lower case, that may spell a name.

    >>> list(spellings("Write to sports@nydailynews.com, or follow @CityDesk."))
    ['nydailynews', 'citydesk']
    """
    hosts = (part for host in _HOST.findall(text) for part in host.split(".")[:-1])
    handles = (handle for handle in _HANDLE.findall(text))
    for one in dict.fromkeys(part.replace("-", "").replace("_", "").lower() for part in (*hosts, *handles)):
        if LEAST_LETTERS <= len(one) <= MOST_LETTERS:
            yield one


def spelled(words: Sequence[str], known: Set[str]) -> int:
    """Return how many words at the end of a name an address spells, each whole or by its first letter; 0 for none.

    What a name may be spelled like is looked up, so that the time does not depend on how many addresses there are.

    >>> spelled(["New", "York", "Daily", "News"], {"nydailynews"})
    4
    >>> spelled(["South", "Sun", "Sentinel"], {"sunsentinel"})
    2
    >>> spelled(["Daily", "Mail"], {"nydailynews"})
    0

    Args:
        words: The name, of which the last `MOST_WORDS` count.
        known: What the addresses of a text spell; see `spellings`.
    """
    if not known:
        return 0
    lowered = [re.sub(r"\W", "", word.lower()) for word in words[-MOST_WORDS:]]
    counts = range(len(lowered), 0, -1)
    return next((count for count in counts if not known.isdisjoint(_spellings_of(lowered[-count:]))), 0)


def _spellings_of(words: Sequence[str]) -> Iterator[str]:
    """Yield each way to write a name with its words whole or by their first letters, one long word at least whole."""
    for parts in product(*(dict.fromkeys((word, word[:1])) for word in words)):
        if any(len(part) >= LEAST_WHOLE for part in parts):
            yield "".join(parts)
