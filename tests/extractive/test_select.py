"""From a ranking to a selection."""

import numpy as np
import pytest

from nutgraf.errors import BudgetError, PresetError
from nutgraf.extractive import Limits, PartialSummary, Ranking
from nutgraf.extractive.selection import Config, natural_length, select
from nutgraf.presets import configure
from nutgraf.text.document import Document, join

# 5, 3, 2, 4 words
DOCUMENT = Document.of("Ada wrote two long letters. Bob read them. Cy slept. Dan ran all day.")
BEST_LAST = Ranking((3, 0, 2, 1), np.array([0.3, 0.1, 0.2, 0.4]))


def chosen(config=None, document=DOCUMENT, ranking=BEST_LAST, **how):
    return select(ranking, document, config or Config(), **how).indices


def test_ranking_by_rating_keeps_the_order_of_equals():
    assert Ranking.by(np.array([1.0, 3.0, 1.0, 3.0])).order == (1, 3, 0, 2)


def test_so_many_sentences_in_the_documents_order():
    assert chosen() == [0, 2, 3]
    assert chosen(sentences=1) == [3]
    assert chosen(sentences=9) == [0, 1, 2, 3]
    assert chosen(Config(num_sentences=2)) == [0, 3]


def test_or_in_the_order_of_their_ranks():
    assert chosen(Config(order="rank")) == [3, 0, 2]


@pytest.mark.parametrize(("words", "selected"), [(14, [0, 1, 2, 3]), (9, [0, 3]), (8, [2, 3])])
def test_a_sentence_that_does_not_fit_is_passed_over(words, selected):
    assert chosen(words=words) == selected


def test_where_nothing_fits_the_smallest_that_would_is_told():
    with pytest.raises(BudgetError, match="1 word: the shortest") as caught:
        chosen(words=1)
    assert caught.value.smallest == 2


def test_a_share_of_less_than_a_word_is_told():
    with pytest.raises(BudgetError, match=r"2.*2 words"):
        chosen(words=0)


def test_the_natural_length_is_reached_and_not_kept_below():
    assert chosen(natural_words=4) == [3]
    assert chosen(natural_words=5) == [0, 3]


def test_natural_length_is_learned_or_a_share_of_the_input():
    assert natural_length(DOCUMENT, Config(share=0.5), None) == 7
    assert natural_length(DOCUMENT, Config(share=0.5), 30) == 30
    assert natural_length(DOCUMENT, Config(share=0.01), None) == 1
    assert natural_length(DOCUMENT, Config(), 30) is None


def test_sentences_of_several_documents_stand_in_the_order_of_their_publication():
    ranking = Ranking((0, 1, 2), np.zeros(3))
    for dates, expected in (
        (("2024-05-03", "2024-05-01T10:00:00+02:00"), [2, 0, 1]),
        (("2024-05-03", "yesterday"), [0, 1, 2]),
        (("2024-05-03", ""), [0, 1, 2]),
    ):
        texts = ("Ada wrote letters. Bob read them.", "Cy slept.")
        parts = [Document.of(text, published=date) for text, date in zip(texts, dates, strict=True)]
        assert select(ranking, join(parts), Config(), words=100).indices == expected


def test_headings_are_left_out():
    document = Document.of("The harbour\n\nAda wrote letters. Bob read them.\n\nThe quay\n\nCy slept.")
    ranking = Ranking((0, 3, 1, 2, 4), np.zeros(5))
    assert [document.printed[index] for index in select(ranking, document, Config(), words=100).indices] == [
        "Ada wrote letters.",
        "Bob read them.",
        "Cy slept.",
    ]


def test_or_the_best_is_taken_all_the_same():
    assert chosen(Config(at_least_one=True), words=1) == [3]
    assert chosen(Config(at_least_one=True), words=2) == [2]


def test_where_nothing_ends_with_a_mark_headings_are_all_there_is():
    document = Document.of("The harbour\n\nThe quay\n\nThe tug")
    assert select(Ranking((0, 1, 2), np.zeros(3)), document, Config(num_sentences=2)).indices == [0, 1]


