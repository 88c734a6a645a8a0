"""Novel n-grams, by hand."""

from __future__ import annotations

import pytest

from nutgraf.metrics import Example
from nutgraf.metrics.novelty import Config, Novelty
from nutgraf.text.document import Document

SOURCE = Document.of("The ferry left at noon. It came back at dusk.", language="en")


def novelty(*sentences: str, longest: int = 3) -> dict[str, float | None]:
    return Novelty(Config(longest))(Example(sentences, source=SOURCE))


def test_shares_of_new_n_grams() -> None:
    # Of "the ferry came back late" only "late" is a new word; ferry-came and back-late are new, the-ferry and came-back
    # are not; none of the three trigrams stands in the source.
    assert novelty("The ferry came back late.") == {
        "novel_1": pytest.approx(1 / 5),
        "novel_2": pytest.approx(2 / 4),
        "novel_3": pytest.approx(1.0),
    }


def test_what_is_copied_is_never_novel_wherever_sentences_end() -> None:
    assert novelty("It came back at dusk.", "The ferry left at noon.") == {"novel_1": 0, "novel_2": 0, "novel_3": 0}
    assert novelty("The ferry left at noon it came back at dusk.") == {"novel_1": 0, "novel_2": 0, "novel_3": 0}


def test_every_occurrence_counts() -> None:
    assert novelty("Boats, boats, ferry.", longest=1) == {"novel_1": pytest.approx(2 / 3)}


def test_too_few_words_say_nothing() -> None:
    assert novelty("Noon.") == {"novel_1": 0, "novel_2": None, "novel_3": None}
    assert Novelty(Config())(Example(["Noon."])) == {"novel_1": None, "novel_2": None, "novel_3": None}
