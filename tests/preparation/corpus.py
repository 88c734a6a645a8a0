"""Small texts of our own that have what corpora have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from json_lines import write_lines
from nutgraf.presets import Preset
from nutgraf.systems import sections_of

FERRY = "The old tide gauge of Skarholm failed. The ferry did not sail."
COUNCIL = "A tide gauge is dear, wrote the council. The old tide gauge was built by Orrin."
ONE = "The new gauge came."

ENTRIES: list[dict[str, Any]] = [
    {"id": "two", "documents": [FERRY, COUNCIL], "summary": "The tide gauge of Skarholm failed. Orrin is sad."},
    {"id": "one", "documents": [ONE], "summary": "A gauge came."},
    {"id": "empty", "documents": [""], "summary": "Nothing came."},
    {"id": "mute", "documents": [FERRY], "summary": ""},
    {"id": "council", "documents": [COUNCIL], "summary": "A gauge is dear."},
    {"id": "ferry", "documents": [FERRY], "summary": "The ferry did not sail."},
    {"id": "both", "documents": [ONE, FERRY], "summary": "The new gauge failed."},
]


def preset(**sections: Any) -> Preset:
    """A preset of words, whole documents and key phrases, with other sections where they are given; None leaves one
    out."""
    table: dict[str, Any] = {
        "system": "neural",
        "dataset": {"kind": "jsonl", "language": "en"},
        "tokenizer": {"kind": "words", "vocab_size": 60, "min_frequency": 1},
        "truncation": {"kind": "parts", "source": 40, "target": 7},
        "keyphrases": {"kind": "position_rank", "top": 3, "ngram_range": [2, 3]},
    }
    return Preset(
        "tiny", {key: value for key, value in {**table, **sections}.items() if value is not None}, sections_of
    )


def write(folder: Path, **splits: list[dict[str, Any]]) -> Path:
    """A corpus with these splits, or with one each of `ENTRIES`."""
    folder.mkdir(exist_ok=True)
    chosen = splits or {"train": ENTRIES, "validation": ENTRIES[:1], "test": ENTRIES[1:2]}
    for split, entries in chosen.items():
        write_lines(folder / f"{split}.jsonl", entries)
    return folder
