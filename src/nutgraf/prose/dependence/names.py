"""Names that sentences share: who is named in one of them is known in the others.

A pronoun needs a sentence that names somebody, not just the nearest one: any earlier sentence with the same name does.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict

from nutgraf.text.document import Document, kept

MOST = 32
"""Number of sentences that are offered in the place of another."""

NOUNS_ARE_CAPITALIZED = frozenset({"de", "lb"})
"""Languages in which names are not written otherwise than other nouns."""

_CAPITALIZED = re.compile(r"(?<!\w)[^\W\d_a-zß-ÿ][^\W\d_]{2,}")
_BEGINS = "\"'“”‘’„«»([—–-.!?…:"


@kept
def names(document: Document) -> list[frozenset[str]]:
    """Names in each sentence: words with a capital that have one within a sentence, too; none in German."""
    if document.language in NOUNS_ARE_CAPITALIZED:
        return [frozenset() for _ in document.sentences]
    found = [list(_CAPITALIZED.finditer(text)) for text in document.printed]
    within = Counter(
        match.group()
        for text, matches in zip(document.printed, found, strict=True)
        for match in matches
        if (before := text[: match.start()].rstrip()) and before[-1] not in _BEGINS
    )
    return [frozenset(match.group() for match in matches if within[match.group()]) for matches in found]


def namesakes(document: Document, index: int, needed: int) -> tuple[int, ...]:
    """Return earlier sentences that name somebody whom a needed sentence names, the nearest first.

    Args:
        document: The text.
        index: Sentence with a pronoun.
        needed: Sentence that names the person for whom it stands.
    """
    places = _places(document)
    earlier = (places[name][: bisect_left(places[name], index)] for name in names(document)[needed])
    found = {one for some in earlier for one in some[-MOST:]} - {needed}
    return tuple(sorted(found, reverse=True)[:MOST])


@kept
def _places(document: Document) -> dict[str, list[int]]:
    """Sentences in which each name stands, in order."""
    found: dict[str, list[int]] = defaultdict(list)
    for index, named in enumerate(names(document)):
        for name in named:
            found[name].append(index)
    return found
