"""Words, sentences and paragraphs, in any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.text import tokenize

ODD = st.sampled_from(
    list("aAbZé .!?\n\r\t,;:'\"()-—…。！？1289\u00a0\u200b\u2060\u2028\ufeff\x00\x1c\x85\ud800😀אبक中あ")
)
TEXTS = st.text(max_size=120) | st.text(ODD, max_size=200)
LANGUAGES = st.sampled_from(["en", "de", "fr", "ja", "ru", "und"])


def sentences(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in tokenize.sentence_spans(text, language)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Don't stop!", ["Don't", "stop", "!"]),
        ("The U.S. paid 1,234.50 for it.", ["The", "U.S.", "paid", "1,234.50", "for", "it", "."]),
        ("a well-known café’s menu", ["a", "well-known", "café’s", "menu"]),
        ("snake_case (x)", ["snake_case", "(", "x", ")"]),
        ("我是学生。", ["我", "是", "学", "生", "。"]),
        ("Das Gemälde", ["Das", "Gemälde"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert tokenize.tokens(text) == tokens


@given(TEXTS, LANGUAGES | st.none())
def test_words_are_the_tokens_that_are_no_marks(text: str, language: str | None) -> None:
    found = [token for token in tokenize.tokens(text.lower(), language) if tokenize.is_word(token)]
    assert tokenize.words(text, language) == found


def test_words_are_lower_cased_and_without_marks() -> None:
    assert tokenize.words("The CAFÉ's “9” - done.") == ["the", "café's", "9", "done"]


@given(TEXTS)
def test_spans_of_tokens_point_at_the_tokens(text: str) -> None:
    assert [text[start:end] for start, end in tokenize.token_spans(text)] == tokenize.tokens(text)


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("Dr. Ruiz left. She was late.", ["Dr. Ruiz left.", "She was late."]),
        ("He paid $3.50. Why? Nobody knew!", ["He paid $3.50.", "Why?", "Nobody knew!"]),
        ("A heading\n\nA sentence. Another", ["A heading", "A sentence.", "Another"]),
        ("“Go!” she said. He went.", ["“Go!” she said.", "He went."]),
        (
            "one line\nanother much, much longer line of a poem",
            ["one line", "another much, much longer line of a poem"],
        ),
        ("Cllr. Jane Lee met Insp. Ray Hill. He left.", ["Cllr. Jane Lee met Insp. Ray Hill.", "He left."]),
        ("Supt. Ann Cole and the Revd. Mark Hall stayed.", ["Supt. Ann Cole and the Revd. Mark Hall stayed."]),
        ("They elected a new Cllr.", ["They elected a new Cllr."]),
        ("The press is free. Anna said so.", ["The press is free.", "Anna said so."]),
        ("No end", ["No end"]),
        (" \n\t ", []),
        ("", []),
    ],
)
def test_english_sentences(text: str, split: list[str]) -> None:
    assert sentences(text) == split


def test_lines_of_a_hard_wrapped_text_are_joined() -> None:
    text = "The ferry left the island at noon, and nobody\non the pier could see its lights. The captain\nknew it."
    assert [" ".join(sentence.split()) for sentence in sentences(text)] == [
        "The ferry left the island at noon, and nobody on the pier could see its lights.",
        "The captain knew it.",
    ]


@pytest.mark.parametrize(
    ("text", "split"),
    [
        # items of a list stand apart, marked alike or numbered in order, whatever they end with
        (
            "The council agreed on these:\n- a second boat for the pilots\n- ninety metres more of quay\n- a new crane",
            [
                "The council agreed on these:",
                "- a second boat for the pilots",
                "- ninety metres more of quay",
                "- a new crane",
            ],
        ),
        ("1. The pilots get a boat,\n   a fast one\n2. The quay grows\n3. The crane", 3),
        ("a) The pilots get a boat;\nb) the quay gets longer", 2),
        ("(1) The pilots get a boat\n(2) The quay gets longer", 2),
        # lines that a program broke before a dash or a number do not
        ("The pilots wanted a second boat and a quay\n- a long one - which was built on the\n- old - pier of it", 1),
        ("The pilots were given a second boat on May\n12. and the quay of the town was made longer", 1),
        ("1. The pilots were given a second boat on May\n12. and the quay of the town was made longer", 1),
    ],
)
def test_items_of_lists(text: str, split: list[str] | int) -> None:
    found = sentences(text)
    assert (found if isinstance(split, list) else len(found)) == split


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("今天天气很好。我住在北京！真的？", ["今天天气很好。", "我住在北京！", "真的？"]),
        ("שלום עולם. מה שלומך?", ["שלום עולם.", "מה שלומך?"]),
        ("यह पहला है। यह दूसरा है।", ["यह पहला है।", "यह दूसरा है।"]),
        ("Wo ist er? »Hier.« Gut.", ["Wo ist er?", "»Hier.«", "Gut."]),
        ("..........", [".........."]),
    ],
)
def test_other_languages_end_sentences_at_their_marks(text: str, split: list[str]) -> None:
    assert sentences(text, "und") == split


@given(TEXTS, LANGUAGES)
def test_sentences_hold_all_there_is_in_order_and_nothing_twice(text: str, language: str) -> None:
    spans = tokenize.sentence_spans(text, language)
    assert_in_order(text, spans)
    assert ink(text, spans) == "".join(text.split())


@given(TEXTS, LANGUAGES, st.integers(1, 7))
def test_breaking_long_sentences_loses_no_letter(text: str, language: str, longest: int) -> None:
    whole = tokenize.sentence_spans(text, language)
    spans, broken = tokenize.break_long(text, whole, longest)
    assert_in_order(text, spans)
    assert ink(text, spans) == "".join(text.split())
    assert all(tokenize.count_words(text[start:end]) <= longest for start, end in spans)
    assert broken == sum(tokenize.count_words(text[start:end]) > longest for start, end in whole)


def test_long_sentences_break_at_their_best_joint() -> None:
    text = "a b c d, e f; g h i j"
    spans, broken = tokenize.break_long(text, [(0, len(text))], 7)
    assert [text[start:end] for start, end in spans] == ["a b c d, e f;", "g h i j"]
    assert broken == 1


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("船长看海，船员睡觉；厨师做饭，乘客读书", ["船长看海，船员睡觉；", "厨师做饭，乘客读书"]),
        ("船长看海，船员睡觉 厨师做饭，乘客读书", ["船长看海，船员睡觉 厨师做饭，", "乘客读书"]),
        ("鱼、米、船长看海，船员、厨师睡觉", ["鱼、米、船长看海，", "船员、厨师睡觉"]),
        ("船长看海船员睡觉厨师做饭乘客", ["船长看海船员睡觉厨师做饭", "乘客"]),
    ],
)
def test_chinese_breaks_at_its_own_semicolons_and_commas(
    text: str, pieces: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokenize, "segment", lambda run, language: [run[at : at + 2] for at in range(0, len(run), 2)])
    spans, broken = tokenize.break_long(text, [(0, len(text))], 6, "zh")
    assert ([text[start:end] for start, end in spans], broken) == (pieces, 1)


def test_japanese_breaks_at_its_commas() -> None:
    text = "船長は海を見て、" * 80
    spans, broken = tokenize.break_long(text, [(0, len(text))], language="ja")
    assert broken == 1
    assert {text[end - 1] for _, end in spans} == {"、"}


def test_a_sentence_of_20000_words_is_broken_into_pieces() -> None:
    text = "word " * 20_000
    spans, broken = tokenize.break_long(text, tokenize.sentence_spans(text))
    assert (len(spans), broken) == (400, 1)


@given(TEXTS)
def test_a_printed_text_is_one_line_of_the_same_words(text: str) -> None:
    plain = tokenize.flatten(text)
    plain.encode()
    assert tokenize.flatten(plain) == plain
    assert plain.split(" ") == (plain.split() or [""])
    assert tokenize.count_words(plain) <= tokenize.count_words(text)


@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs"]), max_size=120))
def test_printing_keeps_the_number_of_words(text: str) -> None:
    assert tokenize.count_words(tokenize.flatten(text)) == len(text.split())


def test_what_wc_counts_as_a_gap_is_none_in_print() -> None:
    assert tokenize.flatten("one\u2060word, two\u00a0words\ufeff") == "oneword, two words"


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("• ferry left", "ferry left"),
        ("•ferry left", "ferry left"),
        ("- * – ferry left", "ferry left"),
        ("— Ferry left, said Ann.", "— Ferry left, said Ann."),
        ("-5 °C at noon", "-5 °C at noon"),
        ("1. ferry left", "1. ferry left"),
        ("•", "•"),
    ],
)
def test_the_bullet_of_an_item_can_be_left_out(item: str, text: str) -> None:
    assert tokenize.without_bullet(item) == text


def test_a_sequence_for_terminals_is_not_printed_in_part() -> None:
    assert tokenize.flatten("\x1b]0;pwned\x07The \x1b[1;31mtug\x1b[0m left.") == "The tug left."
    assert tokenize.sentence_spans("\x1b]0;pwned\x07") == [(0, 10)]
    assert not tokenize.prints("\x1b]0;pwned\x07", (0, 10))


def assert_in_order(text: str, spans: list[tokenize.Span]) -> None:
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        at = end


def ink(text: str, spans: list[tokenize.Span]) -> str:
    """All that is not white space inside the spans."""
    return "".join("".join(text[start:end].split()) for start, end in spans)
