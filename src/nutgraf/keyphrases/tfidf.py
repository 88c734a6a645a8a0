"""tf-idf of n-grams, with which KPAT and the Highlight-Transformer score their key phrases.

Liu et al., *Key Phrase Aware Transformer for Abstractive Summarization* (KPAT), Eq. 1, and Liu et al. 2021
(Highlight-Transformer).

    tf(t, d) = occurrences of t in d;   idf(t) = ln((1 + N) / (1 + df(t))) + 1

This is scikit-learn's form, from which both papers took their values; `idf = "paper"` is ln(N / df(t)), as the papers
print it. (Their tf is divided by the length of d, which the L2 norm cancels.) The papers remove stop words before they
form n-grams, which yields phrases that do not occur in the text, "bank america". Ours are contiguous and contain no
stop word and no punctuation; with `bridge_stop_words` the n-gram may skip stop words, and its spans include the gap:
"bank of america".

Candidates are n-grams, as in both papers, or noun phrases (`candidates = "noun_phrases"`), as in the programs behind
many published figures of tf-idf: better on abstracts, worse on whole papers.

Without `fit`, every idf is 1. A phrase that the collection does not contain, or that occurs in one document only, has
df 1; it is not stored.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from nutgraf.errors import InputError
from nutgraf.keyphrases._candidates import (
    CONTENT,
    NAMES,
    NOUN_PHRASE,
    Candidates,
    ExtractorConfig,
    Normalization,
    TaggedExtractor,
    filter_by_length,
    first_spans,
    group_by_form,
    match_spans,
    normal_forms,
    select,
    tag_string,
)
from nutgraf.runtime.files import write_text
from nutgraf.runtime.metadata import Count, read_object
from nutgraf.text.document import Document, Phrase
from nutgraf.text.tagging import Tagged, Tagger, tag

SCHEMA = "nutgraf.tfidf/1"

MOST_COUNTED = 3_000_000
"""Maximum number of n-grams counted at once: about 400 MB."""

_SHAPE = ("ngram_range", "normalization", "bridge_stop_words", "candidates")
"""Options that decide what is counted; saved frequencies fit an extractor with the same values."""


class TfIdf(TaggedExtractor):
    """N-grams of content words, ranked by tf-idf."""

    @dataclass(frozen=True)
    class Config(ExtractorConfig):
        """tf-idf of n-grams."""

        idf: Literal["sklearn", "paper"] = "sklearn"
        """Inverse document frequency: "sklearn" is ln((1 + N)/(1 + df)) + 1, "paper" is ln(N/df)."""

        candidates: Literal["ngrams", "noun_phrases"] = "ngrams"
        """What phrases are chosen from: all "ngrams" of content words, or "noun_phrases"."""

        tagger: Tagger = "auto"
        """Part-of-speech tagger that finds noun phrases: "crf" (English, the extra `tagger`), "textblob" or "content";
        "auto" is "crf" where it is installed, and "textblob" elsewhere."""

        bridge_stop_words: bool = False
        """Allow stop words between the content words of a phrase; `ngram_range` counts content words only."""

        normalization: Normalization = "lower"
        """Form in which words are compared: "lower" case or "stem"."""

        collection: str = ""
        """File with document frequencies, written by `save`."""

        def __post_init__(self) -> None:
            super().__post_init__()
            if self.bridge_stop_words and self.candidates == "noun_phrases":
                raise ValueError("bridge_stop_words is for n-grams: noun phrases contain no stop words.")

    def __init__(self, config: Config | None = None) -> None:
        super().__init__(config)
        self.documents = 0
        self.frequencies: dict[str, int] = {}
        if self.config.collection:
            self.load(self.config.collection)

    def fit(self, documents: Iterable[Document]) -> None:
        """Count the documents that contain each n-gram; earlier counts are discarded.

        In a large collection, n-grams seen only once so far are dropped from time to time, so that memory stays bounded
        (lossy counting, Manku and Motwani 2002).
        """
        counts: Counter[str] = Counter()
        self.documents = 0
        most = MOST_COUNTED
        for document in documents:
            tagged = tag(document, self.tagger)
            counts.update(map(" ".join, self._candidates(tagged, normal_forms(tagged, self.config.normalization))))
            self.documents += 1
            if len(counts) > most:
                counts = Counter({phrase: count for phrase, count in counts.items() if count > 1})
                most = max(MOST_COUNTED, 2 * len(counts))
        self.frequencies = {phrase: count for phrase, count in counts.items() if count > 1}

    @property
    def tagger(self) -> Tagger:
        """The tagger `content` for n-grams; noun phrases need parts of speech."""
        return "content" if self.config.candidates == "ngrams" else self.config.tagger

    @property
    def needs_fit(self) -> bool:
        """True unless document frequencies were loaded from `collection`."""
        return not self.config.collection

    def save(self, path: str | Path) -> None:
        """Write the document frequencies as JSON; see `KeyphraseExtractor`."""
        learned = {"schema": SCHEMA, **self._shape, "documents": self.documents, "frequencies": self.frequencies}
        write_text(path, json.dumps(learned, ensure_ascii=False))

    def load(self, path: str | Path) -> None:
        """Load document frequencies; see `KeyphraseExtractor`."""
        learned = read_object(path, _Learned, "document frequencies that this version reads")
        for name, wanted in self._shape.items():
            if learned.get(name) != wanted:
                raise InputError(
                    f"{path} was made with {name} = {learned.get(name)!r}, but this extractor has {name} = {wanted!r}: "
                    "set it likewise, or fit anew."
                )
        self.documents, self.frequencies = learned["documents"], learned["frequencies"]

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """Extract phrases from tokens that are already tagged: by `content`, unless noun phrases are wanted."""
        forms = normal_forms(tagged, self.config.normalization)
        candidates = self._candidates(tagged, forms)
        scores = [len(places) * self._idf(" ".join(form)) for form, places in candidates.items()]
        return select(tagged, forms, first_spans(candidates), scores, self.config, candidates)

    @property
    def _shape(self) -> dict[str, Any]:
        """Options that decide what is counted, as stored in JSON."""
        options = {name: getattr(self.config, name) for name in _SHAPE}
        return options | {"ngram_range": list(self.config.ngram_range)}

    def _idf(self, phrase: str) -> float:
        if not self.documents:
            return 1.0
        frequency = self.frequencies.get(phrase, 1)
        if self.config.idf == "paper":
            return math.log(self.documents / frequency)
        return math.log((1 + self.documents) / (1 + frequency)) + 1

    def _candidates(self, tagged: Tagged, forms: list[str]) -> Candidates:
        if self.config.candidates == "noun_phrases":
            spans = match_spans(NOUN_PHRASE, tag_string(tagged, NAMES))
            return group_by_form(filter_by_length(spans, self.config), forms)
        candidates: Candidates = {}
        shortest, longest = self.config.ngram_range
        for run in self._runs(tagged):
            for first in range(len(run)):
                for length in range(shortest, min(longest, len(run) - first) + 1):
                    gram = run[first : first + length]
                    form = tuple([forms[index] for index in gram])
                    candidates.setdefault(form, []).append((gram[0], gram[-1] + 1))
        return candidates

    def _runs(self, tagged: Tagged) -> Iterator[list[int]]:
        """Return runs of content words as token indices.

        They are split by punctuation, sentence boundaries and, without `bridge_stop_words`, stop words.
        """
        run: list[int] = []
        starts = set(tagged.starts)
        for index, (word, part) in enumerate(zip(tagged.words, tagged.tags, strict=True)):
            content = part in CONTENT and _eligible(word)
            if run and (index in starts or part == "PUNCT" or not (content or self.config.bridge_stop_words)):
                yield run
                run = []
            if content:
                run.append(index)
        if run:
            yield run


def _eligible(word: str) -> bool:
    """Return True for two characters or more (one, in a script without spaces) of letters, digits and hyphens only."""
    return (len(word) > 1 or word > "\u02ff") and word.replace("-", "").isalnum()


@dataclass(frozen=True)
class _Learned:
    schema: Literal["nutgraf.tfidf/1"]
    documents: Count
    frequencies: dict[str, Count]
