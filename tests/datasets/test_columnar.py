"""Rows of Parquet and Arrow: what is damaged costs its own rows only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nutgraf.datasets import datasets
from nutgraf.errors import InputError

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")
pytest.importorskip("pyarrow.ipc")


def told(path: Path) -> list[Any]:
    """Texts of the rows, or the messages in their place."""
    found = []
    for row in datasets.make("parquet").rows(path):
        try:
            found.append(row.entry["text"])
        except InputError as error:
            found.append(str(error).removeprefix(f"{path}, "))
    return found


def test_bytes_that_are_no_text_cost_their_row_only(tmp_path: Path) -> None:
    texts = pyarrow.array([b"Rye.", b"\xe9", b"Oats."]).view(pyarrow.string())
    pyarrow.parquet.write_table(pyarrow.table({"text": texts}), tmp_path / "data.parquet")
    first, bad, last = told(tmp_path / "data.parquet")
    assert (first, last) == ("Rye.", "Oats.")
    assert bad.startswith("row 2: this row cannot be read: 'utf-8' codec can't decode byte 0xe9")


def test_after_a_damaged_row_group_the_next_one_is_read(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    table = pyarrow.table({"text": ["Rye.", "Wheat.", "Oats.", "Corn.", "Rice."]})
    pyarrow.parquet.write_table(table, path, row_group_size=2, compression="none", use_dictionary=False)
    content = path.read_bytes()
    assert content.count(b"\5\0\0\0Oats.") == 1
    path.write_bytes(content.replace(b"\5\0\0\0Oats.", b"\xff\xff\xff\x7fOats."))
    found = told(path)
    assert [found[number] for number in (0, 1, 4)] == ["Rye.", "Wheat.", "Rice."]
    for number in (3, 4):
        assert found[number - 1].startswith(f"row {number}: this row cannot be read: ")


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    table = pyarrow.table([["Rye."], ["Oats."]], names=["text", "text"])
    pyarrow.parquet.write_table(table, tmp_path / "data.parquet")
    with pyarrow.OSFile(str(tmp_path / "data.arrow"), "wb") as file, pyarrow.ipc.new_stream(file, table.schema) as out:
        out.write_table(table)
    for name in ("data.parquet", "data.arrow"):
        with pytest.raises(InputError, match=rf"{name}.*'text'"):
            told(tmp_path / name)


def test_an_arrow_stream_that_ends_early_says_so(tmp_path: Path) -> None:
    table = pyarrow.table({"text": ["Rye."] * 3})
    with pyarrow.OSFile(str(tmp_path / "a.arrow"), "wb") as file, pyarrow.ipc.new_stream(file, table.schema) as out:
        out.write_table(table, max_chunksize=1)
    path = tmp_path / "data.arrow"
    path.write_bytes((tmp_path / "a.arrow").read_bytes()[:-30])
    rows = datasets.make("parquet").rows(path)
    assert [next(rows).entry["text"] for _ in range(2)] == ["Rye.", "Rye."]
    with pytest.raises(InputError, match=r"data\.arrow"):
        next(rows)
