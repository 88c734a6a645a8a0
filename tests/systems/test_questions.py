"""Questions that a summary should answer, and the forms in which it is printed."""

import math
from dataclasses import replace

import numpy as np
import pytest

import nutgraf
from nutgraf.errors import InputError
from nutgraf.systems.steering import steer
from nutgraf.text.document import Document
from nutgraf.text.formats import formatted
from nutgraf.text.relevance import in_words_of, question_terms, relevance
from nutgraf.text.request import Request
from nutgraf.text.summary import Budget, Origin, Summary, SummarySentence

STORM = (
    "The storm broke the mooring lines of the tanker. The pilot called two tugs at once. Nobody was hurt. "
    "The tugs held the tanker at the quay. Gulls slept on the roof all night. The council met on Friday morning. "
    "It will pay for new mooring lines. Children fed the gulls after school."
)


class TestRelevance:
    DOCUMENT = Document.of("Ferry. Harbour. Lantern. Market. Orchard.", language="en")

    def test_neighbours_have_a_half_and_a_quarter(self):
        assert relevance(self.DOCUMENT, "What about the lantern?") == pytest.approx([0.25, 0.5, 1.0, 0.5, 0.25])
        assert relevance(self.DOCUMENT, "ferry") == pytest.approx([1.0, 0.5, 0.25, 0.0, 0.0])

    def test_in_a_transcript_the_window_is_wide(self):
        # its own words: 1, 0, …; window, by e^(-d²/288): 1 and what is near it
        talk = Document.of(
            "ANN: Ferry. Quay. Tug. Gull.\nBEN: Rain.\nANN: Snow.\nBEN: Hail.\nANN: Wind.", language="en"
        )
        near = [0.6 * (d == 0) + 0.4 * math.exp(-(d**2) / 288) for d in range(8)]
        assert relevance(talk, "ferry") == pytest.approx(near)

    def test_who_is_named_counts_twice(self):
        talk = Document.of(
            "Prof. Lee: Ferry.\nPhD B: Ferry.\nProf. Lee: Ferry.\nPhD B: Ferry.\nMr. Hill: Ferry.", language="en"
        )
        for question, named in (
            ("Does Lee like the ferry?", {0, 2}),
            ("Is B for the ferry?", {1, 3}),
            ("A b ferry?", ()),
        ):
            found = relevance(talk, question)
            plain = relevance(talk, "the ferry")
            doubled = plain * [2.0 if place in named else 1.0 for place in range(5)]
            assert found == pytest.approx(doubled / doubled.max())

    def test_words_that_do_not_occur(self):
        assert not relevance(self.DOCUMENT, "quarry").any()
        assert question_terms(self.DOCUMENT, "Which markets have a quarry?") == ["markets"]

    def test_a_question_in_chinese(self):
        document = Document.of("市政府关闭了大桥。孩子们喜欢动物。渡轮每小时开一次。", language="zh")
        assert question_terms(document, "大桥什么时候开放？") == ["大桥"]
        assert relevance(document, "大桥什么时候开放？")[0] == 1.0

    def test_a_question_in_chinese_need_not_end_its_words_where_a_sentence_does(self):
        # pairs from the beginning: 海岛/渡轮/停运 in the sentence, 渡轮/停运 here, 岛渡/轮停/运 if one began at 岛
        document = Document.of("孩子们喜欢动物。海岛渡轮停运三周。市政府开会。", language="zh")
        for question in ("渡轮停运多久？", "岛渡轮停运多久？", "哪些轮停运？"):
            assert relevance(document, question).argmax() == 1
        assert question_terms(document, "岛渡轮停运多久？") == ["岛渡", "渡轮", "轮停", "停运"]

    def test_questions_in_japanese_and_thai(self):
        japanese = Document.of("子供たちは動物が好きだ。連絡船は三週間止まる。市役所は会議を開いた。", language="ja")
        assert relevance(japanese, "船はいつまで三週間止まるのか。").argmax() == 1
        thai = Document.of("เด็กชอบสัตว์ เรือข้ามฟากหยุดสามสัปดาห์", language="th", sentences=[(0, 12), (13, 40)])
        assert relevance(thai, "ข้ามฟากหยุด").argmax() == 1

    def test_beside_a_question_a_highlight_of_weight_1_is_worth_the_best_answer(self):
        steering = steer(self.DOCUMENT, Request.of(highlights=["ferry:3"], query="market?"))
        assert steering.emphasis == pytest.approx([1 + 3 * 31, 1 + 30 / 64, 1 + 30 / 8, 31 + 1000, 1 + 30 / 8])
        assert [phrase.text for phrase in steering.phrases] == ["ferry", "market"]


