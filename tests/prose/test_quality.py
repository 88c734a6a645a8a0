"""Quality of sentences: junk by heading, by words and by shape, weak sentences, and prose that looks odd."""

import pytest

from nutgraf.prose import judgements, prose_of, qualities
from nutgraf.prose.boilerplate import kind_of_section, kind_of_sentence
from nutgraf.prose.junk_odds import FEWEST, Odds
from nutgraf.prose.quality import GOOD, JUNK, WEAK
from nutgraf.readers.reading import read_data
from nutgraf.text.document import Document

PROSE = [
    "The harbour office opened a new pier on Monday after two years of work.",
    "Engineers had warned the council about the chains in the spring.",
    "Nobody was hurt, and the ferry left again before noon.",
]


def quality_of(sentence: str) -> float:
    """Quality of a sentence among prose."""
    document = Document.of("\n\n".join([*PROSE, sentence]), language="en")
    assert document.text.endswith(sentence)
    return qualities(document)[-1]


@pytest.mark.parametrize(
    "sentence",
    [
        "By law the harbour master may not give the council any instructions.",
        "By the top of the hill she had lost two minutes to the others.",
        "Received wisdom has it that the chains of a ferry last for forty years.",
        "Order was restored when the second tug came round the pier.",
        "Preliminary experiments with two chains have been reported by Brent (1991).",
        "The tables of the tide have been printed in the harbour since 1890.",
        "It is known for the kink in its middle, which its builder never admitted [2].",
        "The training data are drawn from ten harbours and are available in the office every day.",
        "18 boats beat 10 boats, and 10 boats beat four of them.",
        "The price is memory: a copy that is kept for hours holds on to old pages.",
    ],
)
def test_prose_that_looks_odd(sentence: str) -> None:
    assert quality_of(sentence) == GOOD


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Photo: The ferry at the old pier, seen from the hill in 1932.", "caption"),
        ("Figure 3 shows the number of boats that left in each month.", "caption"),
        ("Click here for the full list of the boats of the harbour.", "notice"),
        ("This story was first published on the pages of the harbour.", "boilerplate"),
        ("Copyright (C) The Harbour Line, all rights reserved.", "boilerplate"),
        ("This work was supported by the council of the harbour.", "boilerplate"),
        ("We thank the harbour master for the loan of his boat.", "boilerplate"),
        ("^ Minutes of the council of the harbour, 1890, page 3.", "reference"),
        ("Good evening, and welcome to the news from the harbour.", "procedural"),
        ("From: Ada Quayle <ada@harbour.example> To: Bob.", "notice"),
        ("1 Introduction ........................ 4.", "notice"),
        ("The minutes of the meeting held in May were taken as read by the council.", "procedural"),
        ("Der Vorsitzende eröffnete die Versammlung und begrüßte die Fischer.", "procedural"),
        ("You can unsubscribe from the letters of the harbour at any time.", "notice"),
        ("La reproduction de ces pages du port est interdite.", "boilerplate"),
    ],
)
def test_words_betray_junk(sentence: str, kind: str) -> None:
    assert kind_of_sentence(sentence) == kind
    assert quality_of(sentence) == JUNK


@pytest.mark.parametrize(
    "sentence",
    [
        "Tarrow Otters: Prothero, Haynes, Moll, Ivers, Dabney, Benyon, Trask, Lund, Orme.",  # names
        "4.2 5.1 6.0 7.4 8.8 9.1 boats.",  # a row of a table
        "THE CHAINS OF THE FERRY WERE OLD AND BROKEN.",
    ],
)
def test_shape_betrays_junk(sentence: str) -> None:
    assert quality_of(sentence) == JUNK


@pytest.mark.parametrize(
    "sentence",
    [
        "It rained.",
        "“The chains were old, and everybody in the harbour knew it.",
        "Ada Quayle: You're joking.",
        "Who had told the council about the chains of the ferry?",
        "One harbour, one month, one make of chain.",
        "To count the boats of the harbour and the people on them.",
        "so that more of the boats stay in the harbour.",
        "Chain The fitting by which a ferry is held.",
    ],
)
def test_short_and_broken_sentences_are_weak(sentence: str) -> None:
    assert quality_of(sentence) == WEAK


def test_a_fragment_within_a_paragraph_is_junk() -> None:
    document = Document.of(
        f"{PROSE[0]} It was 4 p.\nof the boats, of which there were many, in the harbour. {PROSE[1]}"
    )
    assert judgements(document)[-2] == (JUNK, "fragment") or len(document.printed) == 3


def test_where_all_is_weak_all_is_good() -> None:
    assert qualities(Document.of("It rained. The boats left.", language="en")) == [GOOD, GOOD]


def test_nothing_below_certain_headings_is_prose() -> None:
    text = "\n\n".join(
        [*PROSE, "Acknowledgements", "The harbour master lent a boat to all of us.", "Results", PROSE[0]]
    )
    document = Document.of(text)
    assert qualities(document) == [GOOD, GOOD, GOOD, JUNK, JUNK, JUNK, GOOD]


