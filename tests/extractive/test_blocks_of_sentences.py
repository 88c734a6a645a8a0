"""Long documents are worked off in blocks; where the blocks end changes nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.extractive import Ratings, lex_rank, sentence_rankers, text_rank
from nutgraf.text import graph
from nutgraf.text.document import Document
from nutgraf.text.vectors import count_matrix, normalize_rows, term_columns

WORDS = ("ferry", "harbour", "lantern", "market", "orchard", "quarry", "signal", "tunnel", "violin", "winter", "zither")

sentences = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), min_size=1, max_size=23)


def document_of(lines: list[list[str]]) -> Document:
    return Document.of("\n".join(" ".join(line).capitalize() + "." for line in lines), language="en")


def ratings(kind: str, document: Document) -> Ratings:
    return sentence_rankers.make(kind).rank(document).ratings


@given(sentences)
def test_text_rank_rates_by_blocks_of_three_as_it_does_at_once(lines: list[list[str]]) -> None:
    document = document_of(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_rank, "LEAST", 0.0)  # an edge of less is one between blocks only
        at_once = ratings("text_rank", document)
        patch.setattr(text_rank, "BLOCK", 3)
        patch.setattr(graph, "DENSE", 0)
        assert ratings("text_rank", document) == pytest.approx(at_once, abs=2e-6)  # one is walked, one solved


@given(sentences)
def test_weights_by_blocks_multiply_as_the_matrix_does(lines: list[list[str]]) -> None:
    held = count_matrix(lines, term_columns(lines))
    idf, factors = np.linspace(0.5, 2, held.shape[1]), np.linspace(1, 3, held.shape[0])
    upper = np.triu((held.toarray() * idf) @ held.toarray().T, 1) * factors
    vector = np.linspace(-1, 1, held.shape[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_rank, "BLOCK", 3)
        product = text_rank._Weights(held, idf, factors) @ vector
    assert product == pytest.approx((upper + upper.T) @ vector)


@given(sentences)
def test_weights_of_few_sentences_are_those_of_many(lines: list[list[str]]) -> None:
    held = count_matrix(lines, term_columns(lines))
    idf, factors = np.linspace(0.5, 2, held.shape[1]), np.linspace(1, 3, held.shape[0])
    dense = text_rank._pairs(held, idf, factors)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_rank, "SMALL", 0)
        assert text_rank._pairs(held, idf, factors).toarray() == pytest.approx(dense)


@given(sentences, st.integers(1, 5))
def test_lex_rank_counts_neighbours_and_components_by_blocks(lines: list[list[str]], block: int) -> None:
    vectors = normalize_rows(count_matrix(lines, term_columns(lines)))
    near = vectors.toarray() @ vectors.toarray().T > 0.3
    reached = np.linalg.matrix_power(near.astype(float), len(lines)) > 0
    for degrees, labels in (
        lex_rank._degrees_at_once(vectors, 0.3),
        lex_rank._degrees_by_blocks(vectors.scipy, 0.3, block),
    ):
        assert degrees.tolist() == near.sum(axis=1).tolist()
        assert ((labels[:, None] == labels) == reached).all()


def test_a_sentence_without_terms_is_its_own_neighbour() -> None:
    vectors = count_matrix([["ferry"], [], ["ferry"]], {"ferry": 0})
    degrees, labels = lex_rank._degrees(vectors, 0.03)
    assert degrees.tolist() == [2, 1, 2]
    assert labels[0] == labels[2] != labels[1]
