"""Tables of systems, and the outputs kept beside them."""

from __future__ import annotations

import json
import math
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from nutgraf.datasets import Record
from nutgraf.errors import BudgetError, InputError, OutputError
from nutgraf.evaluation.metrics import choose
from nutgraf.evaluation.outputs import Output, Outputs, file_name
from nutgraf.evaluation.scores import Column
from nutgraf.evaluation.significance import Bootstrap
from nutgraf.evaluation.table import evaluate, make_table
from nutgraf.presets import Preset
from nutgraf.systems import System, sections_of
from nutgraf.systems.steering import Steering
from nutgraf.text.document import Document
from nutgraf.text.summary import Budget, Summary, SummarySentence

SHARE = Column("share", "higher", 100, "share|v1")
DISTANCE = Column("distance", "lower", 1, "distance|v1")
WORDS = Budget(words=7)
NATURAL = Budget()


def output(index: int, share: float, distance: float | None = None, *summary: str) -> Output:
    return Output(index, str(index), summary or ("A b c.",), 3, {"share": share, "distance": distance})


class Fixed(System):
    """Takes one sentence of the document, always the same; none shorter than the budget."""

    def __init__(self, name: str, place: int) -> None:
        super().__init__(Preset(name, {"system": "extractive", "extractive": {"kind": "lead"}}, sections_of))
        self.place = place
        self.calls = 0

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        self.calls += 1
        text = document.printed[self.place]
        limit = budget.words_of(document)
        if limit is not None and len(text.split()) > limit:
            raise BudgetError("No sentence fits.", smallest=len(text.split()))
        return Summary((SummarySentence(text, "copied", ()),), document, budget, self.signature)


def records(count: int = 3) -> Iterator[Record]:
    for index in range(count):
        document = Document.of("The ferry left at noon. Bread was baked.", f"text-{index}", language="en")
        yield Record(document.name, document, (("Bread was baked.",),))


def test_each_system_is_tested_against_the_first_at_its_budget() -> None:
    kept = {
        ("first", WORDS): [output(0, 0.0), output(1, 0.2)],
        ("second", WORDS): [output(0, 0.9, 2.0), output(1, 0.9)],
        ("first", NATURAL): [output(0, 0.5), output(1, 0.5)],
    }
    table = make_table(kept, [SHARE, DISTANCE], Bootstrap(100, test_resamples=99))
    first, second, natural = table.rows
    assert [row.cells[0].interval.mean for row in table.rows] == pytest.approx([0.1, 0.9, 0.5])
    assert first.cells[0].difference is natural.cells[0].difference is None
    assert second.cells[0].difference is not None
    assert second.cells[0].difference.interval.mean == pytest.approx(0.8)
    assert second.cells[0].difference.p == pytest.approx(1 / 100)
    assert (second.cells[1].interval.mean, second.cells[1].interval.examples) == (2.0, 1)
    assert first.cells[1].interval.examples == 0


def test_a_table_says_what_it_left_out_and_how_it_was_made() -> None:
    kept = {
        ("first", NATURAL): [output(0, 0.0), output(1, 0.2)],
        ("second", NATURAL): [output(0, 0.9, 2.0), Output(1, "1", (), 0, {"share": 0.9, "distance": None}, "why")],
    }
    shown = str(make_table(kept, [SHARE, DISTANCE], Bootstrap(100, test_resamples=99)))
    lines = [line.split() for line in shown.splitlines()]
    assert lines[0] == ["system", "budget", "words", "share", "↑", "distance", "↓"]
    assert lines[2][:4] == ["first", "natural", "length", "3.0"]
    assert lines[3][4:] == ["90.00", "[90.00,", "90.00]*", "2.0000", "[2.0000,", "2.0000]", "(n=1)"]
    assert lines[5:8:2] == [
        ["difference", "from", "first", "budget", "share", "↑", "distance", "↓"],
        ["second", "natural", "length", "+80.00", "[+70.00,", "+90.00]*", "–"],
    ]
    assert "second, natural length: no summary for 1 of 2 examples" in shown
    assert "* differs from first at the same budget, p < 0.05; test:paired-bootstrap|two-sided|resamples:99" in shown
    assert "share = share|v1" in shown


