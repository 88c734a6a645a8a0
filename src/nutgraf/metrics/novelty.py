"""Novel n-grams: share of a summary's n-grams that do not occur in its source (See, Liu and Manning 2017).

The n-grams of the summary are taken within sentences, those of the source across sentence boundaries too: text that was
copied is never novel, wherever sentences were split.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from nutgraf.metrics import Direction, Example, Metric
from nutgraf.metrics._score import sign
from nutgraf.presets.ranges import PositiveInt
from nutgraf.text.document import Document
from nutgraf.text.tokenize import ngrams, words


@dataclass(frozen=True)
class Config:
    """Novel n-grams."""

    max_n: PositiveInt = 3
    """Largest n; there is a column for each n from 1."""


class Novelty(Metric):
    """Share of n-gram occurrences that are novel; None for a summary of fewer than n words."""

    needs = frozenset({"source"})

    config: Config

    @property
    def directions(self) -> dict[str, Direction]:
        """Columns and their directions; see `Metric`."""
        return {f"novel {n}-grams": "descriptive" for n in range(1, self.config.max_n + 1)}

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        return sign("novelty", n=f"1-{self.config.max_n}", count="occurrences", lower=True, stem=False)

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        if example.source is None:
            return dict.fromkeys(self.directions)
        known = _ngrams_of(example.source, self.config.max_n)
        sentences = [words(sentence, example.source.language) for sentence in example.hypothesis]
        scores: dict[str, float | None] = {}
        for n, column in enumerate(self.directions, start=1):
            novel = [ngram not in known for sentence in sentences for ngram in ngrams(sentence, n)]
            scores[column] = sum(novel) / len(novel) if novel else None
        return scores


@lru_cache(maxsize=1)
def _ngrams_of(source: Document, max_n: int) -> frozenset[tuple[str, ...]]:
    """Cached for the last source, because several summaries of it are scored in a row."""
    sequence = [word for sentence in source.words for word in sentence]
    return frozenset(ngram for n in range(1, max_n + 1) for ngram in ngrams(sequence, n))
