"""ROUGE against ROUGE-1.5.5.pl (its numbers stand in rouge_pairs.json), against plain tables, and by hand."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.errors import InputError, PresetError
from nutgraf.metrics import Example, _rouge_count, metrics
from nutgraf.metrics._rouge_lcs import lcs_length, union_hits
from nutgraf.metrics._rouge_stem import exceptions, porter, stem
from nutgraf.metrics._rouge_text import TextPair, TokenizedText, ascii_words
from nutgraf.metrics._score import Score
from nutgraf.metrics.rouge import Config, Rouge, rouge
from nutgraf.text.segmentation import described

PAIRS = json.loads((Path(__file__).parent / "rouge_pairs.json").read_text(encoding="utf-8"))
OPTIONS: dict[str, dict[str, Any]] = {
    "-f A": {"stem": False, "references": "average"},
    "-f A -m": {"stem": True, "references": "average"},
    "-f B": {"stem": False, "references": "best"},
    "-f B -m": {"stem": True, "references": "best"},
    "jackknife": {"stem": False, "jackknife": True},
}

words = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=12)
texts = st.lists(words, min_size=1, max_size=5)


def f(hypothesis: str, reference: str, variant: str, **options: Any) -> float:
    return rouge(hypothesis, [reference], variants=(variant,), **options)[variant].f


# the original script


def test_there_are_a_hundred_pairs() -> None:
    assert len({pair["name"] for pair in PAIRS}) == 100


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["name"])
def test_the_scores_are_the_scripts(pair: dict[str, Any]) -> None:
    for run, expected in pair["script"].items():
        scores = rouge(pair["hypothesis"], pair["references"], variants=tuple(expected), **OPTIONS[run])
        assert {name: list(score) for name, score in scores.items()} == {
            name: pytest.approx(score, abs=1e-8) for name, score in expected.items()
        }, run


def test_several_texts_are_compared_with_each_other_as_two_are() -> None:
    given = [["A cat sat.", "It slept."], ["A cat slept."], ["Rain"], ["A cat slept."]]
    scores = Rouge(Config()).pairwise(given)
    assert scores == [[rouge(one, [other]) for other in given] for one in given]


def test_several_texts_are_compared_with_others() -> None:
    given, others = [["A cat sat."], ["Rain"]], [["A cat slept."], ["Rain"], ["It slept."]]
    scores = Rouge(Config()).pairwise(given, others)
    assert scores == [[rouge(one, [other]) for other in others] for one in given]


def test_precision_and_recall_are_rounded_before_f() -> None:
    """P = 2/3 and R = 2/7: 2·PR/(P + R) = 0.4, of the rounded ones 2 · 0.66667 · 0.28571 / 0.95238 = 0.399999…"""
    score = rouge("a b x", ["a b c d e f g"], variants=("1",), stem=False)["1"]
    assert score == Score(0.66667, 0.28571, 0.4)


def test_su_never_counts_the_last_single_word() -> None:
    """Three words have three pairs and, as the script counts, two single words; one word has nothing."""
    assert rouge("a b c", ["a b c x"], variants=("SU4",))["SU4"] == Score(1.0, pytest.approx(5 / 9, abs=1e-5), 0.71429)
    assert f("a", "a", "SU4") == 0.0


def test_both_su_are_scored_unless_variants_are_chosen_and_they_differ_in_far_pairs() -> None:
    """Seven words whose first and last change places: the five between have ten pairs and five single words in common,
    and every other pair is turned round. SU* has 21 pairs and six single words, SU4 all of them but the pair of the
    first and the last word, which has five words between."""
    scores = rouge("a b c d e f g", ["g b c d e f a"])
    assert [*scores] == ["1", "2", "L", "SU4", "SU*"]
    assert (scores["SU*"].f, scores["SU4"].f) == (round(15 / 27, 5), round(15 / 26, 5))


def test_s0_is_about_neighbours() -> None:
    assert f("a b c d", "a b d c", "S0") == f("a b c d", "a b d c", "2") == 0.33333


def test_several_references_are_summed_or_the_best_recall_counts() -> None:
    """Hits 1 and 2 of 1 and 4 words; the hypothesis counts once a reference: P = 3/6, R = 3/5. The best is "a"."""
    references = ["a", "a b x y"]
    assert rouge("a b c", references, variants=("1",))["1"] == Score(0.5, 0.6, 0.54545)
    assert rouge("a b c", references, variants=("1",), references="best")["1"] == Score(0.33333, 1.0, 0.5)


def test_one_reference_cannot_be_left_out() -> None:
    assert rouge("a b", ["a c"], jackknife=True) == rouge("a b", ["a c"])


def test_the_l_of_the_script_is_lsum() -> None:
    scores = rouge("c d\na b", ["a b\nc d"], variants=("L", "Lsum"))
    assert scores["L"] == scores["Lsum"] == Score(1.0, 1.0, 1.0)


def test_a_weight_of_one_leaves_lengths_as_they_are() -> None:
    text, other = "a b c d x y", "a b x c d y"
    assert f(text, other, "W", weight=1.0) == f(text, other, "L")


# words and stems


def test_only_ascii_letters_and_digits_are_words() -> None:
    text = "It’s the naïve CO-OP's $5_a; \ud800 42."
    assert " ".join(ascii_words(text)) == "it s the na ve co op s 5 a 42"


@pytest.mark.parametrize(
    ("word", "base"),
    [("geese", "goose"), ("children", "child"), ("better", "well"), ("best", "well"), ("testes", "testes"),
     ("offer", "offer"), ("felt", "feel"), ("comics", "comic_strip"), ("agreement", "agreem"), ("agreed", "agre"),
     ("supplementable", "supplem"), ("psychology", "psycholog"), ("possibly", "possibl"), ("yachts", "yacht"),
     ("syzygy", "syzygi"), ("hopping", "hop"), ("filing", "file"), ("fizzed", "fizz"), ("1990s", "1990")],
)  # fmt: skip
def test_stems(word: str, base: str) -> None:
    assert stem(word) == base


def test_wordnets_lists_are_all_there() -> None:
    assert len(exceptions()) == 5930


def test_words_of_three_letters_are_not_stemmed() -> None:
    assert f("ran", "run", "1") == f("is", "be", "1") == 0.0
    assert f("went", "go", "1") == 1.0


@given(st.text("abeiouylstdgnm1", max_size=12))
def test_a_stem_is_never_longer_by_more_than_its_e(word: str) -> None:
    assert len(porter(word)) <= len(word)


# counting


@given(texts, texts)
def test_all_ngrams_and_pairs_are_counted(ours: list[list[str]], theirs: list[list[str]]) -> None:
    pair = TextPair(_text(ours), _text(theirs))
    for gap in (0, 1, 4, None):
        for unigrams in (False, True):
            expected = (
                _plain_skips(pair.hypothesis.words, gap, unigrams),
                _plain_skips(pair.reference.words, gap, unigrams),
            )
            assert _rouge_count.skip_hits(pair, gap, unigrams) == _common(*expected)
            assert _rouge_count.skip_total(len(pair.reference.words), gap, unigrams) == len(expected[1])
    for n in (1, 2, 3, 5):
        grams = [
            list(zip(*(text.words[start:] for start in range(n)), strict=False))
            for text in (pair.hypothesis, pair.reference)
        ]
        assert _rouge_count.ngram_hits(pair, n) == _common(*grams)


def test_pairs_at_any_distance_in_tables_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = TextPair(_text([list("abcabcad")]), _text([list("cabdacb")]))
    whole = _rouge_count.skip_hits(pair, None, False)
    monkeypatch.setattr(_rouge_count, "_CELLS", 10)
    assert _rouge_count.skip_hits(pair, None, False) == whole


def _text(sentences: list[list[str]]) -> TokenizedText:
    return TokenizedText(map(" ".join, sentences), str.split)


def _plain_skips(sequence: list[str], gap: int | None, unigrams: bool) -> list[tuple[str, ...]]:
    reach = len(sequence) if gap is None else gap + 1
    singles: list[tuple[str, ...]] = [(word,) for word in sequence[:-1]] if unigrams else []
    return singles + [(a, b) for i, a in enumerate(sequence) for b in sequence[i + 1 : i + reach + 1]]


def _plain_ngrams(sequence: list[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(sequence[start : start + n]) for start in range(len(sequence) - n + 1)]


def _common(ours: list[tuple[str, ...]], theirs: list[tuple[str, ...]]) -> int:
    left, hits = list(theirs), 0
    for unit in ours:
        if unit in left:
            left.remove(unit)
            hits += 1
    return hits


# common subsequences


@given(texts, texts)
def test_the_walk_is_that_of_the_plain_table(hypothesis: list[list[str]], reference: list[list[str]]) -> None:
    shared = set(chain(*hypothesis)) & set(chain(*reference))
    expected = dict.fromkeys(shared, 0)
    for sentence in reference:
        for place in set().union(*(_plain_walk(sentence, other) for other in hypothesis)):
            expected[sentence[place]] += 1
    assert union_hits(hypothesis, reference, shared) == expected


@given(words, words)
def test_the_length_is_that_of_the_plain_table(ours: list[str], theirs: list[str]) -> None:
    assert lcs_length(ours, theirs) == len(_plain_walk(ours, theirs))


def test_long_texts_go_through_in_groups() -> None:
    reference = [[f"w{number}" for number in range(start, start + 30)] for start in range(0, 3000, 30)]
    hypothesis = [sentence[::2] for sentence in reference]
    on_path = union_hits(hypothesis, reference, set(chain(*hypothesis)))
    assert set(on_path.values()) == {1}
    assert len(on_path) == 1500


def _plain_walk(ours: list[str], theirs: list[str]) -> set[int]:
    """The usual table, and the way back: diagonally on equal words, else up if nothing is lost, else left."""
    table = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for i, word in enumerate(ours, start=1):
        for j, other in enumerate(theirs, start=1):
            table[i][j] = table[i - 1][j - 1] + 1 if word == other else max(table[i - 1][j], table[i][j - 1])
    i, j, path = len(ours), len(theirs), set()
    while i and j:
        if ours[i - 1] == theirs[j - 1]:
            i, j = i - 1, j - 1
            path.add(i)
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return path


# the package rouge-score


def test_like_rouge_score_l_is_over_the_whole_text_and_lsum_by_sentence() -> None:
    """In another order only two of the four words are on one common subsequence; each sentence by itself is whole."""
    scores = rouge("c d\na b", ["a b\nc d"], like="rouge-score", stem=False)
    assert scores["L"].f == 0.5
    assert scores["Lsum"].f == 1.0
    assert list(scores) == ["1", "2", "L", "Lsum"]


def test_like_rouge_score_nothing_is_rounded() -> None:
    score = rouge("a b x", ["a b c d e f g"], like="rouge-score", variants=("1",))["1"]
    assert score == Score(2 / 3, 2 / 7, 2 * (2 / 3) * (2 / 7) / (2 / 3 + 2 / 7))


def test_like_rouge_score_there_are_no_exceptions_and_another_porter() -> None:
    assert f("geese", "goose", "1", like="rouge-score") == 0.0
    assert f("agreement", "agreeing", "1", like="rouge-score") == 0.0
    assert f("agreements", "agreement", "1", like="rouge-score") == 1.0
    assert f("skies", "sky", "1", like="rouge-score") == 1.0
    assert f("skies", "sky", "1") == 0.0


def test_like_rouge_score_unicode_is_lower_cased() -> None:
    """The Kelvin sign's small letter is k."""
    assert f("300\u212a", "300k", "1", like="rouge-score") == 1.0
    assert f("300\u212a", "300k", "1") == 0.0


