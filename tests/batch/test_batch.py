"""Every document has one result: the same bytes whatever happens meanwhile, and however many workers there are."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from lanes_here import Here, Pools
from typer.testing import CliRunner

from nutgraf.batch.checkpoint import Checkpoint
from nutgraf.batch.folder import form_of
from nutgraf.batch.forecast import forecast
from nutgraf.batch.named import sources_of
from nutgraf.batch.progress import Progress
from nutgraf.batch.run import run
from nutgraf.batch.settings import Settings
from nutgraf.batch.work import Made
from nutgraf.cli.app import app
from nutgraf.errors import BudgetError, InputError, OutputError, TaskError, UnknownName
from nutgraf.systems import load
from nutgraf.text.flag import Flag
from nutgraf.text.request import Request
from nutgraf.text.summary import Budget, Summary

ISLAND = Path(__file__).parents[2] / "examples" / "island.txt"
TEXT = "The ferry {} left at noon. It rained all day. Nobody of the {} was hurt."
LEAD = Settings(system="lead", request=Request(Budget(sentences=1)), shard_size=3)


@pytest.fixture
def here() -> Pools:
    return Pools()


def corpus(path: Path, names: str = "abcdefg") -> Path:
    lines = [json.dumps({"id": name, "text": TEXT.format(name.upper(), name.upper())}) for name in names]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def results(out: Path, folder: str = "summaries") -> list[dict[str, Any]]:
    files = sorted((out / folder).glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def files(out: Path) -> dict[str, bytes]:
    found = [path for path in out.rglob("*") if path.is_file() and path.name != "metrics.prom"]
    return {str(path.relative_to(out)): path.read_bytes() for path in found}


def test_a_line_holds_a_summary_and_where_it_comes_from(tmp_path: Path, here: Pools) -> None:
    data = corpus(tmp_path / "data.jsonl")
    made = run(sources_of([str(data)]), tmp_path / "out", LEAD, pool=here)
    assert (made.summaries, made.dead_letters) == (7, 0)
    assert results(tmp_path / "out")[1] == {
        "id": "b",
        "summary": "The ferry B left at noon.",
        "sentences": ["The ferry B left at noon."],
        "origins": [[{"source": 0, "start": 0, "end": 25}]],
        "flags": [[]],
        "notices": [],
    }
    assert sorted(files(tmp_path / "out")) == [
        "manifest.json",
        "summaries/000000.jsonl",
        "summaries/000001.jsonl",
        "summaries/000002.jsonl",
    ]
    assert [one["id"] for one in results(tmp_path / "out")] == list("abcdefg")


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_record_has_the_flags_of_its_sentences(
    tmp_path: Path, here: Pools, monkeypatch: pytest.MonkeyPatch, form: Any
) -> None:
    flag = Flag("numbers", 4, 9, "ferry", "No source has it.")

    def flagged(summary: Summary) -> Summary:
        return replace(summary, sentences=tuple(replace(one, flags=(flag,)) for one in summary.sentences))

    monkeypatch.setattr("nutgraf.systems.flagged", flagged)
    monkeypatch.setattr("nutgraf.systems.System.writes", True)
    data = sources_of([str(corpus(tmp_path / "data.jsonl", "a"))])
    run(data, tmp_path / "out", replace(LEAD, file_format=form), pool=here)
    if form == "parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        [record] = parquet.read_table(tmp_path / "out" / "summaries" / "000000.parquet").to_pylist()
    else:
        [record] = results(tmp_path / "out")
    expected = {"kind": "numbers", "start": 4, "end": 9, "text": "ferry", "reason": "No source has it."}
    assert record["flags"] == [[expected]]


def test_rows_and_files_of_a_folder_are_documents(tmp_path: Path, here: Pools) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "a.txt").write_text(TEXT.format("A", "A"))
    (folder / "b.csv").write_text(f'id,text\nx,"{TEXT.format("X", "X")}"\n,"{TEXT.format("Y", "Y")}"\n')
    (folder / "inner" / "c.html").write_text(f"<p>{TEXT.format('C', 'C')}</p>")
    (folder / "inner" / "d.json").write_text(json.dumps([{"text": TEXT.format("D", "D")}]))
    (folder / ".hidden.txt").write_text("No.")
    with gzip.open(folder / "e.jsonl.gz", "wt") as file:
        file.write(json.dumps({"id": 7, "text": TEXT.format("E", "E")}))
    run(sources_of([str(folder)]), tmp_path / "out", LEAD, pool=here)
    found = {one["id"].removeprefix(f"{folder}/"): one["summary"] for one in results(tmp_path / "out")}
    assert list(found) == ["a.txt", "x", "b.csv:3", "7", "inner/c.html", "inner/d.json:1"]
    assert [text.split()[2] for text in found.values()] == list("AXYECD")


def test_a_column_of_any_name(tmp_path: Path, here: Pools) -> None:
    (tmp_path / "data.jsonl").write_text(json.dumps({"key": "k", "words": TEXT.format("K", "K")}))
    settings = Settings(system="lead", dataset={"text_column": "words", "id_column": "key"})
    run(sources_of([str(tmp_path / "data.jsonl")]), tmp_path / "out", settings, pool=here)
    assert [one["id"] for one in results(tmp_path / "out")] == ["k"]


def test_what_is_wrong_with_one_document_is_nobody_elses(tmp_path: Path, here: Pools) -> None:
    data = corpus(tmp_path / "data.jsonl", "ab")
    lines = ["{", '{"id": "empty", "text": ""}', '{"id": "other"}', json.dumps({"id": "c", "text": TEXT})]
    data.write_text(data.read_text() + "\n".join(lines) + "\n" + data.read_text().splitlines()[0] + "\n")
    cut = gzip.compress(data.read_bytes())[:-20]
    (tmp_path / "cut.jsonl.gz").write_bytes(cut)
    made = run(sources_of([str(data), str(tmp_path / "cut.jsonl.gz")]), tmp_path / "out", LEAD, pool=here)
    assert [one["id"] for one in results(tmp_path / "out")] == ["a", "b", "c"]
    letters = {one["id"]: one["reason"] for one in results(tmp_path / "out", "dead_letters")[:4]}
    assert letters[f"{data}:3"].startswith(f"{data}, line 3: this is not valid JSON")
    assert letters["empty"] == "There is no sentence to summarize in empty."
    assert "no text was found" in letters["other"]
    assert letters["a"] == "a document before it has the same id"
    last = results(tmp_path / "out", "dead_letters")[-1]
    assert "cut.jsonl.gz cannot be read" in last["reason"]
    assert made.dead_letters == len(results(tmp_path / "out", "dead_letters"))


def test_a_document_without_a_sentence_short_enough_has_an_empty_summary_that_says_so(
    tmp_path: Path, here: Pools
) -> None:
    """It is answered as `nutgraf summarize` answers it, and is no dead letter: nothing is wrong with it."""
    data = tmp_path / "data.jsonl"
    long, short = "The ferry Agnes left port at noon.", "It rained all day."
    data.write_text("".join(json.dumps({"id": text[:3], "text": text}) + "\n" for text in (long, short)))
    settings = replace(LEAD, request=Request(Budget(words=5)))
    with pytest.raises(BudgetError) as refusal:
        load("lead")(long, words=5)
    for _ in ("made", "read from its manifest"):
        made = run(sources_of([str(data)]), tmp_path / "out", settings, pool=here)
        assert (made.summaries, made.dead_letters, made.empty) == (2, 0, 1)
    empty, full = results(tmp_path / "out")
    assert empty["notices"][-1] == str(refusal.value)
    assert empty["notices"][-1].endswith("Ask for 7 words or more.")
    assert [empty[name] for name in ("id", "summary", "sentences", "origins", "flags")] == ["The", "", [], [], []]
    assert full["summary"] == short
    told = str(forecast(sources_of([str(data)]), settings, pool=here))
    assert "summary" in told


@pytest.mark.parametrize(("words", "status", "told"), [(5, 0, "1 of 2 is empty"), (3, 2, "2 of 2 are empty")])
def test_short_lengths_end_a_batch_with_status_2_only_if_no_document_has_a_summary(
    tmp_path: Path, words: int, status: int, told: str
) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text('{"text": "The ferry Agnes left port at noon."}\n{"text": "It rained all day."}\n')
    line = ["batch", str(data), "--out", str(tmp_path / "out"), "--words", str(words), "--workers", "1"]
    result = CliRunner().invoke(app, line)
    assert result.exit_code == status, result.output
    assert f"{told}" in result.stderr
    assert not (tmp_path / "out" / "dead_letters").exists()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"highlights": ("rain:-1",)}, "'rain:-1'"),
        ({"highlights": ("...",)}, "'...'"),
        ({"query": "  "}, "'  '"),
    ],
)
def test_a_mistake_of_the_request_is_told_before_the_work_and_is_no_dead_letter(
    tmp_path: Path, here: Pools, asked: dict[str, Any], sentence: str
) -> None:
    documents = sources_of([str(corpus(tmp_path / "data.jsonl"))])
    with pytest.raises(InputError, match=re.escape(sentence)):
        run(documents, tmp_path / "out", replace(LEAD, request=Request.of(**asked)), pool=here)
    assert not (tmp_path / "out").exists()


def test_a_headline_is_one_sentence_as_in_every_other_command(tmp_path: Path, here: Pools) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text(json.dumps({"text": ISLAND.read_text(encoding="utf-8")}))
    run(sources_of([str(data)]), tmp_path / "out", Settings(format="headline"), pool=here)
    alone = CliRunner().invoke(app, ["summarize", str(ISLAND), "--format", "headline"]).stdout
    assert results(tmp_path / "out")[0]["summary"] == alone.rstrip("\n")
    with pytest.raises(InputError, match=r"--format.*--sentences.*2"):
        Settings(format="headline", request=Request(Budget(sentences=2)))


def test_a_line_that_cannot_be_read_is_one_dead_letter(tmp_path: Path, here: Pools) -> None:
    lines, table = tmp_path / "data.jsonl", tmp_path / "data.csv"
    lines.write_bytes(b'{"id": "a", "text": "The ferry left."}\n\n{"id": "\xe9"}\n{"id": "b", "text": "It rained."}\n')
    table.write_bytes(b"id,text\nc,The ferry left.\nd\n\xe9,It burned.\ne,It rained.\n")
    made = run(sources_of([str(lines), str(table)]), tmp_path / "out", LEAD, workers=1, pool=here)
    assert (made.summaries, made.dead_letters) == (4, 3)
    assert [one["id"] for one in results(tmp_path / "out")] == ["a", "b", "c", "e"]
    letters = [(one["id"], one["place"]) for one in results(tmp_path / "out", "dead_letters")]
    assert letters == [
        (f"{path}:{line}", f"{path}, line {line}") for path, line in [(lines, 3), (table, 3), (table, 4)]
    ]
    run(sources_of([str(lines), str(table)]), tmp_path / "three", LEAD, workers=3, pool=Backwards())
    assert files(tmp_path / "three") == files(tmp_path / "out")


def test_a_row_of_a_corpus_has_the_id_of_its_corpus(tmp_path: Path, here: Pools) -> None:
    data = tmp_path / "papers.jsonl"
    paper = {"sections": [["The ferry left ."]], "section_names": ["Results"], "abstract_text": ["<S> It left . </S>"]}
    lines = [{**paper, "article_id": "PMC1"}, paper, {**paper, "article_id": "PMC3", "abstract_text": []}]
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = {"abstract_range": [1, 9]}
    settings = Settings(system="lead", kind="pubmed", dataset=options)
    run(sources_of([str(data)], kind="pubmed", options=options), tmp_path / "out", settings, pool=here)
    assert [one["id"] for one in results(tmp_path / "out")] == ["PMC1", f"{data}:2"]
    [letter] = results(tmp_path / "out", "dead_letters")
    assert (letter["id"], letter["reason"]) == ("PMC3", f"{data}, line 3: the data set leaves it out: no abstract.")


def test_an_id_is_a_text_or_a_whole_number_that_utf_8_can_hold(tmp_path: Path, here: Pools) -> None:
    ids = ['"sur\\ud800"', "5", "null", '["x"]', '{"a": 1}', "true", "1.5", "NaN", '"5"', "5.0"]
    data, odd = tmp_path / "data.jsonl", tmp_path / "od\udce9.txt"
    data.write_text("".join(f'{{"id": {one}, "text": "The ferry left."}}\n' for one in ids))
    odd.write_text("The mill burned.")
    run(sources_of([str(data), str(odd)]), tmp_path / "out", LEAD, pool=here)
    assert [one["id"] for one in results(tmp_path / "out")] == [
        "sur\ufffd",
        "5",
        f"{data}:3",
        f"{tmp_path}/od\ufffd.txt",
    ]
    reasons = [one["reason"] for one in results(tmp_path / "out", "dead_letters")]
    assert reasons == [
        *(
            f"{data}, line {line}: 'id' holds {kind}; an id is a text or a whole number."
            for line, kind in [(4, "a list"), (5, "an object"), (6, "true or false"), (7, "1.5"), (8, "nan")]
        ),
        *["a document before it has the same id"] * 2,
    ]


def test_an_id_is_the_same_in_all_kinds_of_files(tmp_path: Path, here: Pools) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    texts = ["The ferry left."] * 3
    (tmp_path / "a.csv").write_text("id,text\n5,The ferry left.\n")
    for name, ids in [("b", [5.0, None, 6.0]), ("c", [Decimal(6), Decimal(7), Decimal("7.5")]), ("d", [b"5"] * 3)]:
        parquet.write_table(pyarrow.table({"id": ids, "text": texts}), tmp_path / f"{name}.parquet")
    run(sources_of([str(tmp_path)]), tmp_path / "out", LEAD, pool=here)
    assert [one["id"] for one in results(tmp_path / "out")] == ["5", f"{tmp_path}/b.parquet:2", "6", "7"]
    reasons = [one["reason"].rpartition("/")[2] for one in results(tmp_path / "out", "dead_letters")]
    assert reasons == [
        *["a document before it has the same id"] * 2,
        "c.parquet, row 3: 'id' holds 7.5; an id is a text or a whole number.",
        *(f"d.parquet, row {row}: 'id' holds bytes; an id is a text or a whole number." for row in (1, 2, 3)),
    ]


def test_a_file_that_is_not_read_to_its_end_is_counted(tmp_path: Path, here: Pools) -> None:
    data, cut = corpus(tmp_path / "data.jsonl", "abc"), tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(json.dumps({"id": "d", "text": "It rained. " * 99}).encode())[:-9])
    sources = sources_of([str(cut), str(data)])
    made = run(sources, tmp_path / "out", LEAD, pool=here)
    assert (made.summaries, made.dead_letters, made.damaged) == (3, 1, 1)
    [letter] = results(tmp_path / "out", "dead_letters")
    assert (letter["id"], letter["place"]) == (f"{cut}:1…", str(cut))
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["damaged_sources"] == 1
    assert run(sources, tmp_path / "out", LEAD, pool=here).damaged == 1


def test_a_folder_tells_the_form_of_its_files(tmp_path: Path) -> None:
    data, out = corpus(tmp_path / "data.jsonl"), tmp_path / "out"
    assert form_of(out) == {}

    def tell(progress: Progress) -> None:
        raise Stop

    with pytest.raises(Stop):
        run(sources_of([str(data)]), out, LEAD, pool=Pools(), tell=tell)
    assert form_of(out) == {"file_format": "jsonl", "shard_size": 3}
    run(sources_of([str(data)]), out, LEAD, pool=Pools())
    assert form_of(out) == {"file_format": "jsonl", "shard_size": 3}


class Backwards(Pools):
    """Pools whose results come in another order."""

    def __call__(self, setup: Callable[..., Any], given: tuple[Any, ...] = (), **limits: Any) -> Any:
        lanes = super().__call__(setup, given, **limits)
        unordered = lanes.unordered

        def backwards(function: Callable[..., Any], draw: Callable[[], Any]) -> Any:
            return reversed(list(unordered(function, draw)))

        lanes.unordered = backwards  # type: ignore[method-assign]
        return lanes


def test_the_files_are_the_same_for_any_number_of_workers_and_order_of_results(tmp_path: Path, here: Pools) -> None:
    data = sources_of([str(corpus(tmp_path / "data.jsonl"))])
    run(data, tmp_path / "one", LEAD, workers=1, pool=here)
    run(data, tmp_path / "backwards", LEAD, workers=3, pool=Backwards())
    assert files(tmp_path / "one") == files(tmp_path / "backwards")
    assert len(here.tasks) == 3  # a group never reaches into another shard


class Stop(Exception):
    """The end of a run."""


@pytest.mark.parametrize("after", [1, 2, 3])
def test_a_run_that_was_stopped_goes_on_and_makes_nothing_twice(tmp_path: Path, here: Pools, after: int) -> None:
    data = corpus(tmp_path / "data.jsonl")
    told: list[Progress] = []

    def tell(progress: Progress) -> None:
        told.append(progress)
        if len(told) == after:
            raise Stop

    with pytest.raises(Stop):
        run(sources_of([str(data)]), tmp_path / "out", LEAD, pool=Pools(), workers=1, tell=tell)
    assert not (tmp_path / "out" / "manifest.json").exists()
    run(sources_of([str(data)]), tmp_path / "out", LEAD, pool=here)
    assert sum(len(task) for task in here.tasks) == 7 - told[-1].documents
    run(sources_of([str(data)]), tmp_path / "whole", LEAD, pool=Pools())
    assert files(tmp_path / "out") == files(tmp_path / "whole")


def test_a_batch_that_is_complete_is_not_made_again(tmp_path: Path, here: Pools) -> None:
    data = corpus(tmp_path / "data.jsonl")
    first = run(sources_of([str(data)]), tmp_path / "out", LEAD, pool=Pools())
    assert run(sources_of([str(data)]), tmp_path / "out", LEAD, pool=here).documents == first.documents
    assert here.tasks == []


def test_a_complete_batch_whose_files_are_gone_is_refused(tmp_path: Path, here: Pools) -> None:
    data, out = corpus(tmp_path / "data.jsonl"), tmp_path / "out"
    run(sources_of([str(data)]), out, LEAD, pool=here)
    (out / "summaries" / "000001.jsonl").unlink()
    with pytest.raises(OutputError, match=r"2.*3 files"):
        run(sources_of([str(data)]), out, LEAD, pool=here)


@pytest.mark.parametrize("folder", ["summaries", "dead_letters"])
def test_a_complete_batch_whose_files_are_cut_is_refused(tmp_path: Path, here: Pools, folder: str) -> None:
    data, out = corpus(tmp_path / "data.jsonl", "aabc"), tmp_path / "out"
    run(sources_of([str(data)]), out, LEAD, pool=here)
    cut = out / folder / "000000.jsonl"
    cut.write_bytes(cut.read_bytes()[:-7])
    with pytest.raises(OutputError, match=f"{folder}"):
        run(sources_of([str(data)]), out, LEAD, pool=here)


@pytest.mark.parametrize("cut", [False, True])
def test_an_unfinished_batch_makes_files_again_that_are_gone_or_cut(tmp_path: Path, cut: bool) -> None:
    data, out, whole = corpus(tmp_path / "data.jsonl", "abcdxffga"), tmp_path / "out", tmp_path / "whole"
    run(sources_of([str(data)]), whole, LEAD, pool=Pools())
    summaries, letters = sorted(whole.rglob("0*.jsonl")), sorted((whole / "dead_letters").iterdir())
    assert [path.name for path in letters] == ["000002.jsonl"]

    def tell(progress: Progress) -> None:
        if progress.documents == 9:
            raise Stop

    for gone in summaries:
        with pytest.raises(Stop):
            run(sources_of([str(data)]), out, LEAD, pool=Pools(), workers=1, tell=tell)
        name = out / gone.relative_to(whole)
        if cut and name.exists():
            name.write_bytes(name.read_bytes()[:-7])
        else:
            name.unlink(missing_ok=True)
        run(sources_of([str(data)]), out, LEAD, pool=Pools())
        assert files(out) == files(whole)
        shutil.rmtree(out)


def test_another_batch_is_refused(tmp_path: Path, here: Pools) -> None:
    data, out = corpus(tmp_path / "data.jsonl"), tmp_path / "out"
    run(sources_of([str(data)]), out, LEAD, pool=here)
    other = Settings(system="lead", request=Request(Budget(sentences=2)), shard_size=3)
    with pytest.raises(OutputError, match=r"'1 sentence'.*'2 sentences'"):
        run(sources_of([str(data)]), out, other, pool=here)
    corpus(data, "abcdefh")
    with pytest.raises(OutputError, match="sources"):
        run(sources_of([str(data)]), out, LEAD, pool=here)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note.txt").touch()
    with pytest.raises(OutputError, match=r"note\.txt"):
        run(sources_of([str(data)]), tmp_path / "mine", LEAD, pool=here)
    with pytest.raises(UnknownName, match="No preset 'leed'"):
        run(sources_of([str(data)]), tmp_path / "new", Settings(system="leed"), pool=here)
    assert not (tmp_path / "new").exists()


def test_sources_that_cannot_be_read_are_refused(tmp_path: Path, here: Pools) -> None:
    with pytest.raises(InputError, match="--cluster"):
        sources_of(["s3://bucket/data.jsonl"])
    with pytest.raises(InputError, match="standard"):
        sources_of(["-"])
    with pytest.raises(InputError, match=r"none\.jsonl"):
        sources_of([str(tmp_path / "none.jsonl")])
    (tmp_path / "blank.jsonl").write_text("\n\n")
    with pytest.raises(InputError, match="document"):
        run(sources_of([str(tmp_path / "blank.jsonl")]), tmp_path / "out", LEAD, pool=here)


class Poisoned(Here):
    """Fails, as a process would, while one of the documents is bad."""

    cause: Any = "time"
    failures = 10

    def do(self, function: Callable[..., Any], *task: Any) -> Any:
        bad = task and any("BAD" in item.content for item in task[0])
        if (
            bad
            and len([one for one in self.tasks if one and any("BAD" in item.content for item in one[0])])
            <= self.failures
        ):
            return TaskError("it failed", cause=self.cause)
        return super().do(function, *task)


@pytest.mark.parametrize(
    ("cause", "tried"),
    [
        ("time", ["abc", "a", "b", "c"]),
        ("memory", ["abc", "a", "b", "c"]),
        ("ended", ["abc", "abc", "a", "b", "c", "b"]),
    ],
)
def test_a_poisonous_document_is_found_and_costs_nobody_else_a_summary(
    tmp_path: Path, cause: str, tried: list[str]
) -> None:
    data = corpus(tmp_path / "data.jsonl", "abc")
    data.write_text(data.read_text().replace("The ferry B", "The ferry BAD"))
    pool = Pools(type("Lane", (Poisoned,), {"cause": cause}))
    run(sources_of([str(data)]), tmp_path / "out", LEAD, workers=1, pool=pool)
    assert [[name.rpartition(":")[2] for name in task] for task in pool.tasks] == [
        [str("abc".index(letter) + 1) for letter in task] for task in tried
    ]
    assert [one["id"] for one in results(tmp_path / "out")] == ["a", "c"]
    assert results(tmp_path / "out", "dead_letters") == [
        {"id": "b", "place": f"{data}, line 2", "reason": "It failed."}
    ]


def test_a_process_that_somebody_kills_costs_no_document(tmp_path: Path) -> None:
    data = corpus(tmp_path / "data.jsonl", "abc")
    data.write_text(data.read_text().replace("The ferry B", "The ferry BAD"))
    pool = Pools(type("Lane", (Poisoned,), {"cause": "ended", "failures": 1}))
    made = run(sources_of([str(data)]), tmp_path / "out", LEAD, workers=1, pool=pool)
    assert made.summaries == 3
    assert [len(task) for task in pool.tasks] == [3, 3]


class KilledAtFirst(Here):
    """A lane whose process is killed twice while it loads the system."""

    def do(self, function: Callable[..., Any], *task: Any) -> Any:
        return TaskError("it was killed", cause="ended") if len(self.tasks) < 3 else super().do(function, *task)


def test_a_process_that_somebody_kills_while_it_loads_the_system_costs_nothing(tmp_path: Path) -> None:
    data = corpus(tmp_path / "data.jsonl", "abc")
    made = run(sources_of([str(data)]), tmp_path / "out", LEAD, workers=1, pool=Pools(KilledAtFirst))
    assert made.summaries == 3


def test_parquet_holds_what_json_lines_hold(tmp_path: Path, here: Pools) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    data = sources_of([str(corpus(tmp_path / "data.jsonl"))])
    run(data, tmp_path / "lines", LEAD, pool=here)
    settings = Settings(system="lead", request=Request(Budget(sentences=1)), shard_size=3, file_format="parquet")
    run(data, tmp_path / "table", settings, pool=here)
    found = [
        row
        for path in sorted((tmp_path / "table" / "summaries").iterdir())
        for row in parquet.read_table(path).to_pylist()
    ]
    for row in found:
        assert [(place.pop("page"), place.pop("time")) for places in row["origins"] for place in places] == [
            (None, None)
        ]
    assert found == results(tmp_path / "lines")


def test_metrics_are_those_of_prometheus() -> None:
    lines = Progress(summaries=5, dead_letters=1, retries=2, rate=2.5, share=0.25, seconds_left=60, workers=2).metrics()
    assert lines.splitlines() == [
        "# TYPE nutgraf_batch_documents_total counter",
        'nutgraf_batch_documents_total{result="summary"} 5',
        'nutgraf_batch_documents_total{result="dead_letter"} 1',
        "# TYPE nutgraf_batch_retries_total counter",
        "nutgraf_batch_retries_total 2",
        "# TYPE nutgraf_batch_documents_per_second gauge",
        "nutgraf_batch_documents_per_second 2.5",
        "# TYPE nutgraf_batch_share_read gauge",
        "nutgraf_batch_share_read 0.25",
        "# TYPE nutgraf_batch_workers gauge",
        "nutgraf_batch_workers 2",
        "# TYPE nutgraf_batch_seconds_left gauge",
        "nutgraf_batch_seconds_left 60",
    ]


def test_results_survive_the_end_of_the_process_that_made_them(tmp_path: Path) -> None:
    first = Checkpoint(tmp_path)
    first.add([Made(0, "a", "1", "{}"), Made(1, "b", "2", None, "no")])
    again = tmp_path / "copy"  # as a kill leaves it: nothing was closed
    again.mkdir()
    for path in tmp_path.glob("checkpoint.sqlite*"):
        (again / path.name).write_bytes(path.read_bytes())
    second = Checkpoint(again)
    assert second.waiting() == (2, 1)
    assert second.counts(2) == {0: 2}
    with second.shard(0, 2, lambda: (3, 5)) as found:
        assert found == [Made(0, "a", "1", "{}", ""), Made(1, "b", "2", None, "no")]
    assert (second.shards, second.summaries, second.dead_letters) == (1, 1, 1)
    assert second.written() == [(3, 5)]
    assert second.waiting() == (0, 0)


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        ({"documents": 2**44}, None),
        ({"documents": 0}, "summaries"),
        ({"settings": {"version": "1", "dataset": [1]}}, "dataset"),
        ({"settings": {"version": "1", "dataset": None}}, "dataset"),
    ],
)
def test_a_manifest_that_was_changed(damage: dict[str, Any], named: str | None, tmp_path: Path, here: Pools) -> None:
    """Files are counted as they are there; a number of documents alone makes nobody look for more."""
    data, out = corpus(tmp_path / "data.jsonl"), tmp_path / "out"
    run(sources_of([str(data)]), out, LEAD, pool=here)
    path = out / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **damage}))
    if named is None:
        assert run(sources_of([str(data)]), out, LEAD, pool=here).summaries == 7
    else:
        with pytest.raises(OutputError, match=named):
            run(sources_of([str(data)]), out, LEAD, pool=here)


@pytest.mark.parametrize("dataset", [[1], "x", None])
def test_a_plan_that_was_changed_is_refused(dataset: object, tmp_path: Path, here: Pools) -> None:
    data, out = corpus(tmp_path / "data.jsonl"), tmp_path / "out"
    out.mkdir()
    (out / "unfinished.json").write_text(json.dumps({"version": "1", "dataset": dataset}))
    with pytest.raises(OutputError, match="dataset"):
        run(sources_of([str(data)]), out, LEAD, pool=here)
