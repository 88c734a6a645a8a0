"""Ends of sentences without a space after them, and names that look like them."""

from __future__ import annotations

from pathlib import Path

import pytest

import nutgraf
from nutgraf.text.tokenize import sentence_texts

NOSPACE = Path(__file__).parent / "sentences" / "nospace.txt"


def test_a_text_without_spaces_behind_its_sentences_has_sentences() -> None:
    text = NOSPACE.read_text(encoding="utf-8")
    assert [sentence.split()[0] for sentence in sentence_texts(text)] == [
        "Automatic",
        "As",
        "Technologies",
        "An",
        "Document",
    ]
    assert str(nutgraf.load()(text, sentences=2)) == (
        "Automatic summarization is the process of reducing a text with a program in order to create a summary that "
        "retains the most important points of the original. As the problem of overload has grown, and as the quantity "
        "of data has increased, so has interest in automatic summarization."
    )


@pytest.mark.parametrize(
    ("language", "split"),
    [
        ("en", ["The tug left at six.", "The pilots stayed ashore."]),
        ("en", ["Did the tug leave?", "Nobody saw it!", "They slept."]),
        ("en", ['"The tug is late."', "He went home.", "They had left."]),
        ("en", ["The plan (a bold one.)", "It failed."]),
        ("de", ["Das Boot kam zurück.", "Der Kapitän schlief.", "Es war spät."]),
        ("fr", ["Le bateau est parti.", "C'est fini.", "Il pleut."]),
        ("ru", ["Корабль ушёл.", "Он вернулся завтра."]),
    ],
)
def test_sentences_are_told_apart_without_spaces(language: str, split: list[str]) -> None:
    assert list(sentence_texts("".join(split), language)) == split


@pytest.mark.parametrize(
    "text",
    [
        "The crew runs Node.js and example.Com and System.Text on the quay, as README.Md says.",
        "The U.S.Army and J.K.Rowling read her Ph.D.Thesis in the harbour of St.Paul.",
        "They call time.Now to read the clock, and time.Sleep to wait for the tug.",
        "They call System.out.Println and nutgraf.Load for it, or fmt.Println and os.Path there.",
        "Mail goes to Ann.Lee@port.example and Bob.Hart@port.example as before.",
        "The captain saw Mr.Smith and Prof.Lee and Sen.Moen on the quay.",
        "It was told by Yahoo!Inc and by no other paper.",
    ],
)
def test_names_and_code_are_not_divided(text: str) -> None:
    assert sentence_texts(text) == (text,)


def test_a_german_abbreviation_before_a_capital_ends_no_sentence() -> None:
    text = "Er holte 7000 bzw.Die Hälfte davon ab."
    assert sentence_texts(text, "de") == (text,)


def test_a_wall_of_words_and_marks_is_split_without_losing_any() -> None:
    for unit in ("a.A", "ab.Cd ", 'it."The ', "well-well-", "the.The"):
        text = unit * (60_000 // len(unit))
        assert "".join("".join(sentence_texts(text)).split()) == "".join(text.split())