def test_how_much_of_a_budget_was_used() -> None:
    """Three words of six and of four; a system without a limit has no share of it."""
    pair = [Output(index, "", ("A b c.",), 3, {"share": 0.5}, limit=limit) for index, limit in enumerate((6, 4))]
    free = [output(0, 0.5), output(1, 0.5)]
    table = make_table({("first", WORDS): pair, ("first", NATURAL): free}, [SHARE], Bootstrap(10))
    assert [row.used for row in table.rows] == pytest.approx([0.625, math.nan], nan_ok=True)
    assert [row["used"] for row in table.to_json()["rows"]] == [0.625, None]
    lines = str(table).splitlines()
    assert lines[0].split()[:4] == ["system", "budget", "words", "used"]
    assert "62%" in lines[2].split()


def test_json_is_unscaled_and_has_the_differences() -> None:
    kept = {("first", WORDS): [output(0, 0.0)], ("second", WORDS): [output(0, 0.5)]}
    content = make_table(kept, [SHARE, DISTANCE], Bootstrap(10, test_resamples=9)).to_json()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert content["schema"] == "nutgraf.table/1"
    assert content["rows"][1]["scores"]["share"]["mean"] == 0.5
    assert content["rows"][1]["scores"]["share"]["difference"]["mean"] == 0.5
    assert content["rows"][1]["scores"]["distance"]["mean"] is None
    assert content["columns"]["share"] == {"better": "higher", "shown_times": 100, "signature": "share|v1"}


def test_every_system_summarizes_every_example_at_every_budget() -> None:
    systems = {"early": Fixed("early", 0), "late": Fixed("late", 1)}
    table = evaluate(records(), systems, [NATURAL, Budget(words=3)], choose("rouge,novelty"), data="three.jsonl")
    assert [(row.system, str(row.budget), row.words, row.empty) for row in table.rows] == [
        ("early", "natural length", 5.0, 0),
        ("late", "natural length", 3.0, 0),
        ("early", "3 words", 0.0, 3),
        ("late", "3 words", 3.0, 0),
    ]
    assert [row.used for row in table.rows] == pytest.approx([math.nan, math.nan, 0.0, 1.0], nan_ok=True)
    rouge = [row.cells[0].interval.mean for row in table.rows]
    assert rouge == [0.0, 1.0, 0.0, 1.0]
    assert table.signatures["late"] == systems["late"].signature
    assert "3 examples of three.jsonl" in str(table)
    with pytest.raises(InputError, match="evaluate"):
        evaluate([], systems, [NATURAL], choose("rouge"))


def test_files_are_named_by_system_and_budget() -> None:
    names = [
        file_name(("mls_plus", budget))
        for budget in (NATURAL, Budget.of(words=100), Budget.of(sentences=3), Budget.of(share="1/8"))
    ]
    assert names == [
        "mls_plus.jsonl",
        "mls_plus.100-words.jsonl",
        "mls_plus.3-sentences.jsonl",
        "mls_plus.share-1-8.jsonl",
    ]
    assert file_name(("my lab/one", NATURAL)) == "my_lab_one.jsonl"


def run(folder: Path, count: int, settings: str = "same", fresh: bool = False) -> tuple[int, str]:
    """Return the number of summaries that were made, and the table."""
    system = Fixed("late", 1)
    outputs = Outputs(folder, {"data": settings}, {"late": system.signature}, fresh)
    table = evaluate(records(count), {"late": system}, [NATURAL], choose("rouge"), outputs)
    outputs.close()
    return system.calls, str(table)


