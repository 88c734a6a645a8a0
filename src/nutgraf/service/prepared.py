"""The latest inputs of a worker process, read and divided into sentences.

Whoever changes the length of a summary sends the same documents again. A Document also keeps what was found in its text
(words, terms, the quality of its sentences), so that a summary of one that is held begins with all of this.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence

from nutgraf.service.refusals import LeftOut
from nutgraf.service.requests import Given
from nutgraf.text.document import Document

MOST_INPUTS = 8
"""Number of inputs that a process holds."""

SHARE = 1 / 512
"""Size of all inputs that a process holds, in characters and bytes as they were sent, as a share of its memory.

A larger input is not held, and none is held beside it: it has all of the memory.
"""


class Prepared:
    """Inputs by the digests of all that they are made of; those that were used last, within the bounds."""

    def __init__(self, memory: int) -> None:
        """Hold nothing yet."""
        self._most_size = int(memory * SHARE)
        self._held: OrderedDict[bytes, tuple[Document, int]] = OrderedDict()

    def get(
        self, given: Sequence[Given], language: str | None, skip_unreadable: bool, read: Callable[[], Document]
    ) -> Document:
        """Return an input, reading it if it is not held."""
        key = _digest(given, language, skip_unreadable)
        if key in self._held:
            self._held.move_to_end(key)
            return self._held[key][0]
        size = sum(one.size for one in given)
        self._make_room(size)  # before it is read, which is what takes memory
        document = read()
        if size <= self._most_size and _lasts(document):
            self._held[key] = document, size
        return document

    def __len__(self) -> int:
        """Return the number of inputs that are held."""
        return len(self._held)

    def _make_room(self, size: int) -> None:
        total = sum(held for _, held in self._held.values())
        while self._held and (len(self._held) >= MOST_INPUTS or total + size > self._most_size):
            _, (_, gone) = self._held.popitem(last=False)
            total -= gone


def _lasts(document: Document) -> bool:
    """Return False if something was left out that may be read when it is tried again."""
    return all(one.refusal.lasting for one in document.notices if isinstance(one, LeftOut))


def _digest(given: Sequence[Given], language: str | None, skip_unreadable: bool) -> bytes:
    """Digest of documents and settings; each record begins with its kind and the lengths of its fields."""
    found = hashlib.sha256(repr((language, skip_unreadable)).encode())
    for one in given:
        fields = [value if isinstance(value, bytes) else _encoded(value) for value in vars(one).values()]
        found.update(repr((type(one).__name__, [len(field) for field in fields])).encode())
        for field in fields:
            found.update(field)
    return found.digest()


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")
