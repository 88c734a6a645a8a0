"""Notices about documents that hardly belong into one summary: of several subjects, or in several languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scipy import sparse

from nutgraf.text.document import Document
from nutgraf.text.recognition import recognize
from nutgraf.text.vectors import count_matrix, normalize_rows, term_columns

LEAST_LIKENESS = 0.1
"""Mean cosine of the content words of documents below which they are of several subjects: so have 90 % of unrelated
pairs of news articles, and 7 % of the clusters of Multi-News."""

FEWEST_TERMS = 30
"""Number of content words from which documents are compared."""


def notices_together(document: Document) -> Iterator[str]:
    """Yield what is odd about several documents that are summarized as one."""
    if len(document.parts) < 2:
        return
    languages = Counter(recognize(document.text[part.start : part.end]) for part in document.parts)
    del languages[None]
    if len(languages) > 1:
        told = ", ".join(f"{count} in {language!r}" for language, count in languages.most_common())
        yield f"The documents are in several languages ({told}); only those in {document.language!r} are read well."
    elif (likeness(document) or 1.0) < LEAST_LIKENESS:
        yield (
            f"The {len(document.parts)} documents share few words. If they are not about one subject, summarize each "
            "by itself (--each)."
        )


def likeness(document: Document) -> float | None:
    """Mean cosine of the counts of content words in each pair of documents; None for documents too short to tell."""
    terms: list[list[str]] = [[] for _ in document.parts]
    for sentence, said in zip(document.sentences, document.terms, strict=True):
        terms[document.part_of(sentence.start)].extend(said)
    if min(map(len, terms)) < FEWEST_TERMS:
        return None
    rows = normalize_rows(count_matrix(terms, term_columns(terms)))
    total = sparse.csr_matrix(rows.sum(axis=0))
    count = len(terms)
    return float(total.multiply(total).sum() - count) / (count * (count - 1))
