"""Copying, by hand."""

from nutgraf.metrics import Example, metrics
from nutgraf.text.document import Document
from nutgraf.text.summary import Origin, SummaryWord

SOURCE = Document.of("The ferry Agnes left Tremouth. The mast broke at noon.", language="en")
REFERENCE = ("The ferry's mast broke.", "Agnes sank.")


def copied(text: str) -> SummaryWord:
    return SummaryWord(text, 0, "copied", Origin(0, 0, 1))


def generated(text: str) -> SummaryWord:
    return SummaryWord(text, 0, "generated")


WRITTEN = (
    copied("The"),
    copied("Agnes"),
    generated("sank"),
    copied("near"),
    generated("noon"),
    copied("Tremouth"),
    copied("."),
    generated("'s"),
)


def test_shares_by_hand():
    """Six words, four copied. Of the content words, Agnes is right and Tremouth is not (the, near are function words);
    of the generated ones sank is, noon is not; of the source's ferry, Agnes, left, Tremouth, mast, broke, noon four
    are. The summary has a sentence of five words beside them that no network wrote."""
    summary = ("The Agnes sank near noon Tremouth.", "The mast broke at noon.")
    scores = metrics.make("copying")(Example(summary, (REFERENCE,), SOURCE, (WRITTEN, ())))
    assert scores == {
        "from vocabulary": 2 / 11,
        "copied": 4 / 6,
        "copied right": 1 / 2,
        "generated right": 1 / 2,
        "source right": 4 / 7,
    }


def test_a_word_that_was_written_in_parts_is_counted_in_parts():
    """Nor is a share ever above one: "two-year-old" is three words that were written and one that is read."""
    parts = [copied("two"), *(generated(part) for part in ("-", "year", "-", "old"))]
    scores = metrics.make("copying")(Example(("two-year-old",), (REFERENCE,), SOURCE, (parts,)))
    assert scores["from vocabulary"] == 2 / 3


def test_any_reference_will_do():
    scores = metrics.make("copying")(Example(("…",), (REFERENCE, ("tremouth at noon",)), SOURCE, (WRITTEN,)))
    assert (scores["copied right"], scores["generated right"]) == (1.0, 1.0)


def test_what_no_network_wrote_has_no_copies_and_nothing_from_a_vocabulary():
    scores = metrics.make("copying")(Example(("The mast broke.",), (REFERENCE,), SOURCE, ((),)))
    assert {name for name, value in scores.items() if value is not None} == {"from vocabulary"}
    assert scores["from vocabulary"] == 0.0


def test_where_nobody_knows_who_wrote_it_nothing_is_said():
    assert set(metrics.make("copying")(Example(("The mast broke.",), (REFERENCE,), SOURCE)).values()) == {None}


def test_a_share_of_nothing_is_none():
    scores = metrics.make("copying")(Example(("The.",), (REFERENCE,), SOURCE, ((copied("The"), copied(".")),)))
    assert scores.pop("from vocabulary") == 0.0
    assert scores == {"copied": 1.0, "copied right": None, "generated right": None, "source right": 4 / 7}
