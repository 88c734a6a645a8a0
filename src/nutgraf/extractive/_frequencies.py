"""Document frequencies for methods that weigh words: of a collection, or of the input itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nutgraf.text.document import Document
from nutgraf.text.vectors import document_frequencies


class Frequencies:
    """How many documents there are, and in how many of them each term stands. Until it is fitted to a collection, the
    sentences of the input take the documents' place."""

    def __init__(self) -> None:
        self._fitted: tuple[int, Mapping[str, int]] | None = None

    def fit(self, documents: Iterable[Document]) -> None:
        """Learn from a collection; an empty one teaches nothing."""
        total, frequencies = document_frequencies(document.terms for document in documents)
        self._fitted = (total, frequencies) if total else None

    def of(self, document: Document) -> tuple[int, Mapping[str, int]]:
        """N, and df by term."""
        return self._fitted or document_frequencies([sentence] for sentence in document.terms)
