"""Relevance of sentences to a question: what a person asks of a text, in any words.

A sentence is as relevant as its tf-idf cosine with the question, and half and a quarter as much of that of the
sentences one and two places away, since an answer often stands beside the words of the question.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from nutgraf.text.document import Document
from nutgraf.text.tokenize import words
from nutgraf.text.vectors import Array, SentenceSpace

REACH = 2
"""Number of sentences on each side that count."""


def question_terms(document: Document, question: str) -> list[str]:
    """Content words of a question that occur in a document, lowercased, each once."""
    occurring = {term for sentence in document.terms for term in sentence}
    found = []
    for word in dict.fromkeys(words(question, document.language)):
        (terms,) = document.terms_of([[word]])
        if terms and terms[0] in occurring:
            found.append(word)
    return found


def relevance(document: Document, question: str) -> Array:
    """Relevance of each sentence, from 0 to 1 for the most relevant one; all zero if no word of the question occurs."""
    space = SentenceSpace(document.terms)
    asked = space.embed(document.terms_of([words(question, document.language)]))
    cosines = sparse.csr_matrix(space.vectors @ asked.T).toarray().ravel()
    found = np.zeros(len(cosines))
    for distance in range(-REACH, REACH + 1):
        shifted = np.roll(cosines, distance)
        if distance > 0:
            shifted[:distance] = 0.0
        elif distance < 0:
            shifted[distance:] = 0.0
        found += 0.5 ** abs(distance) * shifted
    largest = float(found.max()) if found.size else 0.0
    return np.asarray(found / largest) if largest > 0 else found
