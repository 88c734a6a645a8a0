"""A network that has read, as a selector: it reads a text in windows of whole sentences (`nutgraf.inference`)."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nutgraf.errors import InputError
from nutgraf.extractive import Ratings
from nutgraf.extractive.traits import WIDTH, traits
from nutgraf.extractive.windows import windows
from nutgraf.text.document import Document
from nutgraf.text.genre import recognize_genre

if TYPE_CHECKING:
    from nutgraf.inference import Network

NETWORK = "selector"
"""Name of the network."""

TASK, CLASSES = "selection", ("left out", "taken")
"""Task and classes of such a network, as its card has them."""

LANGUAGES = frozenset({"en"})
"""Languages that MiniLM reads."""

LONGEST, LONGEST_SENTENCE = 256, 128
"""Word pieces of a window, and those that are read of a sentence, as in training."""

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

        network = open_network(self._folder)
        card = network.card
        told = card.task, card.spans, card.features, card.classes
        if told != (TASK, 1, WIDTH, CLASSES) or card.longest < LONGEST:
            raise InputError(
                f"{self._folder} has no selector: {card.purpose}; {TASK}, 1, {WIDTH}, {', '.join(CLASSES)} and "
                f"{LONGEST} are needed. "
                "--set extractive.selector=none does without it."
            )
        return network

    def passes_over(self, document: Document) -> str | None:
        """Return a notice about an English text that is too long; see `nutgraf.extractive.Selector`."""
        if document.language not in LANGUAGES or document.num_words <= MOST_WORDS:
            return None
        return (
            f"The network that rates sentences read none of this text, which has {document.num_words:,} words: "
            f"it reads up to {MOST_WORDS:,}. The summary is made without it."
        )

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
        rows, spans = windows(pieces, LONGEST)
        given = traits(document, ratings, recognize_genre(document))
        return np.asarray(
            self._network.logits(Reading(list(map(words.row, rows)), spans, given))[:, 0], dtype=np.float64
        )


def installed_selector() -> NetworkSelector | None:
    """Return the selector that is installed, if there is also what runs it; None otherwise."""
    from nutgraf.inference.installed import find_network

    folder = find_network(NETWORK)
    return None if folder is None else NetworkSelector(folder)
