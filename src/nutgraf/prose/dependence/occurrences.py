"""In which sentences a word stands; a text is read only as far as somebody asks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict

from nutgraf.text.document import Document, kept

AHEAD = 32
"""Number of sentences behind one that are read with it, to know what the text is about."""

_WORD = re.compile(r"[^\W\d_]+")


class Occurrences:
    """Sentences of a document by the words in them, which are in small letters, each for itself (“l'eau” is two)."""

    def __init__(self, document: Document) -> None:
        self._printed = document.printed
        self._found: dict[str, list[int]] = defaultdict(list)
        self._read = 0

    def before(self, word: str, index: int) -> list[int]:
        """Return the sentences before one that have a word, in order."""
        known = self.near(word, index)
        return known[: bisect_left(known, index)]

    def count(self, word: str, index: int) -> int:
        """Return in how many sentences a word stands, up to a few behind one."""
        return bisect_left(self.near(word, index), index + AHEAD)

    def near(self, word: str, index: int) -> list[int]:
        """Return the sentences that have a word, in order; all before one and a few behind it are among them."""
        end = min(index + AHEAD, len(self._printed))
        for number in range(self._read, end):
            for each in set(_WORD.findall(self._printed[number].lower())):
                self._found[each].append(number)
        self._read = max(self._read, end)
        return self._found.get(word, [])


@kept
def occurrences(document: Document) -> Occurrences:
    """In which sentences of a document a word stands."""
    return Occurrences(document)
