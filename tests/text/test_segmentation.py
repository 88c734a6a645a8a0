"""Words of scripts without spaces: by a library where it is installed, else in pairs of characters."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.text import segmentation
from nutgraf.text.document import Document, join
from nutgraf.text.segmentation import LIBRARIES, advice, described, language_of, segment
from nutgraf.text.tokenize import compared_words, count_words, token_spans, tokens, words

CHINESE = "火车站的工作人员在读报纸。"
JAPANESE = "東京都は新しい博物館を建てた。"
THAI = "ประเทศไทยมีอากาศร้อน"


def clear() -> None:
    segmentation.segment.cache_clear()
    segmentation._segmenter.cache_clear()


@pytest.fixture
def bare(monkeypatch):
    """An installation without the extras."""
    for code, library in LIBRARIES.items():
        monkeypatch.setitem(LIBRARIES, code, replace(library, modules=("no_such_module",)))
    clear()
    yield
    clear()


class TestPairs:
    def test_chinese_words_are_pairs_between_function_words(self, bare):
        assert tokens(CHINESE, "zh") == ["火车", "站", "的", "工作", "人员", "在", "读报", "纸", "。"]
        assert count_words(CHINESE, "zh") == 8

    def test_japanese_words_are_pairs_of_kanji_katakana_and_particles(self, bare):
        assert tokens("東京都は新しいカメラを建てた。", "ja") == [
            *("東京", "都", "は", "新", "し", "い", "カメラ", "を", "建", "て", "た", "。"),
        ]

    def test_thai_words_are_pairs_of_clusters(self, bare):
        assert segment("เดือนมี", "th") == ("เดือ", "นมี")

    def test_a_notice_says_what_would_do_better(self, bare):
        document = Document.of(CHINESE)
        assert document.notices == (advice("zh"),)
        assert "pip install 'nutgraf[cjk]'" in str(advice("zh"))
        assert "rjieba" in str(advice("zh"))
        assert "pip install 'nutgraf[thai]'" in str(advice("th"))
        assert advice("de") is None
        assert join([document, Document.of(CHINESE)]).notices == document.notices

    def test_the_signature_says_pairs(self, bare):
        assert [described(code) for code in ("zh", "ja", "th")] == ["pairs"] * 3


class TestLibraries:
    def test_rjieba(self):
        pytest.importorskip("rjieba")
        assert tokens("我来到北京清华大学。", "zh") == ["我", "来到", "北京", "清华大学", "。"]
        assert described("zh").startswith("rjieba-")
        assert advice("zh") is None

    def test_sudachi(self):
        pytest.importorskip("sudachidict_small")
        assert tokens(JAPANESE, "ja") == ["東京", "都", "は", "新しい", "博物", "館", "を", "建て", "た", "。"]
        assert "SudachiDict-small" in described("ja")

    def test_pythainlp(self):
        pytest.importorskip("pythainlp")
        assert tokens(THAI, "th") == ["ประเทศ", "ไทย", "มี", "อากาศ", "ร้อน"]


def test_marks_numbers_and_other_scripts_are_tokens_of_their_own():
    assert [one for one in tokens("长24.44公里,GDP为U.S.A.的", "zh") if one.isascii()] == [
        "24.44",
        ",",
        "GDP",
        "U.S.A.",
    ]


def test_the_language_is_told_by_the_characters():
    assert [language_of(text) for text in (CHINESE, JAPANESE, THAI, "Ада", "")] == ["zh", "ja", "th", "", ""]


def test_without_a_language_each_character_is_a_token_whatever_is_installed():
    assert tokens("好的 OK。") == ["好", "的", "OK", "。"]
    assert words("好的 OK。") == ["好", "的", "ok"]


def test_passages_are_compared_by_overlapping_pairs_whatever_is_installed():
    assert compared_words("渡轮的停运GDP 3", "zh") == ["渡轮", "停运", "gdp", "3"]
    assert compared_words("渡轮停。", "zh") == ["渡轮", "轮停"]
    assert compared_words("東京都はカメラを建てた。", "ja") == ["東京", "京都", "カメラ", "建"]
    assert compared_words("เดือนมี", "th") == ["เดือ", "อน", "นมี"]
    assert compared_words("The Tug's rope.", "en") == ["the", "tug's", "rope"]


def test_languages_with_spaces_are_left_alone():
    for text, language, number in (
        ("وصل القطار متأخرا اليوم.", "ar", 4),
        ("הרכבת איחרה היום.", "he", 3),
        ("रेलगाड़ी आज देर से आई।", "hi", 5),
        ("기차가 오늘 늦게 도착했다.", "ko", 4),
    ):
        assert len(words(text, language)) == count_words(text, language) == number
        assert words(text, language) == words(text)


SENTENCES = st.lists(
    st.text(st.sampled_from("火车站的在读报纸東京都はカメラをประเทศไทยABC12.,。、！ 々ー"), min_size=1, max_size=30),
    max_size=6,
)


@pytest.mark.parametrize("language", ["zh", "ja", "th"])
@given(SENTENCES)
def test_tokens_are_the_text_without_white_space(language: str, pieces: list[str]) -> None:
    text = "".join(pieces)
    spans = token_spans(text, language=language)
    assert "".join(text[start:end] for start, end in spans) == "".join(text.split())
    assert [text[start:end] for start, end in spans] == tokens(text, language)


@pytest.mark.parametrize("language", ["zh", "ja"])
@given(SENTENCES)
def test_the_words_of_a_text_are_those_of_its_sentences(language: str, pieces: list[str]) -> None:
    sentences = [piece + "。" for piece in pieces]
    assert count_words("".join(sentences), language) == sum(count_words(one, language) for one in sentences)
