"""The topic kernel K₁: similarity to the document's dominant topics. Sarkhel et al. 2020 (MLS), Sec. 2.2.

K₁ is 3 × 300: the word distributions of the three dominant topics, over the 300 most frequent content words. The paper
does not say on what its LDA is fitted; ours is fitted on the document, with its sentences as texts. `fit_on =
"collection"` fits it on the documents that the system is fitted to, and the document only decides which of their topics
are dominant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np

from nutgraf.errors import PresetError
from nutgraf.magnifier.kernels import Head, Kernel, Values, Words
from nutgraf.magnifier.kernels._divergence import Divergence, ScoreKind, mean_divergence, smooth, to_values
from nutgraf.magnifier.kernels._shuffle import shuffled
from nutgraf.presets.family import PRESET_SEED
from nutgraf.presets.ranges import NonNegativeInt, PositiveInt
from nutgraf.text.document import Document
from nutgraf.text.topics import TopicModel, lda
from nutgraf.text.vectors import Rows, count_matrix


@dataclass(frozen=True)
class Config:
    """The topic kernel."""

    weight: float = 1.0
    """Weight w₁ of the kernel."""

    top: PositiveInt = 3
    """Number of dominant topics."""

    vocab_size: PositiveInt = 300
    """Number of terms, the most frequent ones."""

    topics: PositiveInt = 10
    """Number of topics of the topic model."""

    passes: PositiveInt = 50
    """Maximum number of passes over the texts."""

    seed: NonNegativeInt = field(default=0, metadata=PRESET_SEED)
    """Seed of the topic model."""

    score: ScoreKind = "similarity"
    """Score of a sentence: "similarity" 1/(1 + d) or "distance" d, where d is its divergence."""

    divergence: Divergence = "sum"
    """Symmetric divergence: "sum" of both KL divergences, their "mean", or "jensen_shannon"."""

    fit_on: Literal["document", "collection"] = "document"
    """Fit the topic model on the "document" or on the "collection" that the system is fitted to."""

    shuffle_seed: int | None = None
    """Ablation: shuffle the rows and columns of the kernel with this seed."""

    def __post_init__(self) -> None:
        if self.top > self.topics:
            raise ValueError(f"top = {self.top} must be at most topics = {self.topics}")


class _Fitted(NamedTuple):
    """Columns of the terms, and K₁ [topics × terms]."""

    columns: Mapping[str, int]
    kernel: Values


class Topics(Kernel):
    """d(u) = mean over the dominant topics of symKL(V(u), topic)."""

    config: Config
    _collection: tuple[dict[str, int], TopicModel] | None = None

    def fit(self, documents: Iterable[Document]) -> None:
        """Fit the topic model with each document as a text; see `Kernel`."""
        if self.config.fit_on == "collection":
            self._collection = self._model([list(chain.from_iterable(document.terms)) for document in documents])

    def __call__(self, document: Document) -> Head:
        """Find the document's dominant topics; see `Kernel`.

        Raises:
            PresetError: If the topic model should be fitted on a collection, and there is none.
        """
        columns, kernel = self._dominant(document)
        stem, config = document.stem, self.config

        def head(sentences: Sequence[Words]) -> Values:
            if not columns:
                return np.ones(len(sentences))
            counts = count_matrix([[stem(word) for word in sentence] for sentence in sentences], columns)
            divergences = _divergences(counts, kernel, config.divergence)
            return to_values(divergences, np.diff(counts.indptr) > 0, config.score)

        return head

    def _dominant(self, document: Document) -> _Fitted:
        if self.config.fit_on == "document":
            columns, model = self._model(document.terms)
        elif self._collection is not None:
            columns, model = self._collection
            model = model.of(count_matrix([list(chain.from_iterable(document.terms))], columns))
        else:
            raise PresetError(
                "magnifier.kernels.topics.fit_on = 'collection' needs a collection: nutgraf evaluate and tune fit a "
                "system with --fit or --part."
            )
        kernel = smooth(model.dominant(self.config.top)) if columns else np.zeros((0, 0))
        return _Fitted(columns, shuffled(kernel, self.config.shuffle_seed))

    def _model(self, texts: Sequence[Sequence[str]]) -> tuple[dict[str, int], TopicModel]:
        """Columns of the most frequent terms, and a topic model over them."""
        counts = Counter(chain.from_iterable(texts))
        frequent = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: self.config.vocab_size]
        columns = {term: column for column, (term, _) in enumerate(frequent)}
        return columns, lda(count_matrix(texts, columns), self.config.topics, self.config.passes, self.config.seed)


def _divergences(counts: Rows, kernel: Values, divergence: Divergence, block: int = 8192) -> Values:
    """Mean divergences by blocks of sentences, so that a book needs no more memory than an article."""
    pieces = [
        mean_divergence(smooth(counts.between(start, start + block).toarray()), kernel, divergence)
        for start in range(0, counts.shape[0], block)
    ]
    return np.concatenate(pieces) if pieces else np.zeros(0)
