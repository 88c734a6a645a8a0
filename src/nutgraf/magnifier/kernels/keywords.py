"""The keyword kernel K₂: closeness to the document's keywords. Sarkhel et al. 2020 (MLS), Sec. 3.

K₂ is a vector of 50: the relative frequencies of the document's 50 most frequent RAKE phrases (Rose et al. 2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nutgraf.keyphrases import extractors
from nutgraf.magnifier.kernels import Head, Kernel, Values, Words
from nutgraf.magnifier.kernels._divergence import Divergence, Reading, mean_divergence, smooth, to_values
from nutgraf.magnifier.kernels._shuffle import shuffled
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words
from nutgraf.text.vectors import count_matrix

EVERY = 1_000_000
"""More phrases than a document has."""


@dataclass(frozen=True)
class Config:
    """weight: w₂. count: keywords kept. longest: words in a keyword, at most. units: RAKE's phrases, or their words.
    by: whether the most frequent ones are kept or those that RAKE rates highest. shuffle: for an ablation, the seed by
    which the keywords' frequencies are shuffled.
    """

    weight: float = 1.0
    count: int = 50
    longest: int = 5
    units: Literal["phrases", "words"] = "phrases"
    by: Literal["frequency", "score"] = "frequency"
    reading: Reading = "similarity"
    divergence: Divergence = "sum"
    shuffle: int | None = None

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
        frequent, config = self._frequencies(document), self.config
        columns = {keyword: column for column, keyword in enumerate(frequent)}
        sizes = sorted({len(keyword.split()) for keyword in frequent})
        counts = np.array([list(frequent.values())], dtype=np.float64)
        kernel = shuffled(smooth(counts), config.shuffle) if frequent else None

        def head(sentences: Sequence[Words]) -> Values:
            if kernel is None:
                return np.ones(len(sentences))
            grams = [_grams(sentence, sizes) for sentence in sentences]
            held = count_matrix(grams, columns).toarray()
            divergences = mean_divergence(smooth(held), kernel, config.divergence)
            return to_values(divergences, held.any(axis=1), config.reading)

        return head

    def _frequencies(self, document: Document) -> dict[str, int]:
        """The keywords that are kept, the best first, and how often they stand in the document."""
        found = extractors.make("rake", top=EVERY, ngram_range=(1, self.config.longest))(document)
        # Phrases that differ in marks only are one keyword.
        times: Counter[str] = Counter()
        for phrase in found:
            spoken = words(phrase.text)
            for keyword in spoken if self.config.units == "words" else filter(None, [" ".join(spoken)]):
                times[keyword] += len(phrase.spans)
        # They come in RAKE's order, which breaks ties, as sorting is stable.
        ranked = sorted(times, key=lambda keyword: -times[keyword]) if self.config.by == "frequency" else list(times)
        return {keyword: times[keyword] for keyword in ranked[: self.config.count]}


def _grams(words: Words, sizes: Sequence[int]) -> list[str]:
    return [" ".join(words[start : start + size]) for size in sizes for start in range(len(words) - size + 1)]
