"""Tables of judgements: what people found in a study of ours stands beside what the papers' judges found."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("sqlalchemy")
pytest.importorskip("statsmodels")

from nutgraf.cli.app import app
from nutgraf.errors import InputError
from nutgraf.judging.answers import answers_text, read_answers
from nutgraf.judging.figures import figures_of
from nutgraf.judging.protocols import protocols
from nutgraf.judging.records import Fact, Item
from nutgraf.judging.store import Store
from nutgraf.judging.study import Study, make_study
from nutgraf.reproduction.published import PublishedTable, published
from nutgraf.reproduction.report import NO_STUDY

AT = "2025-03-01T10:00:00.000000+00:00"
TABLES = [table for table in published().tables.values() if table.kind == "judgements"]


def preferring(
    folder: Path, kind: str, items: int, judges: int, counts: dict[str, tuple[int, int, int]], *systems: str
) -> Study:
    """A study with so many wins, losses and ties of the first system in each aspect, however it is named later."""
    texts = [Item(f"story-{number}", dict.fromkeys(reversed(systems), ("One.",))) for number in range(items)]
    study = make_study(protocols.choose(kind), texts, judges, 0)
    study.write(folder)
    with Store(folder) as store:
        for judge in study.judges:
            answers = []
            for place, task in enumerate(study.tasks):
                if task.judge == judge:
                    given = {}
                    for aspect, (wins, losses, _) in counts.items():
                        ours = "AB"[task.order.index(systems[0])]
                        other = "BA"[task.order.index(systems[0])]
                        given[aspect] = ours if place < wins else other if place < wins + losses else "tie"
                    answers.append({"task": task.key, "answers": given, "seconds": 9.0, "at": AT})
            path = folder / f"{judge}.json"
            path.write_text(answers_text(study, judge, answers))
            store.add(study, read_answers(path, study))
    return study


def run(*line: str) -> str:
    done = CliRunner().invoke(app, ["reproduce", *line])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("table", TABLES, ids=[table.label for table in TABLES])
def test_a_table_of_judgements_names_what_makes_it(table: PublishedTable) -> None:
    """Its commands are understood, and are of its kind."""
    text = run(table.paper, f"table{table.number}")
    assert NO_STUDY in text
    assert "ours" not in text.splitlines()[2].split()
    commands = [shlex.split(one) for one in table.commands]
    for command in commands:
        if command[2] == "plan":
            done = CliRunner().invoke(app, [*command[1:], "--studies", "10", "--power", "0.3"])
            assert done.exit_code == 0, done.output
        else:
            assert command[command.index("--kind") + 1] == table.protocol


def test_our_judges_stand_beside_kpats(tmp_path: Path) -> None:
    """With the counts of the paper's own judges, shares are the paper's; kappa is another."""
    counts = {"informativeness": (86, 39, 75), "fluency": (54, 50, 96), "non-redundancy": (47, 38, 115)}
    preferring(tmp_path / "study", "pairwise", 50, 4, counts, "KPAT", "CopyTransformer")
    report = json.loads(run("kpat", "table6", "--judgements", str(tmp_path / "study"), "--format", "json"))
    for one in report["figures"]:
        assert one["ours"] is not None
        if one["column"] != "Kappa":
            assert one["ours"]["mean"] == pytest.approx(one["published"])
    text = run("kpat", "table6", "--judgements", str(tmp_path / "study"))
    assert re.search(r"Fluency +27\.0% +27\.00% +25\.0% +25\.00% +48\.0% +48\.00% +0\.622 +-?0\.\d{3}\n", text)
    assert NO_STUDY not in text
    assert "judges:4|documents:50|judgements:200" in text


def test_our_judges_stand_beside_sagcopys(tmp_path: Path) -> None:
    counts = {"importance": (62, 41, 197), "readability": (20, 11, 269)}
    preferring(tmp_path / "study", "pairwise_importance", 100, 3, counts, "sagcopy_outdegree", "mass-copy")
    text = run("sagcopy", "table4", "--judgements", str(tmp_path / "study"))
    assert re.search(r"Importance +20\.67% +20\.67% +13\.67% +13\.67% +65\.67% +65\.67%", text)


def test_our_judges_stand_beside_those_of_mls(tmp_path: Path) -> None:
    """All answers are right and took 36 s; there is no data set D2 and no a3, so these are published alone."""
    items = [
        Item(f"d{number}", dict.fromkeys(("mls", "a2", "a4"), ("short", "long")), "whole", "D1", (Fact("?", "yes"),))
        for number in range(3)
    ]
    study = make_study(protocols.choose("fact_checking"), items, 22, 0)
    study.write(tmp_path / "study")
    with Store(tmp_path / "study") as store:
        for judge in study.judges:
            own = [task for task in study.tasks if task.judge == judge]
            answers = [{"task": one.key, "answers": {"1": "yes"}, "seconds": 36.0, "at": AT} for one in own]
            (tmp_path / "answers.json").write_text(answers_text(study, judge, answers))
            store.add(study, read_answers(tmp_path / "answers.json", study))
    report = json.loads(run("mls", "table4", "--judgements", str(tmp_path / "study"), "--format", "json"))
    ours = {(one["row"], one["column"]): one["ours"] and one["ours"]["mean"] for one in report["figures"]}
    assert ours["D1 Accuracy", "NC (no content)"] == 1.0
    assert ours["D1 Duration (s)", "MLS"] == 36.0
    assert ours["D2 Accuracy", "MLS"] is None
    assert "The study has nothing on D2 Accuracy, D2 Duration (s), A3." in report["remarks"]
    assert "Not in the table, but in the study: a4." in report["remarks"]


def test_what_does_not_fit_is_a_sentence(tmp_path: Path) -> None:
    def refused(*line: str) -> str:
        done = CliRunner().invoke(app, ["reproduce", *line])
        assert isinstance(done.exception, InputError)
        return str(done.exception)

    study = preferring(tmp_path / "study", "pairwise", 2, 2, {"fluency": (1, 1, 2)}, "kpat", "theirs")
    place = str(tmp_path / "study")
    assert "K3 holds no judgements of people; K5, K6, H3, S4, M4 do." in refused(
        "kpat", "table3", "--judgements", place
    )
    assert "is a study of the kind pairwise; S4 is one of pairwise_importance" in refused(
        "sagcopy", "table4", "--judgements", place
    )
    assert "compares theirs and kpat; K5 compares kpat and copy_transformer" in refused(
        "kpat", "table5", "--judgements", place
    )
    assert "holds no study" in refused("kpat", "table5", "--judgements", str(tmp_path))
    with pytest.raises(InputError, match="judgements"):
        figures_of(study, [])
    three = [Item("one", dict.fromkeys(("a", "b", "c"), ("One.",)))]
    many = make_study(protocols.choose("pairwise"), three, 2, 0)
    with Store(tmp_path / "study") as store, pytest.raises(InputError, match="such a table"):
        figures_of(many, store.judgements(study))