@pytest.mark.parametrize("heading", ["References", "7. REFERENCES", "## Literaturverzeichnis", "Notes et références:"])
def test_headings_of_references(heading: str) -> None:
    assert kind_of_section(heading) == "reference"


def test_other_headings_announce_prose() -> None:
    assert kind_of_section("Results and references to earlier work") == ""


def test_a_text_of_nothing_else_keeps_its_sentences() -> None:
    document = Document.of("Click here for more. Subscribe to the letter of the harbour.")
    assert prose_of(document) == [True, True]


def test_lowercased_text_is_judged_by_its_words_alone() -> None:
    document = Document.of("the ferry left at noon for the island . photo : the ferry at noon .", language="en")
    assert qualities(document) == [GOOD, JUNK]


def test_what_somebody_says_betrays_nothing() -> None:
    assert kind_of_sentence("Click here for the list of boats, she said.") == "notice"
    assert kind_of_sentence('"Click here for the list of boats," she said.') == ""
    assert kind_of_sentence("“Thank you for coming to the harbour,” said the old man.") == ""


def test_a_caption_is_a_whole_paragraph() -> None:
    """What follows "Figure 3." in its paragraph explains the picture; what follows "Figure 3 shows" may be prose."""
    caption = Document.of(
        "\n\n".join([*PROSE, f"Figure 3. Boats at the old pier. {PROSE[0]}", PROSE[1]]), language="en"
    )
    assert [one.reason for one in judgements(caption)[3:]] == ["caption", "caption", "caption", ""]
    text = Document.of("\n\n".join([*PROSE, f"Figure 3 shows the boats at the old pier. {PROSE[0]}"]), language="en")
    assert qualities(text)[3:] == [JUNK, GOOD]


def test_a_question_above_a_paragraph_is_a_heading() -> None:
    question = "Who had told the council about this?"
    above = Document.of("\n\n".join([*PROSE, question, f"{PROSE[0]} {PROSE[1]}"]), language="en")
    assert judgements(above)[3] == (JUNK, "heading")
    assert judgements(Document.of("\n\n".join([*PROSE, question, PROSE[0]]), language="en"))[3] == (WEAK, "question")


def test_a_quotation_that_repeats_the_text_is_junk() -> None:
    quotation = "The boats will be back before the winter storms"
    page = Document.of(
        "\n\n".join([*PROSE, f"“{quotation}.”", f"“{quotation}, I hope,” said the master."]), language="en"
    )
    assert qualities(page) == [GOOD, GOOD, GOOD, JUNK, GOOD]


MINUTES = """\
Minutes of the meeting of the trustees held in the Net Loft on 4 March

Present: A. Quayle, B. Moll, C. Ivers, D. Orme.

Apologies were received from E. Trask.

The surveyor reported that two of the six timbers of the slipway had rotted. Repairs could not wait for another winter.

RESOLVED, that the slipway be repaired before October and the cost be met from the reserve.

The tenants of the Net Loft had asked for a longer term so that they could borrow for a new floor.

It was resolved unanimously that the lease be renewed for five years.

RESOLVED that the minutes of the last meeting be taken as read.

Visitors had complained that nobody answered the radio at weekends.

There being no further business, the chair closed the meeting at 9.15 pm.

The date of the next meeting is 6 May. Copies of these minutes can be had from the clerk.
"""


def test_decisions_are_what_a_meeting_was_for() -> None:
    document = Document.of(MINUTES, language="en")
    decided = [
        one for text, one in zip(document.printed, judgements(document), strict=True) if "resolved" in text.lower()
    ]
    assert decided == [(GOOD, ""), (GOOD, ""), (JUNK, "procedural")]


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Die Mitgliederversammlung wird unter Angabe der Tagesordnung einberufen, wenn der Vorstand es will.", ""),
        ("(4) Die Versammlung ist beschlussfähig, wenn ein Viertel der Mitglieder da ist.", ""),
        ("Die Versammlung wird einberufen, sofern ein Zehntel der Mitglieder es verlangt.", ""),
        ("§ 7 Abs. 2 der Satzung gilt auch für Gäste.", ""),
        ("Die Versammlung wurde fristgerecht einberufen.", "procedural"),
        ("Die Versammlung ist beschlussfähig.", "procedural"),
        ("§ Siehe die Tabelle.", "caption"),
    ],
)
def test_rules_of_meetings_are_no_meetings(sentence: str, kind: str) -> None:
    assert kind_of_sentence(sentence) == kind


LEASE = """\
Mietvertrag

1 Mietsache

1.1 Vermietet wird die Wohnung im zweiten Stock des Hauses Lindenstr. 8 in Tremouth.

1.2 Zur Wohnung gehören ein Keller und ein Stellplatz im Hof.

2 Mietzeit

2.1 Das Mietverhältnis beginnt am 1. Mai 2027 und läuft auf unbestimmte Zeit.

(2) Kündigt der Mieter, so hat er Besichtigungen an zwei Tagen in der Woche zu dulden.

3 Miete

3.1 Die Miete beträgt 640 Euro im Monat, die Vorauszahlung auf die Betriebskosten 120 Euro.

3.2 Der Mieter zahlt die Miete bis zum dritten Werktag eines Monats im Voraus.

4 Instandhaltung

4.1 Der Mieter heizt und lüftet die Räume so, dass kein Schimmel entsteht.
"""


