"""Words and terms of a document as numbers, by hand."""

from __future__ import annotations

import numpy as np

from nutgraf.text.counts import numbered_words, term_counts
from nutgraf.text.document import Document
from nutgraf.text.vectors import count_matrix

DOCUMENT = Document.of("The ferry left. The ferries and the ferry came back.", language="en")


def test_words_are_numbered_in_order_of_first_occurrence() -> None:
    found = numbered_words(DOCUMENT)
    assert list(found.words) == ["the", "ferry", "left", "ferries", "and", "came", "back"]
    assert found.numbers.tolist() == [0, 1, 2, 0, 3, 4, 0, 1, 5, 6]
    assert found.sentence_of.tolist() == [0] * 3 + [1] * 7


def test_terms_are_counted_in_each_sentence() -> None:
    found = term_counts(DOCUMENT)
    assert found.matrix.toarray().tolist() == count_matrix(DOCUMENT.terms, found.columns).toarray().tolist()
    assert found.matrix.toarray()[:, found.columns["ferri"]].tolist() == [1, 2]
    assert term_counts(DOCUMENT) is found


def test_a_matrix_of_rows_multiplies_and_is_cut_as_that_of_scipy_is() -> None:
    rows = count_matrix([["a", "b", "a"], [], ["b", "c"]], {"a": 0, "b": 1, "c": 2})
    vector = np.array([2.0, 3.0, 5.0])
    assert rows.toarray().tolist() == [[2, 1, 0], [0, 0, 0], [0, 1, 1]]
    assert (rows @ vector).tolist() == (rows.scipy @ vector).tolist() == [7, 0, 8]
    assert rows.column_sums().tolist() == [2, 2, 1]
    assert rows.between(1, 7).toarray().tolist() == [[0, 0, 0], [0, 1, 1]]
