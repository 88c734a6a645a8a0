"""JSON as input: one document an object."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nutgraf.errors import InputError
from nutgraf.readers import readers
from nutgraf.text.document import Document


def read(text: str) -> list[Document]:
    return readers.make("jsonl").read(text.encode("utf-8", "surrogatepass"), "in.jsonl", "en")


@pytest.mark.parametrize("key", ["text", "document", "article", "body", "content"])
def test_a_text_may_stand_under_several_names(key: str) -> None:
    (document,) = read(f'{{"{key}": "Rye is dark."}}')
    assert (document.text, document.name) == ("Rye is dark.", "in.jsonl:1")


def test_a_record_may_have_a_date() -> None:
    assert read('{"text": "Rye is dark.", "date": "2024-05-03"}')[0].published == ("2024-05-03T00:00:00+00:00",)
    assert read('{"text": "Rye is dark.", "date": 2024}')[0].published == ("",)


def test_documents_are_the_parts_of_one_input() -> None:
    (document,) = read('{"documents": ["Rye is dark.", "", "Wheat is not."]}')
    assert document.text == "Rye is dark.\n\nWheat is not."
    assert [(part.name, part.start, part.end) for part in document.parts] == [
        ("in.jsonl:1 (1)", 0, 12),
        ("in.jsonl:1 (2)", 14, 27),
    ]


def test_sections_keep_their_names() -> None:
    (document,) = read(
        '{"sections": [{"name": "Rye", "text": "It is dark."}, {"name": "Wheat", "text": "It is not."}]}'
    )
    assert [(section.name, document.show(section)) for section in document.sections] == [
        ("Rye", "It is dark."),
        ("Wheat", "It is not."),
    ]


def test_texts_under_further_keys_are_told() -> None:
    lines = ['{"text": "Rye.", "body": "Rye.", "content": ""}', '{"text": "Rye.", "body": "Wheat."}']
    assert read("\n".join([*lines, '{"sections": [{"text": "Spelt."}], "body": "Oats."}']))[0].notices == (
        "in.jsonl: 'body' of 2 objects is left out; the text of an object stands under one key.",
    )


@pytest.mark.parametrize("key", ["text", "content"])
def test_parts_have_their_text_under_the_same_names(key: str) -> None:
    parts = f'[{{"name": "Rye", "speaker": "Ada", "{key}": "It is dark."}}]'
    assert read(f'{{"sections": {parts}}}')[0].text == "It is dark."
    assert read(f'{{"turns": {parts}}}')[0].text == "Ada: It is dark."


def test_blank_lines_are_passed_over_and_lines_counted() -> None:
    assert [document.name for document in read('\n{"text": "One."}\n\n{"text": "Two."}\n')] == [
        "in.jsonl:2",
        "in.jsonl:4",
    ]


def test_empty_documents_are_passed_over_with_a_notice() -> None:
    (document,) = read('{"text": " "}\n{"text": "Two."}')
    assert document.notices == ("in.jsonl: 1 empty document was skipped.",)


@pytest.mark.parametrize(
    "text",
    [
        '[{"text": "One."}, "Two."]',
        '[\n  {"text": "One."},\n  {"text": "Two."}\n]',
        '{"text": "One."}\n{"text": "Two."}',
    ],
)
def test_a_file_may_be_one_list(text: str) -> None:
    assert [document.text for document in read(text)] == ["One.", "Two."]


def test_a_file_may_be_one_object_over_many_lines() -> None:
    assert [document.text for document in read('{\n  "text":\n  "One."\n}\n')] == ["One."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"text": "One."}\n{"text": "Two.\n', "line 2"),
        ('{"text": "One."}\n[1, 2]\n', "line 2.*not a list"),
        ('{"text": "One."}\n{"title": "Two"}\n', "line 2.*no text was found"),
        ('{"text": 7}', "line 1.*a number"),
        ('{"sections": ["One."]}', "line 1.*'name' and a 'text'"),
        ('{"documents": [null]}', "line 1.*null"),
        ('[{"text": "One."}, 7]', "item 2"),
        ('{\n "text": "One.",\n "text"\n}', "line 4"),
        ("bread", "line 1"),
    ],
)
def test_what_is_broken_is_named_by_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"(?s)in\.jsonl, {message}"):
        read(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[" * 100_000, "it is nested too deeply"),
        ('[\n{"text": ' + "7" * 5000 + "}\n]", "a number in it has more than 4,300 digits"),
        ('{"text": "One.", "id": ' + "7" * 5000 + "}\n", "a number in it has more than 4,300 digits"),
    ],
)
def test_what_python_does_not_parse_is_told_in_words(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=rf"in\.jsonl.*JSON.*{reason}"):
        read(text)


def test_copies_among_the_documents_of_an_object_are_read_once() -> None:
    (document,) = read('{"documents": ["The tug came.", "It left.", "The tug  came."]}')
    assert [document.show(part) for part in document.parts] == ["The tug came.", "It left."]
    assert "in.jsonl" in document.notices[-1]


def test_half_surrogates_become_replacement_characters() -> None:
    (document,) = read('{"text": "A bad \\ud800 one and a good \\ud83d\\ude00 one."}')
    assert document.text == "A bad \ufffd one and a good 😀 one."


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        documents = read(text)
    except InputError:
        return
    assert all(document.sentences for document in documents)
