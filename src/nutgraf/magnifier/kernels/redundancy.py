"""The redundancy kernel K₃: likeness to the document's other sentences. Sarkhel et al. 2020 (MLS), Sec. 3.

K₃ is p × 300, a vector for each of the document's p sentences; a head's value is the mean cosine with them, brought to
[0, 1]. The paper's vectors are paragraph vectors trained on Wikipedia; offline we take tf-idf of the document's own
sentences. `dimensions = 300` reduces them by a singular value decomposition, as near to the paper's shape as can be
had; it costs seconds on a long document and changed no figure of ours, so it is not the default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nutgraf.magnifier.kernels import Head, Kernel, Values, Words
from nutgraf.text.document import Document
from nutgraf.text.vectors import SentenceSpace


@dataclass(frozen=True)
class Config:
    """weight: w₃. dimensions: of the sentence vectors, at most; 0 for no limit."""

    weight: float = 1.0
    dimensions: int = 0

    def __post_init__(self) -> None:
        if self.dimensions < 0:
            raise ValueError("dimensions must be 0 or more")


class Redundancy(Kernel):
    """c(u) = (1 + mean over the document's sentences of cos(V(u), V(sentence))) / 2."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.weight = config.weight

    def __call__(self, document: Document) -> Head:
        """Embed the document. The mean of cosines is the cosine with the mean, so no p × p matrix is made."""
        space = SentenceSpace(document.terms, self.config.dimensions)
        mean = np.asarray(space.vectors.mean(axis=0)).ravel() if document.sentences else np.zeros(0)
        stem, stop = document.stem, document.stop_words

        def head(sentences: Sequence[Words]) -> Values:
            terms = [[stem(word) for word in sentence if word not in stop] for sentence in sentences]
            return np.asarray((1.0 + space.embed(terms) @ mean) / 2.0)

        return head
