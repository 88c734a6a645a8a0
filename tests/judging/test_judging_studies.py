"""Studies from the files to the report: the published percentages, blinding, corrections, kills, and mistakes."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import html
from typer.testing import CliRunner

pytest.importorskip("sqlalchemy")
pytest.importorskip("statsmodels")

from nutgraf.cli.app import app
from nutgraf.errors import InputError, NutgrafError, OutputError
from nutgraf.judging.answers import answers_text, read_answers
from nutgraf.judging.items import parse_systems, read_items, sample
from nutgraf.judging.protocols import protocols
from nutgraf.judging.records import Fact, Item, Judgement
from nutgraf.judging.report import export, report
from nutgraf.judging.sheets import rehearse, render_page, write_sheets
from nutgraf.judging.store import Store
from nutgraf.judging.study import Study, make_study, read_study

AT = "2025-03-01T10:00:00.000000+00:00"


def items_of(count: int, *systems: str) -> list[Item]:
    return [
        Item(f"story-{number}", {system: (f"Text of {system} {number}.".replace(system, "it"),) for system in systems})
        for number in range(count)
    ]


def preferences(study: Study, counts: dict[str, tuple[int, int, int]]) -> list[Judgement]:
    """Judgements with so many wins, losses and ties of the first system in each aspect, in any order of the tasks."""
    answers: list[dict[str, str]] = [{} for _ in study.tasks]
    for aspect, (wins, losses, ties) in counts.items():
        for place, score in enumerate([1] * wins + [-1] * losses + [0] * ties):
            left = study.tasks[place].order[0] == study.systems[0]
            answers[place][aspect] = "tie" if score == 0 else "A" if (score == 1) == left else "B"
    return [Judgement(task, given, AT) for task, given in zip(study.tasks, answers, strict=True)]


@pytest.mark.parametrize(
    ("kind", "items", "judges", "counts", "published"),
    [
        (
            "pairwise", 50, 4,
            {"informativeness": (93, 43, 64), "fluency": (59, 52, 89), "non-redundancy": (55, 51, 94)},
            [("46.5%", "21.5%", "32.0%"), ("29.5%", "26.0%", "44.5%"), ("27.5%", "25.5%", "47.0%")],
        ),
        (
            "pairwise", 50, 4,
            {"informativeness": (86, 39, 75), "fluency": (54, 50, 96), "non-redundancy": (47, 38, 115)},
            [("43.0%", "19.5%", "37.5%"), ("27.0%", "25.0%", "48.0%"), ("23.5%", "19.0%", "57.5%")],
        ),
        (
            "pairwise_importance", 100, 3,
            {"importance": (62, 41, 197), "readability": (20, 11, 269)},
            [("20.7%", "13.7%", "65.7%"), ("6.7%", "3.7%", "89.7%")],
        ),
    ],
    ids=["KPAT on Multi-News", "KPAT on PubMed", "SAGCopy on Gigaword"],
)  # fmt: skip
def test_the_published_percentages_come_out_of_their_counts(
    kind: str, items: int, judges: int, counts: dict[str, tuple[int, int, int]], published: list[tuple[str, ...]]
) -> None:
    study = make_study(protocols.choose(kind), items_of(items, "ours", "theirs"), judges, 0)
    table = study.protocol.tables(study.items, study.systems, preferences(study, counts))[0]
    for row, aspect, shares in zip(table.rows, counts, published, strict=True):
        assert row["aspect"] == aspect
        assert tuple(f"{row[label]:.1%}" for label in ("win", "lose", "tie")) == shares
        assert row["win"] + row["lose"] + row["tie"] == pytest.approx(1)
        assert row["judgements"] == items * judges


@pytest.mark.parametrize(
    ("right", "published"),
    [((8, 5, 5, 0, 8), [0.88, 0.55, 0.55, 0.0, 0.88]), ((5, 4, 6, 0, 8), [0.55, 0.44, 0.66, 0.0, 0.88])],
    ids=["D1", "D2"],
)
def test_the_published_accuracies_are_ninths(right: tuple[int, ...], published: list[float]) -> None:
    """Three documents, three judges: 8, 5, 5, 0 and 8 of 9 are 0.88, 0.55, 0.55, 0.0 and 0.88, cut to two digits."""
    items = [
        Item(f"d{number}", dict.fromkeys(("mls", "a2", "a3"), ("short", "long")), "whole", "D1", (Fact("?", "yes"),))
        for number in range(3)
    ]
    study = make_study(protocols.choose("fact_checking"), items, 22, 0)
    left = dict(zip(("mls", "a2", "a3", "no content", "full content"), right, strict=True))
    judgements = []
    for task in study.tasks:
        left[task.order[0]] -= 1
        value = "yes" if left[task.order[0]] >= 0 else "more"
        judgements.append(Judgement(task, {"1": value, "length": "2"}, AT, 36.0))
    [table] = study.protocol.tables(study.items, study.systems, judgements)
    assert [row["method"] for row in table.rows] == ["mls", "a2", "a3", "no content", "full content"]
    assert [int(100 * row["accuracy"]) / 100 for row in table.rows] == published
    assert {(row["answers"], row["judges"], row["seconds"], row["length"]) for row in table.rows} == {(9, 3, 36.0, 2.0)}


@pytest.fixture
def study(tmp_path: Path) -> Study:
    found = make_study(protocols.choose("pairwise", aspects=["overall"]), items_of(6, "ours", "theirs"), 3, 0)
    found.write(tmp_path / "study")
    return found


def answered(study: Study, judge: str, values: Sequence[str], at: str = AT) -> str:
    tasks = [task for task in study.tasks if task.judge == judge]
    given = [
        {"task": task.key, "answers": {"overall": value}, "seconds": 5, "at": at}
        for task, value in zip(tasks, values, strict=False)
    ]
    return answers_text(study, judge, given)


def test_the_same_file_twice_changes_nothing_and_a_correction_stands_beside_the_first(
    study: Study, tmp_path: Path
) -> None:
    first, later = tmp_path / "first.json", tmp_path / "later.json"
    first.write_text(answered(study, "judge-01", "AABB"))
    later.write_text(answered(study, "judge-01", "AB", "2025-03-02T10:00:00Z"))
    with Store(tmp_path) as store:
        assert [store.add(study, read_answers(path, study)) for path in (first, first, later, first, later)] == [
            4, 0, 2, 0, 0,
        ]  # fmt: skip
        found = store.judgements(study)
    assert [(one.answers["overall"], one.superseded) for one in found] == [
        ("A", True), ("A", True), ("B", False), ("B", False), ("A", False), ("B", False),
    ]  # fmt: skip
    lines = [json.loads(line) for line in export(study, found)]
    assert [line["superseded"] for line in lines] == [True, True, False, False, False, False]
    assert lines[0]["answers"] == {"overall": found[0].task.order[0]}
    assert {"judge", "item", "order", "seconds", "versions"} <= set(lines[0])
    assert "1 task was answered more than once" in str(report(study, found))


def test_judgements_come_back_as_they_were(study: Study, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(answered(study, "judge-02", ["A", "tie", "B"]))
    given = read_answers(tmp_path / "a.json", study)
    with Store(tmp_path) as store:
        store.add(study, given)
    with Store(tmp_path) as store:
        assert store.judgements(study) == given
    assert read_study(tmp_path / "study").name == study.name


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_a_kill_in_the_middle_loses_nothing_that_was_stored(study: Study, tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.json").write_text(answered(study, f"judge-0{number}", "ABABAB"))
    program = f"""
