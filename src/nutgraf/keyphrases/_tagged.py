"""Base of the extractors that choose among words with their parts of speech."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.text.document import Document, Phrase
from nutgraf.text.tagging import Tagged, Tagger, tag


class TaggedExtractor(KeyphraseExtractor):
    """Extracts phrases from words with their parts of speech."""

    Config: type[Any]

    def __init__(self, config: Any = None) -> None:
        super().__init__(config or self.Config())

    @property
    def tagger(self) -> Tagger:
        """The part-of-speech tagger that is used."""
        return self.config.tagger

    def __call__(self, document: Document) -> list[Phrase]:
        """Extract phrases; see `KeyphraseExtractor`."""
        return self.rank(tag(document, self.tagger))

    @abstractmethod
    def rank(self, tagged: Tagged) -> list[Phrase]:
        """Extract phrases from tokens that are already tagged."""
