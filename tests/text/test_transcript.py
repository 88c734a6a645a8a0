"""Transcripts: labels, turns, stage directions, and utterances without content."""

from __future__ import annotations

import json

import pytest

from nutgraf.prose import prose_of
from nutgraf.readers import read_text
from nutgraf.readers.reading import read_data
from nutgraf.text.chat import find_turns
from nutgraf.text.document import Document, join
from nutgraf.text.transcript import is_broken, is_filler, without_noises

HARBOUR = """\
Harbour board, 3 May

Ines Roth: The crane stood still for nine days. [laughter] We lost two ships to Kelpport.
Omar: Mm-hmm .
Ines Roth: A new gearbox costs forty thousand.
Omar: Then we should rent a crane until July. If we, if the, you know.
"""


def turns_of(text: str) -> list[tuple[str, str]]:
    return [(turn.speaker, text[turn.start : turn.end]) for turn in find_turns(text)]


def spoken(document: Document) -> list[tuple[str | None, str]]:
    return list(zip(document.speakers, document.printed, strict=True))


def test_a_turn_is_what_follows_a_name_and_a_colon():
    assert turns_of(HARBOUR) == [
        ("Ines Roth", "The crane stood still for nine days. [laughter] We lost two ships to Kelpport."),
        ("Omar", "Mm-hmm ."),
        ("Ines Roth", "A new gearbox costs forty thousand."),
        ("Omar", "Then we should rent a crane until July. If we, if the, you know."),
    ]


def test_sentences_hold_neither_labels_nor_stage_directions():
    document = Document.of(HARBOUR, language="en")
    assert spoken(document) == [
        (None, "Harbour board, 3 May"),
        ("Ines Roth", "The crane stood still for nine days."),
        ("Ines Roth", "We lost two ships to Kelpport."),
        ("Omar", "Mm-hmm ."),
        ("Ines Roth", "A new gearbox costs forty thousand."),
        ("Omar", "Then we should rent a crane until July."),
        ("Omar", "If we, if the, you know."),
    ]
    assert [document.show(sentence) for sentence in document.sentences] == document.printed


def test_a_short_answer_is_joined_with_its_question():
    text = """\
Ines Roth: The crane has stood still since May. Is the gearbox paid for?
Omar: Yes.
Ines Roth: And who will fit the new one?
Omar: Mm-hmm .
Ines Roth: Who will fit it?
Omar: The yard in Kelpport has offered to fit it in the week after the regatta.
Ines Roth: When does the regatta end?
Omar: On 9 July.
"""
    assert spoken(Document.of(text, language="en"))[1:] == [
        ("Ines Roth", "Is the gearbox paid for? Omar: Yes."),
        ("Ines Roth", "And who will fit the new one?"),
        ("Omar", "Mm-hmm ."),
        ("Ines Roth", "Who will fit it?"),
        ("Omar", "The yard in Kelpport has offered to fit it in the week after the regatta."),
        ("Ines Roth", "When does the regatta end? Omar: On 9 July."),
    ]


def test_talk_without_content_is_not_prose():
    assert prose_of(Document.of(HARBOUR, language="en")) == [False, True, True, False, True, True, False]


def test_a_time_stamp_and_a_name_stand_above_what_is_said():
    text = "00:01:05 Petra Lind\nthe pump is loud\n\n00:01:09 Ali\nreplace it\n\n00:02:11 Petra Lind\nnext week then\n"
    assert turns_of(text) == [
        ("Petra Lind", "the pump is loud"),
        ("Ali", "replace it"),
        ("Petra Lind", "next week then"),
    ]
    after = "Petra Lind  0:05\nThe pump is loud.\n\nAli  0:09\nReplace it.\n\nPetra Lind  1:11\nNext week.\n"
    assert [speaker for speaker, _ in turns_of(after)] == ["Petra Lind", "Ali", "Petra Lind"]


