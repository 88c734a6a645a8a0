"""Options that are given twice, or that say what another one says: nothing counts for nothing without a word."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from nutgraf.cli.app import app, commands
from nutgraf.errors import NutgrafError

EXAMPLES = Path(__file__).parents[2] / "examples"
ISLAND, NOTICES = EXAMPLES / "island.txt", EXAMPLES / "notices.jsonl"


def run(line: str) -> Result:
    return CliRunner().invoke(app, line.replace("ISLAND", str(ISLAND)).replace("NOTICES", str(NOTICES)).split())


def test_every_option_that_takes_a_list_with_commas_may_be_repeated() -> None:
    listing = {
        f"{name} {parameter.opts[-1]}": parameter.multiple
        for name, command in commands().items()
        for parameter in command.params
        if parameter.param_type_name == "option" and "commas" in (parameter.help or "")
    }
    assert listing == dict.fromkeys(
        ["score --metrics", "evaluate --metrics", "evaluate --centrality", "judge plan --judges"], True
    )


@pytest.mark.parametrize(
    ("apart", "together"),
    [
        ("score -H NOTICES --metrics rouge --metrics meteor", "score -H NOTICES --metrics rouge,meteor"),
        (
            "evaluate lead --data NOTICES --sentences 1 --metrics novelty,rouge --metrics meteor --metrics rouge",
            "evaluate lead --data NOTICES --sentences 1 --metrics novelty,rouge,meteor",
        ),
        (
            "judge plan --win 0.5 --lose 0.2 --studies 10 --judges 4 --judges 11,4",
            "judge plan --win 0.5 --lose 0.2 --studies 10 --judges 4,11",
        ),
    ],
)
def test_repeated_lists_add_up(apart: str, together: str) -> None:
    both, one = run(apart), run(together)
    assert both.exit_code == one.exit_code == 0, both.output
    assert both.stdout == one.stdout
    assert "more than once" not in both.stderr


def test_an_option_and_its_opposite_are_told() -> None:
    result = run("score -H NOTICES --stem --no-stem --stem --stem")
    assert "--no-stem" in result.stderr
    assert "|stem:yes|" in result.stdout
    assert "were given" not in run("score -H NOTICES --stem --stem").stderr


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("summarize ISLAND --seed 3 --set seed=4", "--seed and --set seed=… set the same; leave out one of them."),
        ("batch NOTICES --out nowhere --seed 3 --set seed=4", "--seed and --set seed=… set the same"),
        ("batch NOTICES --out nowhere --language en --set dataset.language=de", "--language and --set dataset.lang"),
        ("score -H NOTICES --no-stem --set rouge.stem=true", "--stem and --set rouge.stem=… set the same"),
        ("evaluate lead --data NOTICES --stem --set rouge.stem=false", "--stem and --set rouge.stem=… set the same"),
        (
            "train copy_transformer_small --data NOTICES --out x --threads 2 --set training.threads=3 "
            "--set training.max_steps=1",
            "--threads and --set training.threads=… set the same",
        ),
        ("evaluate lead --data NOTICES --set dataset.kind=pubmed", "--kind names the data set; write --kind pubmed,"),
        ("evaluate lead --data NOTICES --fresh", "--fresh begins anew in a folder that holds an evaluation; name it "),
        ("judge report nowhere --json --format csv", "--json is --format json; leave out --json or --format csv."),
        ("tune mls_plus --data NOTICES -o x.toml --set dataset.kind=csv", "--kind names the data set; write --kind cs"),
        ("batch NOTICES --out nowhere --set dataset.kind=pubmed", "--kind names the data set; write --kind pubmed,"),
    ],
)
def test_two_ways_to_set_the_same_are_a_mistake(
    line: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(line)
    assert isinstance(result.exception, NutgrafError), result.output
    assert sentence in str(result.exception)
