"""MLS (Sarkhel et al. 2020): the equations on a few sentences, by hand."""

import math

import numpy as np
import pytest
from scipy import sparse

import nutgraf
from nutgraf.errors import PresetError
from nutgraf.magnifier.attention import combine, normalize
from nutgraf.magnifier.expansion import Expansions, ngrams, repeated
from nutgraf.magnifier.kernels import Kernel, kernels
from nutgraf.magnifier.kernels._divergence import mean_divergence, smooth, to_values
from nutgraf.magnifier.kernels._shuffle import shuffled
from nutgraf.magnifier.magnifier import Config, Magnifier, PrototypeSentence
from nutgraf.prose import qualities
from nutgraf.systems import read_preset as read
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget

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


def test_other_symmetric_divergences_of_two_coins():
    left, right = np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])
    both = mean_divergence(left, right)[0]
    assert mean_divergence(left, right, "mean")[0] == pytest.approx(both / 2)
    # M = (0.375, 0.625): half of KL(P‖M) + KL(Q‖M)
    to_left = 0.5 * math.log(0.5 / 0.375) + 0.5 * math.log(0.5 / 0.625)
    to_right = 0.25 * math.log(0.25 / 0.375) + 0.75 * math.log(0.75 / 0.625)
    assert mean_divergence(left, right, "jensen_shannon")[0] == pytest.approx((to_left + to_right) / 2)
    rows = np.vstack([right, left])
    assert mean_divergence(left, rows, "jensen_shannon")[0] == pytest.approx((to_left + to_right) / 4)


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


def test_eq_3_combines_heads_that_each_sum_to_one():
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


def test_heads_may_be_normalized_by_a_softmax():
    attention = combine({"a": np.array([math.log(2), 0.0, 0.0])}, {"a": 1.0}, normalization="softmax")
    assert attention.weights == pytest.approx([0.5, 0.25, 0.25])


def test_emphasis_multiplies_attention():
    weights = combine({"a": np.ones(2)}, {"a": 1.0}, np.array([3.0, 1.0])).weights
    assert weights == pytest.approx([0.75, 0.25])


@pytest.mark.parametrize("kind", kernels.names())
def test_equal_sentences_get_equal_attention(kind):
    document = Document.of("The tug pulled the ship. Rain fell on the quay. The tug pulled the ship. It was late.")
    values = kernels.make(kind)(document)(document.words)
    assert values[0] == pytest.approx(values[2])


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 0, 2, 1]])
def test_of_all_three_heads_together_too_and_in_any_order(order):
    """What repeats others weighs less: its weight is negative, as the paper's search finds it."""
    document = Document.of("The tug pulled the ship. Rain fell on the quay. The tug pulled the ship. Crude oil burned.")
    weights = {"topics": 0.6, "keywords": 0.7, "redundancy": -0.3}
    magnifier = Magnifier(Config(), {kind: kernels.make(kind, weight=weight) for kind, weight in weights.items()})
    found = {}
    for indices in (range(4), order):
        pieces = magnifier(document, prototype_of(document, *indices), budget=18)
        assert [piece.source for piece in pieces] == list(indices)
        found[tuple(indices)] = {piece.source: piece.rating for piece in pieces}
    straight, shuffled = found[0, 1, 2, 3], found[tuple(order)]
    assert straight[0] == pytest.approx(straight[2])
    assert straight[0] != pytest.approx(straight[1])
    assert shuffled == pytest.approx(straight)
    assert sum(straight.values()) == pytest.approx(1)


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


@pytest.mark.parametrize("weighted", kernels.names())
def test_a_single_weight_of_one_ranks_by_that_kernel_only(weighted):
    document = Document.of(STORY)
    weights = {kind: float(kind == weighted) for kind in kernels.names()}
    magnifier = Magnifier(Config(), {kind: kernels.make(kind, weight=weights[kind]) for kind in weights})
    whole = prototype_of(document, *range(8))
    pieces = magnifier(document, whole, budget=sum(document.lengths))
    alone = kernels.make(weighted)(document)(document.words)
    assert [piece.rating for piece in pieces] == pytest.approx(alone / alone.sum())
    for piece in pieces:
        assert {kind for kind, share in piece.shares.items() if share} <= {weighted}