def test_like_rouge_score_the_best_f_counts() -> None:
    references = ["a", "a b c d x y z"]
    package = rouge("a b c d", references, like="rouge-score", variants=("1",))["1"]
    script = rouge("a b c d", references, references="best", variants=("1",))["1"]
    assert package.f == pytest.approx(8 / 11)
    assert script == Score(0.25, 1.0, 0.4)


# what users meet


def test_columns_and_parts() -> None:
    metric = metrics.make("rouge", variants=["1", "SU4"], parts=["P", "R", "F"], stem=False)
    example = Example(["a b c"], (["a b c x"],))
    assert metric(example) == {
        "ROUGE-1 P": 1.0, "ROUGE-1 R": 0.75, "ROUGE-1": 0.85714,
        "ROUGE-SU4 P": 1.0, "ROUGE-SU4 R": 0.55556, "ROUGE-SU4": 0.71429,
    }  # fmt: skip


def test_without_references_there_is_nothing_to_say() -> None:
    assert set(metrics.make("rouge")(Example(["A text."])).values()) == {None}
    with pytest.raises(InputError, match="there is none"):
        rouge("A text.", [])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variants": ["3L"]}, "'3L'.*1.*2"),
        ({"variants": ["0"]}, "no variant '0'"),
        ({"variants": ["1", "1"]}, "each once"),
        ({"variants": []}, "at least one"),
        ({"like": "rouge-score", "variants": ["SU4"]}, "'SU4'"),
        ({"like": "rouge-score", "jackknife": True}, 'use like="perl"'),
        ({"alpha": 2.0}, "alpha = 2.0"),
        ({"weight": 0.0}, "weight = 0.0"),
        ({"references": "worst"}, "'average' or 'best'"),
        ({"stemming": True}, "Did you mean 'stem'"),
    ],
)
def test_mistakes_are_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PresetError, match=message):
        metrics.make("rouge", **options)


