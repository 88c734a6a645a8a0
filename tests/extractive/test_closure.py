"""Sentences are selected with all that they lean on, or others are."""

import numpy as np
import pytest

import nutgraf
from nutgraf.errors import BudgetError
from nutgraf.extractive import Limits, PartialSummary, Ranking, sentence_rankers
from nutgraf.extractive.selection import Config, select
from nutgraf.prose.closure import MOST, Closures
from nutgraf.prose.dependence import Leaning
from nutgraf.text.document import Document

# 5, 3, 2, 4 words
DOCUMENT = Document.of("Ada wrote two long letters. Bob read them. Cy slept. Dan ran all day.", language="en")
SETS = ("adaptive", "centroid", "concepts", "kl_sum", "submodular", "sum_basic", "weighted_coverage")


class Given(list):
    """What sentences lean on, as a test has it."""

    def bounded_by(self, index):
        return tuple(later for later, one in enumerate(self) if one and index in one.bounds)


@pytest.fixture
def lean(monkeypatch):
    """Says what the sentences of every document lean on, by their indices; no other one leans on anything."""

    def say(leanings, units=()):
        def found(document):
            return Given(leanings.get(index) for index in range(len(document.sentences)))

        monkeypatch.setattr("nutgraf.prose.closure.leanings", found)
        monkeypatch.setattr("nutgraf.prose.closure.units", lambda document: list(units))

    return say


def chosen(ratings, config=None, document=DOCUMENT, **how):
    return select(Ranking.by(np.array(ratings)), document, config or Config(), **how).indices


class TestClosures:
    RATINGS = (0.3, 0.1, 0.2, 0.4)

    def test_a_sentence_comes_with_what_it_needs_or_another_does(self, lean):
        lean({3: Leaning(needs=(0,))})
        assert chosen(self.RATINGS, words=9) == [0, 3]
        assert chosen(self.RATINGS, words=8) == [0, 2]
        assert chosen(self.RATINGS, sentences=1) == [0]
        assert chosen(self.RATINGS, Config(standalone=False), sentences=1) == [3]

    def test_what_is_needed_is_paid_for(self, lean):
        """{1, 3} has the mean (0.1 + 0.4) / 2 = 0.25, below the 0.3 of 0 and above the 0.2 of 2."""
        lean({3: Leaning(needs=(1,))})
        assert chosen(self.RATINGS, sentences=2) == [0, 2]
        assert chosen(self.RATINGS, sentences=3) == [0, 1, 3]

    def test_what_is_there_already_costs_nothing(self, lean):
        """After 0, which is worth more than {0, 3} with 0.7, sentence 3 counts 0.5 by itself."""
        lean({3: Leaning(needs=(0,))})
        assert chosen((0.9, 0.0, 0.6, 0.5), sentences=2) == [0, 2]
        assert chosen((0.9, 0.0, 0.4, 0.5), sentences=2) == [0, 3]

    def test_what_a_person_asked_for_pays_only_for_itself(self, lean):
        lean({3: Leaning(needs=(1,))})
        assert chosen(self.RATINGS, sentences=2, asked={3}) == [1, 3]

    def test_where_that_does_not_fit_it_is_taken_alone_and_the_notice_says_so(self, lean):
        lean({3: Leaning(needs=(0,))})
        selection = select(Ranking.by(np.array(self.RATINGS)), DOCUMENT, Config(), words=8, asked={3})
        assert selection.indices == [2, 3]
        (notice,) = selection.summary.notices
        assert "Dan ran all day." in notice
        assert "Ada wrote two long letters." in notice

    def test_needs_have_needs(self, lean):
        lean({3: Leaning(needs=(2,)), 2: Leaning(needs=(0,))})
        assert chosen((0, 0, 0, 1.0), words=11) == [0, 2, 3]
        assert chosen((0, 0, 0, 1.0), words=10) == [0, 1, 2]

    def test_the_later_sentence_may_stand_alone_but_not_what_it_bounds(self, lean):
        lean({3: Leaning(bounds=(0,))})
        assert chosen((0.9, 0.1, 0.2, 0.4), words=9) == [0, 3]
        assert chosen((0.9, 0.1, 0.2, 0.4), words=5) == [3]

    def test_a_unit_is_taken_whole_or_not(self, lean):
        lean({}, units=[range(1, 4)])
        assert chosen((0.1, 0.2, 0.9, 0.4), words=9) == [1, 2, 3]
        assert chosen((0.1, 0.2, 0.9, 0.4), words=8) == [0]

    def test_the_natural_length_is_exceeded_by_part_of_the_last_sentence_only(self, lean):
        lean({3: Leaning(needs=(0,))})
        assert chosen((0, 0, 0, 1.0), natural_words=6) == [0, 3]
        assert chosen((0, 0, 0.1, 1.0), natural_words=5) == [0, 2]

    def test_another_sentence_with_the_same_person_does_as_well(self, lean):
        lean({3: Leaning(needs=(1,), others=(0,))})
        assert chosen((0.5, 0.1, 0.2, 0.4), sentences=2) == [0, 3]
        assert chosen((0.0, 0.3, 0.1, 0.4), sentences=2) == [1, 3]
        lean({3: Leaning(needs=(1,))})
        assert chosen((0.5, 0.1, 0.2, 0.4), sentences=2) == [0, 2]

    def test_a_long_chain_is_taken_from_its_beginning(self, lean):
        count = 3 * MOST
        document = Document.of(" ".join(f"Gull {number} flew home." for number in range(count)), language="en")
        lean({index: Leaning(needs=(index - 1,)) for index in range(1, count)})
        ratings = np.arange(count, dtype=float)
        assert chosen(ratings, document=document, words=4 * count) == list(range(count))
        assert chosen(ratings, document=document, words=11) == [0, 1]

    def test_why_it_was_taken_is_told(self, lean):
        lean({3: Leaning(needs=(0,), reason="begins with “She”")})
        selection = select(Ranking.by(np.array([0.0, 0, 0, 1])), DOCUMENT, Config(), words=9)
        assert list(selection.summary.companions) == [0]
        assert "“She”" in selection.summary.reasons[0][-1]

    def test_a_refused_repetition_takes_nothing_along(self, lean):
        document = Document.of("Red fox. Green frog. Red fox ran.", language="en")
        lean({2: Leaning(needs=(1,))})
        summary = PartialSummary(document, Limits(redundancy_threshold=0.5), closures=Closures(document))
        assert summary.add(0) == (0,)
        assert summary.add(2) == ()
        assert summary.selected == [0]


