"""Relevance of sentences to a question: what a person asks of a text, in any words.

A sentence is as relevant as its tf-idf cosine with the question, and half and a quarter as much of that of the
sentences one and two places away, since an answer often stands beside the words of the question. In a transcript people
stay with a subject for many turns, and say little in most of them: there it is BM25 (Robertson and Zaragoza 2009), with
less for short sentences, and that of a wide window; what a speaker says whom the question names counts more.

Languages that are written without spaces are compared by overlapping pairs of characters: where a word ends is found
otherwise in a question than in a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from nutgraf.text.document import Document
from nutgraf.text.tokenize import UNSPACED_LANGUAGES, compared_words
from nutgraf.text.transcript import AFTER_NAME
from nutgraf.text.vectors import Array, SentenceSpace

WINDOW, WINDOW_SHARE = 12, 0.4
"""Standard deviation in sentences of the window of a transcript, and its share of the relevance; chosen, as are
`NAMED` and `FULL`, on questions about meetings of the training set."""

SATURATION, LENGTH_SHARE = 1.2, 0.3
"""BM25's k₁ and b."""

FULL = 6
"""Content words from which a sentence of a transcript has its full relevance."""

NAMED = 2.0
"""Factor for what a speaker says whom the question names."""

TITLES = frozenset("and dr grad hon miss mr mrs ms of phd prof sir the".split())
"""Words of labels by which nobody is asked for."""

_NAME_WORD = re.compile(r"[^\W\d_]+")

_VERBS_AND_NOUNS = (("d", "s"), ("t", "ss"), ("b", "pt"), ("v", "pt"))
"""Endings of the stems of verbs and of their nouns in English: decide and decision, permit and permission."""

REACH = 2
"""Number of sentences on each side that count."""


def question_terms(document: Document, question: str) -> list[str]:
    """Content words of a question that occur in a document, lowercased, each once."""
    occurring = {term for sentence in _terms(document) for term in sentence}
    found = []
    for word in dict.fromkeys(compared_words(question, document.language)):
        (terms,) = document.terms_of([[word]])
        if terms and terms[0] in occurring:
            found.append(word)
    return found


def in_words_of(document: Document, question: str) -> str:
    """Return a question with words of a document in the place of those of the same family: "decision" for "decided".

    Args:
        document: The document, whose stems keep "decid" and "decis" apart.
        question: The question, in English if anything is to change.
    """
    if document.language != "en":
        return question
    occurring = {
        stem: word
        for words, terms in zip(document.words, document.terms, strict=True)
        for word in words
        for stem in [document.stem(word)]
        if stem in terms
    }
    for word in dict.fromkeys(compared_words(question, document.language)):
        stem = document.stem(word)
        other = next((occurring[one] for one in _family(stem) if one in occurring), "")
        if stem not in occurring and other:
            question = re.sub(rf"\b{re.escape(word)}\b", other.replace("\\", r"\\"), question, flags=re.IGNORECASE)
    return question


def _family(stem: str) -> Iterator[str]:
    """Yield the stems of the nouns of a verb, and of the verbs of a noun: "decid", "decis"; "permit", "permiss"."""
    for verb, noun in _VERBS_AND_NOUNS:
        if stem.endswith(verb):
            yield stem.removesuffix(verb) + noun
        if stem.endswith(noun):
            yield stem.removesuffix(noun) + verb


def relevance(document: Document, question: str) -> Array:
    """Relevance of each sentence, from 0 to 1 for the most relevant one; all zero if no word of the question occurs."""
    asked = document.terms_of([compared_words(question, document.language)])[0]
    if not document.turns:
        return _to_one(_beside(_cosines(_terms(document), asked)))
    scores, named = _bm25(_terms(document), asked), _named(document, question)
    found = (1 - WINDOW_SHARE) * _to_one(scores) + WINDOW_SHARE * _to_one(_smoothed(scores))
    return _to_one(found * np.array([NAMED if one in named else 1.0 for one in document.speakers]))


def _cosines(terms: list[list[str]], asked: list[str]) -> Array:
    """Tf-idf cosine of each sentence with the question."""
    from scipy import sparse  # to import it takes longer than a summary without a question

    space = SentenceSpace(terms)
    found: Array = sparse.csr_matrix(space.vectors @ space.embed([asked]).T).toarray().ravel()
    return found


def _bm25(terms: list[list[str]], asked: list[str]) -> Array:
    """BM25 of each sentence for the question, in proportion less for sentences of fewer than `FULL` terms."""
    lengths = np.array([len(one) for one in terms], dtype=float)
    widths = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths / max(1.0, float(lengths.mean())))
    scores = np.zeros(len(terms))
    for term in dict.fromkeys(asked):
        counts = np.array([one.count(term) for one in terms], dtype=float)
        having = np.count_nonzero(counts)
        rarity = np.log(1 + (len(terms) - having + 0.5) / (having + 0.5))
        scores += rarity * counts * (SATURATION + 1) / (counts + widths)
    return scores * np.minimum(1.0, lengths / FULL)


def _terms(document: Document) -> list[list[str]]:
    """Terms of each sentence, as they are compared with a question."""
    if document.language not in UNSPACED_LANGUAGES:
        return document.terms
    return document.terms_of(compared_words(text, document.language) for text in document.printed)


def _beside(scores: Array) -> Array:
    """Scores with a half and a quarter of those one and two places away."""
    found = np.zeros(len(scores))
    for distance in range(-REACH, REACH + 1):
        shifted = np.roll(scores, distance)
        if distance > 0:
            shifted[:distance] = 0.0
        elif distance < 0:
            shifted[distance:] = 0.0
        found += 0.5 ** abs(distance) * shifted
    return found


def _smoothed(scores: Array) -> Array:
    """Mean of the scores around each sentence, weighted by a Gaussian."""
    away = np.arange(-3 * WINDOW, 3 * WINDOW + 1)
    return np.convolve(scores, np.exp(-0.5 * (away / WINDOW) ** 2))[3 * WINDOW : 3 * WINDOW + len(scores)]


def _to_one(values: Array) -> Array:
    """Values divided by the largest one, if that is above 0."""
    largest = float(values.max()) if values.size else 0.0
    return values / largest if largest > 0 else values


def _named(document: Document, question: str) -> set[str]:
    """Speakers whom a question names; a single letter is a name only as a capital."""
    asked = _NAME_WORD.findall(question)
    known = {word.lower() for word in asked if len(word) > 1} | {word for word in asked if len(word) == 1}
    return {
        speaker
        for speaker in {one for one in document.speakers if one}
        if any(
            (word if len(word) == 1 else word.lower()) in known
            for word in _NAME_WORD.findall(AFTER_NAME.sub("", speaker))
            if word.lower() not in TITLES
        )
    }
