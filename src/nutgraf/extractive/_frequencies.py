"""Rankers that count the documents with each term: those of a collection or, without one, sentences of the input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from nutgraf.extractive import SentenceRanker
from nutgraf.text.counts import term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import document_frequencies


class FrequencyRanker(SentenceRanker):
    """Ranks by document frequencies; until fitted to a collection, the sentences of the input count as documents."""

    _fitted: tuple[int, Mapping[str, int]] | None = None

    def fit(self, documents: Iterable[Document]) -> None:
        """Count a collection; an empty one changes nothing."""
        total, frequencies = document_frequencies(document.terms for document in documents)
        self._fitted = (total, frequencies) if total else None

    def frequencies(self, document: Document) -> tuple[int, Mapping[str, int]]:
        """Return N, the number of documents, and df of each term."""
        if self._fitted:
            return self._fitted
        counts = term_counts(document)
        held = np.bincount(counts.matrix.indices, minlength=len(counts.columns)).tolist()
        return len(document.sentences), dict(zip(counts.columns, held, strict=True))
