"""tf-idf: two formulas by hand, and a collection that is kept."""

import json
from math import log

import pytest

from nutgraf.errors import InputError, PresetError
from nutgraf.keyphrases import extractors
from nutgraf.keyphrases.tfidf import TfIdf
from nutgraf.text.document import Document

COLLECTION = ["Mills grind corn.", "Mills stand still.", "Rivers flood mills.", "Rivers run.", "Boats sink."]


def documents():
    return [Document.of(text, language="en") for text in COLLECTION]


def fitted(**options) -> TfIdf:
    extractor = TfIdf(TfIdf.Config(**options))
    extractor.fit(documents())
    return extractor


def scores(extractor: TfIdf, text: str) -> dict[str, float]:
    return {phrase.text: phrase.score for phrase in extractor(Document.of(text, language="en"))}


def test_idf_as_scikit_learn_has_it():
    found = scores(fitted(ngram_range=(1, 1)), "Mills and mills and rivers and swans.")
    mills, rivers, swans = 2 * (log(6 / 4) + 1), log(6 / 3) + 1, log(6 / 2) + 1
    norm = (mills**2 + rivers**2 + swans**2) ** 0.5
    assert found == pytest.approx({"Mills": mills / norm, "swans": swans / norm, "rivers": rivers / norm})


def test_idf_as_the_papers_print_it():
    found = scores(fitted(ngram_range=(1, 1), idf="paper"), "Mills and mills and rivers and swans.")
    assert found["Mills"] / found["rivers"] == pytest.approx(2 * log(5 / 3) / log(5 / 2))
    assert found["swans"] / found["rivers"] == pytest.approx(log(5 / 1) / log(5 / 2))


def test_without_a_collection_only_counts_matter():
    found = scores(TfIdf(TfIdf.Config(ngram_range=(1, 1))), "Mills and mills and rivers.")
    assert found["Mills"] / found["rivers"] == pytest.approx(2)


def test_n_grams_are_contiguous_and_hold_no_stop_word_or_mark():
    found = scores(TfIdf(TfIdf.Config(ngram_range=(2, 3), top=50)), "Grey mills of the river, slow boats.\n\nSwans.")
    assert set(found) == {"Grey mills", "slow boats"}


def test_a_bridge_takes_the_gap_in():
    found = scores(
        TfIdf(TfIdf.Config(ngram_range=(2, 2), top=50, bridge_stop_words=True)), "The bank of America, it seems."
    )
    assert set(found) == {"bank of America"}


def test_a_phrase_of_every_document_says_nothing_by_the_papers_formula():
    extractor = TfIdf(TfIdf.Config(ngram_range=(1, 1), idf="paper"))
    extractor.fit([Document.of("Mills turn.", language="en"), Document.of("Mills stop.", language="en")])
    assert set(scores(extractor, "Mills turn.")) == {"turn"}


def test_fitting_anew_forgets():
    extractor = fitted()
    extractor.fit([])
    assert (extractor.documents, extractor.frequencies) == (0, {})


def test_what_was_learned_can_be_kept(tmp_path):
    extractor = fitted()
    extractor.save(tmp_path / "collection.json")
    other = TfIdf()
    other.load(tmp_path / "collection.json")
    third = extractors.make("tfidf", collection=str(tmp_path / "collection.json"))
    document = Document.of("Rivers flood mills and swans.", language="en")
    assert extractor(document) == other(document) == third(document)
    assert json.loads((tmp_path / "collection.json").read_text())["frequencies"] == {"mills": 3, "rivers": 2}


def test_a_collection_counted_otherwise_is_refused(tmp_path):
    fitted().save(tmp_path / "collection.json")
    with pytest.raises(InputError, match="ngram_range"):
        TfIdf(TfIdf.Config(ngram_range=(1, 2))).load(tmp_path / "collection.json")


@pytest.mark.parametrize("content", ["{", "[]", '{"schema": "other"}'])
def test_a_file_that_is_no_collection_is_refused(tmp_path, content):
    (tmp_path / "odd.json").write_text(content)
    with pytest.raises(InputError, match=r"odd\.json"):
        TfIdf().load(tmp_path / "odd.json")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"none\.json"):
        TfIdf().load(tmp_path / "none.json")


def test_an_unknown_formula_is_told():
    with pytest.raises(PresetError, match="sklearn"):
        extractors.make("tfidf", idf="bm25")
