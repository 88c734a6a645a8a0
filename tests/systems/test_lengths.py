"""Budgets: never exceeded, in words, shares and characters, with and without spaces between words."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nutgraf.errors import BudgetError
from nutgraf.report import render
from nutgraf.systems import System, load
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary
from nutgraf.text.tokenize import count_words, gap, joined

CHINESE = "火车晚点了。站台上没有人知道原因！一位老妇人在读报纸。孩子们在等他们的父亲。最后广播响了，但是声音太小。"
MIXED = "火车晚点了。The train was late.站台上没有人知道原因。Nobody knew why."

PIECES = st.sampled_from(
    ["The ferry left at noon.", "It carried a piano.", "A storm broke its mast", "Nobody was hurt!", "Why?", "Yes."]
)
GAPS = st.sampled_from([" ", "", "\n", "\n\n", "\u00a0", "\u2060"])


@cache
def system(name: str) -> System:
    return load(name)


def made(name: str, text: str, **length: object) -> Summary | None:
    try:
        return system(name)(text, **length)  # type: ignore[arg-type]
    except BudgetError:
        return None


@given(st.lists(st.tuples(PIECES, GAPS), min_size=1, max_size=12), st.sampled_from(["1/8", "1/3", "1/2", "90%", "1"]))
def test_a_summary_never_exceeds_its_share_of_the_words_between_white_space(
    parts: list[tuple[str, str]], share: str
) -> None:
    text = "".join(sentence + white for sentence, white in parts)
    summary = made("lead", text, share=share)
    assert summary is None or summary.words <= float(Budget.of(share=share).share or 0) * len(text.split())


def test_a_glued_sentence_counts_once() -> None:
    summary = system("lead")("One two three.Four five six. Seven eight.", share=1, language="en")
    assert (summary.limit, summary.words <= 7) == (7, True)


@given(st.lists(PIECES, min_size=1, max_size=9), st.integers(1, 120), st.sampled_from(["lead", "mls_plus"]))
def test_a_budget_in_characters_is_never_exceeded(sentences: list[str], characters: int, name: str) -> None:
    summary = made(name, " ".join(sentences), characters=characters, language="en")
    assert summary is None or len(summary.text) <= characters


@pytest.mark.parametrize("text", [CHINESE, MIXED])
@pytest.mark.parametrize("name", ["lead", "lex_rank", "mls_plus"])
@pytest.mark.parametrize("characters", [6, 17, 18, 40, 200])
def test_characters_of_scripts_without_spaces(text: str, name: str, characters: int) -> None:
    assert len(system(name)(text, characters=characters, language="zh").text) <= characters


def test_a_budget_that_the_text_just_fits_takes_all_of_it() -> None:
    for text in (CHINESE, "The ferry left. It carried a piano. Why?"):
        assert system("lead")(text, characters=len(text)).text == text
        assert len(system("lead")(text, characters=len(text) - 1).text) < len(text) - 1


def test_a_budget_too_small_says_what_would_do() -> None:
    with pytest.raises(BudgetError, match=r"5 characters.*6.*6 characters"):
        system("lex_rank")(CHINESE, characters=5)
    with pytest.raises(BudgetError, match="4 characters"):
        system("lex_rank")("The ferry left. It did. Why?", characters=3, language="en")
    with pytest.raises(BudgetError):
        system("lead")(CHINESE, words=5, characters=5)


def test_sentences_of_scripts_without_spaces_are_joined_without_blanks() -> None:
    none = ("好。", "「好。」", "“好。”", "本当?", "好.", "走了……", "这是用DNA检测的方法(SOS).")
    blank = ("好", "He met 李明.", "Good.", "그는 함.", "ไปแล้ว.")
    assert ({*map(gap, none)}, {*map(gap, blank)}) == ({""}, {" "})
    assert joined(["好。", "Good.", "好。"]) == "好。Good. 好。"
    assert system("lead")(CHINESE, sentences=2).text == "火车晚点了。站台上没有人知道原因！"


@pytest.mark.parametrize("limit", [3, 9, 14, 25])
@pytest.mark.parametrize("name", ["lead", "lex_rank", "mls_plus"])
def test_a_budget_in_words_counts_those_of_the_segmentation(name: str, limit: int) -> None:
    summary = made(name, CHINESE, words=limit)
    assert summary is None or summary.words == count_words(summary.text, "zh") <= limit


def test_a_share_of_chinese_is_a_share_of_its_words() -> None:
    summary = system("lead")(CHINESE, share="1/2")
    assert summary.limit == count_words(CHINESE, "zh") // 2
    assert 0 < summary.words <= summary.limit


SENTENCES = {
    "zh": "火车晚点了。|站台上没有人知道原因！|孩子们在等他们的父亲.|"
    "广播说：“列车（G12）还要等30分钟。”|为什么？|DNA检测的结果(见图1.2)很清楚.",
    "ja": "電車が遅れた。|「なぜですか。」と母は言った。|ホームには誰もいない!|"
    "駅員の佐々木さんは3番線を調べた。|雨だ。",
    "th": "รถไฟมาสาย|ไม่มีใครรู้สาเหตุ|เด็กสามคนรอพ่อของพวกเขา",
    "de": "Der Zug kam am 3. Mai zu spät.|Niemand wusste, warum!|Auf dem Bahnsteig standen z. B. zwei Kinder.|Ja.",
    "fr": "Le train est arrivé en retard.|Pourquoi ?|« Personne ne le sait », dit M. Roux.|L’orage a coupé la voie.",
    "ar": "وصل القطار متأخرا.|لا أحد يعرف السبب!|هل عاد الأب؟|كان الأطفال ينتظرون على الرصيف.",
    "he": "הרכבת איחרה.|איש לא ידע למה!|הילדים חיכו לאביהם ברציף.",
    "hi": "रेलगाड़ी देर से आई।|किसी को कारण नहीं पता था!|बच्चे अपने पिता की राह देख रहे थे।",
    "ko": "기차가 늦게 도착했다.|아무도 이유를 몰랐다!|아이들은 아버지를 기다렸다.|왜?",
}


@pytest.mark.parametrize("language", SENTENCES)
@settings(max_examples=25)
@given(st.data())
def test_no_budget_is_exceeded_in_any_language(language: str, data: st.DataObject) -> None:
    pieces = data.draw(st.lists(st.sampled_from(SENTENCES[language].split("|")), min_size=1, max_size=12))
    text = data.draw(st.sampled_from(["", "\n\n"] if language in ("zh", "ja") else [" ", "\n\n"])).join(pieces)
    name = data.draw(st.sampled_from(["lead", "lex_rank", "mls_plus"]))
    unit, measure = data.draw(
        st.sampled_from([("characters", len), ("words", lambda line: count_words(line, language))])
    )
    limit = data.draw(st.integers(1, 120))
    document = Document.of(text, language=language)
    try:
        summary = system(name)(document, **{unit: limit})
    except BudgetError as error:
        wanted, limit = limit, error.smallest or 0
        if limit and limit <= wanted:
            raise
        summary = system(name)(document, **{unit: limit}) if limit else None
    assert summary is None or 0 < measure(summary.text) <= limit


TALK = """\
Ines Roth: The crane at the north quay stood still for nine days. We lost two ships to the port of Kelp.
Omar: A new gearbox for the crane costs forty thousand.
Ines Roth: The maker needs six weeks to build the gearbox. Then the port should rent a crane until July.
Omar: Renting a crane costs nine hundred a day.
Ines Roth: The ships of the Kelp line need the crane in June. Their contract with the port ends in autumn.
Omar: So we rent the crane and order the gearbox.
"""


@pytest.mark.parametrize("characters", [76, 80, 134, 150, 200, 260])
def test_characters_of_a_transcript_count_its_names_and_lines(characters: int) -> None:
    summary = system("lex_rank")(TALK, characters=characters, language="en")
    assert 0 < len(summary.text) <= characters
    assert summary.text.startswith(("Ines Roth: ", "Omar: "))


def test_a_budget_in_characters_is_told() -> None:
    summary = system("mls_plus")("The ferry left at noon. It carried a piano. Nobody was hurt!", characters=50)
    data = summary.to_json()
    assert data["budget"] == {
        "asked": "50 characters",
        "words": None,
        "sentences": None,
        "characters": 50,
        "share": None,
        "underused": False,
    }
    assert Summary.loads(summary.dumps(), summary.document).budget == Budget(characters=50)
    assert f"<strong>{len(summary.text)}</strong> of 50 characters" in render(summary)
