"""Two versions of one text."""

import json
from pathlib import Path

import pytest

import nutgraf
from nutgraf.collation.changes import Changes, changes
from nutgraf.errors import InputError

OLD = (
    "The fee is 14 euros. Dogs are welcome. The hall opens on Monday at nine. Smoking is forbidden in all rooms of the "
    "building. Keys are kept by the caretaker."
)
NEW = (
    "Keys are kept by the caretaker. The fee is 17 euros. The hall opens on Tuesday at 9. Smoking is not allowed in "
    "any room of the building. Bring your own cups."
)


def kinds(found: Changes) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.kind, one.what) for one in found.changes]


def test_sentences_in_the_order_of_the_new_version() -> None:
    found = changes(OLD, NEW)
    assert kinds(found) == [
        ("moved", ()),
        ("changed", ("number",)),
        ("dropped", ()),
        ("changed", ("date",)),
        ("changed", ("wording",)),
        ("added", ()),
    ]
    assert found.same == 0
    assert found.counts == {"moved": 1, "changed": 3, "dropped": 1, "added": 1}


def test_the_words_that_differ() -> None:
    (change,) = changes("The fee is 14 euros.", "The fee is 17 euros.").changes
    assert [(one.kind, one.text) for one in change.words if one.kind != "same"] == [("removed", "14"), ("added", "17")]
    assert change.old is not None
    assert change.new is not None
    assert (change.old.source, change.new.source) == (0, 1)


def test_a_number_in_other_words_is_a_change_of_wording() -> None:
    assert kinds(changes("Notice is given 14 days ahead.", "Notice is given fourteen days ahead.")) == [
        ("changed", ("wording",))
    ]


def test_a_moved_sentence_with_other_words_is_changed() -> None:
    found = changes(
        "The lake is deep. Swimming costs 3 euros for children. The kiosk sells ice. Boats are rented at the pier.",
        "The lake is deep. The kiosk sells ice. Boats are rented at the pier. Swimming costs 4 euros for children.",
    )
    assert [(one.kind, one.moved) for one in found.changes] == [("changed", True)]


SPLIT = "The bridge was closed on Monday. Engineers found cracks in two piers."
JOINED = "The bridge was closed on Monday after engineers found cracks in two piers."


@pytest.mark.parametrize(("old", "new"), [(SPLIT, JOINED), (JOINED, SPLIT)])
def test_a_sentence_that_was_split_or_joined_is_one_change(old: str, new: str) -> None:
    (change,) = changes(old, new).changes
    assert (change.kind, change.what) == ("changed", ("wording",))
    for passage, version in ((change.old, old), (change.new, new)):
        assert passage is not None
        assert version[passage.start : passage.end] == passage.text == version


def test_line_breaks_do_not_count() -> None:
    found = changes("The lake is deep\nand cold. It is blue.", "The lake is deep and\ncold. It is blue.")
    assert not found.changes
    assert found.same == 2


def test_sentences_that_occur_several_times() -> None:
    assert kinds(changes("Stop. Wait. Stop.", "Stop. Wait. Stop. Stop.")) == [("added", ())]


def test_sections_are_named(tmp_path: Path) -> None:
    for name, fee, pets in (("old", 14, "Dogs are welcome."), ("new", 17, "Cats stay outside.")):
        text = f"# Rules\n\n## Fees\n\nThe fee is {fee} euros.\n\n## Pets\n\n{pets}\n"
        (tmp_path / f"{name}.md").write_text(text)
    (old,), (new,) = (nutgraf.read(tmp_path / f"{name}.md") for name in ("old", "new"))
    assert [(one.kind, one.section) for one in nutgraf.changes(old, new).changes] == [
        ("changed", "Fees"),
        ("dropped", "Pets"),
        ("added", "Pets"),
    ]


def test_json() -> None:
    told = json.loads(json.dumps(changes(OLD, NEW).to_json()))
    assert told["schema"] == "nutgraf.changes/1"
    assert told["counts"]["changed"] == 3
    fee = told["changes"][1]
    assert (fee["kind"], fee["what"]) == ("changed", ["number"])
    assert NEW[fee["new"]["start"] : fee["new"]["end"]] == "The fee is 17 euros."
    assert [one["text"] for one in fee["words"] if one["kind"] == "added"] == ["17"]


@pytest.mark.parametrize(("old", "new", "expected"), [("", "", []), ("", "Hello there.", [("added", ())])])
def test_an_empty_version(old: str, new: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert kinds(changes(old, new)) == expected


def test_a_version_is_a_document_or_a_text() -> None:
    with pytest.raises(InputError):
        changes("Hello there.", 5)  # type: ignore[arg-type]
