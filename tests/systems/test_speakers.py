"""Summaries of transcripts say who speaks, within their budgets."""

from __future__ import annotations

from dataclasses import replace

import pytest

import nutgraf
from nutgraf.errors import BudgetError
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Origin, Summary, SummarySentence

MEETING = """\
Ines Roth: The crane at the north quay stood still for nine days. We lost two ships to the port of Kelp.
Omar: Mm-hmm .
Ines Roth: A new gearbox for the crane costs forty thousand. The maker needs six weeks to build the gearbox.
Omar: Then the port should rent a crane until July. Renting one costs nine hundred a day.
Ines Roth: The ships of the Kelp line need the crane in June. Their contract with the port ends in autumn.
Omar: So we rent the crane and order the gearbox. The board will see the contract on Monday.
"""


@pytest.fixture(scope="module")
def meeting() -> Document:
    return Document.of(MEETING, "meeting.txt", language="en")


def say(text: str, speaker: str | None) -> SummarySentence:
    return SummarySentence(text, "copied", (Origin(0, 0, 1),), speaker=speaker)


def test_a_line_for_each_speaker_begins_with_the_name(meeting: Document) -> None:
    spoken = [say("It rained.", None), say("It stopped.", "Ana"), say("It froze.", "Ana"), say("No.", "Bo Li")]
    summary = Summary(tuple(spoken), meeting, Budget(), "")
    assert summary.text == "It rained.\nAna: It stopped. It froze.\nBo Li: No."
    assert summary.words == 10
    assert summary.saved == 1
    assert Summary.loads(summary.dumps(), meeting).sentences == summary.sentences


def test_a_sentence_takes_its_words_and_its_speakers_name(meeting: Document) -> None:
    assert meeting.lengths[:3] == [2 + 11, 2 + 9, 1 + 2]
    assert meeting.num_words == sum(len(sentence.split()) for sentence in meeting.printed)


@pytest.mark.parametrize("system", ["mls_plus", "lead", "lex_rank", "text_rank"])
def test_no_budget_is_exceeded_and_names_count(system: str, meeting: Document) -> None:
    summarize = nutgraf.load(system)
    for words in range(14, 90, 5):
        summary = summarize(meeting, words=words)
        assert len(str(summary).split()) == summary.words <= words
        assert summary.limit == words
        for sentence in summary:
            [origin] = sentence.origins
            index = [one.end for one in meeting.sentences].index(origin.end)
            assert sentence.speaker == meeting.speakers[index]
            shown = meeting.show((origin.start, origin.end))
            assert sentence.text == (shown[0].upper() + shown[1:] if sentence.connective else shown)


def test_words_saved_by_naming_a_speaker_once_are_used(meeting: Document) -> None:
    # Three sentences of Ines, 29 words, and her name, two words, once: three times, they would be too many.
    summary = nutgraf.load("lead")(meeting, words=31)
    assert str(summary).startswith("Ines Roth: The crane at the north quay")
    assert summary.words == 31
    assert [str(one) for one in nutgraf.load("lead").many([meeting], words=31)] == [str(summary)]


def test_a_budget_that_no_sentence_fits_is_told_with_the_name(meeting: Document) -> None:
    with pytest.raises(BudgetError) as error:
        nutgraf.load("lex_rank")(meeting, words=5)
    smallest = error.value.smallest
    assert nutgraf.load("lex_rank")(meeting, words=smallest).words == smallest


def test_the_page_and_the_notebook_name_the_speakers(meeting: Document) -> None:
    summary = nutgraf.load("lead")(meeting, words=23)
    odd = replace(summary, sentences=tuple(replace(one, speaker="<b>Ines</b>") for one in summary))
    assert '<span class="speaker"><bdi>Ines Roth: </bdi></span>' in nutgraf.render(summary)
    assert "&lt;b&gt;Ines&lt;/b&gt;: " in nutgraf.render(odd)
    assert "&lt;b&gt;Ines&lt;/b&gt;: " in odd._repr_html_()
    assert "<b>Ines</b>" not in nutgraf.render(odd) + odd._repr_html_()
