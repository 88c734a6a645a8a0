"""What a hostile tester did to studies: results in the place of studies, files out of order, damaged answers."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("sqlalchemy")
pytest.importorskip("statsmodels")

from nutgraf.cli.app import app
from nutgraf.errors import InputError, OutputError
from nutgraf.judging.answers import ahead, answers_text, judgements_in, read_answers
from nutgraf.judging.protocols import protocols
from nutgraf.judging.records import Item, Judgement
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


def page_of(judge: str = "judge-01", **change: Any) -> dict[str, Any]:
    """An answer in a page's file, changed."""
    return {"task": f"{judge}/0001", "answers": {"overall": "A"}, "seconds": 5, "at": "2025-01-01T00:00:00Z"} | change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"at": "0001-01-01T00:00:00+14:00"}, "'0001-01-01T00:00:00+14:00' is no time as in"),
        ({"at": "9999-12-31T23:59:59.999-14:00"}, "is no time as in"),
        ({"answers": {}}, "no question of judge-01/0001 is answered"),
        ({"answers": {"length": "2"}}, "no question of judge-01/0001 is answered"),
        ({"answers": {"length": "9" * 5000}}, "has no question 'length'"),
        ({"answers": {"overall": "\ud800"}}, "holds a text that cannot be stored"),
        ({"answers": {"\ud800": 3}}, "holds a text that cannot be stored"),
        ({"seconds": -1}, "the number of seconds is '-1'"),
        ({"task": "judge-02/0001"}, "is a task of judge-02, and these are the answers of 'judge-01'"),
    ],
)
def test_odd_answers_are_refused_and_others_stored(
    study: Study, tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    (tmp_path / "1.json").write_text(
        json.dumps(json.loads(answers_text(study, "judge-01", [])) | {"answers": [page_of(**change)]})
    )
    (tmp_path / "2.json").write_text(answers_text(study, "judge-02", [page_of("judge-02")]))
    command = ["judge", "collect", str(tmp_path / "study"), str(tmp_path / "1.json"), str(tmp_path / "2.json")]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert "2.json: 1 new of 1" in done.stdout


def test_half_a_character_is_refused_wherever_it_stands(study: Study) -> None:
    whole = json.loads(answers_text(study, "judge-01", [page_of()]))
    assert len(judgements_in(whole, study, "It")) == 1
    for key in ("study", "judge", "version"):
        with pytest.raises(InputError, match="stored"):
            judgements_in(whole | {key: "x\udc00"}, study, "It")


def test_one_task_has_one_answer_at_a_time(study: Study) -> None:
    def read(*answers: dict[str, Any]) -> list[Judgement]:
        return judgements_in(json.loads(answers_text(study, "judge-01", answers)), study, "It")

    later = page_of(answers={"overall": "B"}, at="2025-01-02T00:00:00Z")
    assert [one.answers["overall"] for one in read(page_of(), later)] == ["A", "B"]
    with pytest.raises(InputError, match="judge-01/0001"):
        read(page_of(), page_of(answers={"overall": "B"}))


def test_an_answer_that_leaves_questions_open_replaces_no_complete_one(tmp_path: Path) -> None:
    items = [Item("d", {"ours": ("x",), "theirs": ("y",)})]
    study = make_study(protocols.choose("pairwise_importance"), items, 1, 0)
    [task] = study.tasks
    whole = Judgement(task, {"importance": "A", "readability": "B"}, "2025-01-01T00:00:00.000000+00:00")
    half = Judgement(task, {"importance": "B"}, "2025-01-02T00:00:00.000000+00:00")
    with Store(tmp_path) as store:
        store.add(study, [half])
        assert [one.superseded for one in store.judgements(study)] == [False]
        store.add(study, [whole])
        assert [one.superseded for one in store.judgements(study)] == [True, False]
        assert "1 of 1 tasks are answered." in study.progress(store.judgements(study))


HEAD = 'study,task,"overall (A, tie, B)",seconds'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("study,task,seconds,more (x)\nNAME,judge-01/0001,5,1", "has no column 'overall (A, tie, B)'"),
        (f"{HEAD},overall (A)\nNAME,judge-01/0001,A,5,B", "has two columns 'overall'"),
        (f"{HEAD}\nNAME,judge-01/0001,A,5\nNAME,judge-01/0001,B,5", "line 3: judge-01/0001 has other answers than in"),
        (f"{HEAD}\nNAME,judge-01/0001,A,5\nNAME,judge-02/0001,B,5", "line 3: judge-02/0001 is a task of judge-02"),
        (f"{HEAD}\nNAME,judge-01/0001,A,5,and more", "line 2 has 5 cells, and there are 4 columns"),
        (f'{HEAD}\nNAME,judge-01/0001,A,5\n"\n', "from line 3 on: a quotation mark is missing"),
        ("study|task\n", "with commas, semicolons or tabs between them. Save the sheet as CSV (UTF-8)"),
        ("", "names no columns study and task"),
        (f"{HEAD}\n".encode("utf-16"), "is UTF-16 text: open it in the spreadsheet program, and save it as CSV"),
        (b"PK\x03\x04rest", "is a workbook: open it"),
        ("\ufeff<!DOCTYPE html>", "is the page, not the saved answers"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_trusted_is_refused(
    study: Study, tmp_path: Path, content: str | bytes, sentence: str
) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.replace("NAME", study.name).encode())
    with pytest.raises(InputError) as caught:
        read_answers(path, study)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", " , "])
def test_tables_of_all_spreadsheets_are_read(study: Study, tmp_path: Path, delimiter: str) -> None:
    """With the mark that some programs begin a file with, spaces around titles, and a row without anything."""
    rows = [["study ", " task", '"overall (A, tie, B)"'], [study.name, "judge-01/0002", "tie"], ["", "", ""]]
    path = tmp_path / "sheet.CSV"
    path.write_text("\ufeff" + "\n".join(map(delimiter.join, rows)), encoding="utf-8")
    assert [(one.task.key, one.answers) for one in read_answers(path, study)] == [("judge-01/0002", {"overall": "tie"})]


def test_a_page_s_file_may_begin_with_a_mark(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text(answers_text(study, "judge-01", [page_of()]), encoding="utf-8-sig")
    assert len(read_answers(path, study)) == 1


def test_a_time_that_has_not_come_is_told(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text(answers_text(study, "judge-01", [page_of(at="2999-01-01T00:00:00Z")]))
    done = CliRunner().invoke(app, ["judge", "collect", str(tmp_path / "study"), str(path)])
    assert done.exit_code == 0
    assert "1 new of 1" in done.stdout
    assert "1 answer" in done.stderr
    assert ahead([Judgement(study.tasks[0], {}, "2025-01-01T00:00:00.000000+00:00")]) == ""


def test_a_study_takes_a_folder(study: Study, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="a folder"):
        study.write(tmp_path / "file")