def test_what_repeats_is_left_out():
    document = Document.of("Red fox. The red fox. Red bird. Green frog.")
    ranking = Ranking((0, 1, 2, 3), np.zeros(4))
    assert select(ranking, document, Config(redundancy_threshold=0.99), words=100).indices == [0, 2, 3]
    assert select(ranking, document, Config(redundancy_threshold=0.2), words=100).indices == [0, 3]
    assert select(ranking, document, Config(), words=100).indices == [0, 1, 2, 3]


def test_three_words_in_a_row_are_said_once():
    document = Document.of("The red fox ran. I saw the red fox. The red bird ran. The fox ran.")
    ranking = Ranking((0, 1, 2, 3), np.zeros(4))
    assert select(ranking, document, Config(block_trigrams=True, standalone=False), words=100).indices == [0, 2, 3]


def test_no_sentence_at_all_is_told():
    with pytest.raises(BudgetError):
        select(Ranking((), np.zeros(0)), Document.of(""), Config())


@pytest.mark.parametrize("options", [{"num_sentences": 0}, {"share": -0.1}, {"share": 1.1}, {"mmr_lambda": 1.1}])
def test_impossible_options_are_refused(options):
    with pytest.raises(PresetError, match=next(iter(options))):
        configure(Config, options, "selection")


class TestMarginalRelevance:
    """Carbonell and Goldstein: λ·rating − (1 − λ)·cosine; ratings 1, 0.75, 0.25 and 0 after scaling."""

    DOCUMENT = Document.of("Red fox. The red fox. Blue bird. Green frog.")
    RANKING = Ranking((0, 1, 2, 3), np.array([6.0, 5.0, 3.0, 2.0]))

    def chosen(self, weight, ranking=RANKING, **how):
        return select(ranking, self.DOCUMENT, Config(rule="mmr", mmr_lambda=weight, order="rank"), **how).indices

    def test_an_equal_sentence_costs_its_cosine(self):
        """After the first, the second is worth 0.75·λ − (1 − λ), the third 0.25·λ: equal at λ = 2/3."""
        assert self.chosen(0.66, sentences=2) == [0, 2]
        assert self.chosen(0.67, sentences=2) == [0, 1]
        assert self.chosen(1, sentences=4) == [0, 1, 2, 3]
        assert self.chosen(0, sentences=3) == [0, 2, 3]

    def test_a_budget_in_words_is_kept(self):
        assert self.chosen(0.5, words=5) == [0, 2]
        assert self.chosen(0.5, words=8) == [0, 2, 3]
        assert self.chosen(0.5, words=9) == [0, 2, 3, 1]

    def test_what_a_ranking_leaves_out_is_never_taken(self):
        assert self.chosen(0.5, Ranking((1, 3), self.RANKING.ratings), sentences=4) == [1, 3]


class TestPartialSummary:
    def test_open_is_what_is_untried_and_short_enough_and_taken_is_prose(self):
        summary = PartialSummary(
            Document.of("News\n\nAda wrote letters. Bob read them all. Cy slept."), Limits(words=6)
        )
        assert not summary.add(0)
        assert summary.candidates().tolist() == [False, True, True, True]
        assert summary.add(2)
        assert summary.candidates().tolist() == [False, False, False, True]
        assert not summary.add(1)
        assert not summary.add(2)
        assert summary.add(3)
        assert (summary.selected, summary.length) == ([2, 3], 6)

    def test_nothing_is_open_when_the_length_is_reached(self):
        for limits in (Limits(sentences=1), Limits(natural_words=2)):
            summary = PartialSummary(DOCUMENT, limits)
            assert summary.add(2)
            assert summary.full
            assert not summary.candidates().any()
            assert not summary.add(0)
            assert summary.empty_copy().candidates().all()

    def test_a_repetition_is_refused_once_and_for_all(self):
        document = Document.of("Red fox. The red fox. Red bird.")
        summary = PartialSummary(document, Limits(redundancy_threshold=0.99))
        assert [summary.add(index) for index in range(3)] == [(0,), (), (2,)]
        assert not summary.candidates().any()
