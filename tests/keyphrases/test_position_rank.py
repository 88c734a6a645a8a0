"""PositionRank, on sentences small enough to solve by hand."""

import pytest
from hand_tagged import tagged

from nutgraf.keyphrases import extractor_of
from nutgraf.keyphrases.position_rank import PositionRank


def scores(text: str, **options) -> dict[str, float]:
    phrases = PositionRank(PositionRank.Config(tolerance=1e-12, **options)).rank(tagged(text))
    return {phrase.text: phrase.score for phrase in phrases}


def test_eq_5_two_words_recommend_each_other_but_the_first_counts_for_more():
    # positions 1 and 3: p = (3/4, 1/4); each word's only edge leads to the other, so
    # mill = 0.15·3/4 + 0.85·river and river = 0.15·1/4 + 0.85·mill
    found = scores("mill/N the river/N")
    mill = (0.15 * 3 / 4 + 0.85 * 0.15 / 4) / (1 - 0.85**2)
    river = 0.15 / 4 + 0.85 * mill
    assert found["mill"] / found["river"] == pytest.approx(mill / river)


def test_every_occurrence_adds_to_the_position_whatever_its_tag():
    # river stands at 1 and 5, mill at 3: 1 + 1/5 against 1/3
    found = scores("river/N the mill/N the river")
    bias = (1.2 / (1.2 + 1 / 3), (1 / 3) / (1.2 + 1 / 3))
    river = (0.15 * bias[0] + 0.85 * 0.15 * bias[1]) / (1 - 0.85**2)
    assert found["river"] / found["mill"] == pytest.approx(river / (1 - river))


def test_a_phrase_scores_the_sum_of_its_words():
    alone = scores("old/A mill/N the wheel/N", ngram_range=(1, 1))
    together = scores("old/A mill/N the wheel/N")
    assert list(alone) == ["wheel"]
    assert list(together) == ["old mill", "wheel"]
    # p = (1, 1/2, 1/4) / (7/4), all three neighbours once: x = 0.15 p + 0.425 (1 - x), so x = (0.15 p + 0.425) / 1.425
    old, mill, wheel = ((0.15 * share / 1.75 + 0.425) / 1.425 for share in (1, 0.5, 0.25))
    assert together["old mill"] / together["wheel"] == pytest.approx((old + mill) / wheel)


def test_what_stands_often_weighs_more():
    # river stands four times: 4 ** 0.5 is 2
    text = "mill/N the river/N the river/N the river/N the river/N"
    paper, ours = scores(text), scores(text, frequency=0.5)
    assert ours["river"] / ours["mill"] == pytest.approx(2 * paper["river"] / paper["mill"])


def test_the_extractor_is_the_papers_and_phrases_are_ours():
    assert PositionRank.Config().frequency == 0
    assert extractor_of("position_rank").config.frequency > 0
    assert extractor_of("position_rank", frequency=0).config.frequency == 0


def test_words_beyond_the_window_do_not_meet():
    apart = scores("mill/N " + "the " * 9 + "river/N", window=10)
    near = scores("mill/N " + "the " * 9 + "river/N", window=11)
    assert apart["mill"] / apart["river"] == pytest.approx(11)
    assert near["mill"] / near["river"] < 2


def test_early_outranks_late():
    filler = " ".join(["the"] * 30)
    assert list(scores(f"grey/A mill/N {filler} old/A river/N")) == ["grey mill", "old river"]
    assert list(scores(f"old/A river/N {filler} grey/A mill/N")) == ["old river", "grey mill"]


def test_a_long_noun_phrase_is_dropped_or_trimmed():
    assert scores("old/A grey/A mill/N wheel/N") == {}
    assert list(scores("old/A grey/A mill/N wheel/N", overlong="trim")) == ["grey mill wheel"]


def test_phrases_stop_at_the_end_of_a_sentence():
    assert set(scores("old/A mill/N\nriver/N wheel/N")) == {"old mill", "river wheel"}


def test_places_inside_longer_phrases_count_too():
    phrases = PositionRank().rank(tagged("mill/N wheel/N\nold/A grey/A mill/N wheel/N"))
    assert [(phrase.text, phrase.spans) for phrase in phrases] == [("mill wheel", ((0, 10), (20, 30)))]


def test_stems_are_merged_if_asked():
    tokens = tagged("old/A mill/N turned two old/A mills/N turned")
    lower = PositionRank(PositionRank.Config(merge_variants=False)).rank(tokens)
    stems = PositionRank(PositionRank.Config(normalization="stem", merge_variants=False)).rank(tokens)
    assert {phrase.text for phrase in lower} == {"old mill", "old mills"}
    assert [(phrase.text, len(phrase.spans)) for phrase in stems] == [("old mill", 2)]


def test_positions_restart_with_each_document_if_asked():
    tokens = tagged("rivers/N rise\nmills/N stop")
    running = PositionRank().rank(tokens)
    restarted = PositionRank(PositionRank.Config(restart_per_document=True)).rank(tokens)
    assert running[0].score > running[1].score
    assert [phrase.text for phrase in restarted] == ["rivers", "mills"]
    assert restarted[0].score == pytest.approx(restarted[1].score)
