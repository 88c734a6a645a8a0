"""Finite verbs in English sentences, told from nouns, participles and infinitives by the word before."""

import pytest

from nutgraf.text.tokenize import words
from nutgraf.text.verbs import has_verb


@pytest.mark.parametrize(
    "sentence",
    [
        "The ferry is old.",
        "The ferry left at noon.",
        "Bakers argue about holes.",
        "The tail wags the dog.",
        "He died in the harbour.",
        "It’s a ferry.",
        "it 's a ferry .",
        "Those who had seen it say so.",
        "The club insures its boats.",
    ],
)
def test_a_finite_verb(sentence: str) -> None:
    assert has_verb(words(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "A ferry with 22 berths.",
        "Two ships to be laid up.",
        "One ward, one month, one make of monitor.",
        "The harbour and its long history.",
        "With the support of the council.",
        "the dog 's tail .",
        "In the yards the boats of the club.",
    ],
)
def test_no_finite_verb(sentence: str) -> None:
    assert not has_verb(words(sentence))
