"""A table reproduced from beginning to end, on a corpus of a few clusters and with networks of a few steps."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")

from nutgraf.checkpoint import build_on_meta
from nutgraf.cli.app import app
from nutgraf.datasets import datasets
from nutgraf.errors import InputError, NutgrafError, UnknownName
from nutgraf.model_folder import read_card
from nutgraf.presets import names
from nutgraf.reproduction import plan
from nutgraf.reproduction.cost import Cost, Size, costs_of, in_all, size_of
from nutgraf.reproduction.counting import count
from nutgraf.reproduction.plan import Request, jobs_of, recipe_of, trainings_of
from nutgraf.reproduction.published import published
from nutgraf.reproduction.run import Watching, reproduce
from nutgraf.reproduction.show import shown
from nutgraf.training.events import Progress, Report

TINY = (
    "keyphrases.kind=rake",
    "tokenizer.vocab_size=300", "truncation.source=40", "truncation.target=12", "model.d_model=16", "model.num_heads=4",
    "model.encoder.num_layers=2", "model.encoder.ffn_dim=16", "model.decoder.num_layers=1",
    "model.decoder.ffn_dim=16", "decoding.beam_size=2", "decoding.min_length=0", "decoding.max_length=12",
    "training.max_steps=4", "training.batch_size=3", "training.validate_every=4", "training.rouge_examples=0",
    "training.checkpoint_every=2", "training.log_every=1", "training.device=cpu", "training.threads=1",
)  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of corpora with one in it: clusters of two articles on the same event."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "multi_news").mkdir()
    for split, first, last in (("train", 0, 9), ("validation", 9, 12), ("test", 12, 17)):
        lines = [
            {
                "id": f"{number}",
                "documents": [
                    f"The ferry Agnes left port {number} at noon. It rained all day.",
                    f"Port {number} was closed after the storm. The ferry Agnes came back.",
                ],
                "summary": f"The ferry Agnes left port {number}. It came back.",
            }
            for number in range(first, last)
        ]
        (folder / "multi_news" / f"{split}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


@pytest.fixture
def request_of(data: Path, tmp_path: Path) -> Callable[..., Request]:
    def make(label: str, **given: object) -> Request:
        return Request(published().tables[label], data, tmp_path / "out", **{"changes": TINY, **given})

    return make


class Killed(BaseException):
    """What a kill leaves of a process: nothing that follows."""


def test_a_killed_training_goes_on_and_what_is_finished_is_not_made_again(request_of: Callable[..., Request]) -> None:
    """Two networks; the second is killed after its third step."""
    request = request_of("K10", rows=("w/o highlighting attention",))
    first, second = trainings_of([*jobs_of(request).values()])
    begun = []

    def kill(report: Report) -> None:
        if len(begun) == 2 and isinstance(report, Progress) and report.step == 3:
            raise Killed

    with pytest.raises(Killed):
        reproduce(request, Watching(say=begun.append, training=[kill]))
    assert begun == [f"Training {first.name}.", f"Training {second.name}."]
    assert first.finished
    assert not second.finished
    costs = costs_of([first, second])
    assert [cost.finished for cost in costs] == [True, False]
    assert costs[1].measured
    assert 0 < costs[1].steps <= 2
    weights = (first.folder / "weights.safetensors").stat()

    begun.clear()
    report = reproduce(request, Watching(say=begun.append))
    assert begun[0] == f"Training {second.name}."
    assert (first.folder / "weights.safetensors").stat() == weights
    steps = [json.loads(line) for line in (second.folder / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in steps if line["kind"] == "progress"] == [1, 2, 3, 4]

    model, linear, plain, alone = (report.results[place : place + 3] for place in range(0, 12, 3))
    assert all(one.ours is not None and one.ours.examples == 5 for one in (*model, *plain))
    assert {one.reason for one in (*linear, *alone)} == {"It was not asked for (--row)."}
    assert [one.published_difference for one in plain] == pytest.approx([-1.73, -1.93, -1.25])
    difference = plain[0].difference
    assert difference is not None
    assert difference.interval.mean == pytest.approx(plain[0].ours.mean - model[0].ours.mean)
    assert plain[0].verdict is not None
    assert report.signatures["ROUGE-SU*"].startswith("rouge|stem:yes")

    # The same networks serve another table, and an extractive system needs none: nothing is trained.
    begun.clear()
    again = reproduce(
        replace(request, table=published().tables["K3"], rows=("KPAT (Weighted)", "LexRank")), Watching(begun.append)
    )
    assert [line for line in begun if line.startswith("Training")] == []
    ours = {(one.figure.row.name, one.figure.column.name): one.ours for one in again.results}
    assert ours["CopyTransformer", "R-1"] == plain[0].ours
    assert ours["KPAT (Weighted)", "R-SU"] == model[2].ours
    assert ours["LexRank", "R-2"] is not None


def test_a_row_without_its_preset_or_its_corpus_is_shown_with_the_reason(
    request_of: Callable[..., Request], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PG-MMR learns from single texts, which this corpus has none of."""
    monkeypatch.setattr(plan, "names", lambda: [name for name in names() if name != "copy_transformer_small"])
    reasons = {trial.system: job.reason for trial, job in jobs_of(request_of("K3")).items()}
    assert reasons["copy_transformer"] == reasons["kpat"] == "There is no preset 'copy_transformer_small' yet."
    assert reasons["pointer_generator_coverage"] == reasons["lex_rank"] == ""
    assert reasons["pg_mmr"].startswith(f"{data} lacks the corpus cnn_dailymail")


