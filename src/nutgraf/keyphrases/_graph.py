"""Extractors that rank words or topics by PageRank: their options, and the base that they share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.keyphrases._candidates import ExtractorConfig
from nutgraf.text.document import Document, Phrase
from nutgraf.text.tagging import Tagged, Tagger, tag


@dataclass(frozen=True)
class GraphConfig(ExtractorConfig):
    """Options of the extractors that rank words or topics by PageRank."""

    damping: float = 0.85
    """Damping factor of PageRank."""

    tolerance: float = 1e-6
    """PageRank stops when the ranks change by less than this in total."""

    tagger: Tagger = "auto"
    """Part-of-speech tagger: "crf" (English, the extra `tagger`), "textblob", or "content", which keeps all words but
    stop words; "auto" is "crf" where it is installed, and "textblob" elsewhere."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.damping < 1:
            raise ValueError(f"damping must be 0 or more and below 1, not {self.damping}.")
        if not 0 < self.tolerance < 1:
            raise ValueError(f"tolerance must lie between 0 and 1, not {self.tolerance}.")


class GraphExtractor(KeyphraseExtractor):
    """Extracts phrases from words with their parts of speech."""

    Config: type[GraphConfig]
    config: GraphConfig

    def __init__(self, config: GraphConfig | None = None) -> None:
        super().__init__(config or self.Config())

    def __call__(self, document: Document) -> list[Phrase]:
        """Extract phrases; see `KeyphraseExtractor`."""
        return self.rank(tag(document, self.config.tagger))

    @abstractmethod
    def rank(self, tagged: Tagged) -> list[Phrase]:
        """Extract phrases from tokens that are already tagged."""
