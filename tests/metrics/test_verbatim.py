"""Verbatim summaries, by hand."""

from __future__ import annotations

import pytest

from nutgraf.metrics import Example, metrics
from nutgraf.text.document import Document

SOURCE = Document.of("The ferry left at noon. It carried a piano to Gull Rock.", language="en")


def verbatim(*sentences: str, source: Document | None = SOURCE) -> float | None:
    return metrics.make("verbatim")(Example(sentences, source=source))["verbatim"]


@pytest.mark.parametrize(
    "title",
    ["The ferry left at noon.", "a piano to Gull Rock", "A Piano", "At noon: it carried", "rock"],
)
def test_one_stretch_is_verbatim_whatever_its_case_and_marks(title: str) -> None:
    assert verbatim(title) == 1


@pytest.mark.parametrize("title", ["The ferry carried a piano", "erry left", "A piano on a ferry", "noon at left"])
def test_words_from_two_places_are_not(title: str) -> None:
    assert verbatim(title) == 0


def test_several_sentences_are_one_stretch_or_none() -> None:
    assert verbatim("The ferry left at noon.", "It carried a piano.") == 1
    assert verbatim("It carried a piano.", "The ferry left at noon.") == 0


def test_without_words_or_a_source_nothing_is_said() -> None:
    assert verbatim("…") is None
    assert verbatim() is None
    assert verbatim("The ferry", source=None) is None
