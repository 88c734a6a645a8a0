"""In which sentences a word stands, of those that somebody asks about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nutgraf.text.document import Document, kept


class Occurrences:
    """Words in the sentences of a document, whether with a capital or without."""

    def __init__(self, document: Document) -> None:
        self._printed = document.printed
        self._lowered: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._printed)

    def of(self, word: str, indices: Iterable[int]) -> Iterator[int]:
        """Yield those sentences of some that have a word, given in small letters."""
        for index in indices:
            lowered = self._lowered.get(index)
            if lowered is None:
                lowered = self._lowered[index] = self._printed[index].lower()
            if word in lowered and _has_word(lowered, word):
                yield index


def _has_word(text: str, word: str) -> bool:
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not text[at - 1 : at].isalpha() and not text[end : end + 1].isalpha():
            return True
        at = text.find(word, end)
    return False


@kept
def occurrences(document: Document) -> Occurrences:
    """In which sentences of a document a word stands."""
    return Occurrences(document)