import os, signal
from pathlib import Path
from nutgraf.judging.answers import read_answers
from nutgraf.judging.store import Store
from nutgraf.judging.study import read_study
folder = Path({str(tmp_path)!r})
study = read_study(folder / "study")
def until_killed(given):
    for number, one in enumerate(given):
        if number == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        yield one
with Store(folder) as store:
    store.add(study, read_answers(folder / "1.json", study))
    store.add(study, until_killed(read_answers(folder / "2.json", study)))
"""
    killed = subprocess.run([sys.executable, "-c", program], env=os.environ)
    assert killed.returncode == -signal.SIGKILL
    with Store(tmp_path) as store:
        assert {one.task.judge for one in store.judgements(study)} == {"judge-01"}
        assert store.add(study, read_answers(tmp_path / "1.json", study)) == 0
        assert store.add(study, read_answers(tmp_path / "2.json", study)) == 6
        assert len(store.judgements(study)) == 12


def test_a_filled_table_is_read(study: Study, tmp_path: Path) -> None:
    items = items_of(6, "ours", "theirs")
    path = write_sheets(study, items, tmp_path, "csv")[0]
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    rows[0]["overall (A, tie, B)"], rows[2]["overall (A, tie, B)"], rows[2]["seconds"] = "A", "tie", "12,5"
    for delimiter in ",;":
        with path.open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
            table.writeheader()
            table.writerows(rows)
        found = read_answers(path, study)
        assert [(one.task.key, one.answers, one.seconds) for one in found] == [
            ("judge-01/0001", {"overall": "A"}, None),
            ("judge-01/0003", {"overall": "tie"}, 12.5),
        ]


def test_a_cell_is_no_formula(tmp_path: Path) -> None:
    items = [Item("one", {"ours": ("=1+1",), "theirs": ("fine",)}, "@source")]
    study = make_study(protocols.choose("pairwise"), items, 1, 0)
    [path] = write_sheets(study, items, tmp_path, "csv")
    [row] = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    assert {row["A"], row["B"], row["document"]} == {"'=1+1", "fine", "'@source"}


def test_texts_of_documents_are_no_markup() -> None:
    text = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\x00 & 'quoted'"
    items = [Item("one", {"ours": (text,), "theirs": (text,)}, text)]
    study = make_study(protocols.choose("pairwise"), items, 1, 0)
    page = render_page(study, {"one": items[0]}, "judge-01", study.tasks)
    tree = html.document_fromstring(page)
    assert len(tree.xpath("//script")) == 2
    assert not tree.xpath("//img")
    assert not [name for element in tree.iter() for name in element.attrib if name.startswith("on")]
    content = json.loads(tree.xpath("//script[@id='content']")[0].text)
    assert content["tasks"][0]["texts"] == [[text], [text]]
    [policy] = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")


def error_of(call: Callable[[], object]) -> str:
    with pytest.raises(NutgrafError) as caught:
        call()
    return str(caught.value)


def test_answers_that_nobody_could_give_are_refused(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "a.json"

    def refused(change: dict[str, Any]) -> str:
        content = json.loads(answered(study, "judge-01", "A"))
        content["answers"][0].update(change)
        path.write_text(json.dumps(content))
        return error_of(lambda: read_answers(path, study))

    assert "answer 1: the answer to 'overall' is 'C'; give A, tie, B." in refused({"answers": {"overall": "C"}})
    assert "has no question 'fluency'; it has overall." in refused({"answers": {"fluency": "A"}})
    assert "this study has no task 'judge-09/0001'" in refused({"task": "judge-09/0001"})
    assert "is no time as in" in refused({"at": "yesterday"})
    path.write_text(answered(study, "judge-01", "A").replace(study.name, "another"))
    assert "belong to the study 'another'" in error_of(lambda: read_answers(path, study))
    path.write_text("{")
    assert "is not a file of answers" in error_of(lambda: read_answers(path, study))


def test_a_folder_holds_one_study(study: Study, tmp_path: Path) -> None:
    study.write(tmp_path / "study")
    other = make_study(protocols.choose("pairwise"), items_of(6, "ours", "theirs"), 3, 1)
    assert "another study" in error_of(lambda: other.write(tmp_path / "study"))
    assert "holds no study" in error_of(lambda: read_study(tmp_path))
    with pytest.raises(OutputError, match="study"):
        study.write(Path(__file__).parent)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["tasks", 0, "item"], "none"),
        (["subjects"], []),
        (["subjects", 0, "id"], "another"),
        (["tasks", 0, "order"], ["ours", "nobody's"]),
        (["tasks", 0, "order"], ["ours", "ours"]),
        (["tasks", 0, "order"], ["ours"]),
    ],
)
def test_a_study_whose_tasks_name_what_it_does_not_have_is_refused(
    study: Study, tmp_path: Path, path: list[Any], value: object
) -> None:
    file = tmp_path / "study" / "study.json"
    content = json.loads(file.read_text())
    *above, last = path
    place = content
    for part in above:
        place = place[part]
    place[last] = value
    file.write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"task 'judge-01/000\d"):
        read_study(tmp_path / "study").protocol  # noqa: B018


def test_a_study_that_names_a_module_is_refused_unless_it_is_trusted(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "study" / "study.json"
    path.write_text(path.read_text().replace('"kind": "pairwise"', '"kind": "somebody.elses"'))
    assert "names code outside nutgraf: kind = 'somebody.elses'" in error_of(lambda: read_study(tmp_path / "study"))
    assert read_study(tmp_path / "study", trust=True).kind == "somebody.elses"


def test_what_does_not_fit_is_refused() -> None:
    two = items_of(4, "a", "b")
    assert "Two systems or more" in error_of(lambda: make_study(protocols.choose("pairwise"), items_of(4, "a"), 2, 0))
    assert "three systems or more" in error_of(lambda: make_study(protocols.choose("best_worst"), two, 2, 0))
    assert "has no question" in error_of(lambda: make_study(protocols.choose("fact_checking"), two, 22, 0))
    asked = [Item("d", {"a": ("x",)}, "whole", "", (Fact("?", "yes"),))]
    assert "need 9 judges or more" in error_of(lambda: make_study(protocols.choose("fact_checking"), asked, 5, 0))
    many = protocols.choose("pairwise", judges_per_item=5)
    assert "1 to 2 judges, not 5" in error_of(lambda: make_study(many, two, 2, 0))
    assert "Did you mean 'pairwise'" in error_of(lambda: protocols.choose("pairwse"))
    with pytest.raises(InputError, match=r"5 documents.*4"):
        sample(two, 5, 0)


def test_items_are_matched_by_their_ids(tmp_path: Path) -> None:
    ours = [{"id": name, "summary": [f"Ours of {name}.", "More."]} for name in ("x", "y")]
    theirs = [{"id": name, "hypothesis": f"Theirs of {name}."} for name in ("y", "x")]
    asked = [{"id": "y", "question": "Why?", "answer": "no", "dataset": "D"}]
    for name, rows in (("ours", ours), ("theirs", theirs), ("asked", asked)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    systems = parse_systems([f"{tmp_path}/ours.jsonl", f"b={tmp_path}/theirs.jsonl", f"b={tmp_path}/ours.jsonl"])
    first, second = read_items(systems, questions=str(tmp_path / "asked.jsonl"))
    assert first.summaries == {"ours": ("Ours of x.\nMore.",), "b": ("Theirs of x.", "Ours of x.\nMore.")}
    assert (second.dataset, second.facts) == ("D", (Fact("Why?", "no"),))
    (tmp_path / "asked.jsonl").write_text('{"id": "y", "question": "Why?", "answer": "maybe"}\n')
    assert "with yes or no" in error_of(lambda: read_items(systems, questions=str(tmp_path / "asked.jsonl")))


def test_a_rehearsal_is_told_in_the_report(study: Study, tmp_path: Path) -> None:
    paths = rehearse(study, items_of(6, "ours", "theirs"), tmp_path)
    with Store(tmp_path) as store:
        assert sum(store.add(study, read_answers(path, study)) for path in paths) == 18
        found = report(study, store.judgements(study))
    assert "18 judgements" in str(found)
    assert found.signature.startswith("judging|kind:pairwise|judges:3|documents:6|judgements:18|test:exact-permutation")
    json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.parametrize("kind", ["pairwise", "likert", "best_worst"])
@pytest.mark.parametrize(("judges", "few"), [(3, True), (10, False)])
def test_a_report_says_what_few_judges_say_of_judges_in_general(kind: str, judges: int, few: bool) -> None:
    quality = {"ours": 1.0, "theirs": 0.0} | ({"others": -1.0} if kind == "best_worst" else {})
    made = make_study(protocols.choose(kind), items_of(5, *quality), judges, 0)
    generator = np.random.default_rng(1)
    judgements = [
        Judgement(task, made.protocol.rehearse(made.items[task.item], task.order, quality, generator), AT)
        for task in made.tasks
    ]
    told = report(made, judgements)
    general = [table for table in told.tables if table.title.endswith("among judges in general")]
    assert bool(general) == few
    assert ("mixed-model" in told.signature) == few
    assert [note.split(":")[0] for note in told.notes] == [*(["Only 3 judges"] if few else []), "Only 5 documents"]
    for table in general:
        assert table.notes[0].startswith("Fewer than 10 judges: a linear mixed model (REML)")
        assert any(row["p"] > 0 for row in table.rows)


def test_files_that_cannot_be_stored_do_not_keep_the_others_from_it(study: Study, tmp_path: Path) -> None:
    folder, answers = str(tmp_path / "study"), tmp_path / "answers"
    answers.mkdir()
    (answers / "1.json").write_text(answered(study, "judge-01", "ABABAB"))
    (answers / "2.json").write_text(answered(study, "judge-02", "AC"))
    rows = ["study,task,overall (A; tie; B)", f"{study.name},judge-03/0001,b", f"{study.name},judge-03/0002,Tie"]
    (answers / "3.csv").write_text("\n".join(rows))
    (tmp_path / "empty").mkdir()
    given = [str(answers), str(tmp_path / "empty"), str(tmp_path / "gone.json")]
    done = CliRunner().invoke(app, ["judge", "collect", folder, *given])
    assert done.exit_code == 2
    assert done.stdout.splitlines() == [
        f"{answers}/1.json: 6 new of 6 judgements",
        f"{answers}/3.csv: 2 new of 2 judgements",
        "8 of 18 tasks are answered. Open: judge-02 (6), judge-03 (4).",
    ]
    refused = [line.removeprefix("nutgraf: ") for line in done.stderr.splitlines()]
    assert refused == [
        f"{answers}/2.json, answer 2: the answer to 'overall' is 'C'; give A, tie, B.",
        f"The folder {tmp_path}/empty holds no answers: no .json and no .csv file.",
        f"There is no file '{tmp_path}/gone.json'.",
        "3 files were not stored, for the reasons above.",
    ]
    with Store(folder) as store:
        assert [one.answers["overall"] for one in store.judgements(study)] == [*"ABABAB", "B", "tie"]
    whole = CliRunner().invoke(app, ["judge", "collect", folder, str(answers / "1.json")])
    assert whole.exit_code == 0


def test_a_task_is_answered_when_all_its_questions_are() -> None:
    study = make_study(protocols.choose("pairwise_importance"), items_of(1, "ours", "theirs"), 1, 0)
    [task] = study.tasks
    half = Judgement(task, {"importance": "A"}, AT)
    whole = Judgement(task, {"importance": "A", "readability": "tie"}, AT)
    assert study.progress([half]) == "0 of 1 tasks are answered. Open: judge-01 (1)."
    assert study.progress([whole]) == "1 of 1 tasks are answered."
    assert "0 of 1 tasks are answered." in str(report(study, [half]))


def test_one_judge_is_told_what_takes_two(study: Study) -> None:
    judgements = [Judgement(task, {"overall": "A"}, AT) for task in study.tasks if task.judge == "judge-01"]
    found = report(study, judgements)
    assert (
        "Only one judge: agreement, and what is known about judges in general, need two judges or more." in found.notes
    )
    assert [table.title for table in found.tables] == ["ours against theirs", "Strength of the systems", "Judges"]
    assert "Agreement (kappa, alpha) needs two judges or more of the same document." in found.tables[0].notes


def test_a_report_in_every_form(study: Study, tmp_path: Path) -> None:
    """Two judges prefer ours everywhere: six documents say so, and 2 · 0.025^(1/6) − 1 = 0.081."""
    with Store(tmp_path / "study") as store:
        letters = [
            Judgement(task, {"overall": "AB"[task.order.index("ours")]}, AT)
            for task in study.tasks
            if task.judge != "judge-03"
        ]
        store.add(study, letters)

    def shown(*line: str) -> str:
        done = CliRunner().invoke(app, ["judge", "report", str(tmp_path / "study"), *line])
        assert done.exit_code == 0, done.output
        return done.stdout

    text = shown()
    assert "+1.000      [+0.081, +1.000]" in text
    assert "A strength has no interval where one side won everything" in text
    assert "both systems of a pair get half a win more" in text
    assert shown("--format", "json") == shown("--json")
    comparison = json.loads(shown("--json"))["tables"][0]["rows"][0]
    assert comparison["95 %"] == pytest.approx([2 * 0.025 ** (1 / 6) - 1, 1])
    assert shown("--format", "markdown").startswith("### ours against theirs\n\n| aspect | win |")
    latex = shown("--format", "latex")
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 4
    assert r"100.0\%" in latex
    table = shown("--format", "csv")
    assert not table.endswith("\n\n")
    first, *_, last = csv.DictReader(table.splitlines())
    assert (first["table"], first["win"], float(first["95 % high"])) == ("ours against theirs", "1.0", 1)
    assert (last["judge"], last["done"], last["of"], last["win"]) == ("judge-03", "0", "6", "")


def test_a_study_without_judgements_says_so(study: Study) -> None:
    assert "0 of 18 tasks are answered." in str(report(study, []))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("plan --win 0.9 --lose 0.2", "add up to 1 at most"),
        ("plan --win 0.4 --lose 0.2 --kappa 2", "kappa must be from 0"),
        ("plan --win 0.4 --lose 0.2 --judges many", "--judges takes numbers"),
        ("sheet =x --out s", "write NAME=FILE"),
        ("sheet a=x b=y --out s --format pdf", "html or csv, not 'pdf'"),
        ("report nowhere", "holds no study"),
        ("report nowhere --format html", "No format 'html'"),
    ],
)
def test_a_mistake_is_a_sentence(line: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["judge", *line.split()])
    assert isinstance(result.exception, NutgrafError)
    assert sentence in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_addresses_of_databases_are_checked_and_their_passwords_hidden(tmp_path: Path) -> None:
    assert "A database is sqlite or postgresql+psycopg" in error_of(lambda: Store("mysql://host/name"))
    pytest.importorskip("psycopg")
    sentence = error_of(lambda: Store("postgresql://me:secret@127.0.0.1:1/none"))
    assert "secret" not in sentence
    assert "cannot be used" in sentence
