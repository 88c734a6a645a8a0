"""Words that differ between two texts, on examples small enough to be counted by hand."""

from __future__ import annotations

import pytest

from nutgraf.text.difference import difference


def test_two_words_of_ten_differ() -> None:
    """Five words on each side, the marks included; one is another."""
    found = difference(["The ferry left early."], ["The ferry left late."])
    assert str(found) == "The ferry left [-early-] {+late+}."
    assert found.distance == pytest.approx(2 / 10)


def test_each_side_reads_as_its_text() -> None:
    found = difference(["It rained.", "The ferry left at noon."], ["The old ferry left.", "It rained."])
    for side, text in (
        (found.before, "It rained. The ferry left at noon."),
        (found.after, "The old ferry left. It rai"),
    ):
        assert "".join(change.text + change.gap for change in side).startswith(text)


def test_words_that_two_texts_happen_to_share_break_nothing() -> None:
    before, after = (
        "The barge struck the bridge and jammed it for weeks.",
        "Eleven islanders need dialysis and no doctor came",
    )
    found = difference([before], [after])
    assert [(one.kind, one.text) for one in found.changes] == [("removed", before), ("added", after)]


def test_a_sentence_that_both_have_is_not_taken_apart() -> None:
    found = difference(["It rained.", "The ferry left."], ["The ferry left.", "Nobody came."])
    assert [(change.kind, change.text) for change in found.changes] == [
        ("removed", "It rained."),
        ("same", "The ferry left."),
        ("added", "Nobody came."),
    ]


@pytest.mark.parametrize(("before", "after", "distance"), [([], [], 0), (["One."], [], 1), (["One."], ["One."], 0)])
def test_nothing_and_the_same(before: list[str], after: list[str], distance: float) -> None:
    assert difference(before, after).distance == distance


def test_scripts_without_spaces_have_no_gaps() -> None:
    found = difference(["渡船中午离开。"], ["渡船晚上离开。"])
    assert "".join(change.text + change.gap for change in found.after) == "渡船晚上离开。"


def test_long_texts_are_quick() -> None:
    first = [f"the word {number} of the text" for number in range(4000)]
    assert difference(first, [*first[:2000], "x", *first[2001:]]).distance < 0.001
