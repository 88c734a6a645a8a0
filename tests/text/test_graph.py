"""Co-occurrence and PageRank, with numbers done by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from nutgraf.text.graph import co_occurrences, pagerank, undirected_pagerank


def test_words_nearer_than_the_window_are_neighbours():
    # positions 0 1 4: with a window of 4 only 0-1 (1 apart) and 1-4 (3 apart) are near enough
    counts = co_occurrences(np.array([0, 1, 2]), np.array([0, 1, 4]), window=4, size=3).toarray()
    assert counts.tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


def test_repeated_neighbours_are_counted_and_nobody_is_his_own():
    # a b a: a-b twice, a-a not at all
    counts = co_occurrences(np.array([0, 1, 0]), np.array([0, 1, 2]), window=3, size=2).toarray()
    assert counts.tolist() == [[0, 2], [2, 0]]


def test_nobody_near_anybody():
    assert co_occurrences(np.array([0, 1]), np.array([0, 50]), window=10, size=2).counts.size == 0


@given(st.lists(st.integers(0, 4), max_size=31), st.integers(2, 7), st.integers(0, 2**32 - 1))
def test_co_occurrences_are_those_of_two_plain_loops(nodes, window, seed):
    positions = np.cumsum(np.random.default_rng(seed).integers(1, 4, len(nodes)))
    plain = np.zeros((5, 5))
    for one in range(len(nodes)):
        for other in range(len(nodes)):
            near = 0 < abs(positions[one] - positions[other]) < window
            plain[nodes[one], nodes[other]] += near and nodes[one] != nodes[other]
    counts = co_occurrences(np.array(nodes, dtype=int), positions, window, size=5)
    assert counts.toarray().tolist() == plain.tolist()


def test_pagerank_of_a_star_solves_its_equations():
    # centre c, three leaves l: c = 0.15/4 + 0.85·3l and l = 0.15/4 + 0.85·c/3
    star = np.zeros((4, 4))
    star[0, 1:] = star[1:, 0] = 1
    centre = (0.0375 + 0.85 * 3 * 0.0375) / (1 - 0.85**2)
    leaf = 0.0375 + 0.85 * centre / 3
    assert pagerank(star, tolerance=1e-12) == pytest.approx([centre, leaf, leaf, leaf])


def test_pagerank_follows_the_direction_of_edges():
    onward = np.array([[0.0, 1.0], [0.0, 0.0]])
    first, second = pagerank(onward, tolerance=1e-12)
    # the second leads nowhere, so it begins anew: first = 0.075 + 0.85·second/2, second = first + 0.85·first
    assert (first, second) == pytest.approx((1 / 2.85, 1.85 / 2.85))


def test_a_teleport_vector_of_ones_own():
    # without edges the walk only ever begins anew
    assert pagerank(np.zeros((3, 3)), np.array([2.0, 3.0, 5.0])) == pytest.approx([0.2, 0.3, 0.5])


def test_without_damping_only_the_teleport_counts():
    assert pagerank(np.ones((2, 2)), np.array([1.0, 3.0]), damping=0.0) == pytest.approx([0.25, 0.75])


def test_an_empty_graph_and_a_damping_that_never_ends():
    assert pagerank(np.zeros((0, 0))).size == 0
    with pytest.raises(ValueError, match="damping"):
        pagerank(np.ones((2, 2)), damping=1.0)


@given(st.integers(1, 13), st.integers(0, 2**32 - 1), st.floats(0, 0.97))
def test_pagerank_is_the_solution_of_a_linear_system(size, seed, damping):
    draw = np.random.default_rng(seed)
    weights = draw.random((size, size)) * (draw.random((size, size)) < 0.4)
    teleport = draw.random(size) + 0.01
    teleport /= teleport.sum()
    degrees = weights.sum(axis=1, keepdims=True)
    steps = np.where(degrees > 0, weights / np.where(degrees > 0, degrees, 1), teleport)
    solved = np.linalg.solve(np.eye(size) - damping * steps.T, (1 - damping) * teleport)
    assert pagerank(weights, teleport, damping, 1e-12) == pytest.approx(solved, abs=1e-9)
    assert pagerank(sparse.csr_array(weights), teleport, damping, 1e-12) == pytest.approx(solved, abs=1e-9)


@given(st.integers(0, 23), st.integers(0, 2**32 - 1), st.floats(0, 0.97))
def test_an_undirected_walk_is_the_same_walk(size, seed, damping):
    draw = np.random.default_rng(seed)
    weights = draw.random((size, size)) * (draw.random((size, size)) < 0.2)
    weights += weights.T
    teleport = draw.random(size) + 0.01
    plain = pagerank(weights, teleport, damping, 1e-12)
    assert undirected_pagerank(weights, teleport, damping, 1e-12) == pytest.approx(plain, abs=1e-9)
    assert undirected_pagerank(sparse.csr_array(weights), teleport, damping, 1e-12) == pytest.approx(plain, abs=1e-9)
    coarse = undirected_pagerank(weights, teleport, damping, 1e-4)
    assert np.abs(coarse - plain).sum() <= 2e-4 / (1 - damping)
