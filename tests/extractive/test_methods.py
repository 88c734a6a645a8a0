"""Extractive methods on a few words, by hand."""

import math

import numpy as np
import pytest

from nutgraf.errors import PresetError
from nutgraf.extractive import sentence_rankers
from nutgraf.text.document import Document, join
from nutgraf.text.vectors import count_terms, tfidf


def ratings_of(kind, document, **options):
    return sentence_rankers.make(kind, **options).rank(document).ratings


class TestLead:
    def test_first_sentences_of_all_documents_come_before_the_second_ones(self):
        document = join([Document.of("Ada came. Bob left. Cy slept."), Document.of("Dan ran. Eve sat.")])
        ranking = sentence_rankers.make("lead").rank(document)
        assert ranking.order == (0, 3, 1, 4, 2)
        assert ranking.ratings == pytest.approx([1, 1 / 2, 1 / 3, 1, 1 / 2])

    def test_a_highlight_moves_a_sentence_past_those_before_it(self):
        document = Document.of("Ada came. Bob left. Cy slept.")
        ranking = sentence_rankers.make("lead").rank(document, np.array([1.0, 1.0, 4.0]))
        assert ranking.order == (2, 0, 1)


class TestSystematic:
    DOCUMENT = Document.of(" ".join(f"Number {number} came." for number in range(8)))

    def test_every_third_from_one_of_the_first_two(self):
        orders = {sentence_rankers.make("systematic", seed=seed).rank(self.DOCUMENT).order for seed in range(20)}
        assert orders == {(0, 3, 6), (1, 4, 7)}

    def test_every_fifth_starts_among_the_first_four(self):
        orders = {
            sentence_rankers.make("systematic", interval=5, seed=seed).rank(self.DOCUMENT).order for seed in range(50)
        }
        assert orders == {(0, 5), (1, 6), (2, 7), (3,)}

    def test_what_is_sampled_is_rated_one(self):
        ranking = sentence_rankers.make("systematic", interval=5).rank(self.DOCUMENT)
        assert ranking.ratings.tolist() == [float(index in ranking.order) for index in range(8)]


class TestRandom:
    def test_the_seed_decides(self):
        document = Document.of(" ".join(f"Number {number} came." for number in range(8)))
        orders = {sentence_rankers.make("random", seed=seed).rank(document).order for seed in (0, 0, 1, 2, 3)}
        assert len(orders) == 4
        assert all(sorted(order) == list(range(8)) for order in orders)


class TestGraphSample:
    def test_the_middle_of_three_by_hand(self):
        """red fox – red bird – blue bird: a path of two equal edges, so the middle has m = .05 + .85·(1 − m)."""
        middle = 0.9 / 1.85
        ratings = ratings_of("graph_sample", Document.of("Red fox. Red bird. Blue bird."))
        assert ratings == pytest.approx([(1 - middle) / 2, middle, (1 - middle) / 2])

    def test_as_a_solved_system(self):
        document = Document.of(
            "The red fox ran. The red bird sang of the fox. A blue bird sang. The blue frog slept. Zebras graze."
        )
        vectors = tfidf(
            count_terms([[word for word in words if word not in document.stop_words] for words in document.words])
        ).scipy
        cosines = (vectors @ vectors.T).toarray()
        np.fill_diagonal(cosines, 0.0)
        strengths = cosines.sum(axis=1)
        walk = np.full((5, 5), 1 / 5)
        walk[:4] = cosines[:4] / strengths[:4, None]
        assert strengths[4] == 0
        solved = np.linalg.solve(np.eye(5) - 0.7 * walk.T, np.full(5, 0.3 / 5))
        assert ratings_of("graph_sample", document, damping=0.7) == pytest.approx(solved, abs=1e-8)

    def test_words_are_not_stemmed(self):
        ratings = ratings_of("graph_sample", Document.of("Red bird. Red birds. Two birds."))
        assert ratings[1] > ratings[0]
        assert ratings[0] == pytest.approx(ratings[2])


