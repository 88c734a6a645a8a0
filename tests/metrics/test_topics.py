"""Topic divergence."""

from __future__ import annotations

import math

import pytest

from nutgraf.errors import PresetError
from nutgraf.metrics import Example, metrics
from nutgraf.metrics._divergence import kl, smooth
from nutgraf.text.document import Document

FERRY = (
    "The ferry crossed the strait in fog. The captain slowed the ferry near the rocks. Fog covered the strait and the "
    "rocks. The captain waited for the fog to lift."
)
BREAD = "The baker kneaded dough at dawn. Dough rose in the warm oven. The baker sold bread from the oven."
SOURCE = Document.of(f"{FERRY} {BREAD}", language="en")


def divergence(*sentences: str, **options: object) -> float | None:
    return metrics.make("topics", **options)(Example(sentences, source=SOURCE))["topic KL"]


def test_kl_by_hand() -> None:
    # (1, 0) and (0, 1) smoothed by 1 are (2/3, 1/3) and (1/3, 2/3).
    assert smooth([1, 0], 1.0).tolist() == pytest.approx([2 / 3, 1 / 3])
    assert kl([1, 0], [0, 1], 1.0) == pytest.approx(math.log(2) / 3)
    assert kl([[1, 0], [1, 0]], [[0, 1], [1, 0]], 1.0) == pytest.approx(math.log(2) / 6)


@pytest.mark.parametrize("compare", ["topics", "mixtures"])
def test_it_is_zero_for_the_text_itself_and_above_for_half_of_it(compare: str) -> None:
    whole, half = divergence(*SOURCE.printed, compare=compare), divergence(*SOURCE.printed[:4], compare=compare)
    assert whole == pytest.approx(0, abs=1e-2)
    assert half is not None
    assert half > whole


def test_words_that_the_source_lacks_say_nothing() -> None:
    assert divergence("Quantum chromodynamics.") is None
    assert divergence() is None
    assert metrics.make("topics")(Example(["The ferry."])) == {"topic KL": None}


def test_only_the_most_frequent_terms_count() -> None:
    # "fog" comes three times, more often than any other term: it alone is the vocabulary.
    assert divergence("The ferry crossed.", vocab_size=1) is None
    assert divergence("Fog.", vocab_size=1) == pytest.approx(0)


def test_options_that_do_not_fit_are_told() -> None:
    with pytest.raises(PresetError, match="top = 5 must be between 1 and topics = 4"):
        metrics.make("topics", top=5, topics=4)
    with pytest.raises(PresetError, match="compare = 'words' does not fit"):
        metrics.make("topics", compare="words")
