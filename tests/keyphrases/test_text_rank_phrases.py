"""TextRank for phrases: keywords, and what they become side by side."""

import pytest
from hand_tagged import tagged

from nutgraf.errors import PresetError
from nutgraf.keyphrases import extractors
from nutgraf.keyphrases.text_rank import TextRank

# The filtered words: mills rivers | mills boats | mills | old swans. Neighbours in a window of two, across sentences:
# mills-rivers, mills-boats, mills-old, old-swans.
TOKENS = tagged("mills/N and rivers/N\nmills/N boats/N\nmills/N turn\nold/A swans/N")


def ranked(**options):
    phrases = TextRank(TextRank.Config(tolerance=1e-12, **options)).rank(TOKENS)
    return {phrase.text: phrase.score for phrase in phrases}


def test_edges_are_not_weighted_and_a_phrase_is_the_sum_of_its_words():
    # m = mills (3 edges), o = old (2), s = swans, r = rivers, b = boats (1 each), five words:
    # m = .03 + .85(r + b + o/2), o = .03 + .85(m/3 + s), s = .03 + .85 o/2, r = b = .03 + .85 m/3
    m, o = _solve()
    leaf, swans = 0.03 + 0.85 * m / 3, 0.03 + 0.85 * o / 2
    found = ranked(top_share=1.0)
    assert list(found) == ["mills boats", "old swans", "mills", "rivers"]
    assert found["mills"] / found["rivers"] == pytest.approx(m / leaf)
    assert found["mills boats"] / found["mills"] == pytest.approx((m + leaf) / m)
    assert found["old swans"] / found["mills"] == pytest.approx((o + swans) / m)


def _solve():
    # m (1 - 2·.85²/3) - o·.85/2 = .03 + 2·.85·.03 and -m·.85/3 + o (1 - .85²/2) = .03 + .85·.03
    a, b, c, d = 1 - 2 * 0.85**2 / 3, -0.85 / 2, -0.85 / 3, 1 - 0.85**2 / 2
    first, second = 0.03 + 1.7 * 0.03, 0.03 + 0.85 * 0.03
    return (first * d - b * second) / (a * d - b * c), (a * second - c * first) / (a * d - b * c)


def test_only_the_best_words_form_phrases():
    # a third of five words is one, two fifths are two: mills and old
    assert list(ranked(top_share=1 / 3)) == ["mills"]
    assert set(ranked(top_share=0.4)) == {"mills", "old"}


def test_a_wider_window_makes_more_neighbours():
    assert ranked(top_share=1.0, window=7)["rivers"] / ranked(top_share=1.0)["rivers"] > 1.1


@pytest.mark.parametrize("top_share", [0.0, 1.5])
def test_a_share_of_words_is_a_share(top_share):
    with pytest.raises(PresetError, match="top_share"):
        extractors.make("text_rank", top_share=top_share)