class TestLexRank:
    def test_degrees_relative_to_the_components_mean(self):
        """A path of three, each also its own neighbour: degrees 2, 3, 2; and one alone: degree 1."""
        ratings = ratings_of("lex_rank", Document.of("Red fox. Red bird. Blue bird. Green frog."))
        assert ratings == pytest.approx([6 / 7, 9 / 7, 6 / 7, 1])

    def test_a_threshold_cuts_edges(self):
        # cos = ln²2 / (ln²2 + ln²4) = 1/5 at both ends
        document = Document.of("Red fox. Red bird. Blue bird. Green frog.")
        idf = {"red": math.log(2), "bird": math.log(2), "fox": math.log(4), "blue": math.log(4)}
        cosine = idf["red"] ** 2 / (math.hypot(idf["red"], idf["fox"]) * math.hypot(idf["red"], idf["bird"]))
        assert ratings_of("lex_rank", document, threshold=cosine - 1e-9)[1] == pytest.approx(9 / 7)
        assert ratings_of("lex_rank", document, threshold=cosine + 1e-9)[1] == pytest.approx(1)

    def test_a_word_of_every_document_of_the_collection_joins_nothing(self):
        method = sentence_rankers.make("lex_rank")
        method.fit([Document.of("Red fox."), Document.of("Red frog.")])
        ratings = method.rank(Document.of("Red fox. Red bird. Blue bird.")).ratings
        # "red" has idf ln 1 = 0; "bird" is new and has idf 1: the last two are neighbours
        assert ratings == pytest.approx([1, 1, 1])
        assert method.rank(Document.of("Red fox. Red bird. Blue bird. Bird cage.")).ratings[0] == pytest.approx(1)


class TestTextRank:
    def test_two_that_share_a_term_and_one_alone(self):
        """The lone one gets s = .05 + .85·s/3, as a walk that is stuck begins anew; the others share the rest."""
        lone = 0.05 / (1 - 0.85 / 3)
        ratings = ratings_of("text_rank", Document.of("Storm, harbour. Storm, quay. Pilot, tug."))
        assert ratings == pytest.approx([(1 - lone) / 2, (1 - lone) / 2, lone], abs=1e-5)

    def test_bm25_by_hand(self):
        """Terms in more than half of the sentences get a quarter of the mean idf; sizes 2, 3, 2, the later's counts."""
        document = Document.of("Storm, harbour. Storm, quay, pilot. Pilot, tug.")
        # df: storm 2, pilot 2, others 1: idf of the frequent ln(1.5/2.5) = −i, of the others ln(2.5/1.5) = i
        i = math.log(2.5 / 1.5)
        frequent = 0.25 * (3 * i - 2 * i) / 5
        mean = 7 / 3
        later = frequent * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 3 / mean))  # first against second
        last = frequent * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 2 / mean))  # second against third
        flow = np.array([[0, 1, 0], [later / (later + last), 0, last / (later + last)], [0, 1, 0]])
        solved = np.linalg.solve(np.eye(3) - 0.85 * flow.T, np.full(3, 0.05))
        assert ratings_of("text_rank", document) == pytest.approx(solved, abs=1e-5)

    def test_a_term_matches_only_where_it_stands_equally_often(self):
        ratings = ratings_of("text_rank", Document.of("Storm, storm. Storm, quay. Quay, tug."))
        assert ratings[1] == pytest.approx(ratings[2], abs=1e-5)
        assert ratings[0] < ratings[1]

    def test_without_any_edge_all_are_alike(self):
        ratings = ratings_of("text_rank", Document.of("Storm, harbour. Quay, gull. Pilot, tug."))
        assert ratings == pytest.approx([1 / 3] * 3)

    def test_equal_sentences_share_a_node_and_empty_ones_come_last(self):
        ratings = ratings_of("text_rank", Document.of("Storm, quay. It was they. Quay and storm. Storm, tug."))
        assert ratings[0] == pytest.approx(ratings[2]) == pytest.approx(ratings[3], abs=1e-5) == pytest.approx(1 / 2)
        assert ratings[1] == 0


