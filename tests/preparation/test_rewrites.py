"""What a writer learns from: sentences of summaries behind the sentences that they say again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nutgraf.preparation import rewrites

DOCUMENT = [
    "The council voted on Monday to close the old bridge at Haddow for repairs.",
    "Anna Berg, who keeps the bridge, said that its timber had rotted.",
    "Nobody was hurt.",
    "Boats will pass the harbour as before, and 40 families will wait for their post.",
]


def pairs(*summary: str) -> list[tuple[str, str]]:
    return list(rewrites.rewrites(DOCUMENT, summary))


def test_a_sentence_stands_behind_those_that_have_its_words() -> None:
    said = "Council closes the old Haddow bridge for repairs, its timber rotted."
    assert pairs(said) == [(f"{DOCUMENT[0]} {DOCUMENT[1]}", said)]
    assert pairs("Families will wait, 40 of them, for their post.") == [
        (DOCUMENT[3], "Families will wait, 40 of them, for their post.")
    ]


@pytest.mark.parametrize(
    "told",
    [
        "Forty trains were sold to a museum in Leeds.",  # words that no sentence has
        "Nobody was hurt.",  # too short
        "40 families will wait for their post.",  # a copy
        "Boats will pass the harbour, and 400 families will wait for their post.",  # another number
        "Boats will pass the harbour at Dunley, and 40 families will wait for their post.",  # another name
    ],
)
def test_what_nobody_should_learn_is_left_out(told: str) -> None:
    assert pairs(told) == []


def test_the_parts_of_a_corpus_are_those_of_its_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewrites, "HELD_OUT", 5)
    rows = [
        {
            "id": str(number),
            "documents": [" ".join(DOCUMENT)],
            "summary": "The council closes its old bridge at Haddow. Boats will pass the harbour as before.",
        }
        for number in range(60)
    ]
    (tmp_path / "data" / "scitldr").mkdir(parents=True)
    (tmp_path / "data" / "scitldr" / "train.jsonl").write_text("\n".join(map(json.dumps, rows)))
    monkeypatch.setattr("sys.argv", ["rewrites", str(tmp_path / "data"), str(tmp_path / "out"), "--most", "50"])
    rewrites.main()
    found = {
        part: [json.loads(line)["id"] for line in (tmp_path / "out" / f"{part}.jsonl").read_text().splitlines()]
        for part in ("train", "validation")
    }
    documents = {part: {name.rpartition(":")[0] for name in names} for part, names in found.items()}
    assert documents["train"] | documents["validation"] == {f"scitldr-{number}" for number in range(50)}
    assert not documents["train"] & documents["validation"]
    assert documents["validation"]
