"""TopicRank: clusters and gaps by hand."""

import numpy as np
import pytest
from hand_tagged import tagged
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist

from nutgraf.keyphrases import _topics as topics_module
from nutgraf.keyphrases._topics import cluster, jaccard_distances, nearness
from nutgraf.keyphrases.topic_rank import TopicRank


def test_singular_and_plural_are_one_topic_named_by_the_first():
    tokens = tagged("Neural/A networks/N learn\na neural/A network/N needs examples/N\nneural/A networks/N rest")
    phrases = TopicRank().rank(tokens)
    assert [(phrase.text, len(phrase.spans)) for phrase in phrases] == [("Neural networks", 3), ("examples", 1)]


def test_jaccard_distance_of_sets_of_stems():
    forms = [("neural", "network"), ("deep", "neural", "network"), ("mill",), ("mill", "mill")]
    row, column, distances = jaccard_distances(forms)
    # 0-1: 2 of 3 stems shared; 2-3: the same set; all others share nothing
    assert dict(zip(zip(row.tolist(), column.tolist(), strict=True), distances, strict=True)) == pytest.approx(
        {(0, 1): 1 / 3, (2, 3): 0.0}
    )


@given(st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=5), min_size=2, max_size=23))
def test_topics_are_those_of_scipy_on_all_pairs(lists):
    forms = sorted({tuple(stems) for stems in lists})
    bags = np.array([[stem in form for stem in "abcdefg"] for form in forms])
    if len(forms) > 1:
        whole = fcluster(linkage(pdist(bags, "jaccard"), method="average"), t=0.74, criterion="distance")
        ours = cluster(forms, TopicRank.Config())
        assert len(set(zip(whole.tolist(), ours.tolist(), strict=True))) == len(set(whole)) == len(set(ours.tolist()))


def test_nearness_is_the_sum_of_inverse_gaps():
    # topic 0 stands at tokens 0-1 and 7, topic 1 at 2-4: gaps 1 (neighbours) and 3
    weights = nearness([[(0, 2), (7, 8)], [(2, 5)]], np.array([0, 1]))
    assert weights == pytest.approx(np.array([[0, 1 + 1 / 3], [1 + 1 / 3, 0]]))


def test_nearness_by_tiles_is_the_same(monkeypatch):
    draw = np.random.default_rng(7)
    begins = np.cumsum(draw.integers(3, 9, 53))
    places = [[] for _ in range(17)]
    for begin in begins.tolist():
        places[draw.integers(17)].append((begin, begin + int(draw.integers(1, 4))))
    places = [spans for spans in places if spans]
    topics = np.arange(len(places)) % 5
    whole = nearness(places, topics)
    monkeypatch.setattr(topics_module, "_TILE", 7)
    assert nearness(places, topics) == pytest.approx(whole)
    assert whole == pytest.approx(whole.T)


def test_a_topic_speaks_through_the_first_candidate_that_the_limits_allow():
    tokens = tagged("networks/N fail\nneural/A networks/N fail\nships/N sink")
    assert [phrase.text for phrase in TopicRank().rank(tokens)] == ["networks", "ships"]
    found = TopicRank(TopicRank.Config(ngram_range=(2, 3))).rank(tokens)
    assert [phrase.text for phrase in found] == ["neural networks"]


def test_the_most_frequent_candidate_speaks_if_asked():
    tokens = tagged("grey/A harbours/N close\nharbours/N open\nharbours/N close\nships/N sink")
    frequent = TopicRank(TopicRank.Config(heuristic="frequent")).rank(tokens)
    assert [phrase.text for phrase in TopicRank().rank(tokens)] == ["grey harbours", "ships"]
    assert [phrase.text for phrase in frequent] == ["harbours", "ships"]


def test_candidates_of_six_words_form_no_topic():
    assert TopicRank(TopicRank.Config(ngram_range=(1, 7))).rank(tagged("aa/N bb/N cc/N dd/N ee/N ff/N")) == []


def test_stop_words_lone_letters_and_odd_signs_bar_a_candidate():
    barred = {"a", "own", "x_y", "ab/c"}
    assert {word for word in [*barred, "mill", "well-known"] if topics_module._bars(word, frozenset({"own"}))} == barred


def test_only_the_most_frequent_candidates_take_part_in_a_very_long_text():
    tokens = tagged("rivers/N rise\nmills/N turn\nmills/N stop\nboats/N sink")
    assert [phrase.text for phrase in TopicRank(TopicRank.Config(max_candidates=1)).rank(tokens)] == ["mills"]
