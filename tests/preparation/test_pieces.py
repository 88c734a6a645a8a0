import json
import sys

from nutgraf.preparation.pieces import make
from nutgraf.preparation.pieces.alignment import kept_words
from nutgraf.preparation.pieces.casing import Casing

SENTENCE = "Ann Bell , who runs the ferry , sold two boats to the town , leaving the harbor with one ."


def test_words_that_a_summary_kept():
    words = "the old pier needs a roof".split()
    kept, found = kept_words(words, "pier needs roof".split(), {"the", "a"})
    assert kept == [False, False, True, True, False, True]
    assert found == [True] * 3


def test_runs_are_found_together():
    words = "the ferry and the old ferry sank".split()
    kept, _ = kept_words(words, "old ferry sank".split(), {"the", "and"})
    assert kept == [False, False, False, False, True, True, True]


def test_case_is_that_of_other_texts():
    casing = Casing(["We met Ann Bell of Lund. The bell rang in May, and we may go.", "It was in May, she said."])
    words = "the bell rang in may , ann bell said .".split()
    assert casing(words) == "The bell rang in May , Ann Bell said .".split()


def test_a_piece_is_labelled_by_what_the_summary_kept():
    [row] = make.aligned(
        ["It rained.", "Ann Bell, who runs the ferry, sold two boats to the town, leaving the harbor with one."],
        ["Ann Bell sold two boats to the town, leaving the harbor."],
        0.0,
        "test",
        "1",
    )
    pieces = {
        row["sentence"][start:end]: label for (start, end), label in zip(row["spans"], row["labels"], strict=True)
    }
    assert pieces == {", who runs the ferry,": 1, ", leaving the harbor with one": 0}
    assert row["source"] == "test"


def test_a_summary_with_other_words_teaches_nothing():
    assert not list(make.aligned([SENTENCE], ["The harbor is closed to all ships of war."], 0.0, "test", "1"))


def test_files_are_what_the_editor_reads(tmp_path, monkeypatch):
    folder = tmp_path / "data" / "cnn_dailymail"
    folder.mkdir(parents=True)
    row = {"id": "a", "documents": [SENTENCE.lower()], "summary_sents": ["ann bell sold two boats to the town ."]}
    for part in ("train", "validation"):
        (folder / f"{part}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["make", str(tmp_path / "data"), str(tmp_path / "out")])
    make.main()
    [made] = map(json.loads, (tmp_path / "out" / "train.jsonl").read_text("utf-8").splitlines())
    assert made["labels"] == [1] * len(made["spans"])
    assert made["sentence"].startswith("Ann bell, who runs")
