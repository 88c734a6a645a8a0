"""The topic kernel K₁: closeness to the document's dominant topics. Sarkhel et al. 2020 (MLS), Sec. 3.

K₁ is 3 × 300: the word distributions of the three most dominant topics, over the 300 most frequent content words.
The paper does not say on what its LDA is fitted; ours is fitted on the document, its sentences being the texts.
`fitted = "collection"` fits it on the documents that the system is fitted to, and the document only says which of their
topics are dominant in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np

from nutgraf.errors import PresetError
from nutgraf.magnifier.kernels import Head, Kernel, Values, Words
from nutgraf.magnifier.kernels._divergence import Divergence, Reading, mean_divergence, smooth, to_values
from nutgraf.magnifier.kernels._shuffle import shuffled
from nutgraf.text.document import Document
from nutgraf.text.topics import TopicModel, lda
from nutgraf.text.vectors import count_matrix


@dataclass(frozen=True)
class Config:
    """weight: w₁. count: dominant topics kept. vocabulary: terms. topics, passes, seed: of the topic model.

    fitted: what the model is fitted on. shuffle: for an ablation, the seed by which rows and columns are shuffled.
    """

    weight: float = 1.0
    count: int = 3
    vocabulary: int = 300
    topics: int = 10
    passes: int = 50
    seed: int = 0
    reading: Reading = "similarity"
    divergence: Divergence = "sum"
    fitted: Literal["document", "collection"] = "document"
    shuffle: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.count <= self.topics:
            raise ValueError("count lies between 1 and topics")
        if self.vocabulary < 1 or self.passes < 1 or self.seed < 0:
            raise ValueError("vocabulary and passes must be 1 or more, seed 0 or more")


class _Fitted(NamedTuple):
    """columns: of the terms. kernel: K₁, [count × terms]."""

    columns: Mapping[str, int]
    kernel: Values


class Topics(Kernel):
    """d(u) = mean over the dominant topics of symKL(V(u), topic)."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.weight = config.weight
        self._collection: tuple[dict[str, int], TopicModel] | None = None

    def fit(self, documents: Iterable[Document]) -> None:
        """See Kernel. Each document is a text of the topic model."""
        if self.config.fitted == "collection":
            self._collection = self._model([list(chain.from_iterable(document.terms)) for document in documents])

    def __call__(self, document: Document) -> Head:
        """Find the document's dominant topics. Raises PresetError where there is no collection that should be there."""
        columns, kernel = self._dominant(document)
        stem, config = document.stem, self.config

        def head(sentences: Sequence[Words]) -> Values:
            if not columns:
                return np.ones(len(sentences))
            terms = [[stem(word) for word in sentence] for sentence in sentences]
            counts = count_matrix(terms, columns)
            divergences = _divergences(counts, kernel, config.divergence)
            return to_values(divergences, np.diff(counts.indptr) > 0, config.reading)

        return head

    def _dominant(self, document: Document) -> _Fitted:
        if self.config.fitted == "document":
            columns, model = self._model(document.terms)
        elif self._collection is not None:
            columns, model = self._collection
            model = model.of(count_matrix([list(chain.from_iterable(document.terms))], columns))
        else:
            raise PresetError(
                "magnifier.kernels.topics.fitted = 'collection' needs a collection: nutgraf evaluate and tune fit a "
                "system with --fit or --part."
            )
        kernel = smooth(model.dominant(self.config.count)) if columns else np.zeros((0, 0))
        return _Fitted(columns, shuffled(kernel, self.config.shuffle))

    def _model(self, texts: Sequence[Sequence[str]]) -> tuple[dict[str, int], TopicModel]:
        """The most frequent terms of some texts, and topics over them."""
        counts = Counter(chain.from_iterable(texts))
        frequent = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: self.config.vocabulary]
        columns = {term: column for column, (term, _) in enumerate(frequent)}
        return columns, lda(count_matrix(texts, columns), self.config.topics, self.config.passes, self.config.seed)


def _divergences(counts: object, kernel: Values, divergence: Divergence, block: int = 8192) -> Values:
    """By blocks of sentences, so that a book needs no more memory than an article."""
    rows = counts.shape[0]  # type: ignore[attr-defined]
    pieces = [
        mean_divergence(smooth(counts[start : start + block].toarray()), kernel, divergence)  # type: ignore[index]
        for start in range(0, rows, block)
    ]
    return np.concatenate(pieces) if pieces else np.zeros(0)
