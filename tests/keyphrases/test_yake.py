"""YAKE: the five statistics of a term, and candidates, by hand."""

from math import log

import pytest

from nutgraf.errors import PresetError
from nutgraf.keyphrases import extractors
from nutgraf.keyphrases.yake import Yake, as_tokens, term_scores
from nutgraf.text.document import Document
from nutgraf.text.tagging import tag


def found(text: str, **options: object) -> dict[str, float]:
    options.setdefault("merge_variants", False)
    phrases = Yake(Yake.Config(**options))(Document.of(text, language="en"))
    return {phrase.text: phrase.score for phrase in phrases}


def terms(text: str) -> dict[str, float]:
    tagged = tag(Document.of(text, language="en"), "content")
    forms = [word.lower() for word in tagged.words]
    return dict(zip(dict.fromkeys(forms), term_scores(as_tokens(tagged, forms), 1), strict=True))


MILLS = "Mills grind corn. The oaken Mills turn."


def test_a_term_by_its_five_statistics():
    # Frequencies of words that are no stop words: 2, 1, 1, 1, 1; their mean is 1.2, their standard deviation 0.4.
    # "mills": once a capital within a sentence; 2 of 2 different right neighbours and 1 of 1 left; sentences 0 and 1.
    case, common, spread, related = 1 / (1 + log(2)), 2 / 1.6, 2 / 2, 1 + (1 + 1) * 2 / 2
    mills = related * log(log(3 + 0.5)) / (case + (common + spread) / related)
    # "corn": no capital; one left neighbour, no right one; sentence 0 of two.
    related = 1 + (1 + 0) * 1 / 2
    corn = related * log(log(3)) / (0 + (1 / 1.6 + 1 / 2) / related)
    scores = terms(MILLS)
    assert scores["mills"] == pytest.approx(mills)
    assert scores["corn"] == pytest.approx(corn)
    # A term by itself: S / (KF (1 + S)), and ours is the inverse.
    alone = found(MILLS, ngram_range=(1, 1))
    assert alone["Mills"] / alone["corn"] == pytest.approx(2 * (1 + mills) / mills / ((1 + corn) / corn))


def test_a_phrase_is_the_product_over_the_sum():
    scores, phrases = terms(MILLS), found(MILLS)
    grind, corn = scores["grind"], scores["corn"]
    assert phrases["grind corn"] / phrases["corn"] == pytest.approx(
        (1 + grind + corn) / (grind * corn) / ((1 + corn) / corn)
    )


def test_a_stop_word_inside_counts_by_its_neighbours():
    text = "The bank of America fell. America rose."
    scores, phrases = terms(text), found(text)
    bank, america = scores["bank"], scores["america"]
    # "of" follows each "bank", and stands before one of two "America": p = 1 · 1/2
    whole = bank * america * 1.5 / (1 + bank + america - 0.5)
    assert phrases["bank of America"] / phrases["bank"] == pytest.approx((1 / whole) / ((1 + bank) / bank))
    assert not {"of", "bank of", "of America"} & set(phrases)


def test_no_candidate_has_a_number_or_a_mark_in_it():
    assert set(found("Mills, wheels 1912 stones; B2B mills", top=50)) == {"Mills", "wheels", "stones"}


def test_a_wider_window_has_more_neighbours():
    # right of "mills": grind, grind; within two words grind, mills, grind, corn
    text = "Mills grind mills grind corn."
    assert found(text, window=2)["corn"] != found(text)["corn"]
    with pytest.raises(PresetError, match="window"):
        extractors.make("yake", window=0)
