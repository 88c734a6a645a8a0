"""Origins and key phrases of a summary's sentences, for every system."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document, Phrase, Sentence
from nutgraf.text.summary import Origin, origin_of
from nutgraf.text.tokenize import tokens


def key_phrases(extractor: KeyphraseExtractor | None, document: Document, steering: Steering) -> tuple[Phrase, ...]:
    """The highlights, then the phrases that the preset's extractor finds beside them."""
    own = {phrase.text.lower() for phrase in steering.phrases}
    found = extractor(document) if extractor else []
    return (*steering.phrases, *(phrase for phrase in found if own.isdisjoint(map(str.lower, _wordings(phrase)))))


def origin(document: Document, index: int) -> Origin:
    """Where the document's sentence `index` stands."""
    sentence = document.sentences[index]
    return origin_of(document, sentence.start, sentence.end)


def carried(phrases: Sequence[Phrase], document: Document, index: int) -> tuple[str, ...]:
    """The phrases that stand in the document's sentence `index`."""
    sentence = document.sentences[index]
    return tuple(phrase.text for phrase in phrases if _stands_in(phrase, sentence))


def mentioned(phrases: Sequence[Phrase], text: str) -> tuple[str, ...]:
    """The phrases whose words stand in a text that is not the document's own."""
    said = _spaced(text)
    return tuple(phrase.text for phrase in phrases if any(_spaced(form) in said for form in _wordings(phrase)))


def _wordings(phrase: Phrase) -> tuple[str, ...]:
    return phrase.text, *phrase.forms


def _spaced(text: str) -> str:
    return f" {' '.join(tokens(text.lower()))} "


def _stands_in(phrase: Phrase, sentence: Sentence) -> bool:
    """Spans are in order, so the first one from the sentence's start on decides."""
    first = bisect_left(phrase.spans, (sentence.start, 0))
    return first < len(phrase.spans) and phrase.spans[first][1] <= sentence.end
