"""Faithfulness as a metric, by hand."""

from __future__ import annotations

import pytest

from nutgraf.metrics import Example, metrics
from nutgraf.text.document import Document

SOURCE = Document.of("Four boats left the harbour. The captain waited.", language="en")


def test_overlap_and_unflagged_are_means_over_sentences() -> None:
    scores = metrics.make("faithfulness")(Example(["Four boats left.", "Zebras left with 7 boats."], source=SOURCE))
    # "boats" and "left" are shared; "zebras" is not: three stems of the same weight but for the unknown one.
    assert scores["unflagged"] == 1 / 2
    assert scores["overlap"] is not None
    assert 0.5 < scores["overlap"] < 1.0


def test_without_a_source_or_a_summary_there_is_no_score() -> None:
    metric = metrics.make("faithfulness")
    assert metric(Example(["Four boats left."])) == {"overlap": None, "unflagged": None}
    assert metric(Example([], source=SOURCE)) == {"overlap": None, "unflagged": None}
    assert metric(Example(["Four boats left."], source=SOURCE))["overlap"] == pytest.approx(1.0)


def test_what_a_system_copied_may_be_left_out() -> None:
    metric = metrics.make("faithfulness", written_only=True)
    written, copied = (Example(["Seven boats left."], source=SOURCE, copied=one) for one in (False, True))
    assert metric(written)["unflagged"] == 0
    assert metric(copied) == {"overlap": None, "unflagged": None}
    assert metrics.make("faithfulness")(copied)["unflagged"] == 0
    assert "of:written" in metric.signature
