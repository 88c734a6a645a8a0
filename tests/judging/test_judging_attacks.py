"""What a hostile tester did to studies: results in the place of studies, files out of order, damaged answers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("sqlalchemy")
pytest.importorskip("statsmodels")

from nutgraf.cli.app import app
from nutgraf.errors import OutputError
from nutgraf.judging.protocols import protocols
from nutgraf.judging.records import Item
from nutgraf.judging.sheets import rehearse, write_sheets
from nutgraf.judging.store import Store
from nutgraf.judging.study import Study, make_study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Two judges, three documents, one question; with sheets, rehearsal and an empty database."""
    items = [Item(f"d{number}", {"ours": ("x",), "theirs": ("y",)}) for number in range(3)]
    made = make_study(protocols.choose("pairwise", aspects=["overall"]), items, 2, 0)
    made.write(tmp_path / "study")
    write_sheets(made, items, tmp_path / "study", "csv")
    rehearse(made, items, tmp_path / "study")
    with Store(tmp_path / "study"):
        return made


def table_of(study: Study, judge: str, values: Sequence[str]) -> str:
    tasks = [task.key for task in study.tasks if task.judge == judge]
    rows = [f"{study.name},{key},{value}" for key, value in zip(tasks, values, strict=False)]
    return "\n".join(['study,task,"overall (A, tie, B)"', *rows, ""])


@pytest.mark.parametrize("command", ["judge export {}", "judge report {}", "reproduce kpat table5 --judgements {}"])
@pytest.mark.parametrize(
    "name",
    ["study.json", "judgements.sqlite", "judgements.sqlite-wal", "sheets/judge-01.csv", "sheets/../study.json",
     "rehearsal/judge-02.json"],
)  # fmt: skip
def test_no_result_takes_the_place_of_a_file_of_the_study(
    study: Study, tmp_path: Path, command: str, name: str
) -> None:
    folder = tmp_path / "study"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = CliRunner().invoke(app, [*command.format(folder).split(), "-o", str(folder / name)])
    assert isinstance(done.exception, OutputError)
    assert f"{name} is used twice: name another file for the result" in str(done.exception)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_result_may_be_a_new_file_in_the_folder_and_no_database_elsewhere(study: Study, tmp_path: Path) -> None:
    folder, other = str(tmp_path / "study"), tmp_path / "other.sqlite"
    assert CliRunner().invoke(app, ["judge", "export", folder, "-o", f"{folder}/new.jsonl"]).exit_code == 0
    done = CliRunner().invoke(app, ["judge", "export", folder, "--database", f"sqlite:///{other}", "-o", str(other)])
    assert "is used twice" in str(done.exception)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_latest_answer_counts_in_whatever_order_files_are_collected(
    study: Study, tmp_path: Path, order: Sequence[int]
) -> None:
    """A at first, B after 100,000 seconds, and A again after 200,000: A counts."""
    paths = [tmp_path / f"{number}.csv" for number in range(3)]
    for number, (path, value) in enumerate(zip(paths, "ABA", strict=True)):
        path.write_text(table_of(study, "judge-01", value * 3))
        os.utime(path, (1_700_000_000 + 100_000 * number,) * 2)
    folder = str(tmp_path / "study")
    for number in order:
        done = CliRunner().invoke(app, ["judge", "collect", folder, str(paths[number])])
        assert "3 new of 3 judgements" in done.stdout
    assert "0 new of 3" in CliRunner().invoke(app, ["judge", "collect", folder, str(paths[1])]).stdout
    with Store(folder) as store:
        counted = [one for one in store.judgements(study) if not one.superseded]
    assert [(one.answers, one.at) for one in counted] == [({"overall": "A"}, "2023-11-17T05:46:40.000000+00:00")] * 3
