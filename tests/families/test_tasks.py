"""The contract of tasks, over every file of the folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from members import every_example, members

from nutgraf.datasets import Dataset, Row, datasets
from nutgraf.errors import InputError
from nutgraf.preparation.source import BOS, EOS
from nutgraf.preparation.tasks import SpanExample, Task, tasks
from nutgraf.presets import Choice
from nutgraf.tokenizers.wordpiece import Config, WordPiece

ENTRIES: dict[str, dict[str, Any]] = {
    "pairs": {"id": "a", "premise": "Rye is dark.", "hypothesis": "Rye is no wheat.", "label": "neutral"},
    "deletions": {
        "id": "a",
        "sentence": "Rye is dark, he said.",
        "spans": [[11, 20], [0, 3]],
        "labels": [1, 0],
        "features": [[1.0, 0.5], [0.0, -2.0]],
    },
    "selection": {"id": "a", "text": "Rye is dark. It sells well. Nobody eats wheat.", "summary": "Rye sells well."},
}


def tokenizer() -> WordPiece:
    made = WordPiece(Config(vocab_size=300, min_frequency=1))
    made.train([str(one) for entry in ENTRIES.values() for one in entry.values()])
    return made


def made_of(task: Task, kind: str, entry: dict[str, Any]) -> list[SpanExample]:
    dropped: list[str] = []
    row = Row(Path("rye/train.jsonl"), 1, entry)
    found = list(task.examples(row, dataset_of(task), tokenizer(), dropped.append))
    assert bool(found) != bool(dropped)
    return found


def dataset_of(task: Task) -> Dataset:
    return datasets.make(task.dataset or "jsonl")


@every_example(tasks)
def test_an_example_has_items_with_labels_whose_spans_lie_in_its_rows(choice: Choice[Task]) -> None:
    task = tasks.build(choice)
    (made,) = made_of(task, choice.kind, ENTRIES[choice.kind])
    assert made.id == "a"
    assert made.origin == "rye"
    assert all(row[0] == BOS and row[-1] == EOS and len(row) <= task.longest for row in made.rows)
    assert len(made.spans) == len(made.labels) > 0
    assert all(len(item) == task.spans for item in made.spans)
    for row, first, last in (stretch for item in made.spans for span in item for stretch in span):
        assert 0 <= first < last <= len(made.rows[row])
    assert all(0 <= label < len(task.classes) for label in made.labels)
    assert all(len(one) in (0, len(made.labels)) for one in (made.weights, made.shares, made.gains))
    assert all(len(one) == task.features for one in made.features)
    assert len(made.features) == (len(made.labels) if task.features else 0)


@every_example(tasks)
def test_a_tokenizer_learns_from_its_texts(choice: Choice[Task]) -> None:
    task = tasks.build(choice)
    texts = list(task.texts(Row(Path("a.jsonl"), 1, ENTRIES[choice.kind]), dataset_of(task)))
    assert "Rye" in " ".join(texts)


@pytest.mark.parametrize("kind", members(tasks))
@pytest.mark.parametrize("entry", [{}, {"premise": 7}, {"sentence": "Rye.", "spans": [[0, 99]], "labels": [1]}])
def test_what_is_broken_is_named_by_its_line(kind: str, entry: dict[str, Any]) -> None:
    task = tasks.make(kind)
    with pytest.raises(InputError, match=r"train\.jsonl, line 1"):
        list(task.examples(Row(Path("train.jsonl"), 1, entry), dataset_of(task), tokenizer(), lambda why: None))
