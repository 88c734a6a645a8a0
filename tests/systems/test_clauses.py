"""Chinese, Japanese and Thai: where no sentence fits, clauses that stand alone do."""

from __future__ import annotations

import pytest

import nutgraf
from nutgraf.errors import BudgetError
from nutgraf.text.document import Document
from nutgraf.text.summary import Summary

BRIDGE = (
    "市政府三日宣布,北岸大桥将从明年四月起封闭两年进行重建,但是附近的商户担心绕行道路会长期拥堵,因此要求政府给予补偿,"
    "有关部门表示将在月底前公布补偿方案。"
)
LIBRARY = (
    "駅前の図書館は開館時間を夜九時まで延ばしたところ、利用者が三割増えたが、職員の数は変わっていないので、"
    "週末の窓口は混雑している。"
)
HARBOR = "ท่าเรือเหนือปิดทำการเป็นเวลาสามวัน เรือประมงกว่าสองร้อยลำจอดหลบอยู่ในอ่าว แต่ชาวบ้านยังออกไปซื้ออาหารได้"


def clauses(text: str, language: str) -> list[str]:
    found = Document.of(text, language=language).clauses
    return [] if found is None else found.printed


def test_clauses_stand_alone():
    # What a clause leaves out here: too short; "but"; "therefore".
    assert clauses(BRIDGE, "zh") == ["北岸大桥将从明年四月起封闭两年进行重建", "有关部门表示将在月底前公布补偿方案。"]
    # Clauses that only prepare the next one, and the particles of those that could end a sentence.
    assert clauses(LIBRARY, "ja") == ["職員の数は変わっていない", "週末の窓口は混雑している。"]
    assert clauses(HARBOR, "th") == ["ท่าเรือเหนือปิดทำการเป็นเวลาสามวัน", "เรือประมงกว่าสองร้อยลำจอดหลบอยู่ในอ่าว"]
    assert clauses("The bridge closes, the shops protest; the city pays.", "en") == []


def test_no_clause_ends_within_brackets_or_a_number():
    text = "研究人员测量了三种材料(木材,混凝土,钢材)的强度,共计1,200个样品被送往北岸的实验室。"
    assert clauses(text, "zh") == [
        "研究人员测量了三种材料(木材,混凝土,钢材)的强度",
        "共计1,200个样品被送往北岸的实验室。",
    ]


@pytest.mark.parametrize("system", ["adaptive", "lead", "lex_rank", "mls_plus"])
@pytest.mark.parametrize(("text", "language", "length"), [(BRIDGE, "zh", 45), (LIBRARY, "ja", 30), (HARBOR, "th", 45)])
def test_where_no_sentence_fits_clauses_do(system: str, text: str, language: str, length: int):
    document = Document.of(text, language=language)
    summary = nutgraf.load(system)(document, characters=length)
    assert 0 < len(summary.text) <= length
    for sentence in summary:
        [origin] = sentence.origins
        assert text[origin.start : origin.end] == sentence.text
        assert sentence.text in clauses(text, language)
    assert any("clause" in notice for notice in summary.notices)
    assert Summary.loads(summary.dumps(), document).sentences == summary.sentences
    assert nutgraf.load(system).many([document], characters=length)[0].text == summary.text


def test_a_budget_in_words_and_a_share_do_so_too():
    for asked in ({"words": 12}, {"share": "1/3"}):
        summary = nutgraf.load("adaptive")(Document.of(BRIDGE, language="zh"), **asked)
        assert 0 < summary.words <= (summary.limit or 0)
        assert str(summary.budget) in ("12 words", "1/3 of the input")


def test_a_sentence_that_fits_is_not_divided():
    summary = nutgraf.load("lead")(Document.of(f"{BRIDGE}大桥建于一九六二年。", language="zh"), characters=30)
    assert [sentence.text for sentence in summary] == ["大桥建于一九六二年。"]
    assert not summary.notices


def test_a_highlight_chooses_among_clauses():
    document = Document.of(BRIDGE, language="zh")
    for word, clause in (("重建", "北岸大桥"), ("补偿方案", "有关部门")):
        summary = nutgraf.load("adaptive")(document, characters=22, highlights=[word])
        assert summary.text.startswith(clause)


def test_whole_sentences_and_languages_with_spaces_are_refused_as_before():
    with pytest.raises(BudgetError):
        nutgraf.load("lead")(Document.of(BRIDGE, language="zh"), characters=45, whole_sentences=True)
    with pytest.raises(BudgetError):
        nutgraf.load("lead")("The bridge of the north quay closes; the shops protest, and the city pays.", words=6)
    with pytest.raises(BudgetError) as error:
        nutgraf.load("lead")(Document.of(BRIDGE, language="zh"), characters=5)
    assert error.value.smallest is not None
    assert error.value.smallest < 30
