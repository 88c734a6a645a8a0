"""Names that sentences share: who is named in one of them is known in the others.

A pronoun needs a sentence that names somebody, not just the nearest one: any earlier sentence with the same name does.
"""

from __future__ import annotations

import re
from itertools import islice

from nutgraf.prose.dependence.occurrences import occurrences
from nutgraf.text.document import Document

MOST = 32
"""Number of sentences that are offered in the place of another."""

NOUNS_ARE_CAPITALIZED = frozenset({"de", "lb"})
"""Languages in which names are not written otherwise than other nouns."""

REACH = 256
"""Number of sentences back to another one with the same name."""

_CAPITALIZED = re.compile(r"(?<!\w)[^\W\d_a-zß-ÿ][^\W\d_]{2,}")
_BEGINS = "\"'“”‘’„«»([—–-.!?…:"


def namesakes(document: Document, index: int, needed: int) -> tuple[int, ...]:
    """Return earlier sentences that name somebody whom a needed sentence names, the nearest first.

    A name is a word with a capital that has one within a sentence, too; there are none in German.

    Args:
        document: The text.
        index: Sentence with a pronoun.
        needed: Sentence that names the person for whom it stands.
    """
    if document.language in NOUNS_ARE_CAPITALIZED:
        return ()
    printed, found = document.printed, set[int]()
    for name in set(_CAPITALIZED.findall(printed[needed])):
        earlier = occurrences(document).of(name.lower(), range(index - 1, max(-1, index - REACH), -1))
        places = list(islice((one for one in earlier if name in printed[one]), MOST))
        if any(is_within(printed[one], name) for one in places):
            found.update(places)
    return tuple(sorted(found - {needed}, reverse=True)[:MOST])


def is_within(printed: str, name: str) -> bool:
    """Return True if a word stands in a sentence, and not only where one begins with a capital anyway."""
    at = printed.find(name)
    while at >= 0:
        before = printed[:at].rstrip()
        if before and before[-1] not in _BEGINS:
            return True
        at = printed.find(name, at + 1)
    return False
