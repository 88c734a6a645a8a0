"""MultipartiteRank: weights and ranks by hand."""

from math import e

import numpy as np
import pytest
from hand_tagged import tagged

from nutgraf.errors import PresetError
from nutgraf.keyphrases import extractors
from nutgraf.keyphrases.multipartite_rank import MultipartiteRank, multipartite_weights

# "old mill" and "mill" share half of their stems: one topic, "old mill" its first. Each is two tokens from "river".
TOKENS = tagged("old/A mill/N beside river/N saw mill/N")


def test_eq_2_edges_to_the_first_of_a_topic_gain_those_to_its_others():
    weights = multipartite_weights([[(0, 2)], [(3, 4)], [(5, 6)]], np.array([0, 1, 0]), alpha=1.1)
    # river -> old mill: 1/2 + 1.1 · exp(1/1) · 1/2; nothing leads from one to the other within the topic
    assert weights == pytest.approx(np.array([[0, 0.5, 0], [0.5 + 0.55 * e, 0, 0.5], [0, 0.5, 0]]))


def test_a_later_topic_gains_less():
    places, topics = [[(7, 8)], [(9, 10)], [(11, 12)]], np.array([0, 1, 0])
    # gaps of 2 again; the first of the topic stands at token 8 of the text
    assert multipartite_weights(places, topics, 2.0)[1, 0] == pytest.approx(0.5 + 2 * e ** (1 / 8) * 0.5)


def test_without_alpha_the_graph_is_undirected():
    weights = multipartite_weights([[(0, 2)], [(3, 4)], [(5, 6)]], np.array([0, 1, 0]), alpha=0.0)
    assert weights.tolist() == weights.T.tolist()


def test_candidates_are_ranked_by_a_walk_between_topics():
    # From the river the walk goes to "old mill" with a = (1/2 + .55 e) / (1 + .55 e), and to "mill" otherwise; from
    # both back to the river: r = .05 + .85 (.1 + .85 r), old = .05 + .85 a r, mill = .05 + .85 (1 - a) r.
    a = (0.5 + 0.55 * e) / (1 + 0.55 * e)
    r = 0.135 / (1 - 0.85**2)
    found = MultipartiteRank(MultipartiteRank.Config(tolerance=1e-12)).rank(TOKENS)
    scores = {phrase.text: phrase.score for phrase in found}
    assert list(scores) == ["river", "old mill", "mill"]
    assert scores["old mill"] / scores["river"] == pytest.approx((0.05 + 0.85 * a * r) / r)
    assert scores["mill"] / scores["river"] == pytest.approx((0.05 + 0.85 * (1 - a) * r) / r)


def test_a_topic_may_have_several_phrases_unlike_in_topic_rank():
    found = MultipartiteRank().rank(TOKENS)
    assert {phrase.text for phrase in found} >= {"old mill", "mill"}


def test_a_negative_preference_is_refused():
    with pytest.raises(PresetError, match="alpha"):
        extractors.make("multipartite_rank", alpha=-1.0)
