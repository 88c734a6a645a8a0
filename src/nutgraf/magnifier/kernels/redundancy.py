"""The redundancy kernel K₃: similarity to the document's other sentences. Sarkhel et al. 2020 (MLS), Sec. 2.2.

K₃ is p × 300, a vector for each of the document's p sentences; the value of a head is the mean cosine with them, scaled
to [0, 1]. The paper's vectors are paragraph vectors trained on Wikipedia; without them we use tf-idf over the
document's own sentences. `dimensions = 300` reduces these by a singular value decomposition, which is closest to the
paper's shape; it takes seconds on a long document and changed no figure of ours, so it is not the default. `vectors`
names a file of word vectors, whose means are then the sentence vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from nutgraf.magnifier.kernels import Head, Kernel, Values, Words
from nutgraf.magnifier.kernels._shuffle import shuffled
from nutgraf.presets.ranges import NonNegativeInt
from nutgraf.text.document import Document
from nutgraf.text.vectors import SentenceSpace
from nutgraf.text.word_vectors import read_word_vectors


@dataclass(frozen=True)
class Config:
    """The redundancy kernel."""

    weight: float = 1.0
    """Weight w₃ of the kernel."""

    dimensions: NonNegativeInt = 0
    """Maximum dimensions of the sentence vectors; 0 for no limit."""

    vectors: str = ""
    """File of word vectors in the text format of word2vec or GloVe; "" for tf-idf."""

    score: Literal["similarity", "cosine"] = "similarity"
    """Score of a sentence: "similarity" scales the mean cosine to [0, 1]; "cosine" is the mean cosine of
    Sarkhel et al. 2020, with 0 for negative values."""

    shuffle_seed: int | None = None
    """Ablation: shuffle the rows and columns of the vectors with this seed."""


class Redundancy(Kernel):
    """c(u) = (1 + mean over the document's sentences of cos(V(u), V(sentence))) / 2."""

    config: Config

    def __call__(self, document: Document) -> Head:
        """Embed the document; see `Kernel`.

        The mean of cosines is the cosine with the mean, so no p × p matrix is built.
        """
        embed, vectors = self._space(document)
        kernel = shuffled(vectors, self.config.shuffle_seed)
        mean = np.asarray(kernel.mean(axis=0)).ravel() if document.sentences else np.zeros(0)

        def head(sentences: Sequence[Words]) -> Values:
            cosines = np.asarray(embed(sentences) @ mean)
            return np.maximum(cosines, 0.0) if self.config.score == "cosine" else (1.0 + cosines) / 2.0

        return head

    def _space(self, document: Document) -> tuple[Callable[[Sequence[Words]], Any], Any]:
        """Return the embedding function, and the embedded document."""
        if self.config.vectors:
            words = read_word_vectors(self.config.vectors)
            return words.embed, words.embed(document.words)
        space = SentenceSpace(document.terms, self.config.dimensions)

        def embed(sentences: Sequence[Words]) -> Any:
            own = sentences is document.words
            return space.vectors if own else space.embed(document.terms_of(sentences))

        return embed, space.vectors
