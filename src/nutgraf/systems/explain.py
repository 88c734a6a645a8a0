"""Origins and key phrases of a summary's sentences, for every system."""

from __future__ import annotations

from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document, Phrase
from nutgraf.text.summary import Origin, origin_of


def key_phrases(extractor: KeyphraseExtractor | None, document: Document, steering: Steering) -> tuple[Phrase, ...]:
    """The highlights, then the phrases that the preset's extractor finds beside them."""
    own = {phrase.text.lower() for phrase in steering.phrases}
    found = extractor(document) if extractor else []
    return (*steering.phrases, *(phrase for phrase in found if own.isdisjoint(map(str.lower, phrase.wordings))))


def origin(document: Document, index: int) -> Origin:
    """Where the document's sentence `index` stands."""
    sentence = document.sentences[index]
    return origin_of(document, sentence.start, sentence.end)