@pytest.mark.parametrize("system", ["adaptive", "mls_plus", "lex_rank", "text_rank"])
def test_the_answer_enters_the_summary(system):
    summarize = nutgraf.load(system)
    asked = summarize(STORM, words=16, query="What did the council decide on Friday?")
    assert "council" in asked.text
    assert asked.words <= 16


def test_a_question_whose_words_do_not_occur_changes_nothing_and_says_so():
    summarize = nutgraf.load()
    asked = summarize(STORM, words=16, query="Who won the election?")
    assert asked.text == summarize(STORM, words=16).text
    assert any("content word" in notice for notice in asked.notices)
    with pytest.raises(InputError, match="has no words"):
        summarize(STORM, query="?!")


def test_many_take_a_question():
    (made,) = nutgraf.load().many([STORM], words=16, query="What did the council decide?")
    assert "council" in made.text


class TestFormats:
    TEXT = "The fees rose *again* on Monday. 2. place in the race went to [Ann]."
    SUMMARY = Summary(
        sentences=(
            SummarySentence(TEXT[:32], "copied", (Origin(0, 0, 32),)),
            SummarySentence(TEXT[33:], "copied", (Origin(0, 33, 68),)),
        ),
        document=Document.of(TEXT, "a_b.txt"),
        budget=Budget(),
        signature="by hand",
    )

    def test_bullets(self):
        assert (
            formatted(self.SUMMARY, "bullets")
            == "- The fees rose *again* on Monday.\n- 2. place in the race went to [Ann]."
        )

    def test_the_bullet_of_the_source_goes(self):
        first, second = self.SUMMARY.sentences
        listed = replace(self.SUMMARY, sentences=(replace(first, text="•\u00a0Fees rose."), second))
        assert formatted(listed, "bullets").startswith("- Fees rose.\n- 2. place")
        assert "- Fees rose.[^1]\n" in formatted(listed, "markdown")
        assert formatted(listed, "headline") == "Fees rose"
        assert formatted(listed) == f"•\u00a0Fees rose. {self.TEXT[33:]}"

    def test_a_headline_is_the_best_sentence_without_a_full_stop(self):
        assert formatted(self.SUMMARY, "headline") == "The fees rose *again* on Monday"
        first, second = self.SUMMARY.sentences
        better = replace(self.SUMMARY, sentences=(first, replace(second, rating=1.0)))
        assert formatted(better, "headline") == "2. place in the race went to [Ann]"

    def test_markdown_shows_the_words_as_they_are_and_their_places(self):
        assert formatted(self.SUMMARY, "markdown") == (
            "# Summary of a\\_b.txt\n\n"
            "- The fees rose \\*again\\* on Monday.[^1]\n- 2\\. place in the race went to \\[Ann\\].[^2]\n\n"
            "[^1]: a\\_b.txt, 0–32\n[^2]: a\\_b.txt, 33–68"
        )

    def test_speakers_are_named(self):
        talk = "ANN: The ferry is late again.\nBEN: It is.\nANN: The council will pay for it.\nBEN: Good to hear that."
        summary = nutgraf.load("lead")(talk, words=14)
        assert formatted(summary, "bullets").startswith("- ANN: The ferry is late again.")
        assert formatted(summary, "markdown").splitlines()[2].startswith("- **ANN:** The ferry")
        assert isinstance(summary.ratings, np.ndarray)


def test_a_question_is_put_in_the_words_of_the_text():
    text = "The council met on Monday in the hall of the town. The decision was to close the bridge for repairs."
    document = Document.of(text, language="en")
    assert in_words_of(document, "What was decided?") == "What was decision?"
    assert in_words_of(document, "What was closed?") == "What was closed?", "which has its stem in the text"
    assert in_words_of(Document.of(text, language="de"), "What was decided?") == "What was decided?"


def test_a_highlight_in_another_form_is_named():
    document = Document.of("The builder took money for kitchens that he never built.", language="en")
    notices = steer(document, Request.of(highlights=["kitchen", "zebra"])).notices
    assert notices == (
        "The highlight 'kitchen' does not occur in the document, and 'kitchens' does.",
        "The highlight 'zebra' does not occur in the document.",
    )
