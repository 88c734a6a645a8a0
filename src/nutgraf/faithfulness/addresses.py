"""Names in addresses of the internet: nydailynews.com spells New York Daily News."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

LEAST_LETTERS = 5
"""Letters of an address from which on it spells a name."""

LEAST_WHOLE = 4
"""Letters of a word of the name that stands in it as a whole; of the others the first letter is enough."""

_HOST = re.compile(r"\b(?:[\w-]+\.)+[a-z]{2,6}\b", re.IGNORECASE)
_HANDLE = re.compile(r"[@#](\w+)")


def spellings(text: str) -> Iterator[str]:
    """Yield the parts of addresses, and of handles and hashtags, in lower case, that may spell a name.

    >>> list(spellings("Write to sports@nydailynews.com, or follow @CityDesk."))
    ['nydailynews', 'citydesk']
    """
    hosts = (part for host in _HOST.findall(text) for part in host.split(".")[:-1])
    handles = (handle for handle in _HANDLE.findall(text))
    for one in dict.fromkeys(part.replace("-", "").replace("_", "").lower() for part in (*hosts, *handles)):
        if len(one) >= LEAST_LETTERS:
            yield one


def spelled(spelling: str, words: Sequence[str]) -> int:
    """Return how many words at the end of a name an address spells, each whole or by its first letter; 0 for none.

    >>> spelled("nydailynews", ["New", "York", "Daily", "News"]), spelled("sunsentinel", ["South", "Sun", "Sentinel"])
    (4, 2)
    >>> spelled("nydailynews", ["Daily", "Mail"])
    0

    Args:
        spelling: One of `spellings`.
        words: The name.
    """
    lowered = [re.sub(r"\W", "", word.lower()) for word in words]
    return next((len(words) - at for at in range(len(words)) if _spells(spelling, lowered[at:])), 0)


def _spells(rest: str, words: Sequence[str], whole: bool = False) -> bool:
    if not words:
        return whole and not rest
    word = words[0]
    if not word or not rest.startswith(word[0]):
        return False
    if rest.startswith(word) and _spells(rest[len(word) :], words[1:], whole or len(word) >= LEAST_WHOLE):
        return True
    return _spells(rest[1:], words[1:], whole)
