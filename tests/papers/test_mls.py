"""MLS (Sarkhel et al. 2020): the equations on a few sentences, by hand."""

import math

import numpy as np
import pytest

from nutgraf.magnifier.attention import combine, normalize
from nutgraf.magnifier.expansion import Expansions, ngrams, repeated
from nutgraf.magnifier.kernels import Kernel, kernels
from nutgraf.magnifier.kernels._divergence import mean_divergence, smooth, to_values
from nutgraf.magnifier.magnifier import Config, Magnifier, PrototypeSentence
from nutgraf.text.document import Document

STORY = (
    "The harbour pilot guided the tanker. The tanker carried crude oil. A storm broke the mooring lines. "
    "The pilot called two tugs. The tugs pushed the tanker against the quay. Nobody was hurt. "
    "Gulls watched from the roof. The oil company thanked the pilot."
)


class Fixed(Kernel):
    """Rates a sentence by a table, by its first word; 1 where the table is silent."""

    def __init__(self, weight, **values):
        self.weight = weight
        self.values = values

    def __call__(self, document):
        return lambda sentences: np.array([self.values.get(words[0] if words else "", 1.0) for words in sentences])


def prototype_of(document, *indices):
    return [PrototypeSentence(document.printed[index], index, index) for index in indices]


def test_symmetric_divergence_of_two_coins():
    left, right = np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])
    # Σ (P − Q)(ln P − ln Q) = 0.25·ln 2 + 0.25·ln 1.5
    assert mean_divergence(left, right)[0] == pytest.approx(0.25 * math.log(2) + 0.25 * math.log(1.5))


def test_divergence_averages_over_the_rows_of_the_kernel():
    left = np.array([[0.5, 0.5]])
    right = np.array([[0.25, 0.75], [0.5, 0.5]])
    assert mean_divergence(left, right)[0] == pytest.approx(mean_divergence(left, right[:1])[0] / 2)


def test_smoothing_adds_a_thousandth_to_every_entry():
    assert smooth(np.array([[3.0, 1.0]]))[0] == pytest.approx([0.751 / 1.002, 0.251 / 1.002])
    assert smooth(np.zeros((1, 4)))[0] == pytest.approx([0.25] * 4)


def test_similarity_falls_with_divergence_and_distance_is_the_divergence():
    divergences = np.array([0.0, 1.0, 3.0])
    present = np.array([True, True, True])
    assert to_values(divergences, present, "similarity") == pytest.approx([1.0, 0.5, 0.25])
    assert to_values(divergences, present, "distance") == pytest.approx([0.0, 1.0, 3.0])


def test_a_sentence_with_none_of_the_terms_is_like_nothing():
    divergences, present = np.array([0.0, 1.0]), np.array([False, True])
    assert to_values(divergences, present, "similarity") == pytest.approx([0.0, 0.5])


def test_eq_6_combines_heads_that_each_sum_to_one():
    values = {"a": np.array([2.0, 1.0, 1.0]), "b": np.array([1.0, 3.0, 1.0])}
    attention = combine(values, {"a": 0.8, "b": 0.2})
    assert attention.shares["a"] == pytest.approx([0.4, 0.2, 0.2])
    assert attention.shares["b"] == pytest.approx([0.04, 0.12, 0.04])
    assert attention.weights == pytest.approx([0.44, 0.32, 0.24])


def test_what_is_below_zero_is_clipped_and_the_rest_sums_to_one():
    values = {"a": np.array([2.0, 1.0, 1.0]), "b": np.array([1.0, 8.0, 1.0])}
    attention = combine(values, {"a": 2.0, "b": -1.0})
    # a: (1, .5, .5); b: −(.1, .8, .1); sum: (.9, −.3, .4)
    assert attention.weights == pytest.approx([0.9 / 1.3, 0.0, 0.4 / 1.3])


def test_nothing_left_is_uniform():
    assert combine({"a": np.ones(2)}, {"a": 0.0}).weights == pytest.approx([0.5, 0.5])
    assert normalize(np.zeros(4)) == pytest.approx([0.25] * 4)


def test_emphasis_multiplies_attention():
    weights = combine({"a": np.ones(2)}, {"a": 1.0}, np.array([3.0, 1.0])).weights
    assert weights == pytest.approx([0.75, 0.25])


@pytest.mark.parametrize("kind", kernels.names())
def test_equal_sentences_get_equal_attention(kind):
    document = Document.of("The tug pulled the ship. Rain fell on the quay. The tug pulled the ship. It was late.")
    values = kernels.make(kind)(document)(document.words)
    assert values[0] == pytest.approx(values[2])


@pytest.mark.parametrize("kind", kernels.names())
def test_shuffling_the_prototype_permutes_its_attention(kind):
    document = Document.of(STORY)
    head = kernels.make(kind)(document)
    order = [4, 0, 7, 2]
    straight = combine({kind: head([document.words[index] for index in sorted(order)])}, {kind: 1.0}).weights
    shuffled = combine({kind: head([document.words[index] for index in order])}, {kind: 1.0}).weights
    assert shuffled == pytest.approx([straight[sorted(order).index(index)] for index in order])


def test_keyword_kernel_ranks_sentences_by_keywords_only():
    document = Document.of("The crude oil and the crude oil and the crude oil. The gulls watched. The crude oil.")
    oil, gulls, neither = kernels.make("keywords")(document)([["crude", "oil"], ["gulls", "watched"], ["rain"]])
    assert oil > gulls > neither == 0.0


