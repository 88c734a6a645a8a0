"""Document frequencies of a collection or, without one, of the sentences of the input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nutgraf.text.document import Document
from nutgraf.text.vectors import document_frequencies


class DocumentFrequencies:
    """Number of documents, and number of documents that contain each term.

    Until fitted to a collection, the sentences of the input count as documents.
    """

    def __init__(self) -> None:
        self._fitted: tuple[int, Mapping[str, int]] | None = None

    def fit(self, documents: Iterable[Document]) -> None:
        """Count a collection; an empty one changes nothing."""
        total, frequencies = document_frequencies(document.terms for document in documents)
        self._fitted = (total, frequencies) if total else None

    def of(self, document: Document) -> tuple[int, Mapping[str, int]]:
        """Return N, and df of each term."""
        return self._fitted or document_frequencies([sentence] for sentence in document.terms)
