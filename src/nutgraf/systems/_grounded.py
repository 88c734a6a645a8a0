"""Sentences of a text that any model wrote, with what they rest on in the sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nutgraf.faithfulness.flags import of_sentences
from nutgraf.faithfulness.sources import Claim, Sources, claims
from nutgraf.systems.explain import origin
from nutgraf.text.document import Document
from nutgraf.text.summary import SummarySentence, SummaryWord, origin_of
from nutgraf.text.tokenize import Span, is_word, token_spans


def grounded(texts: Sequence[str], document: Document) -> list[SummarySentence]:
    """Return sentences with their origins, and their words with the places where the same words stand in these.

    The rating of a sentence is the share of its weight that its origins have.
    """
    found = claims(of_sentences(texts, document.language), Sources(document))
    return [
        SummarySentence(
            text=claim.sentence,
            operation="generated",
            origins=tuple(origin(document, index) for index in claim.evidence),
            rating=claim.support,
            words=tuple(_words(claim, document)),
        )
        for claim in found
    ]


def _words(claim: Claim, document: Document) -> Iterator[SummaryWord]:
    """Yield the words and marks of a sentence; a word that stands in an origin counts as copied from there."""
    text, language = claim.text, document.language
    places: dict[str, Span] = {}
    for index in claim.evidence:
        sentence = document.sentences[index]
        for start, end in token_spans(document.text, sentence.start, sentence.end, language):
            places.setdefault(document.text[start:end].lower(), (start, end))
    for start, end in token_spans(text, claim.start, claim.end, language):
        word = text[start:end]
        place = places.get(word.lower()) if is_word(word) else None
        yield SummaryWord(
            text=word,
            start=start - claim.start,
            operation="generated" if place is None else "copied",
            origin=None if place is None else origin_of(document, *place),
            probability=None,
        )