def test_an_evaluation_goes_on_where_it_stopped(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert run(folder, 2)[0] == 2
    file = folder / "late.jsonl"
    assert json.loads(file.read_text().splitlines()[1])["summary"] == ["Bread was baked."]
    calls, table = run(folder, 5)
    assert calls == 3
    assert table == run(tmp_path / "other", 5)[1] == run(folder, 5)[1]
    file.write_text(file.read_text()[:-20])
    assert run(folder, 5) == (1, table)
    assert len(file.read_text().splitlines()) == 5
    assert run(folder, 2)[1] == run(tmp_path / "two", 2)[1]


def test_another_evaluation_is_refused_unless_fresh(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run(folder, 2)
    with pytest.raises(OutputError, match=r'"same".*"other".*--fresh'):
        run(folder, 2, "other")
    assert run(folder, 2, "other", fresh=True)[0] == 2
    with pytest.raises(OutputError, match="system late"):
        Outputs(folder, {"data": "other"}, {"late": "late|options:1"})
    Outputs(folder, {"data": "other"}, {"early": "early|options:1"})
    assert json.loads((folder / "manifest.json").read_text())["systems"].keys() == {"late", "early"}


def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear reader")
    with pytest.raises(OutputError, match="evaluation"):
        Outputs(tmp_path, {}, {})
    with pytest.raises(OutputError, match=r"letter\.txt"):
        Outputs(tmp_path / "letter.txt", {}, {})
    with pytest.raises(OutputError, match="such"):
        Outputs(tmp_path / "no" / "such", {}, {})
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "manifest.json").write_text("{")
    with pytest.raises(OutputError, match="is damaged"):
        Outputs(folder, {}, {})
    Outputs(tmp_path / "new", {}, {})
    (tmp_path / "new" / "late.jsonl").write_text('{"index": 0}\n')
    with pytest.raises(InputError, match=r"late\.jsonl, line 1, is damaged"):
        Outputs(tmp_path / "new", {}, {}).of(("late", NATURAL))


class Wholesale(Fixed):
    """Wants three documents at a time, and notes how many it was given."""

    def __init__(self) -> None:
        super().__init__("wholesale", 0)
        self.given: list[int] = []

    @property
    def at_once(self) -> int:
        return 3

    def summarize_all(self, asked: Sequence[tuple[Document, Steering]], budget: Budget) -> list[Summary | BudgetError]:
        self.given.append(len(asked))
        return super().summarize_all(asked, budget)


def test_a_system_is_given_as_many_documents_at_a_time_as_it_likes(tmp_path: Path) -> None:
    system, metrics = Wholesale(), choose("novelty")
    manifest = {"data": "x"}
    first = Outputs(tmp_path / "out", manifest, {"wholesale": "s"})
    evaluate(records(2), {"wholesale": system}, [NATURAL], metrics, first, Bootstrap(100))
    first.close()
    again = Outputs(tmp_path / "out", manifest, {"wholesale": "s"})
    table = evaluate(
        records(7), {"wholesale": system, "one": Fixed("one", 0)}, [NATURAL], metrics, again, Bootstrap(100)
    )
    again.close()
    assert system.given == [2, 1, 3, 1]
    assert [row.words for row in table.rows] == [5.0, 5.0]


def test_what_fits_no_budget_and_has_no_sentence_is_told_in_its_place() -> None:
    documents = [record.document for record in records(1)]
    made = Fixed("one", 0).many([*documents, Document.of("", "empty", language="en"), *documents], words=3)
    assert [type(one) for one in made] == [BudgetError, InputError, BudgetError]
    assert [str(one) for one in made][1] == "There is no sentence to summarize in empty."


class Fragile(Fixed):
    """Ends its process where it meets a certain document."""

    def summarize(self, document: Document, budget: Budget, steering: Steering) -> Summary:
        if document.name == "text-4":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().summarize(document, budget, steering)


def test_processes_share_the_examples_and_a_crash_is_one_examples_alone(tmp_path: Path) -> None:
    systems = {"first": Fixed("first", 0), "fragile": Fragile("fragile", 1)}
    metrics = choose("rouge")
    outputs = Outputs(tmp_path, {}, {})
    table = evaluate(records(12), systems, [NATURAL], metrics, outputs, processes=2)
    outputs.close()
    assert [row.empty for row in table.rows] == [1, 1], "the example was given to a process with all systems"
    kept = Outputs(tmp_path, {}, {}).of(("fragile", NATURAL))
    assert sorted(kept) == list(range(12))
    assert [index for index, one in kept.items() if one.problem] == [4]
    assert "signal 9" in kept[4].problem
    alone = evaluate(records(4), {"first": Fixed("first", 0)}, [NATURAL], metrics)
    shared = evaluate(records(4), {"first": Fixed("first", 0)}, [NATURAL], metrics, processes=2)
    assert str(alone) == str(shared)


def test_a_damaged_folder_is_begun_anew_with_fresh(tmp_path: Path) -> None:
    run(tmp_path / "out", 2)
    (tmp_path / "out" / "manifest.json").write_text("{")
    assert run(tmp_path / "out", 2, fresh=True)[0] == 2


def test_an_output_without_a_score_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="distance"):
        make_table(
            {("late", NATURAL): [Output(0, "0", ("A b c.",), 3, {"share": 0.5})]}, [SHARE, DISTANCE], Bootstrap()
        )