def test_the_signature_says_what_matters() -> None:
    assert metrics.make("rouge").signature.startswith("rouge|stem:yes|refs:average|like:perl|jackknife:no|alpha:0.5|v")
    assert "|weight:1.2|v" in metrics.make("rouge", variants=["W"]).signature
    assert metrics.make("rouge", like="rouge-score", stem=False).signature.startswith(
        "rouge|stem:no|refs:best|like:rouge-score|v"
    )


def test_a_string_has_a_sentence_a_line() -> None:
    assert rouge("a b\nc", "c\na b") == rouge(["a b", "c"], [["c", "a b"]])


@given(st.lists(st.text(), max_size=3), st.lists(st.lists(st.text(), max_size=3), min_size=1, max_size=3))
def test_any_text_has_scores_between_0_and_1(hypothesis: list[str], references: list[list[str]]) -> None:
    for like in ("perl", "rouge-score"):
        for score in rouge(hypothesis, references, like=like).values():
            assert all(0 <= share <= 1 for share in score)


class TestOtherScripts:
    def test_the_programs_read_ascii_letters_only(self):
        assert rouge("火车晚点", "火车晚点", variants=("1",))["1"].f == 0

    def test_characters(self):
        # 火 车 晚 点 are among the six characters of the reference, 火车 and 晚点 among its five pairs
        scores = rouge("火车晚点。", "火车今天晚点。", variants=("1", "2", "L"), tokenization="characters")
        assert (scores["1"].precision, scores["1"].recall) == (1, 0.66667)
        assert (scores["2"].precision, scores["2"].recall) == (0.66667, 0.4)
        assert scores["L"].recall == 0.66667

    @pytest.mark.parametrize("like", ["perl", "rouge-score"])
    def test_words_of_any_script_and_stems_of_english_ones(self, like):
        scores = rouge("Поезд опоздал", "Поезд снова опоздал", variants=("1",), tokenization="words", like=like)
        assert scores["1"].recall == pytest.approx(2 / 3, abs=1e-5)
        assert rouge("trains", "the train", variants=("1",), tokenization="words", like=like)["1"].recall == 0.5
        assert rouge("trains", "train", variants=("1",), tokenization="words", like=like, stem=False)["1"].f == 0

    def test_words_are_those_of_the_segmentation(self):
        scores = rouge("火车晚点", "火车晚点了", variants=("1",), tokenization="words")
        assert scores["1"].recall == pytest.approx(2 / 3, abs=1e-5)

    def test_the_signature_says_what_segmented(self):
        signature = metrics.make("rouge", tokenization="words").signature
        assert f"|tokenization:words,zh={described('zh')},ja={described('ja')},th={described('th')}|" in signature
        assert "|tokenization:characters|" in metrics.make("rouge", tokenization="characters").signature
        assert "tokenization" not in metrics.make("rouge").signature
