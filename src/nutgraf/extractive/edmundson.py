"""Edmundson's method (*New Methods in Automatic Extracting*, 1969): cue words, key words, title words and location.

Four features are weighted and added (Sec. 5):

* cue: bonus words less stigma words, of short English lists of our own;
* key: the frequencies of the sentence's frequent content words;
* title: the sentence's content words that stand in a heading;
* location: half for a sentence of the first or last paragraph of a document, half for the first or last sentence of a
  paragraph.

Each is divided by its largest size in the text, so that the weights compare. Edmundson found cue + title + location
better than all four, which `key_weight = 0` gives. Headings are the names of sections, and lines that are no prose.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from nutgraf.extractive import Ranking, Ratings, SentenceRanker, boosted, parts_of
from nutgraf.presets.ranges import NonNegativeFloat, PositiveInt
from nutgraf.prose import prose_of
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words
from nutgraf.text.vectors import Array

BONUS = frozenset(
    "aim argue chief conclude conclusion confirm consequence crucial demonstrate discover essential evidence find "
    "finding greatest important importance main major notable outcome principal propose prove result reveal show "
    "significant significance summarize summary therefore thus vital".split()
)
"""Words of sentences that state what matters."""

STIGMA = frozenset(
    "appendix aside conceivable figure footnote hardly hypothetical impossible incidental instance maybe perhaps "
    "possibly presumably seldom supposedly table trivial unclear".split()
)
"""Words of sentences that hedge, illustrate or digress."""


@dataclass(frozen=True)
class Config:
    """Edmundson's method."""

    cue_weight: NonNegativeFloat = 1.0
    """Weight of bonus and stigma words; without effect on texts that are not English."""

    key_weight: NonNegativeFloat = 1.0
    """Weight of frequent words."""

    title_weight: NonNegativeFloat = 1.0
    """Weight of words of headings."""

    location_weight: NonNegativeFloat = 1.0
    """Weight of first and last paragraphs, and of first and last sentences of paragraphs."""

    min_count: PositiveInt = 2
    """Number of times that a key word stands in the text at least."""

    def __post_init__(self) -> None:
        if self.cue_weight + self.key_weight + self.title_weight + self.location_weight == 0:
            raise ValueError("the four weights must not all be zero")


class Edmundson(SentenceRanker):
    """Rates sentences by cue words, key words, title words and location."""

    config: Config

    def rank(self, document: Document, boosts: Ratings | None = None) -> Ranking:
        """Rank by the weighted sum of the four features."""
        config = self.config
        ratings = (
            config.cue_weight * _scale(_cues(document))
            + config.key_weight * _scale(_keys(document, config.min_count))
            + config.title_weight * _scale(_titles(document))
            + config.location_weight * _scale(_locations(document))
        )
        return Ranking.by(boosted(ratings, boosts))


def _scale(values: Array) -> Array:
    """Divide by the largest size; zeros stay zeros."""
    largest = np.abs(values).max() if values.size else 0.0
    return values / largest if largest else values


def _cues(document: Document) -> Array:
    """Number of bonus words less number of stigma words."""
    if document.language != "en":
        return np.zeros(len(document.sentences))
    bonus, stigma = ({document.stem(word) for word in cues} for cues in (BONUS, STIGMA))
    values = {
        word: (stem in bonus) - (stem in stigma)
        for word in {word for sentence in document.words for word in sentence}
        for stem in [document.stem(word)]
    }
    return np.array([sum(values[word] for word in sentence) for sentence in document.words], dtype=np.float64)


def _keys(document: Document, min_count: int) -> Array:
    """Sum of the frequencies of the key words of each sentence."""
    counts = Counter(term for sentence in document.terms for term in sentence)
    keys = {term: count for term, count in counts.items() if count >= min_count}
    return np.array([sum(keys.get(term, 0) for term in sentence) for sentence in document.terms], dtype=np.float64)


def _titles(document: Document) -> Array:
    """Number of words of each sentence that stand in a heading; headings themselves get none."""
    lines = [found for found, prose in zip(document.words, prose_of(document), strict=True) if not prose]
    names = [words(section.name, document.language) for section in document.sections]
    titles = {term for terms in document.terms_of([*lines, *names]) for term in terms}
    return np.array(
        [
            sum(term in titles for term in sentence) if prose else 0
            for sentence, prose in zip(document.terms, prose_of(document), strict=True)
        ],
        dtype=np.float64,
    )


def _locations(document: Document) -> Array:
    """Halves for a border paragraph of a document and for a border sentence of a paragraph."""
    sentences, parts = document.sentences, parts_of(document)
    sections = {section.start for section in document.sections}
    begins = np.array(
        [
            index == 0
            or parts[index] != parts[index - 1]
            or sentence.start in sections
            or document.text[sentences[index - 1].end : sentence.start].count("\n") > 1
            for index, sentence in enumerate(sentences)
        ],
        dtype=bool,
    )
    if not begins.size:
        return np.zeros(0)
    ends = np.append(begins[1:], True)
    paragraphs = np.cumsum(begins)
    first, last = np.searchsorted(parts, parts), np.searchsorted(parts, parts, "right") - 1
    outer = (paragraphs == paragraphs[first]) | (paragraphs == paragraphs[last])
    return np.asarray(outer / 2 + (begins | ends) / 2)
