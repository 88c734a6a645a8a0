"""Novel n-grams, by hand."""

from __future__ import annotations

import pytest

from nutgraf.metrics import Example
from nutgraf.metrics.novelty import Config, Novelty
from nutgraf.text.document import Document

SOURCE = Document.of("The ferry left at noon. It came back at dusk.", language="en")


def novelty(*sentences: str, max_n: int = 3) -> dict[str, float | None]:
    return Novelty(Config(max_n))(Example(sentences, source=SOURCE))


def test_shares_of_new_n_grams() -> None:
    # Of "the ferry came back late" only "late" is a new word; ferry-came and back-late are new, the-ferry and came-back
    # are not; none of the three trigrams stands in the source.
    assert novelty("The ferry came back late.") == {
        "novel 1-grams": pytest.approx(1 / 5),
        "novel 2-grams": pytest.approx(2 / 4),
        "novel 3-grams": pytest.approx(1.0),
    }


def test_what_is_copied_is_never_novel_wherever_sentences_end() -> None:
    assert novelty("It came back at dusk.", "The ferry left at noon.") == {
        "novel 1-grams": 0,
        "novel 2-grams": 0,
        "novel 3-grams": 0,
    }
    assert novelty("The ferry left at noon it came back at dusk.") == {
        "novel 1-grams": 0,
        "novel 2-grams": 0,
        "novel 3-grams": 0,
    }


def test_every_occurrence_counts() -> None:
    assert novelty("Boats, boats, ferry.", max_n=1) == {"novel 1-grams": pytest.approx(2 / 3)}


def test_too_few_words_say_nothing() -> None:
    assert novelty("Noon.") == {"novel 1-grams": 0, "novel 2-grams": None, "novel 3-grams": None}
    assert Novelty(Config())(Example(["Noon."])) == {
        "novel 1-grams": None,
        "novel 2-grams": None,
        "novel 3-grams": None,
    }
