"""Difference of coherence, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nutgraf.metrics import Example
from nutgraf.metrics.coherence import Coherence, Config
from nutgraf.text.document import Document

SOURCE = Document.of("Ferry and harbour. Ferry and harbour. Bakers knead dough.", language="en")


def difference(*sentences: str, config: Config | None = None) -> float | None:
    return Coherence(config or Config())(Example(sentences, source=SOURCE))["coherence difference"]


def test_coherence_is_the_mean_cosine_of_neighbours() -> None:
    # Cosines of neighbours: 1/√2 and 0.
    rows = np.array([[1.0, 0.0], [math.sqrt(0.5), math.sqrt(0.5)], [0.0, 0.0]])
    assert Coherence(Config()).coherence(rows) == pytest.approx(math.sqrt(0.5) / 2)


def test_the_difference_of_two_coherences() -> None:
    # The source's neighbours have cosines 1 and 0, on average 1/2.
    assert difference("Ferry and harbour.", "Ferry and harbour.") == pytest.approx(1 / 2)
    assert difference("Ferry and harbour.", "Bakers knead dough.") == pytest.approx(1 / 2)
    assert difference(*SOURCE.printed) == pytest.approx(0)


def test_one_sentence_is_excluded_or_wholly_coherent() -> None:
    assert difference("Ferry and harbour.") is None
    assert difference("Ferry and harbour.", config=Config(single_sentence="one")) == pytest.approx(1 / 2)
    assert difference(config=Config(single_sentence="one")) is None


def test_without_a_source_it_says_nothing() -> None:
    assert Coherence(Config())(Example(["A b.", "A b."])) == {"coherence difference": None}
