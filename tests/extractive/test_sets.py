"""Methods that select a set: what a sentence is worth depends on what was selected before it. By hand."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nutgraf
from nutgraf.errors import PresetError
from nutgraf.extractive import Limits, PartialSummary, bonus_of, boosted, concepts, kl_sum, sentence_rankers, submodular
from nutgraf.extractive._likeness import Likeness
from nutgraf.extractive.greedy import maximize, select_greedily
from nutgraf.text.document import Document, join
from nutgraf.text.vectors import count_matrix, term_columns

WORDS = ("ferry", "harbour", "lantern", "market", "orchard", "quarry", "signal")

lines = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), min_size=1, max_size=7)


def document_of(sentences):
    return Document.of("\n".join(" ".join(words).capitalize() + "." for words in sentences), language="en")


def picked(kind, document, boosts=None, *, words=None, sentences=None, **options):
    summary = PartialSummary(document, Limits(words=words, sentences=sentences), weak=True)
    sentence_rankers.make(kind, **options).pick(document, summary, boosts)
    return summary.selected


def ratings_of(kind, document, **options):
    return sentence_rankers.make(kind, **options).rank(document).ratings


class Sizes:
    """An objective whose values are given, and are added up."""

    def __init__(self, values):
        self.values = np.array(values, dtype=float)

    def singles(self):
        return self.values

    def gains_of(self, indices):
        return self.values[indices]

    def gain_of_all(self, indices):
        return self.values[list(indices)].sum()

    def gains(self, candidates):
        return self.values

    def add(self, index):
        self.values[index] = 0.0


class TestGreedy:
    # 2, 3 and 6 words
    DOCUMENT = Document.of("Cy slept. Bob read them. Ada wrote six very long letters.")

    def test_gains_are_divided_by_a_power_of_the_length(self):
        for exponent, first in ((0.0, 2), (1.0, 0)):
            summary = PartialSummary(self.DOCUMENT, Limits(words=11), weak=True)
            assert maximize(summary, lambda: Sizes([3, 4, 8]), cost_exponent=exponent) == 15
            assert summary.selected[0] == first

    def test_a_length_in_sentences_has_no_costs(self):
        summary = PartialSummary(self.DOCUMENT, Limits(sentences=1), weak=True)
        maximize(summary, lambda: Sizes([3, 4, 8]), cost_exponent=1.0)
        assert summary.selected == [2]

    def test_the_best_single_sentence_comes_first_if_it_is_worth_more(self):
        """By value over length the first two come first, and the third does not fit any more."""
        summary = PartialSummary(self.DOCUMENT, Limits(words=7), weak=True)
        assert maximize(summary, lambda: Sizes([3, 4, 7.5]), cost_exponent=1.0) == 7.5
        assert summary.selected == [2]
        summary = summary.empty_copy()
        assert maximize(summary, lambda: Sizes([3, 4, 6.5]), cost_exponent=1.0) == 7
        assert summary.selected == [0, 1]

    def test_what_rounding_parts_is_equal(self):
        for select in (
            lambda summary: select_greedily(summary, Sizes([0.3, 0.1 + 0.2, 0.3])),
            lambda summary: maximize(summary, lambda: Sizes([0.3, 0.1 + 0.2, 0.3])),
        ):
            summary = PartialSummary(self.DOCUMENT, Limits(sentences=2), weak=True)
            select(summary)
            assert summary.selected == [0, 1]

    def test_a_bonus_is_added(self):
        summary = PartialSummary(self.DOCUMENT, Limits(sentences=1), weak=True)
        select_greedily(summary, Sizes([1, 2, 3]), np.array([2.5, 0, 0]))
        assert summary.selected == [0]

    def test_the_bonus_is_what_a_boost_adds_to_a_sentence_alone(self):
        values, boosts = np.array([1.0, 2.0, 0.0]), np.array([3.0, 1.0, 2.0])
        assert values + bonus_of(values, boosts) == pytest.approx(boosted(values, boosts))
        assert bonus_of(values, None) is None


class TestSumBasic:
    def test_weights_are_mean_probabilities(self):
        """storm has 2 of 6 words, the others one each."""
        ratings = ratings_of("sum_basic", Document.of("Storm, harbour. Storm, quay, tug. Gulls."))
        assert ratings == pytest.approx([1 / 4, 2 / 9, 1 / 6])

    def test_the_next_sentence_has_the_most_probable_word(self):
        """Squared, storm has 1/9: quay, with 1/6, is first of the most probable, though gulls alone weigh more."""
        assert picked("sum_basic", Document.of("Storm, harbour. Storm, quay, tug. Gulls."), sentences=3) == [0, 1, 2]

    def test_what_was_said_weighs_its_square(self):
        assert picked("sum_basic", Document.of("Storm, harbour. Storm, harbour. Quay, tug."), sentences=2) == [0, 2]

    def test_a_highlighted_sentence_needs_no_probable_word(self):
        document = Document.of("Storm, harbour. Storm, quay, tug. Gulls.")
        assert picked("sum_basic", document, np.array([1.0, 1.0, 2.0]), sentences=1) == [2]


class TestKlSum:
    def test_divergence_by_hand(self):
        """Input 3/4 and 1/4; the smoothed summary has 1/2 and 1/2, then 5/6 and 1/6, or 1/2 and 1/2 again."""
        ratings = ratings_of("kl_sum", Document.of("Storm, storm. Storm, quay."), smoothing=0.5)
        assert ratings == pytest.approx([3 / 4 * math.log(5) - math.log(3), 0])

    def test_the_summary_comes_to_have_the_inputs_shares(self):
        assert picked("kl_sum", Document.of("Storm. Storm. Quay."), sentences=2) == [0, 2]

    @given(lines, st.data())
    def test_decreases_are_those_of_the_divergence(self, sentences, data):
        document = document_of(sentences)
        counts = count_matrix(document.terms, term_columns(document.terms)).toarray()
        chosen = data.draw(st.lists(st.sampled_from(range(len(counts))), max_size=3, unique=True))
        now = kl_sum._Divergence(document, 0.1)
        for index in chosen:
            now.add(index)
        true = counts.sum(axis=0) / counts.sum()

        def divergence(selected):
            smoothed = counts[selected].sum(axis=0) + 0.1
            return (true * np.log(true / (smoothed / smoothed.sum()))).sum()

        direct = [divergence(chosen) - divergence([*chosen, index]) for index in range(len(counts))]
        assert now.decrease() == pytest.approx(direct)


class TestCentroid:
    DOCUMENT = Document.of("Red fox. Red bird. Blue bird.")
    A, B = math.log(2.5), math.log(4)  # idf of a word in two of three sentences, in one

    def test_cosines_with_the_centroid(self):
        """The centroid has 2a for red and bird, b for fox and blue."""
        a, b = self.A, self.B
        norm = math.sqrt(8 * a * a + 2 * b * b)
        border = (2 * a * a + b * b) / (math.hypot(a, b) * norm)
        assert ratings_of("centroid", self.DOCUMENT) == pytest.approx([border, 4 * a / (math.sqrt(2) * norm), border])

    def test_light_terms_are_no_topics(self):
        """b / 2a is 0.757."""
        border = 2 * self.A / (math.hypot(self.A, self.B) * math.sqrt(8))
        assert ratings_of("centroid", self.DOCUMENT, topic_threshold=0.8) == pytest.approx([border, 1, border])

    def test_a_summary_is_compared_as_a_whole(self):
        document = Document.of("Red fox. Red fox. Blue bird.")
        assert picked("centroid", document, sentences=2) == [0, 2]
        assert picked("centroid", document, sentences=2, scope="sentence") == [0, 1]

    @given(lines, st.data())
    def test_increases_are_those_of_the_cosine(self, sentences, data):
        document = document_of(sentences)
        chosen = data.draw(st.lists(st.sampled_from(range(len(sentences))), max_size=3, unique=True))
        now = Likeness(document, 0.0)
        for index in chosen:
            now.add(index)
        vectors = now._vectors.toarray()

        def cosine(selected):
            summed, whole = vectors[selected].sum(axis=0), vectors.sum(axis=0)
            return summed @ whole / (np.linalg.norm(summed) * np.linalg.norm(whole)) if selected else 0.0

        direct = [cosine([*chosen, index]) - cosine(chosen) for index in range(len(vectors))]
        assert now.increase() == pytest.approx(direct)


class TestSubmodular:
    """Two equal sentences and another one: w_01 = 1, strengths 2, 2, 1; clusters {0, 1} and {2}."""

    DOCUMENT = Document.of("Red fox. Red fox. Blue bird.")

    def test_coverage_and_diversity_of_each_sentence_alone(self):
        ratings = ratings_of("submodular", self.DOCUMENT)
        assert ratings == pytest.approx([2 + 6 * math.sqrt(2 / 3)] * 2 + [1 + 6 * math.sqrt(1 / 3)])

    def test_a_sentence_counts_up_to_its_saturation(self):
        ratings = ratings_of("submodular", self.DOCUMENT, saturation=0.5, diversity_weight=0)
        assert ratings == pytest.approx([2 / 3, 2 / 3, 1 / 6])

    def test_a_second_one_of_a_cluster_is_rewarded_less(self):
        """2 + 6(√(4/3) − √(2/3)) = 4.03 against 1 + 6√(1/3) = 4.46."""
        assert picked("submodular", self.DOCUMENT, sentences=2) == [0, 2]
        assert picked("submodular", self.DOCUMENT, sentences=2, diversity_weight=2) == [0, 1]

    @given(lines, st.lists(st.integers(0, 6), max_size=5, unique=True))
    def test_gains_add_up_to_the_value(self, sentences, order):
        document = document_of(sentences)
        order = [index for index in order if index < len(sentences)]
        config = submodular.Config(saturation=1.5, diversity_weight=3)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(submodular, "BLOCK", 2)
            graph = submodular._Graph(document, config)
        cosines = (graph.vectors @ graph.vectors.T).toarray()
        covered = np.minimum(cosines[:, order].sum(axis=1), 1.5 / len(cosines) * cosines.sum(axis=1)).sum()
        rewards = cosines.mean(axis=0)
        clusters = [[index for index in order if graph.clusters[index] == one] for one in set(graph.clusters.tolist())]
        value, total = submodular._Value(graph), 0.0
        for index in order:
            total += value.gains_of([index])[0]
            value.add(index)
        assert total == pytest.approx(covered + 3 * sum(math.sqrt(rewards[one].sum()) for one in clusters))
        assert graph.singles == pytest.approx(submodular._Value(graph).gains_of(range(len(sentences))))


class TestConcepts:
    TWO = join([Document.of("The red fox ran. Blue birds sang."), Document.of("A red fox slept. Frogs jumped.")])

    def test_bigrams_weigh_the_documents_they_occur_in(self):
        """ "red fox" is in both, all others in one; those of stems are the same."""
        assert ratings_of("concepts", self.TWO) == pytest.approx([2, 0, 2, 0])
        assert ratings_of("concepts", self.TWO, min_frequency=1) == pytest.approx([4, 2, 4, 1])

    def test_two_stop_words_are_no_concept(self):
        document = join([Document.of("It was the fox."), Document.of("It was the bird.")])
        assert ratings_of("concepts", document, min_frequency=1) == pytest.approx([1, 1])

    def test_of_one_document_early_bigrams_of_many_sentences_weigh_more(self):
        """red fox: in 2 sentences, from the first of three; blue bird: in one, the last."""
        document = Document.of("Red fox. The red foxes. Blue bird.")
        assert ratings_of("concepts", document)[[0, 2]] == pytest.approx([4, 0])
        assert ratings_of("concepts", document, min_frequency=1)[[0, 2]] == pytest.approx([4, 1])
        assert ratings_of("concepts", document, position_weight=0)[[0, 2]] == pytest.approx([2, 0])

    def test_where_nothing_is_frequent_everything_counts(self):
        assert ratings_of("concepts", Document.of("Red fox. Blue bird."), position_weight=0) == pytest.approx([1, 1])

    def test_a_concept_counts_once(self):
        document = Document.of("Red fox. Red fox. Blue bird. Blue bird.")
        assert picked("concepts", document, sentences=2) == [0, 2]

    def test_the_optimum_may_leave_out_the_densest_sentence(self):
        """5 words with 4 concepts are densest, but 4 + 4 words have 6."""
        document = Document.of("Red fox saw blue bird. Green frog ate flies. Grey cows chew grass.")
        options = {"position_weight": 0.0, "words": 8}
        assert picked("concepts", document, **options) == [0]
        assert picked("concepts", document, solver="exact", **options) == [1, 2]

    @settings(max_examples=25, deadline=None)
    @given(lines, st.integers(2, 14))
    def test_exact_is_the_best_of_all_sets_and_greedy_within_its_bound(self, sentences, words):
        document = document_of(sentences)
        method = sentence_rankers.make("concepts", min_frequency=1)
        holds, weights = method._concepts(document)
        best = max(
            (
                concepts._value(one, holds, weights, None)
                for size in range(1, len(sentences) + 1)
                for one in combinations(range(len(sentences)), size)
                if sum(document.lengths[index] for index in one) <= words
            ),
            default=0.0,
        )
        found = {
            solver: concepts._value(
                picked("concepts", document, words=words, solver=solver, min_frequency=1), holds, weights, None
            )
            for solver in ("exact", "greedy")
        }
        assert found["exact"] == pytest.approx(best)
        assert found["greedy"] >= (1 - 1 / math.e) / 2 * best - 1e-9

    def test_an_unproved_optimum_is_told(self, monkeypatch):
        monkeypatch.setattr(concepts, "_optimum", lambda *given: ([1], False))
        system = nutgraf.load("concepts", {"extractive.solver": "exact", "extractive.min_frequency": 1})
        summary = system(Document.of("Red fox saw blue bird. Frog ate flies. Grey cows chew grass."), sentences=1)
        assert str(summary) == "Red fox saw blue bird."
        assert any("ended after 10 seconds" in notice for notice in summary.notices)

    def test_a_text_that_is_too_long_to_solve_is_covered_greedily(self, monkeypatch):
        monkeypatch.setattr(concepts, "MAX_CELLS", 2)
        system = nutgraf.load("concepts", {"extractive.solver": "exact", "extractive.min_frequency": 1})
        summary = system(Document.of("Red fox saw blue bird. Frog ate flies."), sentences=1)
        assert str(summary) == "Red fox saw blue bird."
        assert any("6 concepts" in notice for notice in summary.notices)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("kl_sum", {"smoothing": 0.0}),
        ("centroid", {"topic_threshold": 1.1}),
        ("centroid", {"scope": "word"}),
        ("submodular", {"saturation": 0.0}),
        ("submodular", {"clusters_share": 0.0}),
        ("concepts", {"min_frequency": 0}),
        ("concepts", {"time_limit": 0.0}),
        ("concepts", {"cost_exponent": -1.0}),
    ],
)
def test_impossible_options_are_told(kind, options):
    with pytest.raises(PresetError, match=kind):
        sentence_rankers.make(kind, **options)