def test_redundancy_is_the_mean_cosine_brought_between_zero_and_one():
    document = Document.of("Tugs pull ships. Gulls eat fish.")
    values = kernels.make("redundancy")(document)(document.words)
    # cosine 1 with itself and 0 with the other: (1 + 1/2) / 2
    assert values == pytest.approx([0.75, 0.75])


def test_expansion_maximizes_similarity_times_overlap():
    document = Document.of("Red fox. Blue bird. Green frog. Grey wolf.")
    expansions = Expansions(document, [["blue", "bird"]], sizes=(2,), dimensions=300)
    used = np.zeros(4, dtype=bool)
    # Runs that hold the sentence itself: mean cosine 1/2, overlap 1.
    assert expansions.score(0, range(2)) == pytest.approx(0.5)
    assert expansions.score(0, range(2, 4)) == 0.0
    assert expansions.best(0, used, room=100, count=4) == [range(2), range(1, 3)]
    assert expansions.best(0, np.array([True, False, False, False]), room=100) == [range(1, 3)]
    assert expansions.best(0, used, room=3) == []


def test_expansion_takes_shorter_runs_where_no_longer_one_fits():
    document = Document.of("Red fox. Blue bird. Green frog. Grey wolf.")
    expansions = Expansions(document, [["blue", "bird"]], sizes=(3, 2), dimensions=300)
    used = np.zeros(4, dtype=bool)
    assert expansions.best(0, used, room=6) == [range(3)]
    assert expansions.best(0, used, room=5) == [range(2)]


def test_repeated_counts_bigrams_and_trigrams_that_stand_there_again():
    # a b, b c, c a, a b | a b c, b c a, c a b: "a b" comes twice
    assert repeated([ngrams("abcab")]) == 1
    assert repeated([ngrams("abc"), ngrams("abc")]) == 3
    assert repeated([ngrams("abc")], said=set(ngrams("xab"))) == 1


def test_copies_the_best_sentences_that_fit_in_the_prototypes_order():
    document = Document.of("Ada wrote two long letters. Bob read. Cy slept well.")
    magnifier = Magnifier(Config(), {"fixed": Fixed(1.0, ada=1.0, bob=2.0, cy=3.0)})
    pieces = magnifier(document, prototype_of(document, 0, 1, 2), budget=6)
    assert [piece.text for piece in pieces] == ["Bob read.", "Cy slept well."]
    assert [piece.operation for piece in pieces] == ["copied", "copied"]
    assert [piece.rating for piece in pieces] == pytest.approx([2 / 6, 3 / 6])
    assert [piece.shares["fixed"] for piece in pieces] == pytest.approx([2 / 6, 3 / 6])


def test_never_expands_while_the_budget_is_no_longer_than_the_prototype():
    document = Document.of(STORY)
    magnifier = Magnifier(Config(), {"fixed": Fixed(1.0)})
    prototype = prototype_of(document, 0, 3)
    length = sum(document.lengths[index] for index in (0, 3))
    assert {piece.operation for piece in magnifier(document, prototype, length)} == {"copied"}
    assert "expanded" in {piece.operation for piece in magnifier(document, prototype, 40)}


def test_an_expansion_replaces_its_sentence_in_place_and_in_document_order():
    document = Document.of(STORY)
    magnifier = Magnifier(Config(), {"fixed": Fixed(1.0)})
    pieces = magnifier(document, prototype_of(document, 1, 6), budget=60)
    grown = [piece for piece in pieces if piece.expands == document.printed[1]]
    assert [piece.source for piece in grown] == sorted(piece.source for piece in grown)
    assert 1 in [piece.source for piece in grown]
    assert len({piece.source for piece in pieces}) == len(pieces), "no sentence twice"


@pytest.mark.parametrize("expansion", ["corrected", "literal"])
@pytest.mark.parametrize("fill", [False, True])
def test_strict_mode_never_exceeds_any_budget(expansion, fill):
    document = Document.of(STORY)
    magnifier = Magnifier(
        Config(expansion=expansion, fill=fill), {kind: kernels.make(kind) for kind in kernels.names()}
    )
    for budget in range(1, 60):
        pieces = magnifier(document, prototype_of(document, 0, 2, 7), budget)
        assert sum(len(piece.text.split()) for piece in pieces) <= budget


def test_after_filling_no_sentence_fits_any_more():
    document = Document.of(STORY)
    magnifier = Magnifier(Config(fill=True, redundancy=1.0), {"fixed": Fixed(1.0)})
    for budget in range(3, 50):
        pieces = magnifier(document, prototype_of(document, 0), budget)
        left = budget - sum(len(piece.text.split()) for piece in pieces)
        there = {piece.source for piece in pieces}
        assert left >= 0
        assert not [length for index, length in enumerate(document.lengths) if index not in there and length <= left]


def test_the_other_mode_is_never_shorter_than_the_prototype():
    document = Document.of(STORY)
    magnifier = Magnifier(Config(mode="at_least_prototype"), {"fixed": Fixed(1.0)})
    prototype = prototype_of(document, 0, 2)
    pieces = magnifier(document, prototype, budget=2)
    assert [piece.text for piece in pieces] == [sentence.text for sentence in prototype]


def test_literal_expansion_is_the_same_constant_for_every_sentence():
    """P_e as printed is 1/(m·n): with three sentences of a prototype P_c is a third each and always wins."""
    document = Document.of(STORY)
    heads = {"a": Fixed(0.5), "b": Fixed(0.25), "c": Fixed(0.25)}
    literal = Magnifier(Config(expansion="literal"), heads)(document, prototype_of(document, 0, 3, 7), budget=50)
    assert "copied" in {piece.operation for piece in literal}
    assert literal[0].operation == "copied"