def test_keywords_may_be_single_words():
    document = Document.of("The crude oil and the crude gulls.")
    phrases, single = (kernels.make("keywords", unit=units)(document)([["crude"]]) for units in ("phrases", "words"))
    assert phrases[0] == 0.0 < single[0]


def test_keywords_may_be_kept_by_rakes_score():
    document = Document.of("The gulls and the gulls and the crude oil price.")
    sentences = [["gulls"], ["crude", "oil", "price"]]
    by_frequency, by_score = (
        kernels.make("keywords", top=1, rank_by=by)(document)(sentences) for by in ("frequency", "score")
    )
    assert by_frequency[0] > by_frequency[1] == 0.0
    assert by_score[1] > by_score[0] == 0.0


def test_topics_of_a_collection_say_what_a_document_is_about():
    ships = ["Ships carry oil. Tugs pull ships. Oil ships sail."] * 3
    bread = ["Bakers bake bread. Rye bread rises. Bread ovens bake."] * 3
    kernel = kernels.make("topics", fit_on="collection", topics=2, top=1)
    document = Document.of("Rye bread is what bakers bake.")
    with pytest.raises(PresetError, match="collection"):
        kernel(document)
    kernel.fit(map(Document.of, ships + bread))
    rye, tugs = kernel(document)([["rye", "bread"], ["tugs", "pull", "ships"]])
    assert rye > tugs > 0.0
    # Of the document's own topics those about ships would know nothing.
    assert kernels.make("topics")(document)([["tugs", "pull", "ships"]])[0] == 0.0


def test_redundancy_may_be_the_mean_cosine_itself():
    document = Document.of("Tugs pull ships. Gulls eat fish.")
    assert kernels.make("redundancy", score="cosine")(document)(document.words) == pytest.approx([0.5, 0.5])


def test_a_shuffled_kernel_has_the_same_values_elsewhere():
    kernel = np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])
    moved = shuffled(kernel, 2)
    assert not np.array_equal(moved, kernel)
    assert moved.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert sorted(map(sorted, moved.tolist())) == sorted(map(sorted, kernel.tolist()))
    assert np.array_equal(shuffled(sparse.csr_matrix(kernel), 2).toarray(), moved)
    assert shuffled(kernel, None) is kernel


@pytest.mark.parametrize("kind", kernels.names())
def test_the_ablation_shuffles_one_kernel_by_a_seed(kind):
    document = Document.of(STORY)
    plain, once, twice = (kernels.make(kind, shuffle_seed=seed)(document)(document.words) for seed in (None, 1, 1))
    assert np.array_equal(once, twice)
    assert not np.allclose(once, plain)


def test_redundancy_is_the_mean_cosine_brought_between_zero_and_one():
    document = Document.of("Tugs pull ships. Gulls eat fish.")
    values = kernels.make("redundancy")(document)(document.words)
    # cosine 1 with itself and 0 with the other: (1 + 1/2) / 2
    assert values == pytest.approx([0.75, 0.75])


def test_expansion_maximizes_similarity_times_overlap():
    document = Document.of("Red fox. Blue bird. Green frog. Grey wolf.")
    expansions = Expansions(document, [["blue", "bird"]], sizes=(2,), dimensions=300)
    used = np.zeros(4, dtype=bool)
    # Two runs hold the sentence itself: mean cosine 1/2, overlap 1.
    assert expansions.scores(0, 2) == pytest.approx([0.5, 0.5, 0.0])
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
    assert repeated([ngrams("abc")], known=set(ngrams("xab"))) == 1


