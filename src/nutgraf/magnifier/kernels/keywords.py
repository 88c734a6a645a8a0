"""The keyword kernel K₂: closeness to the document's keywords. Sarkhel et al. 2020 (MLS), Sec. 3.

K₂ is a vector of 50: the relative frequencies of the document's 50 most frequent RAKE phrases (Rose et al. 2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nutgraf.keyphrases import extractors
from nutgraf.magnifier.kernels import Head, Kernel, Values, Words
from nutgraf.magnifier.kernels._divergence import Reading, mean_divergence, smooth, to_values
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words
from nutgraf.text.vectors import count_matrix

EVERY = 1_000_000
"""More phrases than a document has."""


@dataclass(frozen=True)
class Config:
    """weight: w₂. count: keywords kept. longest: words in a keyword, at most."""

    weight: float = 1.0
    count: int = 50
    longest: int = 5
    reading: Reading = "similarity"

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError("count must be 1 or more")


class Keywords(Kernel):
    """d(u) = symKL(V(u), K₂), V(u) counting the keywords in u."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.weight = config.weight

    def __call__(self, document: Document) -> Head:
        """Find the keywords."""
        found = extractors.make("rake", top=EVERY, shortest=1, longest=self.config.longest)(document)
        # Phrases that differ in marks only are one keyword.
        times: Counter[str] = Counter()
        for phrase in found:
            times[" ".join(words(phrase.text))] += len(phrase.spans)
        # RAKE's order breaks ties, and sorting is stable.
        frequent = sorted(filter(None, times), key=lambda keyword: -times[keyword])[: self.config.count]
        columns = {keyword: column for column, keyword in enumerate(frequent)}
        sizes = sorted({len(keyword.split()) for keyword in frequent})
        counts = np.array([[times[keyword] for keyword in frequent]], dtype=np.float64)
        kernel = smooth(counts) if frequent else None

        def head(sentences: Sequence[Words]) -> Values:
            if kernel is None:
                return np.ones(len(sentences))
            grams = [_grams(sentence, sizes) for sentence in sentences]
            held = count_matrix(grams, columns).toarray()
            return to_values(mean_divergence(smooth(held), kernel), held.any(axis=1), self.config.reading)

        return head


def _grams(words: Words, sizes: Sequence[int]) -> list[str]:
    return [" ".join(words[start : start + size]) for size in sizes for start in range(len(words) - size + 1)]