def test_numbered_clauses_are_what_a_contract_is_for() -> None:
    document = Document.of(LEASE, language="de")
    assert len(document.printed) >= FEWEST  # else nobody looks at the odds
    for text, one in zip(document.printed, judgements(document), strict=True):
        assert one == ((GOOD, "") if text.endswith(".") else (JUNK, "unended"))


README = """\
# tidegauge

tidegauge reads the level of the water in a harbour and warns when a tide will flood the quay.

It runs on any small computer with a sensor, and needs no network at all.
"""


def test_a_program_may_begin_what_it_says_of_itself_with_a_small_letter() -> None:
    (document,) = read_data(README.encode(), "README.md", "en")
    assert qualities(document) == [GOOD] * 2


def test_items_of_a_list_without_end_marks_are_a_second_choice() -> None:
    items = [
        "• The pilots get a second boat from the town",
        "• The quay is to be lengthened by ninety metres",
        "• Boats",
    ]
    document = Document.of("\n\n".join([*PROSE, "\n".join(items), *PROSE]), language="en")
    assert [qualities(document)[index] for index in (3, 4, 5)] == [WEAK, WEAK, JUNK]
    assert quality_of(items[0]) == JUNK  # alone it is no list


NOTICE = "Click here for the list of the boats."


def test_odds_are_asked_in_parts_beside_junk(monkeypatch) -> None:
    """The notice is the 46th sentence; parts have ten, so that those from the 31st on are near it."""
    asked: list[int] = []
    monkeypatch.setattr(Odds, "__getitem__", lambda odds, index: asked.append(index) or -9.0)

    def asked_of(paragraphs: list[str], language: str) -> list[int]:
        asked.clear()
        list(judgements(Document.of("\n\n".join(paragraphs), language=language)))
        return asked

    assert asked_of(PROSE * 15, "en") == []
    assert asked_of([*PROSE * 15, NOTICE], "en") == [*range(30, 45)]
    assert asked_of([*PROSE, NOTICE, *PROSE], "en") == []  # of fewer sentences than `FEWEST` nothing is known
    assert asked_of([*PROSE * 15, NOTICE], "tr") == []  # a language without page words


def test_a_line_that_goes_on_is_a_fragment_where_hardly_any_has_an_end_mark() -> None:
    recitals = ["Having regard to the Harbour Act and to the orders made under it;", "The harbour board of Aldmark,"]
    document = Document.of("\n\n".join([*recitals * 3, PROSE[0]]), language="en")
    assert [one.reason for one in judgements(document)] == [*["unended"] * 6, ""]


def test_a_sentence_is_judged_when_somebody_asks() -> None:
    found = judgements(Document.of("\n\n".join([*PROSE * 10, NOTICE]), language="en"))
    assert (found.num_made, len(found)) == (0, 31)
    assert found[0] == (GOOD, "")
    assert found.num_made == 1
    assert found[-1] == (JUNK, "notice")
    assert found[1:3] == [(GOOD, "")] * 2
    assert found.num_made == 4
    with pytest.raises(IndexError):
        found[31]


def test_the_mark_of_an_item_is_no_bracket_of_its_sentence() -> None:
    assert quality_of("b) The quay is to be lengthened by ninety metres.") == GOOD
    assert quality_of("b The quay) is to be lengthened by ninety metres.") == WEAK


RELEASE = """# Tidewatch 4.2

Download for phones and tablets

- The chart can be printed on one page with the names of the harbours.
- Alarms now ring ten minutes before high water instead of five.
- The app reads the tables of 2026, which the office published in October.
- Users of the old subscription keep their price until June.
- Your harbours are now stored in your account and no longer on the phone.
- The search field finds harbours by their old names as well.
- The app asks for your location only when you open the map.
- The page of settings was split, because it was too long for small screens.
- Login with a link from a mail failed on tablets.
- Text in the menu was cut off in German and Finnish.
- Reports can be sent from the menu without an account.
- The list of alarms can be sorted by name and by time.
- The update needs 40 MB, and the app restarts by itself.
"""


def test_where_all_sentences_look_like_junk_none_of_them_is_for_its_looks() -> None:
    """Release notes speak of pages, menus and accounts, which is their subject."""
    (document,) = read_data(RELEASE.encode(), "release.md", language="en")
    found = judgements(document)
    assert found[0].reason == "unended"
    assert all(one.quality > JUNK for one in found[1:])


@pytest.mark.parametrize(
    "row", ["| May | 120 |", "May | 120 | more than in the year before.", "│ 1 │ Quayle │", "├──┼──┤"]
)
def test_rows_of_tables_are_junk(row: str) -> None:
    assert quality_of(row) == JUNK


def test_bars_in_formulas_are_none_of_tables() -> None:
    assert quality_of("The odds (p(a | b) and p(b | a)) of a late ferry are known to the board.") == GOOD