def test_copies_the_best_sentences_that_fit_in_the_prototypes_order():
    document = Document.of("Ada wrote two long letters. Bob read. Cy slept well.")
    magnifier = Magnifier(Config(), {"fixed": Fixed(1.0, ada=1.0, bob=2.0, cy=3.0)})
    pieces = magnifier(document, prototype_of(document, 0, 1, 2), budget=6)
    assert [piece.text for piece in pieces] == ["Bob read.", "Cy slept well."]
    assert [piece.operation for piece in pieces] == ["copied", "copied"]
    assert [piece.rating for piece in pieces] == pytest.approx([2 / 6, 3 / 6])
    assert [piece.shares["fixed"] for piece in pieces] == pytest.approx([2 / 6, 3 / 6])


@pytest.mark.parametrize(("share", "words"), [("1/32", 2), ("1/16", 5), ("1/8", 11), ("1/4", 23), ("1/2", 47)])
def test_a_budget_is_a_share_of_the_words_rounded_down(share, words):
    assert Budget.of(share=share).words_of(Document.of("The tug pulled. " * 31 + "It sank.")) == words


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


def test_after_filling_no_good_sentence_fits_any_more():
    document = Document.of(STORY)
    magnifier = Magnifier(Config(fill=True, redundancy_threshold=1.0), {"fixed": Fixed(1.0)})
    for budget in range(3, 50):
        pieces = magnifier(document, prototype_of(document, 0), budget)
        left = budget - sum(len(piece.text.split()) for piece in pieces)
        there = {piece.source for piece in pieces}
        assert left >= 0
        good = [index for index, quality in enumerate(qualities(document)) if quality == 1 and index not in there]
        assert not [index for index in good if document.lengths[index] <= left]


def test_the_other_mode_is_never_shorter_than_the_prototype():
    document = Document.of(STORY)
    magnifier = Magnifier(Config(mode="at_least_prototype"), {"fixed": Fixed(1.0)})
    prototype = prototype_of(document, 0, 2)
    pieces = magnifier(document, prototype, budget=2)
    assert [piece.text for piece in pieces] == [sentence.text for sentence in prototype]


def test_or_has_at_least_the_best_sentence():
    document = Document.of("Ada wrote two long letters. Bob read. Cy slept well.")
    magnifier = Magnifier(Config(mode="at_least_one"), {"fixed": Fixed(1.0, ada=1.0, bob=2.0, cy=3.0)})
    prototype = prototype_of(document, 0, 1, 2)
    assert [piece.text for piece in magnifier(document, prototype, budget=1)] == ["Cy slept well."]
    assert [piece.text for piece in magnifier(document, prototype, budget=2)] == ["Bob read."]


@pytest.mark.parametrize(
    ("grey", "budget", "copied", "grown"),
    [
        (5.0, 5, ["Blue bird.", "Black cat."], []),
        (5.0, 6, ["Blue bird."], ["Grey wolf.", "Black cat."]),
        (8.0, 5, [], ["Grey wolf.", "Black cat."]),
    ],
)
def test_eq_7_8_the_likeliest_is_chosen_and_grows_where_that_is_likelier_than_copying(grey, budget, copied, grown):
    """Of "Blue bird." and "Black cat." P_c = (3/4, 1/4). They grow into the sentence before and themselves.

    grey = 5: 1, 3, 5 and 1 of 10; means 0.2 and 0.3; P_e = (0.4, 0.6). Eq. 7 has 0.75 · 0.4 + 0.25 · 0.75 = 0.4875 and
    0.6 · 0.6 + 0.4 · 0.25 = 0.46: the bird comes first and is copied. The cat is alone then, 1 and 1, and grows if two
    sentences fit. grey = 8: means of 4 and 9, P_e = (4/13, 9/13); 0.418 and 0.556: the cat comes first and grows.
    """
    document = Document.of("Red fox. Blue bird. Green frog. Grey wolf. Black cat. White owl.")
    head = Fixed(1.0, red=1.0, blue=3.0, grey=grey, black=1.0)
    pieces = Magnifier(Config(expansion_sizes=(2,)), {"fixed": head})(document, prototype_of(document, 1, 4), budget)
    expected = [(text, "copied", None) for text in copied] + [(text, "expanded", "Black cat.") for text in grown]
    assert [(piece.text, piece.operation, piece.expands) for piece in pieces] == expected