@pytest.mark.parametrize(
    ("label", "speaker"),
    [
        ("Q61 The Chair: ", "The Chair"),
        ("[00:01:02] Ana: ", "Ana"),
        ('GIDEON FARR, AUTHOR, "WINTERS": ', "GIDEON FARR"),
        ("Lord Ekwueme of Stour (10:20): ", "Lord Ekwueme of Stour"),
        ("Project Manager : ", "Project Manager"),
        ("**Ana:** ", "Ana"),
        ("SPEAKER_01: ", "SPEAKER_01"),
        ("#Person1#: ", "#Person1#"),
        ("主持人：", "主持人"),
        ("M. Dupont : ", "M. Dupont"),
    ],
)
def test_labels(label, speaker):
    text = "\n\n".join(f"{label}The tide turned early.\n\nBo: It did not turn at all." for _ in range(3))
    assert turns_of(text) == [(speaker, "The tide turned early."), ("Bo", "It did not turn at all.")] * 3


def test_q_and_a_of_a_hearing():
    text = "Q. Where was the key?\nA. On the hook.\nQ. Who took it?\nA. The miller took it.\n"
    assert turns_of(text)[:2] == [("Q", "Where was the key?"), ("A", "On the hook.")]


def test_names_alone_on_their_lines():
    text = "\n\n".join(f"MIRA\nThe boat is late, as ever. ({n})\n\nJON\nIt will come." for n in range(3))
    assert turns_of(text)[:2] == [("MIRA", "The boat is late, as ever. (0)"), ("JON", "It will come.")]


@pytest.mark.parametrize(
    "text",
    [
        # A report with two quotations that begin with a name.
        "The council met on Monday and closed the bridge.\n\nMayor Ruiz: It is safe, but not for lorries.\n\n"
        "Engineers found cracks in two piers.\n\nMayor Ruiz: We repair it in May.\n\nWork starts soon.",
        # Terms and their definitions.
        "Sluice: A gate in a dam.\nWeir: A low dam.\nLock: A chamber for boats.\nLeat: A ditch to a mill.\n",
        # Records of a form, and headings of minutes.
        "Height: Low.\nAge: Nine.\nTown: Ferrol.\n\n" * 3,
        "Name: Ada.\nAge: Nine.\nTown: Ferrol.\n\n" * 3,
        "Decision: We rent a crane.\nAction: Omar calls Kelp.\nDecision: The lamp goes.\nAction: Ines buys one.\n",
        "From: Ada\nSubject: Crane\n\nIt broke.\n\nFrom: Bea\nSubject: Re: Crane\n\nAgain?\n",
        # A dialogue within a long report.
        "The trial went on for weeks and few came to hear it. " * 20
        + "\n\nJudge: Were you there?\n\nMiller: I was there.\n\nJudge: Alone?\n\nMiller: Alone.\n\n",
        "",
    ],
)
def test_other_texts_are_no_transcripts(text):
    assert find_turns(text) == []


def test_few_paragraphs_without_a_label_are_remarks_of_an_editor():
    text = "Ana: One.\n\nBo: Two.\n\nAna: Three.\n\nBo: Four.\n\nHer term ends in spring.\n\nAna: Five.\n\nBo: Six.\n"
    assert spoken(Document.of(text, language="en"))[4] == (None, "Her term ends in spring.")


def test_many_paragraphs_without_a_label_belong_to_the_turn_before_them():
    text = "Ana: One came.\n\nTwo came.\n\nBo: Three.\n\nFour.\n\nAna: Five.\n\nSix.\n\nBo: Seven.\n\nThe end note.\n"
    document = Document.of(text, language="en")
    assert document.speakers == ["Ana", "Ana", "Bo", "Bo", "Ana", "Ana", "Bo", None]


def test_brackets_in_a_sentence_stay_and_noises_go():
    text = "I told [the dean] that it rains. The lid {disfmarker} the lid is hot [ vocalsound ] ."
    assert without_noises(text) == "I told [the dean] that it rains. The lid the lid is hot ."


