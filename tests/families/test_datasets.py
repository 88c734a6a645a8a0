"""The contract of data sets, over every file of the folder.

A data set whose entries are not those of JSON lines brings `ENTRY`: one entry, as its corpus has it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from members import brought, members

from json_lines import write_lines
from nutgraf.datasets import Dataset, Record, datasets
from nutgraf.datasets._derived import Derived
from nutgraf.errors import InputError

LONG = " ".join(f"Loaf {number} of the night was sold before noon." for number in range(9))
SECTIONS = [{"name": "Results", "text": "Rye is dark . It is sour ."}, {"name": "Conclusion", "text": "It sells ."}]
DOCUMENTS = ["Rye is dark . It is sour . It sells ."]

HEADLINED = "the bread of that night is dark , it is sour , and it sells well ."

ENTRIES: dict[str, dict[str, Any]] = {
    "jsonl": {"id": "a", "documents": DOCUMENTS, "summary": LONG},
    "cnn_dailymail": {"id": "a", "documents": DOCUMENTS, "summary": LONG},
    "multi_news": {"id": "a", "documents": ["Rye is dark . It is sour .", "It sells ."], "summary": LONG},
    "pubmed": {"id": "a", "sections": SECTIONS, "summary": LONG},
    "squality": {"id": "a", "documents": DOCUMENTS, "summary": LONG, "query": "What is the plot?"},
    "scisummnet": {"id": "a", "sections": SECTIONS, "summary": LONG},
    "gigaword": {"id": "a", "document": HEADLINED, "summary": "dark bread sells well"},
}
"""The same example as each corpus has it; a new data set brings its `ENTRY` or is read from the first form."""


@pytest.fixture(params=members(datasets))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def dataset(kind: str) -> Dataset:
    return datasets.make(kind)


@pytest.fixture
def entry(kind: str) -> dict[str, Any]:
    own: dict[str, Any] | None = brought(datasets, kind, "ENTRY")
    return ENTRIES.get(kind, ENTRIES["jsonl"]) if own is None else own


@pytest.mark.parametrize("name", ["data.jsonl", "data.jsonl.xz", "data.jsonl.gz"])
def test_examples_come_in_the_order_of_the_file(
    dataset: Dataset, entry: dict[str, Any], tmp_path: Path, name: str
) -> None:
    write_lines(tmp_path / name, [{**entry, "id": number} for number in (3, 1, 2)])
    read = list(dataset.read(tmp_path / name))
    assert all(isinstance(record, Record) for record in read)
    assert [record.id for record in read] == ["3", "1", "2"]


def test_an_example_has_sentences_on_both_sides(dataset: Dataset, entry: dict[str, Any], tmp_path: Path) -> None:
    write_lines(tmp_path / "data.jsonl", [entry])
    (record,) = dataset.read(tmp_path / "data.jsonl")
    assert record.document.printed
    assert all(reference and all(reference) for reference in record.references)
    if entry not in ENTRIES.values() or isinstance(dataset, Derived):
        return
    sentences = [HEADLINED[:-2]] if "document" in entry else ["Rye is dark", "It is sour", "It sells"]
    assert [sentence.rstrip(" .") for sentence in record.document.printed] == sentences
    assert [len(reference) for reference in record.references] in ([9], [1])
    assert " ".join(record.references[0]) == entry["summary"]


def test_no_example_is_no_mistake(dataset: Dataset, tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text("\n\n")
    assert list(dataset.read(tmp_path / "data.jsonl")) == []


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"documents": 7}', '{"sections": 7, "documents": {}}'])
def test_what_is_broken_is_named_by_its_line(
    dataset: Dataset, entry: dict[str, Any], tmp_path: Path, line: str
) -> None:
    path = tmp_path / "data.jsonl"
    write_lines(path, [entry])
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(InputError, match=r"data\.jsonl, line 2"):
        list(dataset.read(path))


def test_after_a_row_that_cannot_be_read_the_next_ones_are(
    dataset: Dataset, entry: dict[str, Any], tmp_path: Path
) -> None:
    lines = [json.dumps({**entry, "id": name}).encode() for name in ("a", "b", "c")]
    (tmp_path / "data.jsonl").write_bytes(b"\n".join([lines[0], b'{"id": "\xe9"}', b"{", *lines[1:]]))
    rows = list(dataset.rows(tmp_path / "data.jsonl"))
    assert [row.number for row in rows if isinstance(row.content, InputError)] == [2, 3]
    assert [dataset.id_of(row) for row in rows if not isinstance(row.content, InputError)] == ["a", "b", "c"]


def test_an_id_is_no_list_and_a_row_without_one_has_the_name_that_it_is_given(
    dataset: Dataset, entry: dict[str, Any], tmp_path: Path
) -> None:
    write_lines(tmp_path / "data.jsonl", [{**entry, "id": name} for name in (["a"], None, "", 5.0)])
    listed, *rows = dataset.rows(tmp_path / "data.jsonl")
    with pytest.raises(InputError, match=r"data\.jsonl.*line 1.*'id'"):
        dataset.record(listed)
    assert [dataset.id_of(row) for row in rows] == ["2", "3", "5"]
    found = [dataset.record(row._replace(name="data:7")) for row in rows]
    assert [record.id for record in found if record is not None] == ["data:7", "data:7", "5"]


def test_a_file_that_is_not_there_is_refused(dataset: Dataset, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        list(dataset.read(tmp_path / "missing.jsonl"))
