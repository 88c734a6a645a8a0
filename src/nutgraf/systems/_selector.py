"""A network that has read, as a selector: it reads a text in windows of whole sentences (`nutgraf.inference`)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nutgraf.extractive import Ratings
from nutgraf.extractive.traits import traits
from nutgraf.text.document import Document
from nutgraf.text.genre import recognize_genre

if TYPE_CHECKING:
    from nutgraf.inference import Network

NETWORK = "selector"
"""Name of the network."""

LANGUAGES = frozenset({"en"})
"""Languages that MiniLM reads."""

LONGEST, LONGEST_SENTENCE = 256, 128
"""Word pieces of a window, and those that are read of a sentence, as in training."""

MARKS = 2
"""[CLS] and [SEP]."""

MOST_WORDS = 40_000
"""Words of the longest text that is read: some fifteen seconds on one core."""


class NetworkSelector:
    """Asks a network about each sentence of a text; the network is opened when it is first asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._last: tuple[Document, Ratings] | None = None

    @cached_property
    def signature(self) -> str:
        """Name of the network and a digest of its card, which has those of all its files."""
        from nutgraf.inference.card import CARD

        return f"{NETWORK}:{hashlib.sha256((self._folder / CARD).read_bytes()).hexdigest()[:8]}"

    @cached_property
    def _network(self) -> Network:
        from nutgraf.inference import open_network

        return open_network(self._folder)

    def __call__(self, document: Document, ratings: Ratings) -> Ratings | None:
        """Rate the sentences of an English text that is not too long; see `nutgraf.extractive.Selector`."""
        if document.language not in LANGUAGES or document.num_words > MOST_WORDS:
            return None
        last = self._last
        if last is None or last[0] is not document:
            last = self._last = document, self._rate(document, ratings)
        return last[1]

    def _rate(self, document: Document, ratings: Ratings) -> Ratings:
        from nutgraf.inference import Reading

        words = self._network.words
        pieces = [words.encode(text).ids[:LONGEST_SENTENCE] for text in document.printed]
        rows, items = list[list[int]](), []
        for window in windows(list(map(len, pieces))):
            row = words.row([one for index in window for one in pieces[index]])
            first = 1
            for index in window:
                last = first + len(pieces[index])
                items.append([[(len(rows), first, last)] if last > first else []])
                first = last
            rows.append(row)
        given = traits(document, ratings, recognize_genre(document))
        return np.asarray(self._network.logits(Reading(rows, items, given))[:, 0], dtype=np.float64)


def installed_selector() -> NetworkSelector | None:
    """Return the selector that is installed, if there is also what runs it; None otherwise."""
    from nutgraf.inference.installed import find_network

    folder = find_network(NETWORK)
    return None if folder is None else NetworkSelector(folder)


def windows(sizes: Sequence[int]) -> list[range]:
    """Return windows of whole sentences, as many in each as fit.

    Args:
        sizes: Word pieces of each sentence.
    """
    found, first, length = list[range](), 0, MARKS
    for index, size in enumerate(sizes):
        if length + size > LONGEST:
            found.append(range(first, index))
            first, length = index, MARKS
        length += size
    return [*found, range(first, len(sizes))] if sizes else []