class TestTfidf:
    DOCUMENT = Document.of("Storm, storm, harbour. Storm, quay.")

    def test_instances_are_summed(self):
        """storm is in both sentences: idf ln 1 = 0; harbour and quay: 1/5 · ln 2."""
        assert ratings_of("tfidf", self.DOCUMENT) == pytest.approx([math.log(2) / 5] * 2)

    def test_document_frequencies_are_learned(self):
        method = sentence_rankers.make("tfidf")
        method.fit(Document.of(text) for text in ("Storm.", "Harbour.", "Harbour.", "Gulls."))
        # idf: storm ln 4, harbour ln 2, quay (never seen, as if once) ln 4; tf: 3/5, 1/5, 1/5
        storm, harbour, quay = 3 / 5 * math.log(4), 1 / 5 * math.log(2), 1 / 5 * math.log(4)
        assert method.rank(self.DOCUMENT).ratings == pytest.approx([2 * storm + harbour, storm + quay])

    def test_a_mean_does_not_favour_long_sentences(self):
        means = ratings_of("tfidf", self.DOCUMENT, aggregate="mean")
        assert means == pytest.approx([math.log(2) / 15, math.log(2) / 10])


class TestSalience:
    DOCUMENT = Document.of("Red fox. Red bird. Blue bird. Green frog.")

    def test_place(self):
        ratings = ratings_of("salience", self.DOCUMENT, centroid_weight=0, first_sentence_weight=0)
        assert ratings == pytest.approx([1, 3 / 4, 1 / 2, 1 / 4])

    def test_place_and_first_sentence_are_those_of_each_document(self):
        document = join([Document.of("Red fox. Blue fox."), Document.of("Red frog. Green frog. Red cow.")])
        assert ratings_of("salience", document, centroid_weight=0, first_sentence_weight=0) == pytest.approx(
            [1, 1 / 2, 1, 2 / 3, 1 / 3]
        )
        first = ratings_of("salience", document, centroid_weight=0, position_weight=0)
        assert first[[0, 2]] == pytest.approx([1, 1])
        assert min(first) == 0

    def test_likeness_to_the_first_sentence(self):
        ratings = ratings_of("salience", self.DOCUMENT, centroid_weight=0, position_weight=0)
        # idf = ln(1 + 4/df): ln 3 for red and bird, ln 5 for fox
        cosine = math.log(3) / (math.sqrt(2) * math.hypot(math.log(3), math.log(5)))
        assert ratings == pytest.approx([1, cosine, 0, 0])

    def test_centroid(self):
        """The sums of cosines are 1 + c, 1 + 2c, 1 + c and 1; scaled to [0, 1]."""
        ratings = ratings_of("salience", self.DOCUMENT, position_weight=0, first_sentence_weight=0)
        assert ratings == pytest.approx([1 / 2, 1, 1 / 2, 0])

    def test_the_three_are_added(self):
        parts = [
            ratings_of(
                "salience",
                self.DOCUMENT,
                **{"centroid_weight": 0, "position_weight": 0, "first_sentence_weight": 0, name: 1},
            )
            for name in ("centroid_weight", "position_weight", "first_sentence_weight")
        ]
        assert ratings_of("salience", self.DOCUMENT) == pytest.approx(sum(parts))


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("systematic", {"every": 1}),
        ("systematic", {"seed": -1}),
        ("random", {"seed": -1}),
        ("graph_sample", {"damping": 1.0}),
        ("text_rank", {"damping": 0.0}),
        ("lex_rank", {"threshold": 0.0}),
        ("tfidf", {"aggregate": "median"}),
        ("salience", {"centroid_weight": -1.0}),
        ("salience", {"centroid_weight": 0, "position_weight": 0, "first_sentence_weight": 0}),
    ],
)
def test_impossible_options_are_told(kind, options):
    with pytest.raises(PresetError, match=kind):
        sentence_rankers.make(kind, **options)
