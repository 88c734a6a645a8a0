"""RAKE, with degrees and frequencies counted by hand."""

import pytest

from nutgraf.keyphrases.rake import Rake
from nutgraf.text.document import Document

# Candidates: linear systems | linear algebra | systems | systems
TEXT = "Linear systems and linear algebra. The systems, of systems."


def scores(**options):
    return {phrase.text: phrase.score for phrase in Rake(Rake.Config(**options))(Document.of(TEXT, language="en"))}


def test_a_word_scores_degree_by_frequency_and_a_phrase_the_sum():
    # linear: degree 4, frequency 2; algebra: 2, 1; systems: 2 + 1 + 1, 3
    found = scores()
    assert list(found) == ["linear algebra", "Linear systems", "systems"]
    norm = (4**2 + (10 / 3) ** 2 + (4 / 3) ** 2) ** 0.5
    assert list(found.values()) == pytest.approx([4 / norm, (10 / 3) / norm, (4 / 3) / norm])


def test_other_metrics():
    # degree: linear 4, algebra 2, systems 4; frequency: 2, 1, 3
    degree = scores(metric="degree")
    assert degree["Linear systems"] / degree["systems"] == pytest.approx(8 / 4)
    frequency = scores(metric="frequency")
    assert frequency["linear algebra"] / frequency["systems"] == pytest.approx(3 / 3)


def test_limits_apply_to_what_is_returned_not_to_what_is_counted():
    assert list(scores(ngram_range=(1, 1))) == ["systems"]
    long = scores(ngram_range=(2, 3))
    assert long["linear algebra"] / long["Linear systems"] == pytest.approx(4 / (10 / 3))
