"""RAKE. Rose, Engel, Cramer and Cowley, *Automatic Keyword Extraction from Individual Documents*, 2010.

Stop words and punctuation split the text into candidates. A word scores its degree (the number of words in all
candidates that contain it, itself included) divided by its frequency; a candidate scores the sum of its words. As in
rake-nltk, a repeated candidate counts each time. Words are scored on all candidates; the limits on words apply to what
is returned. Tokens and stop words are the Document's, so a hyphenated word is one word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nutgraf.keyphrases._candidates import (
    CONTENT,
    RUN,
    ExtractorConfig,
    TaggedExtractor,
    filter_by_length,
    match_spans,
    normal_forms,
    rank_by_sum,
    tag_string,
)
from nutgraf.text.document import Phrase
from nutgraf.text.tagging import Tagged


class Rake(TaggedExtractor):
    """Runs of content words, ranked by the co-occurrence of their words."""

    @dataclass(frozen=True)
    class Config(ExtractorConfig):
        """RAKE."""

        metric: Literal["ratio", "degree", "frequency"] = "ratio"
        """Score of a word: the "ratio" of degree to frequency, its "degree", or its "frequency"."""

    config: Config
    tagger = "content"

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """Extract phrases from tokens tagged by `content`."""
        forms = normal_forms(tagged, "lower")
        spans = match_spans(RUN, tag_string(tagged, CONTENT))
        words = self._rate_words([forms[start:end] for start, end in spans])
        worth = np.array([words.get(form, 0.0) for form in forms])
        return rank_by_sum(tagged, forms, filter_by_length(spans, self.config), worth, self.config)

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
