"""Luhn, Edmundson, LSA and Reduction on a few words, by hand."""

import math

import numpy as np
import pytest

from nutgraf.errors import PresetError
from nutgraf.extractive import boosted, lex_rank, lsa, sentence_rankers
from nutgraf.text.document import Document


def ratings_of(kind, document, **options):
    return sentence_rankers.make(kind, **options).rank(document).ratings


class TestLuhn:
    DOCUMENT = Document.of(
        "Storm and gulls came to the harbour. The gull slept. "
        "Harbour crews slept while storm watch was kept all night by gulls. Nobody was hurt."
    )

    def test_clusters_have_at_most_four_words_between_significant_ones(self):
        """storm, gull, harbour and slept stand twice or more. The third sentence has them at 0, 2, 4 and 11."""
        ratings = ratings_of("luhn", self.DOCUMENT)
        assert ratings == pytest.approx([9 / 7, 4 / 2, 9 / 5, 0])

    def test_a_wider_gap_joins_clusters(self):
        assert ratings_of("luhn", self.DOCUMENT, max_gap=6)[2] == pytest.approx(16 / 12)

    def test_a_word_must_make_up_its_share(self):
        # gull is 3 of the 16 content words, the others 2
        count = sum(map(len, self.DOCUMENT.terms))
        ratings = ratings_of("luhn", self.DOCUMENT, min_share=2.5 / count)
        assert ratings == pytest.approx([1, 1, 1, 0])


class TestEdmundson:
    WEIGHTS = ("cue_weight", "key_weight", "title_weight", "location_weight")

    def feature(self, name, text, **how):
        weights = {weight: float(weight == name) for weight in self.WEIGHTS}
        return ratings_of("edmundson", Document.of(text, **how), **weights)

    def test_bonus_words_count_for_and_stigma_words_against(self):
        text = "The results show a storm. Perhaps the gulls came. Gulls slept."
        assert self.feature("cue_weight", text) == pytest.approx([1, -1 / 2, 0])
        assert self.feature("cue_weight", text, language="de") == pytest.approx([0, 0, 0])

    def test_frequencies_of_key_words_are_summed(self):
        """storm stands three times, gull twice."""
        text = "Storm, storm. Gulls, storm. Gulls, quay."
        assert self.feature("key_weight", text) == pytest.approx([1, 5 / 6, 2 / 6])

    def test_words_of_headings(self):
        text = "The harbour storm\n\nGulls left the harbour. A storm broke in the harbour. Pilots slept."
        assert self.feature("title_weight", text) == pytest.approx([0, 1 / 2, 1, 0])

    def test_border_paragraphs_and_border_sentences(self):
        text = "Ada came. Bob left. Cy slept.\n\nDan ran. Eve dug. Fay hid.\n\nGus fell. Hal rose. Ida won."
        assert self.feature("location_weight", text) == pytest.approx([1, 0.5, 1, 0.5, 0, 0.5, 1, 0.5, 1])

    def test_the_four_are_added(self):
        text = "Storm news\n\nThe results show a storm. Perhaps gulls came. Gulls slept in the storm."
        assert ratings_of("edmundson", Document.of(text)) == pytest.approx(
            sum(self.feature(name, text) for name in self.WEIGHTS)
        )


class TestLsa:
    """Two equal sentences of two terms, idf ln 2.5, and one of a third, idf ln 4: singular values 2·ln 2.5 and ln 4."""

    DOCUMENT = Document.of("Storm, harbour. Harbour, storm. Quay.")
    PAIR = math.sqrt(2) * math.log(2.5)

    def test_length_over_all_topics_is_the_length_of_the_vector(self):
        assert ratings_of("lsa", self.DOCUMENT) == pytest.approx([self.PAIR, self.PAIR, math.log(4)])

    @pytest.mark.parametrize("options", [{"min_singular_value": 0.8}, {"max_topics": 1}])
    def test_lesser_topics_count_nothing(self, options):
        assert ratings_of("lsa", self.DOCUMENT, **options) == pytest.approx([self.PAIR, self.PAIR, 0])

    def test_long_texts_are_decomposed_in_part(self, monkeypatch):
        text = "Red fox. Red bird, red cow. Blue bird, fox. Green frog, blue cow. A green fox. Grey bird."
        whole = ratings_of("lsa", Document.of(text), max_topics=2)
        monkeypatch.setattr(lsa, "SMALL", 2)
        assert ratings_of("lsa", Document.of(text), max_topics=2) == pytest.approx(whole)


class TestReduction:
    def test_shared_words_over_the_logarithms_of_the_lengths(self):
        ratings = ratings_of("reduction", Document.of("Storm, harbour. Storm, quay. Pilot, tug, storm."))
        assert ratings == pytest.approx(
            [1 / math.log(4) + 1 / math.log(6), 1 / math.log(4) + 1 / math.log(6), 2 / math.log(6)]
        )

    def test_words_are_paired_as_often_as_they_can_be(self):
        assert ratings_of("reduction", Document.of("Storm, storm. Storm, quay.")) == pytest.approx(
            [2 / math.log(4)] * 2
        )

    def test_sentences_of_one_word(self):
        ratings = ratings_of("reduction", Document.of("Storm. Storm. It was they."))
        assert ratings == pytest.approx([1 / math.log(2), 1 / math.log(2), 0])


class TestDampedLexRank:
    DOCUMENT = Document.of("Red fox. Red bird. Blue bird. Green frog. It was they.")

    @pytest.mark.parametrize("dense", [0, 5])
    def test_eq_5_as_a_solved_system(self, dense, monkeypatch):
        monkeypatch.setattr(lex_rank, "DENSE", dense)
        near = np.eye(5)
        near[0, 1] = near[1, 0] = near[1, 2] = near[2, 1] = 1
        walk = near / near.sum(axis=1, keepdims=True)
        solved = np.linalg.solve(np.eye(5) - 0.85 * walk.T, np.full(5, 0.15 / 5))
        assert ratings_of("lex_rank", self.DOCUMENT, damping=0.85) == pytest.approx(solved, abs=1e-5)


def test_a_boost_adds_what_the_best_sentence_is_worth():
    ratings = np.array([-1.0, 0.0, 1.0])
    assert boosted(ratings, None) is ratings
    assert boosted(ratings, np.ones(3)) == pytest.approx(ratings)
    # the best lies 2 above the lowest, or 3 above 0
    assert boosted(ratings, np.array([2.0, 1.0, 3.0])) == pytest.approx([-1 + 2.02, 0, 1 + 4.04])
    assert boosted(np.array([1.0, 3.0]), np.array([1.5, 1.0])) == pytest.approx([1 + 0.5 * 3.03, 3])
    assert boosted(np.zeros(2), np.array([1.0, 3.0])) == pytest.approx([0, 2])


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("hipo_rank", {"lambda1": 2.0}),
        ("hipo_rank", {"mu": -1.0}),
        ("pacsum", {"beta": 1.0}),
        ("luhn", {"min_count": 0}),
        ("luhn", {"min_share": 1.0}),
        ("edmundson", {"cue_weight": -1.0}),
        ("edmundson", {"min_count": 0}),
        ("lsa", {"max_topics": 0}),
        ("lsa", {"min_singular_value": 1.5}),
        ("lex_rank", {"damping": 0.0}),
    ],
)
def test_impossible_options_are_told(kind, options):
    with pytest.raises(PresetError, match=kind):
        sentence_rankers.make(kind, **options)