def test_a_row_begins_with_weights_of_its_own_and_goes_on_when_it_was_killed(
    request_of: Callable[..., Request], data: Path
) -> None:
    """SAGCopy's published network begins with MASS; ours says that it began with random weights, or with which."""
    request = request_of("K3", rows=("SAGCopy",))
    plain = reproduce(request)
    assert "SAGCopy (ours from random weights)" in shown(plain, "text")
    assert plain.to_json()["began_with"] == {"SAGCopy": None}
    told = "SAGCopy: the published networks begin with MASS, ours with random weights; --init-from 'SAGCopy=FOLDER'"
    assert any(remark.startswith(told) for remark in plain.remarks)
    row = next(one for one in csv.DictReader(io.StringIO(shown(plain, "csv"))) if one["row"] == "SAGCopy")
    assert row["why"].endswith("ours from random weights")

    random, copying = trainings_of([*jobs_of(request).values()])
    assert random.recipe.system == "sagcopy_outdegree"
    own = replace(request, init_from={"SAGCopy": random.folder})
    begun, other = trainings_of([*jobs_of(own).values()])
    assert begun.name != random.name
    assert other.name == copying.name

    def kill(report: Report) -> None:
        if isinstance(report, Progress) and report.step == 3:
            raise Killed

    with pytest.raises(Killed):
        reproduce(own, Watching(training=[kill]))
    report = reproduce(own)
    card = read_card(begun.folder)
    steps = [json.loads(line) for line in (begun.folder / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in steps if line["kind"] == "progress"] == [1, 2, 3, 4]
    assert card["init_from"]["folder"] == str(random.folder)
    assert f"SAGCopy (ours from {card['init_from']['matched']} tensors in {random.folder})" in shown(report, "text")
    assert report.to_json()["began_with"] == {"SAGCopy": str(random.folder)}
    assert not any("random weights" in remark for remark in report.remarks)

    changes = [part for line in TINY for part in ("--set", line)]
    line = ["reproduce", "kpat", "table3", "--data", str(data), "--out", str(request.out), "--row", "SAGCopy", "--plan"]
    planned = CliRunner().invoke(app, [*line, *changes, "--init-from", f"SAGCopy={random.folder}"])
    assert f"SAGCopy: begins with {card['init_from']['matched']} tensors in {random.folder}" in planned.stdout
    planned = CliRunner().invoke(app, [*line, *changes])
    assert "SAGCopy: begins with random weights, the published network with MASS." in planned.stdout


def test_weights_to_begin_with_are_checked_before_anything_begins(request_of: Callable[..., Request]) -> None:
    """Nothing of a network of width 8 fits one of width 16, and pieces are not words."""
    request = request_of("K3", rows=("SAGCopy",))
    with pytest.raises(UnknownName, match=r"'KPAT'.*BertAbs.*BertExt"):
        replace(request, init_from={"KPAT": request.data})
    with pytest.raises(InputError, match="elsewhere"):
        replace(request, table=published().tables["M2"], rows=(), init_from={"MLS": request.data})
    with pytest.raises(InputError, match=rf"--init-from.*{request.data}"):
        jobs_of(replace(request, init_from={"SAGCopy": request.data}))
    narrow = replace(request, changes=(*TINY, "model.d_model=8", "model.num_heads=2", "training.max_steps=1"))
    reproduce(narrow)
    folder = next(one.folder for one in trainings_of([*jobs_of(narrow).values()]))
    made = {path for path in request.out.rglob("*") if path.is_dir()}
    with pytest.raises(InputError, match="--scale"):
        reproduce(replace(request, changes=(*TINY, "tokenizer.kind=words"), init_from={"SAGCopy": folder}))
    with pytest.raises(InputError, match=r"8 numbers.*16.*--scale"):
        reproduce(replace(request, init_from={"SAGCopy": folder}))
    assert {path for path in request.out.rglob("*") if path.is_dir()} == made


def test_a_tagger_selects_as_many_sentences_as_are_best_on_the_corpus(request_of: Callable[..., Request]) -> None:
    """BertExt's number is tuned once, on the validation examples of each corpus, and the report tells it."""
    changes = tuple(line for line in TINY if not line.startswith(("model.decoder", "training.rouge_examples")))
    request = request_of("K3", rows=("BertExt",), changes=changes)
    begun: list[str] = []
    report = reproduce(request, Watching(say=begun.append))
    tagger = next(one for one in trainings_of([*jobs_of(request).values()]) if one.recipe.system == "bert_ext")
    assert f"Tuning {tagger.name} on 3 validation examples." in begun
    (note,) = [line for line in report.remarks if line.startswith("bert_ext on multi_news: selection.num_sentences = ")]
    tuned = read_card(tagger.folder)["tuning"]["options"]["selection.num_sentences"]
    assert f"num_sentences = {tuned}, tuned on 3 examples" in note
    begun.clear()
    assert note in reproduce(request, Watching(say=begun.append)).remarks
    assert not [line for line in begun if line.startswith("Tuning")]


def test_statistics_are_counted(data: Path, request_of: Callable[..., Request]) -> None:
    """8 + 4 words of the first article, 7 + 5 of the second; summaries have 6 + 3."""
    counts = count("multi_news", data / "multi_news")
    assert {split: counts[split].statistic("pairs") for split in counts} == {"train": 9, "validation": 3, "test": 5}
    assert counts["test"].statistic("mean_source_words") == 24
    assert counts["test"].statistic("mean_target_words") == 9
    assert counts["train"].statistic("max_source_sentences") == 4
    report = reproduce(request_of("K1"))
    ours = [one.ours and one.ours.mean for one in report.results]
    assert ours == [17, 24, 9, None, None, None]
    assert {one.reason.partition(":")[0] for one in report.results[3:]} == {f"{data} lacks the corpus pubmed"}


def test_changes_decide_the_folder_and_networks_that_read_the_same_share_a_corpus(
    request_of: Callable[..., Request],
) -> None:
    model, linear, plain, alone = trainings_of([*jobs_of(request_of("K10")).values()])
    assert len({one.name for one in (model, linear, plain, alone)}) == 4
    assert {one.prepared for one in (model, linear, plain, alone)} == {model.prepared}
    other = trainings_of([*jobs_of(request_of("K10", changes=(*TINY, "seed=1"))).values()])
    assert not {one.name for one in other} & {one.name for one in (model, linear, plain, alone)}


@pytest.mark.parametrize("label", ["K8", "H1", "M2", "W3"])
def test_the_settings_of_every_row_resolve(label: str, request_of: Callable[..., Request]) -> None:
    request = replace(request_of(label, changes=()), scale="paper")
    for figure in request.table.figures():
        entry = published().systems[figure.find("system")]
        if figure.column == request.table.columns[0] and not entry.needs and entry.preset in names():
            corpus = request.table.corpus_of(figure)
            recipe_of(request, figure.find("system"), corpus, figure.settings).preset.check()


@pytest.mark.parametrize("system", [name for name, one in published().systems.items() if one.small in names()])
def test_the_network_of_every_system_can_be_built(system: str, data: Path, tmp_path: Path) -> None:
    """At the small scale, on a device without memory; whatever other networks it needs are named, not made."""
    request = Request(published().tables["K3"], data / "multi_news", tmp_path)
    preset = recipe_of(request, system, "multi_news").preset
    build_on_meta(preset, preset.section("tokenizer")["vocab_size"])


@pytest.mark.parametrize("system", ["bert_abs", "bert_ext", "sagcopy_outdegree", "pointer_generator"])
def test_a_network_has_positions_for_the_sources_of_the_corpus(system: str, request_of: Callable[..., Request]) -> None:
    """PubMed's sources have 1,000 tokens at the papers' scale; BERT and MASS have 512 positions."""
    request = replace(request_of("K4", changes=()), scale="paper")
    preset = recipe_of(request, system, "pubmed").preset
    assert preset.config.truncation.source == 1000
    assert preset.config.model.max_positions >= 1000


def test_a_network_that_begins_with_another_comes_after_it(data: Path, tmp_path: Path) -> None:
    """MLS writes its prototypes by a network that learned from news before it learned from stories."""
    for name in ("cnn_dailymail", "msr_narrative"):
        (tmp_path / "data" / name).mkdir(parents=True)
        lines = [json.dumps({"id": f"{n}", "text": f"The ferry {n} left.", "summary": f"Ferry {n}."}) for n in range(9)]
        for split in ("train", "test"):
            (tmp_path / "data" / name / f"{split}.jsonl").write_text("\n".join(lines))
    request = Request(published().tables["M2"], tmp_path / "data", tmp_path / "out", rows=("MLS",))
    jobs = jobs_of(request)
    news, stories, long_news, lengths = trainings_of([*jobs.values()])
    assert [one.recipe.system for one in (news, stories)] == ["mls_news", "mls_finetuned"]
    assert [one.corpus.name for one in (news, stories)] == ["cnn_dailymail", "msr_narrative"]
    assert [one.recipe.system for one in (long_news, lengths)] == ["length_controlled_news", "length_controlled"]
    assert [one.corpus.name for one in (long_news, lengths)] == ["cnn_dailymail", "msr_narrative"]
    assert lengths.recipe.folders == [f"training.init_from={long_news.folder}"]
    assert stories.tokenizer_of == news
    assert stories.recipe.folders == [f"training.init_from={news.folder}"]
    (mls,) = {job.recipe.folders[0] for job in jobs.values() if job.recipe and job.trial.system == "mls"}
    assert mls == f"prototype={stories.folder}"
    reasons = {trial.corpus: job.reason for trial, job in jobs.items() if trial.system == "mls"}
    assert reasons["msr_narrative"] == ""
    assert "lacks the corpus thinking_machines" in reasons["thinking_machines"]
    request = replace(request, table=published().tables["S2"], rows=("Bottom-Up*",))
    selector, writer, baseline = trainings_of([*jobs_of(request).values()])
    assert [one.recipe.system for one in (selector, writer, baseline)] == [
        "bottom_up_selector",
        "bottom_up",
        "mass_copy",
    ]
    assert (writer.tokenizer_of, selector.tokenizer_of) == (selector, None)


def test_the_small_scale_has_fewer_steps_and_the_rate_falls_in_them(request_of: Callable[..., Request]) -> None:
    request = request_of("K3", changes=())
    training = recipe_of(request, "kpat", "multi_news").preset.section("training")
    assert (training["max_steps"], training["schedule"]["end_step"]) == (2000, 2000)
    assert (
        recipe_of(replace(request, scale="paper"), "kpat", "multi_news").preset.section("training")["max_steps"]
        == 50_000
    )


def test_costs_are_said_as_estimates() -> None:
    costs = [
        Cost("kpat-1", "kpat_small", finished=True),
        Cost("kpat-2", "kpat_small with seed=1", False, 5000, 1.5, True, 40_000, 2.125),
        Cost("kpat-3", "kpat_small", False, 300, 2.0),
        Cost("seass-4", "seass", False, None, 0.5),
    ]
    assert list(map(str, costs)) == [
        "kpat-1 (kpat_small): trained already",
        "kpat-2 (kpat_small with seed=1): up to 5,000 steps, 2.1 times through 40,000 examples, at 1.5 s a step, "
        "measured: 2.08 h",
        "kpat-3 (kpat_small): up to 300 steps at 2 s a step, estimated: 10 min",
        "seass-4 (seass): an unknown number of steps at 0.5 s a step, estimated",
    ]
    assert in_all(costs) == "2.25 h and what is unknown"  # 7,500 s and 600 s


def test_costs_look_at_the_corpus(request_of: Callable[..., Request], data: Path) -> None:
    """24 and 9 words are 31.2 and 11.7 tokens; 3 · 4 of 9 examples are in a step, so that 8 epochs are 6 steps."""
    size = size_of(datasets.choose("multi_news"), data / "multi_news", None)
    assert size == Size(9, ((24, 9),) * 9)
    assert size_of(datasets.choose("multi_news"), data / "multi_news", 4).examples == 4
    assert size.lengths({"source": 40, "target": 20}) == pytest.approx((31.2, 11.7))
    assert size.lengths({"source": 20, "target": 10}) == (20, 10)
    assert Size().lengths({"source": 20, "target": 10}) == (20, 10)
    epochs = ("training.max_steps=none", "training.max_epochs=8", "training.batch_type=examples")
    accumulated = "training.gradient_accumulation_steps=4"
    request = request_of("K10", changes=(*TINY, *epochs, accumulated), rows=("w/o highlighting attention",))
    for cost in costs_of(trainings_of([*jobs_of(request).values()])):
        assert (cost.steps, cost.examples, cost.epochs) == (6, 9, 8)
        assert cost.settings.startswith("copy_transformer_small with ")
        assert accumulated in cost.settings


def test_a_plan_costs_nothing_and_makes_nothing(data: Path, tmp_path: Path) -> None:
    changes = [part for line in TINY for part in ("--set", line)]
    out = tmp_path / "out"
    line = ["reproduce", "kpat", "table10", "--data", str(data), "--out", str(out), "--plan", *changes]
    told = CliRunner().invoke(app, line)
    assert told.exit_code == 0, told.output
    assert "up to 4 steps" in told.stdout
    assert "4 of 4 networks are to be trained" in told.stdout
    named = r"kpat-\w{8} \(copy_transformer_small with model\.encoder\.attention\.kind=highlight, .*\.max_steps=4, "
    assert re.search(named, told.stdout)
    assert "times through 9 examples, at" in told.stdout
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kpta"], r"No paper 'kpta'\. Did you mean 'kpat'\?"),
        (["kpat", "tabel3"], r"No table 'tabel3'\. Did you mean 'table3'\?"),
        (["kpat", "table4", "--data", "DATA"], "DATA lacks the corpus pubmed: there is neither a folder"),
        (["kpat", "table3", "--data", "DATA/nowhere"], "There is no .*nowhere; --data is the folder"),
        (["kpat", "table3", "--data", "DATA", "--scale", "tiny"], "No scale 'tiny'"),
        (["kpat", "table3", "--data", "DATA", "--part", "dev"], "no dev data; it has train, validation, test"),
        (["kpat", "table3", "--data", "DATA", "--row", "KPAT"], r"No row of K3 'KPAT'\."),
        (["kpat", "table3", "--data", "DATA", "--set", "model.width=3"], "no option 'width'"),
        (["kpat", "table3", "--format", "html"], "No format 'html'"),
        (
            ["kpat", "table3", "--data", "DATA", "--init-from", "SAGCopy"],
            "names no row and its folder: --init-from ROW",
        ),
        (["kpat", "table3", "--data", "DATA", "--init-from", "A=1", "--init-from", "A=2"], "the row A twice: 1 and 2"),
        (["kpat", "table3", "--data", "DATA", "--init-from", "SAGcopy=x"], r"Did you mean 'SAGCopy'\?"),
        (["kpat", "table3", "--init-from", "SAGCopy=x"], "--init-from needs --data"),
        (["kpat", "table3", "--row", "KPAT"], "--row needs --data"),
    ],
)
def test_a_mistake_gets_a_sentence(arguments: list[str], message: str, data: Path) -> None:
    result = CliRunner().invoke(app, ["reproduce", *(one.replace("DATA", str(data)) for one in arguments)])
    assert isinstance(result.exception, NutgrafError), result.output
    with pytest.raises(NutgrafError, match=message.replace("DATA", str(data))):
        raise result.exception


def test_a_list_of_tables_and_a_table_alone() -> None:
    listed = CliRunner().invoke(app, ["reproduce", "mls"]).stdout.splitlines()
    tables = [[f"table{number}", f"M{number}"] for number in range(1, 5)]
    others = [["text", "M5"], ["figure5", "M6"], ["section3.1.2", "M7"]]
    assert [line.split()[:2] for line in listed] == [*tables, *others]
    table = CliRunner().invoke(app, ["reproduce", "mls", "M4", "--format", "csv"]).stdout
    assert table.endswith("M4,D2 Duration (s),FC (full content),132.86,,,,,,,,,,\n")
    papers = CliRunner().invoke(app, ["reproduce"])
    assert papers.exit_code == 0
    assert [line.split()[0] for line in papers.stdout.splitlines()] == [*published().papers]


def test_the_corpus_itself_may_be_named(data: Path, request_of: Callable[..., Request]) -> None:
    request = request_of("K3")
    assert request.corpus("multi_news") == data / "multi_news"
    assert replace(request, data=data / "multi_news").corpus("multi_news") == data / "multi_news"
    with pytest.raises(UnknownName):
        replace(request, rows=("KPAT",))