@pytest.mark.parametrize(("candidates", "chosen"), [(1, "Blue fox, blue fox."), (4, "Green frog.")])
def test_of_the_best_runs_the_one_is_taken_that_repeats_least(candidates, chosen):
    """With the fox the bird has more in common, but "blue fox" stands there twice."""
    document = Document.of("Blue fox, blue fox. Blue bird. Green frog.")
    magnifier = Magnifier(Config(expansion_sizes=(2,), candidates=candidates), {"fixed": Fixed(1.0)})
    pieces = magnifier(document, prototype_of(document, 1), budget=6)
    assert {piece.text for piece in pieces} == {"Blue bird.", chosen}
    assert {piece.operation for piece in pieces} == {"expanded"}


def test_eq_8_as_printed_expands_while_the_summary_is_shorter_than_the_budget():
    document = Document.of(STORY)
    prototype = prototype_of(document, 0, 3, 7)
    budget = sum(document.lengths[index] for index in (0, 3, 7)) - 1
    text, printed = (
        {
            piece.operation
            for piece in Magnifier(Config(compared_length=what), {"fixed": Fixed(1.0)})(document, prototype, budget)
        }
        for what in ("prototype", "summary")
    )
    assert text == {"copied"}
    assert "expanded" in printed


def test_every_sentence_of_a_summary_carries_its_three_scores_and_what_was_done():
    summary = nutgraf.load("mls_plus_paper")(STORY, words=45)
    for sentence in summary.to_json()["sentences"]:
        assert set(sentence["shares"]) == {"topics", "keywords", "redundancy"}
        assert sentence["operation"] in {"copied", "expanded"}
        assert sentence["rating"] == pytest.approx(sum(sentence["shares"].values()))


@pytest.mark.parametrize(("size", "constant"), [(3, 9), (2, 6)])
def test_literal_expansion_is_a_ninth_for_three_sentences_and_a_sixth_for_two(size, constant):
    """Of three heads. As likely as copying one of nine, or of six, so that the first grows; of one fewer none does."""
    names = "Ash Bay Cedar Dogwood Elm Fir Gum Hazel Ivy Juniper Kauri".split()
    document = Document.of(" ".join(f"{name} stands." for name in names))
    heads = {"a": Fixed(0.6), "b": Fixed(0.7), "c": Fixed(-0.3)}
    magnifier = Magnifier(Config(expansion="literal", expansion_sizes=(size,)), heads)
    for sentences, grown in ((constant, size), (constant - 1, 0)):
        pieces = magnifier(document, prototype_of(document, *range(1, 1 + sentences)), budget=100)
        assert [piece.operation for piece in pieces].count("expanded") == grown


def test_literal_expansion_is_the_same_constant_for_every_sentence():
    """P_e as printed is 1/(m·n): with three sentences of a prototype P_c is a third each and always wins."""
    document = Document.of(STORY)
    heads = {"a": Fixed(0.5), "b": Fixed(0.25), "c": Fixed(0.25)}
    literal = Magnifier(Config(expansion="literal"), heads)(document, prototype_of(document, 0, 3, 7), budget=50)
    assert "copied" in {piece.operation for piece in literal}
    assert literal[0].operation == "copied"


def test_the_network_of_the_prototype_learns_from_news_and_then_from_a_small_set():
    """80,000 words; 400 and 100 of them on news, 500 and 200 afterwards, for 3,000 steps (Sec. 3.1 of the paper)."""
    pytest.importorskip("torch")
    news, small = (read(name).config for name in ("mls_prototype", "mls_prototype_finetuning"))
    assert news.model == small.model == read("pointer_generator").config.model
    assert (news.tokenizer.config.vocab_size, small.tokenizer.config.vocab_size) == (80000, 80000)
    assert [(one.truncation.source, one.truncation.target) for one in (news, small)] == [(400, 100), (500, 200)]
    assert (news.dataset.kind, small.dataset.kind, small.training.max_steps) == ("cnn_dailymail", "msr_narrative", 3000)
    search = {"beam_size": 4, "min_length": 35, "max_length": 200}
    assert {name: getattr(small.decoding, name) for name in search} == search
