"""The topic kernel K₁: closeness to the document's dominant topics. Sarkhel et al. 2020 (MLS), Sec. 3.

K₁ is 3 × 300: the word distributions of the three most dominant topics, over the 300 most frequent content words.
The paper does not say on what its LDA is fitted; ours is fitted on the document, its sentences being the texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nutgraf.magnifier.kernels import Head, Kernel, Values, Words
from nutgraf.magnifier.kernels._divergence import Reading, mean_divergence, smooth, to_values
from nutgraf.text.document import Document
from nutgraf.text.topics import lda
from nutgraf.text.vectors import count_matrix


@dataclass(frozen=True)
class Config:
    """weight: w₁. count: dominant topics kept. vocabulary: terms. topics, passes, seed: of the topic model."""

    weight: float = 1.0
    count: int = 3
    vocabulary: int = 300
    topics: int = 10
    passes: int = 50
    seed: int = 0
    reading: Reading = "similarity"

    def __post_init__(self) -> None:
        if not 1 <= self.count <= self.topics:
            raise ValueError("count lies between 1 and topics")
        if self.vocabulary < 1 or self.passes < 1 or self.seed < 0:
            raise ValueError("vocabulary and passes must be 1 or more, seed 0 or more")


class Topics(Kernel):
    """d(u) = mean over the dominant topics of symKL(V(u), topic)."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.weight = config.weight

    def __call__(self, document: Document) -> Head:
        """Fit topics to the document."""
        counts = Counter(term for sentence in document.terms for term in sentence)
        frequent = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: self.config.vocabulary]
        columns = {term: column for column, (term, _) in enumerate(frequent)}
        model = lda(count_matrix(document.terms, columns), self.config.topics, self.config.passes, self.config.seed)
        kernel = smooth(model.dominant(self.config.count)) if columns else np.zeros((0, 0))
        stem = document.stem

        def head(sentences: Sequence[Words]) -> Values:
            if not columns:
                return np.ones(len(sentences))
            terms = [[stem(word) for word in sentence] for sentence in sentences]
            counts = count_matrix(terms, columns)
            return to_values(_divergences(counts, kernel), np.diff(counts.indptr) > 0, self.config.reading)

        return head


def _divergences(counts: object, kernel: Values, block: int = 8192) -> Values:
    """By blocks of sentences, so that a book needs no more memory than an article."""
    rows = counts.shape[0]  # type: ignore[attr-defined]
    pieces = [
        mean_divergence(smooth(counts[start : start + block].toarray()), kernel)  # type: ignore[index]
        for start in range(0, rows, block)
    ]
    return np.concatenate(pieces) if pieces else np.zeros(0)
