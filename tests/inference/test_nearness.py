"""Questions where a network tells how near sentences are: here one that knows two words for the same."""

from __future__ import annotations

import numpy as np
import pytest

import nutgraf
from nutgraf.questions import finder, nearness

TEXT = (
    "The museum opened in spring. Its garden has forty kinds of roses. Admission is free on Sundays. "
    "The budget came from a lottery."
)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that the network was asked about; those on money are near each other."""
    asked: list[str] = []

    def vector(text: str) -> np.ndarray:
        asked.append(text)
        return (
            np.array([1.0, 0.0])
            if {"budget", "funded"} & set(text.lower().strip("?.").split())
            else np.array([0.0, 1.0])
        )

    monkeypatch.setattr(nearness, "find_network", lambda name: name)
    monkeypatch.setattr(nearness, "_vector", vector)
    return asked


def test_a_sentence_without_the_words_of_the_question_is_found_by_what_it_means(network: list[str]) -> None:
    assert nutgraf.answer("What was it funded by?", TEXT).sentence == "The budget came from a lottery."
    assert len(network) == 5


def test_without_it_and_in_other_languages_nothing_is_asked(
    network: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nutgraf.answer("Wer bezahlte das Museum?", "Das Museum ist offen. Die Stadt hat es bezahlt.", language="de")
    monkeypatch.setattr(nearness, "find_network", lambda name: None)
    nutgraf.answer("What was it funded by?", TEXT)
    assert network == []


def test_a_long_text_is_read_in_part(network: list[str]) -> None:
    text = " ".join(f"Room {number} of the museum is blue." for number in range(200))
    nutgraf.answer("Which color has room 7?", text)
    assert len(network) == 1 + finder.MOST_NEAR
