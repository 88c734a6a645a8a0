"""HipoRank and PacSum: votes have a direction. By hand on three sentences of which neighbours share a word."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.extractive import pacsum, sentence_rankers
from nutgraf.text.document import Document, Section, join
from nutgraf.text.vectors import count_matrix, products_below, products_with_earlier, term_columns

PATH = "Red fox. Red bird. Blue bird."
SHARED, LONE = math.log(2.5), math.log(4)  # idf of a word in two of three sentences, in one
COSINE = SHARED / (math.sqrt(2) * math.hypot(SHARED, LONE))
PRODUCT = SHARED**2


def ratings_of(kind, document, **options):
    return sentence_rankers.make(kind, **options).rank(document).ratings


class TestHipoRank:
    def test_in_a_section_votes_from_farther_inside_count(self):
        """Both border sentences have one vote of the middle; the middle's two votes come from nearer to a border."""
        ratings = ratings_of("hipo_rank", Document.of(PATH), mu=0, lambda1=0.2)
        assert ratings == pytest.approx([COSINE / 2, 0.2 * COSINE, COSINE / 2])

    def test_alpha_0_makes_the_whole_text_a_border(self):
        ratings = ratings_of("hipo_rank", Document.of(PATH), mu=0, alpha=0)
        assert ratings == pytest.approx([COSINE / 2, COSINE, COSINE / 2])

    def test_sections_vote_on_sentences(self):
        """Three sections of one sentence each: the own section has cosine 1, and is as near as itself."""
        document = Document.of(PATH, sections=[Section("a", 0, 8), Section("b", 9, 18), Section("c", 19, 29)])
        ratings = ratings_of("hipo_rank", document, mu=0.5, lambda1=0.2)
        border = 0.5 * (1 + COSINE) / 3
        assert ratings == pytest.approx([border, 0.5 * (1 + 0.2 * 2 * COSINE) / 3, border])

    def test_each_document_has_its_own_borders(self):
        parts = [Document.of(PATH), Document.of("Green frog. Green newt. Grey newt.")]
        alone, joined = ratings_of("hipo_rank", parts[0], mu=0), ratings_of("hipo_rank", join(parts), mu=0)
        assert joined[:3] == pytest.approx(joined[3:])
        assert np.argsort(-joined[:3], kind="stable").tolist() == np.argsort(-alone, kind="stable").tolist()


class TestPacsum:
    def test_eq_4_similarity_to_what_follows_counts_for_and_to_what_precedes_against(self):
        assert ratings_of("pacsum", Document.of(PATH)) == pytest.approx([0.7 * PRODUCT, 0.4 * PRODUCT, -0.3 * PRODUCT])

    def test_eq_9_a_threshold_halfway_to_the_largest_similarity(self):
        """Products are 2p, p and 0; above the threshold p stays p of the first."""
        ratings = ratings_of("pacsum", Document.of("Red fox. Red fox bird. Blue bird."), beta=0.5)
        assert ratings == pytest.approx([0.7 * PRODUCT, -0.3 * PRODUCT, 0])

    def test_where_all_share_a_word_the_smallest_similarity_is_not_0(self):
        """Products are a + p, a, a: the threshold for 0.5 is a + p/2."""
        ratings = ratings_of("pacsum", Document.of("Red fox. Red fox. Red bird."), beta=0.5)
        assert ratings == pytest.approx([0.35 * PRODUCT, -0.15 * PRODUCT, 0])

    def test_first_sentences_of_all_documents_precede_the_second_ones(self):
        document = join([Document.of("Green frog. Red fox."), Document.of("Red bird.")])
        assert ratings_of("pacsum", document) == pytest.approx([0, -0.3 * PRODUCT, 0.7 * PRODUCT])


words = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=4), min_size=1, max_size=13)


@given(words, words, st.data())
def test_sums_below_a_key_are_those_of_all_pairs(lines, others, data):
    columns = term_columns([*lines, *others])
    rows, more = count_matrix(lines, columns), count_matrix(others, columns)
    keys, other_keys = (
        np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(one), max_size=len(one))), dtype=float)
        for one in (lines, others)
    )
    pairs = (rows.toarray() @ more.toarray().T) * (other_keys[None, :] < keys[:, None])
    assert products_below(rows, keys, more, other_keys) == pytest.approx(pairs.sum(axis=1))
    earlier = np.tril(rows.toarray() @ rows.toarray().T, -1)
    assert products_with_earlier(rows) == pytest.approx(earlier.sum(axis=1))


@given(words, st.sampled_from([0.0, 0.25, 0.6]))
def test_pacsum_by_blocks_of_three_is_the_same(lines, beta):
    vectors = count_matrix(lines, term_columns(lines))
    products = vectors.toarray() @ vectors.toarray().T
    apart = products[~np.eye(len(lines), dtype=bool)]
    threshold = apart.min() + beta * (apart.max() - apart.min()) if apart.size and beta else 0.0
    edges = np.maximum(products - threshold, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pacsum, "BLOCK", 3)
        earlier, later = pacsum._directed_sums(vectors, beta)
    assert earlier == pytest.approx(np.tril(edges, -1).sum(axis=1))
    assert later == pytest.approx(np.triu(edges, 1).sum(axis=1))
