"""RAKE. Rose, Engel, Cramer and Cowley, *Automatic Keyword Extraction from Individual Documents*, 2010.

Stop words and marks part the text into candidates. A word scores its degree (the words of all candidates that contain
it, itself included) by its frequency, a candidate the sum of its words. As in rake-nltk, a candidate that is repeated
counts each time. Words are scored on all candidates; the limits on words apply to what is returned. Tokens are the
Document's, so a hyphenated word is one word, and stop words are the Document's too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.keyphrases._candidates import (
    CONTENT,
    RUN,
    Limits,
    best_sums,
    letters,
    limit,
    normal_forms,
    stretches,
)
from nutgraf.text.document import Document, Phrase
from nutgraf.text.tagging import Tagged, tag


class Rake(KeyphraseExtractor):
    """Stretches of content words, by the company that their words keep."""

    @dataclass(frozen=True)
    class Config(Limits):
        """
        metric: how a word scores: the "ratio" of degree to frequency, its "degree", or its "frequency".
        """

        metric: Literal["ratio", "degree", "frequency"] = "ratio"

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or self.Config()

    def __call__(self, document: Document) -> list[Phrase]:
        """See KeyphraseExtractor."""
        return self.rank(tag(document, "content"))

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """The same, from tokens that are tagged by `content`."""
        forms = normal_forms(tagged, "lower")
        spans = stretches(RUN, letters(tagged, CONTENT))
        words = self._rate_words([forms[start:end] for start, end in spans])
        worth = np.array([words.get(form, 0.0) for form in forms])
        return best_sums(tagged, forms, limit(spans, self.config), worth, self.config.top)

    def _rate_words(self, candidates: Iterable[Sequence[str]]) -> dict[str, float]:
        frequency: Counter[str] = Counter()
        degree: Counter[str] = Counter()
        for words in candidates:
            for word in words:
                frequency[word] += 1
                degree[word] += len(words)
        if self.config.metric == "degree":
            return dict(degree)
        if self.config.metric == "frequency":
            return dict(frequency)
        return {word: degree[word] / frequency[word] for word in frequency}
