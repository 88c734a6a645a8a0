"""Quoted mail in plain text is read without its marks; every other character keeps its place."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nutgraf.readers.plain import unquoted
from nutgraf.readers.reading import read_data

MAIL = """\
Ben Moll wrote to the trust:
> The deputy can work from Friday to Sunday only, and
> the office is closed on Sundays anyway.
>
> The trust has to buy two things before the season:
> - A second handset for the office on the quay.
> - A list of the moorings that visitors may take.
>> The harbour master says that visitors wait for an
>> hour before anybody answers them.
> > Carla saw it, too.
The handset is ordered.

> Who keeps the list?

Carla does.
"""


def test_quoted_sentences_paragraphs_and_items():
    (document,) = read_data(MAIL.encode(), "mail.txt", "en")
    assert document.printed == [
        "Ben Moll wrote to the trust:",
        "The deputy can work from Friday to Sunday only, and the office is closed on Sundays anyway.",
        "The trust has to buy two things before the season:",
        "- A second handset for the office on the quay.",
        "- A list of the moorings that visitors may take.",
        "The harbour master says that visitors wait for an hour before anybody answers them.",
        "Carla saw it, too.",
        "The handset is ordered.",
        "Who keeps the list?",
        "Carla does.",
    ]


def test_places_are_those_of_the_file():
    (document,) = read_data(MAIL.encode(), "mail.txt", "en")
    assert len(document.text) == len(MAIL)
    for sentence in document.sentences:
        in_file = MAIL[sentence.start : sentence.end]
        assert in_file.replace(">", " ").split() == document.show(sentence).split()


@pytest.mark.parametrize(
    "text",
    [
        "The level rose by\n> 5 cm in an hour. Nobody saw it.",  # running text
        ">>> print('It rained.')\nIt rained.\n>>> 2 > 1\nTrue.",  # a session of Python
        "> npm install tide\n> npm start",  # prompts: no sentence ends
        ">sp|P69905|HBA\nMVLSPADKTN VKAAWGKVGA.",  # a sequence
        "a -> b.\n=> c.",
    ],
)
def test_marks_stay_where_nothing_is_quoted(text):
    assert unquoted(text) == text
    assert read_data(text.encode(), "notes.txt", "en")[0].text == text


@given(st.text(st.sampled_from("> \na.:"), max_size=40))
@example("\n >a.")  # a blank before the mark stays one
def test_only_marks_and_the_line_ends_after_them_change(text):
    changed = unquoted(text)
    assert len(changed) == len(text)
    for before, after in zip(text, changed, strict=True):
        assert before == after or (before == ">" and after in " \n") or (before == "\n" and after == "\f")