class TestUnmet:
    """What leans on something that the text does not have is a second choice."""

    def test_it_is_taken_where_much_of_the_length_would_stay_unused(self, lean):
        lean({0: Leaning(unmet=True)})
        assert chosen((0.9, 0.3, 0.2, 0.4), sentences=3) == [1, 2, 3]
        assert chosen((0.9, 0.3, 0.2, 0.4), sentences=4) == [0, 1, 2, 3]

    def test_weak_prose_that_stands_alone_comes_before_it(self, lean):
        lean({2: Leaning(unmet=True)})
        text = "Ada wrote two long letters to Bob. Why did he want two letters? She sent both of them from Hull."
        document = Document.of(text, language="en")
        assert chosen((0.9, 0.1, 0.5), document=document, sentences=2) == [0, 1]
        assert chosen((0.9, 0.1, 0.5), document=document, sentences=3) == [0, 1, 2]

    def test_so_is_what_needs_it(self, lean):
        lean({0: Leaning(unmet=True), 1: Leaning(needs=(0,))})
        assert chosen((0.9, 0.8, 0.2, 0.4), words=6) == [2, 3]

    def test_where_all_lean_so_the_best_is_taken(self, lean):
        lean({index: Leaning(unmet=True) for index in range(4)})
        selection = select(Ranking.by(np.array([0.1, 0.2, 0.3, 0.4])), DOCUMENT, Config(), words=6)
        assert selection.indices == [2, 3]
        assert not selection.summary.notices


class TestNothingClosedFits:
    def test_a_sentence_is_taken_alone_and_the_notice_says_so(self, lean):
        lean({1: Leaning(needs=(0,)), 2: Leaning(needs=(0,)), 3: Leaning(needs=(0,))})
        selection = select(Ranking.by(np.array([0.4, 0.3, 0.2, 0.1])), DOCUMENT, Config(), words=4)
        assert selection.indices == [1]
        assert ["Bob read them." in notice for notice in selection.summary.notices] == [True]

    def test_only_where_no_sentence_fits_is_there_no_summary(self, lean):
        lean({2: Leaning(needs=(0,))})
        with pytest.raises(BudgetError) as caught:
            chosen((0.4, 0.3, 0.2, 0.1), words=1)
        assert caught.value.smallest == 2


