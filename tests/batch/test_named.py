"""Sources are made of whatever a user names, and files of a folder that are none are told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lanes_here import Pools

from nutgraf.batch.named import sources_of
from nutgraf.batch.run import run
from nutgraf.batch.settings import Settings
from nutgraf.errors import InputError, OutputError


def names(given: Path) -> list[str]:
    return [os.path.relpath(item.name, given) for item in sources_of([str(given)]).items()]


def test_files_of_a_folder_that_are_not_read_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    for name in ("a.txt", "x.bin", ".hidden.bin", "inner/y.exe"):
        (tmp_path / name).write_text("The ferry left.")
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "linked").symlink_to(tmp_path / "inner")
    (tmp_path / "closed.txt").touch()
    os.mkfifo(tmp_path / "pipe.txt")
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "closed.txt" and may(path, mode))
    assert names(tmp_path) == ["a.txt"]
    assert sources_of([str(tmp_path)]).notices == (
        f"6 files of {tmp_path} are left out: closed.txt, gone.txt, inner/y.exe, linked, pipe.txt, 1 more. In a "
        "folder, a batch takes files that can be read and whose suffix it knows, and follows neither links to folders "
        "nor links that lead out of it. Name a file itself to have it tried.",
    )


def test_links_that_lead_out_of_a_folder_are_left_out(tmp_path: Path) -> None:
    folder, secret = tmp_path / "folder", tmp_path / "secret.txt"
    folder.mkdir()
    secret.write_text("The mill burned.")
    (folder / "out.txt").symlink_to(secret)
    with pytest.raises(InputError, match=r"1 file.*out\.txt"):
        sources_of([str(folder)])
    (folder / "a.txt").write_text("The ferry left.")
    (folder / "b.txt").symlink_to("a.txt")
    assert names(folder) == ["a.txt", "b.txt"]
    assert ": out.txt. In a" in sources_of([str(folder)]).notices[0]
    assert names(folder / "out.txt") == ["."]


def test_few_of_many_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The ferry left.")
    for number in range(7):
        (tmp_path / f"{number}.bin").touch()
    [notice] = sources_of([str(tmp_path)]).notices
    assert ": 0.bin, 1.bin, 2.bin, 3.bin, 4.bin, 2 more." in notice


def test_a_pipe_is_refused_since_it_can_be_read_once_only(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(InputError, match=r"pipe\.jsonl"):
        sources_of([str(tmp_path / "pipe.jsonl")])


def test_another_column_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text('{"text": "The ferry left.", "body": "It rained."}\n')
    sources, out = sources_of([str(tmp_path / "data.jsonl")]), tmp_path / "out"
    run(sources, out, Settings(system="lead"), pool=Pools())
    with pytest.raises(OutputError, match=r"dataset\.text_column.*'body'"):
        run(sources, out, Settings(system="lead", dataset={"text_column": "body"}), pool=Pools())


def test_columns_that_nobody_named_are_told(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.csv").write_text("name,content\nx,The ferry left.\n")
    (tmp_path / "d.jsonl").write_text('{\n{"id": 1, "text": "It rained."}\n')
    (tmp_path / "e.jsonl").write_text('{"text": "It rained."}\n')
    (tmp_path / "f.txt").write_text("It rained.")
    assert sources_of([str(tmp_path)]).notices == (
        f"{tmp_path}/a.csv and 2 more: the texts are those of the column content; there is no column id, so a row is "
        "called by its file and its number. --set dataset.text_column=… and --set dataset.id_column=… name others.",
        f"{tmp_path}/e.jsonl: there is no column id, so a row is called by its file and its number. "
        "--set dataset.id_column=… names another.",
    )
    named = {"text_column": "content", "id_column": "name"}
    assert sources_of([str(tmp_path / "a.csv")], options=named).notices == ()
    [notice] = sources_of([str(tmp_path / "a.csv")], options={**named, "id_column": "nam"}).notices
    assert notice.startswith(f"{tmp_path}/a.csv: there is no column nam, so ")
