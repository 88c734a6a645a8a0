"""Key-phrase extractors. One file, one extractor; `_candidates.py` is shared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

from nutgraf.presets.family import Family
from nutgraf.text.document import Document, Phrase


class KeyphraseExtractor(ABC):
    """Turns a document into phrases with scores.

    A member's `Config` has at least `top` (how many phrases) and `ngram_range` (words in a phrase, from and to).
    """

    def fit(self, documents: Iterable[Document]) -> None:
        """Learn what needs a collection (document frequencies); most extractors need nothing."""

    @property
    def learns(self) -> bool:
        """Whether `fit` brings anything."""
        return False

    def save(self, path: str | Path) -> None:
        """Write what `fit` learned, as JSON. Raises OutputError."""

    def load(self, path: str | Path) -> None:
        """Take over what another one of the same options learned. Raises InputError if the file does not fit."""

    @abstractmethod
    def __call__(self, document: Document) -> list[Phrase]:
        """Phrases by falling score, ties by first place, then alphabetically; the scores' L2 norm is one.

        `text` is the phrase as it first stands in the document, `spans` every place where it stands. A document
        without phrases has none: [].
        """


extractors: Family[KeyphraseExtractor] = Family(__name__, KeyphraseExtractor)