class TestMethods:
    TEXT = (
        "The harbour master closed the old harbour bridge. The gulls of the harbour left. "
        "She opened the harbour bridge and the harbour lock and the harbour road. Two tugs came. Rain fell on the quay."
    )

    @pytest.mark.parametrize("kind", sorted({*sentence_rankers.names()} - {"systematic"}))  # it leaves sentences out
    @pytest.mark.parametrize(
        "length", [{"words": 12}, {"words": 22}, {"words": 26}, {"sentences": 2}, {"characters": 130}]
    )
    def test_all_select_what_is_closed(self, kind, length, lean):
        lean({2: Leaning(needs=(0,)), 3: Leaning(bounds=(1,))}, units=[range(3, 5)])
        document = Document.of(self.TEXT, language="en")
        method = sentence_rankers.make(kind)
        how = (lambda summary: method.pick(document, summary)) if kind in SETS else method.rank(document)
        found = set(select(how, document, Config(), **length).indices)
        assert 2 not in found or 0 in found
        assert 1 not in found or 3 in found
        assert (3 in found) == (4 in found)

    def test_the_exact_search_is_closed_too(self, lean):
        text = (
            "Red gulls left the pier early. The old harbour bridge is shut. Tugs blew their horns twice at noon. "
            "The old harbour bridge is shut to red gulls."
        )
        document = Document.of(text, language="en")
        method = sentence_rankers.make("concepts", solver="exact", position_weight=0.0)

        def found(words):
            return select(lambda summary: method.pick(document, summary), document, Config(), words=words).indices

        lean({})
        assert found(6) == [1]
        lean({1: Leaning(needs=(0,)), 3: Leaning(needs=(2,))})
        assert found(6) == [0]
        assert found(12) == [0, 1]


class TestConnectives:
    """ "However, nobody was on the ferry." stands alone without its first word."""

    TEXT = "The ferry left the harbour at noon today. However, nobody was on\nthe ferry. It rained on Skerra all day."

    def summary(self, **how):
        document = Document.of(self.TEXT, language="en")
        return nutgraf.load("weighted_coverage")(document, highlights=["nobody"], **how)

    def test_it_is_left_out_and_the_origin_begins_behind_it(self, lean):
        lean({1: Leaning(connective=9)})
        (sentence,) = self.summary(words=7).sentences
        assert (sentence.text, sentence.connective) == ("Nobody was on the ferry.", "However,")
        (origin,) = sentence.origins
        assert self.TEXT[origin.start : origin.end] == "nobody was on\nthe ferry."

    def test_it_stays_behind_the_sentence_that_it_points_to(self, lean):
        lean({1: Leaning(connective=9)})
        assert [one.text for one in self.summary(words=14)][1] == "However, nobody was on the ferry."

    def test_whole_sentences_are_taken_with_the_one_before_or_not(self, lean):
        lean({1: Leaning(connective=9)})
        assert [one.connective for one in self.summary(words=14, whole_sentences=True)] == ["", ""]
        config = Config(whole_sentences=True)
        for words, found in ((14, [0, 1]), (8, [0])):
            ranking, document = Ranking.by(np.array([0, 1.0, 0])), Document.of(self.TEXT)
            assert select(ranking, document, config, words=words).indices == found

    def test_data_and_page_show_it(self, lean):
        lean({1: Leaning(connective=9)})
        summary = self.summary(words=7)
        assert summary.to_json()["sentences"][0]["connective"] == "However,"
        assert nutgraf.Summary.loads(summary.dumps(), summary.document).sentences[0].connective == "However,"
        assert "<del" in nutgraf.render(summary)

    def test_a_first_sentence_has_none_before_it(self, lean):
        lean({0: Leaning(connective=5)})
        document = Document.of("Yet, the ferry left. It rained on Skerra.", language="en")
        selection = select(Ranking.by(np.array([1.0, 0.0])), document, Config(), words=4)
        assert (selection.indices, selection.cuts) == ([0], {0: 5})
        whole = select(Ranking.by(np.array([1.0, 0.0])), document, Config(), words=4, whole_sentences=True)
        assert (whole.indices, whole.cuts) == ([1], {})


def test_a_weak_sentence_that_came_as_a_companion_is_not_taken_again() -> None:
    text = "Traders are divided. Associations will be able to use them for free."
    for name in ("adaptive", "text_rank", "lex_rank", "submodular"):
        summary = nutgraf.load(name)(text, words=40)
        assert [one.text for one in summary] == text.replace(". ", ".\n").split("\n")
