"""`nutgraf tune`, from the outside."""

import json

import pytest
from typer.testing import CliRunner

import nutgraf
from nutgraf.cli.app import app
from nutgraf.errors import InputError, OutputError, UnknownName
from nutgraf.systems import read_preset as read

TEXT = "The {0} is old. Nobody knows who built the {0}. People like the {0} all the same. It has been mended twice."


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "towns.jsonl"
    lines = [{"text": TEXT.format(noun), "summary": f"People like the old {noun}."} for noun in ("bridge", "tower")]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["tune", *map(str, arguments)])


def test_the_best_weights_become_a_preset(data, tmp_path):
    output = tmp_path / "tuned.toml"
    result = run("mls_plus", "--data", data, "--step", 1, "--share", "1/2", "-o", output)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "best weights" in result.stderr
    weights = [kernel["weight"] for kernel in read(output).table["magnifier"]["kernels"].values()]
    assert sum(weights) == 1
    head = output.read_text().splitlines()[:2]
    assert head[0] == "# Weights tuned on 2 examples of towns.jsonl, among 6 of a grid."
    assert "1/2: " in head[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["towns.jsonl", "tuned.toml"]
    assert nutgraf.load(output)(TEXT.format("mill"), words=10).words <= 10


def test_what_was_set_stays_set(data, tmp_path):
    output = tmp_path / "tuned.toml"
    sets = [
        "prototype=lead",
        "magnifier.fill=false",
        "magnifier.kernels.topics.topics=5",
        "magnifier.expansion_sizes=[2]",
    ]
    options = [option for one in sets for option in ("--set", one)]
    assert run("mls_plus", "--data", data, "--step", 1, "-o", output, *options).exit_code == 0
    tuned = read(output).table
    assert tuned["prototype"] == "lead"
    assert tuned["magnifier"]["fill"] is False
    assert tuned["magnifier"]["expansion_sizes"] == [2]
    assert tuned["magnifier"]["kernels"]["topics"]["topics"] == 5
    assert nutgraf.load(output)(TEXT.format("mill"), words=10).words <= 10


def test_a_preset_of_ones_own_is_tuned_from_anywhere(data, tmp_path):
    (tmp_path / "mine.toml").write_text('extends = "mls_plus"\nprototype = "lead"\n')
    (tmp_path / "elsewhere").mkdir()
    output = tmp_path / "elsewhere" / "tuned.toml"
    assert run(tmp_path / "mine.toml", "--data", data, "--step", 1, "-o", output).exit_code == 0
    assert read(output).table["prototype"] == "lead"


def test_quiet(data, tmp_path):
    result = run("mls_plus", "--data", data, "--step", 1, "--limit", 1, "-o", tmp_path / "tuned.toml", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "mistake", "message"),
    [
        (["lead", "-o", "tuned.toml"], InputError, "no weights to tune"),
        (["mls_pluss", "-o", "tuned.toml"], UnknownName, "No preset 'mls_pluss'"),
        (["mls_plus", "-o", "tuned"], OutputError, "write tuned.toml"),
        (["mls_plus", "-o", "no/tuned.toml"], OutputError, "no folder"),
        (["mls_plus", "-o", "tuned.toml", "--step", "0.3"], InputError, "The step must divide 1"),
        (["mls_plus", "-o", "tuned.toml", "--step", "0"], InputError, "The step must divide 1"),
        (["mls_plus", "-o", "tuned.toml", "--step", "nan"], InputError, "The step must divide 1"),
        (["mls_plus", "-o", "tuned.toml", "--step", "1e-300"], InputError, "0.01 at least"),
        (["mls_plus", "-o", "tuned.toml", "--query", "whale"], InputError, "no example"),
    ],
)
def test_mistakes_leave_nothing_behind(data, tmp_path, monkeypatch, arguments, mistake, message):
    monkeypatch.chdir(tmp_path)
    exception = run(*arguments, "--data", data).exception
    assert isinstance(exception, mistake)
    assert message in str(exception)
    assert [path.name for path in tmp_path.iterdir()] == ["towns.jsonl"]
