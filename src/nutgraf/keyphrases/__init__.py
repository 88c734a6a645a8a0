"""Key-phrase extraction; each file implements one method."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nutgraf.presets.family import Family, Member
from nutgraf.text.document import Document, Phrase
from nutgraf.version import __version__

SCHEMA = "nutgraf.phrases/1"

OURS: dict[str, dict[str, Any]] = {"position_rank": {"frequency": 0.5}}
"""Options in which `phrases`, the command and the service leave the papers, whose values are the extractors' own
defaults. What stands often weighs more: that counts in news and in long papers."""


class KeyphraseExtractor(Member, ABC):
    """Extracts phrases with scores from a document.

    The `Config` of every extractor has at least `top` (the number of phrases) and `ngram_range` (words of a phrase,
    from and to).
    """

    def fit(self, documents: Iterable[Document]) -> None:
        """Collect statistics of a collection, such as document frequencies; most extractors need none."""

    @property
    def needs_fit(self) -> bool:
        """True if `fit` improves the phrases."""
        return False

    def save(self, path: str | Path) -> None:
        """Write what `fit` collected, as JSON.

        Raises:
            OutputError: If the file cannot be written.
        """

    def load(self, path: str | Path) -> None:
        """Load what an extractor with the same options saved.

        Raises:
            InputError: If the file does not fit.
        """

    def notices(self, document: Document) -> list[str]:
        """Sentences that a user should read about the phrases of a document; most extractors have none."""
        return []

    @abstractmethod
    def __call__(self, document: Document) -> list[Phrase]:
        """Return the phrases by descending score, then first position, then alphabetically.

        Args:
            document: The text; phrases never cross the end of a sentence.

        Returns:
            Phrases whose scores have an L2 norm of 1. `text` is the phrase as it first occurs, `spans` are all its
            occurrences. The list is empty if the document has no phrases.
        """


extractors: Family[KeyphraseExtractor] = Family(__name__, KeyphraseExtractor)


def extractor_of(kind: str, **options: Any) -> KeyphraseExtractor:
    """Make an extractor as `phrases`, the command and the service use it; `extractors.make` makes that of the paper.

    Args:
        kind: Name of the extractor.
        options: Fields of its `Config`; they precede those of `OURS`.

    Raises:
        UnknownName: If there is no such extractor.
        PresetError: If an option is not valid.
    """
    return extractors.make(kind, **{**OURS.get(kind, {}), **options})


def phrases(text: str | Document, extractor: str = "position_rank", /, **options: Any) -> list[Phrase]:
    """Extract the key phrases of a text.

    >>> [phrase.text for phrase in phrases("The tide gauge failed. Nobody reads the tide gauge.", top=1)]
    ['tide gauge']

    Args:
        text: A text or a Document.
        extractor: Name of the extractor.
        options: Fields of its `Config`, such as `top` and `ngram_range`. `frequency` of position_rank is 0.5 here and
            0, the paper's, in `extractors.make`.

    Returns:
        Phrases with scores and places, best first.

    Raises:
        UnknownName: If there is no such extractor.
        PresetError: If an option is not valid.
    """
    return extractor_of(extractor, **options)(text if isinstance(text, Document) else Document.of(text))


def phrases_to_json(document: Document, found: Sequence[Phrase], extractor: str) -> dict[str, Any]:
    """Return phrases as JSON values, in the schema `nutgraf.phrases/1`.

    Args:
        document: The text, which may be several documents joined.
        found: Its phrases.
        extractor: Name of the extractor that found them.
    """
    from nutgraf.text.summary import phrase_to_json  # which loads NumPy; a few phrases need none

    return {
        "schema": SCHEMA,
        "version": __version__,
        "extractor": extractor,
        "sources": [part.name for part in document.parts],
        "phrases": [phrase_to_json(document, phrase) for phrase in found],
        "notices": list(document.notices),
    }