@pytest.mark.parametrize(
    "utterance", ["hmm hmm", "mm-hmm", "yeah", "okay", "right", "uh-huh", "yeah exactly", "it has this like this yeah"]
)
def test_fillers(utterance):
    assert is_filler(utterance.split())


@pytest.mark.parametrize("utterance", ["it rained", "cork stays cool", "we have 40", "okay the lid is cork"])
def test_no_fillers(utterance):
    assert not is_filler(utterance.split())


@pytest.mark.parametrize(
    "utterance",
    [
        "Have you seen the.",
        "The contract with the old -",
        "They worry about, you know.",
        "It, it, it rains.",
        "Uh the the lid, yeah.",
    ],
)
def test_what_breaks_off(utterance):
    assert is_broken(utterance, utterance.lower().replace(",", "").strip(" .-").split())


@pytest.mark.parametrize(
    "utterance", ["Who is he?", "It was a well-known lid.", "Uh, they were mostly people on their own."]
)
def test_what_does_not_break_off(utterance):
    assert not is_broken(utterance, utterance.lower().replace(",", "").strip(" .?").split())


def test_a_sentence_begun_anew_is_parted_from_what_broke_off():
    text = HARBOUR.replace("A new gearbox", "So if we, the - A new gearbox")
    document = Document.of(text, language="en")
    assert document.printed[4:6] == ["So if we, the -", "A new gearbox costs forty thousand."]
    assert prose_of(document)[4:6] == [False, True]


def test_joined_documents_keep_their_turns():
    both = join([Document.of("It rained.", "a", language="en"), Document.of(HARBOUR, "b", language="en")])
    assert [both.show(turn) for turn in both.turns] == [words for _, words in turns_of(HARBOUR)]
    assert both.speakers[:3] == [None, None, "Ines Roth"]


def test_turns_of_a_json_object():
    turns = [{"speaker": "Ana", "text": "It rains {pause} ."}, {"speaker": "", "text": " "}, {"text": "It pours."}]
    [document] = read_data(json.dumps({"turns": turns}).encode(), "meeting.jsonl", "en")
    assert document.text == "Ana: It rains {pause} .\n\nIt pours."
    assert spoken(document) == [("Ana", "It rains ."), ("", "It pours.")]


def test_a_transcript_in_markdown_and_html():
    lines = [("Ana", "The tide turned early."), ("Bo", "It did not turn.")] * 3
    markdown = "# Tides\n\n" + "\n\n".join(f"**{name}:** {words}" for name, words in lines)
    page = "<h1>Tides</h1>" + "".join(f"<p><b>{name}:</b> {words}</p>" for name, words in lines)
    for document in (read_data(markdown.encode(), "a.md", "en")[0], read_text(page, language="en", html=True)):
        assert spoken(document) == lines


CHAT = [
    ("Mara", "has anyone seen the key to the boathouse"),
    ("Tom", "it is in the drawer under the till"),
    ("Mara", "no the drawer is empty"),
    ("Lena", "yes I have it, I bring it at nine"),
    ("Tom", "ok please hang it on the hook then"),
    ("Lena", "the smith does a second one for eight euros"),
]


@pytest.mark.parametrize("label", ["{name}: ", "[09:01] <{name}> ", "{name} 09:01\n"])
def test_a_chat_without_end_marks(label):
    assert turns_of("\n".join(label.format(name=name) + said for name, said in CHAT)) == CHAT


@pytest.mark.parametrize("label", ["[09:01] <{name}> ", "{name} 09:01\n"])
def test_names_beside_a_time_may_have_small_letters(label):
    chat = [(name.lower(), said) for name, said in CHAT]
    assert turns_of("\n".join(label.format(name=name) + said for name, said in chat)) == chat


def test_keys_with_short_values_are_no_chat():
    keys = ["Rye", "Oat", "Rye", "Oat", "Oat", "Rye"]
    assert not find_turns("\n".join(f"{key}: dark and sour" for key in keys))
