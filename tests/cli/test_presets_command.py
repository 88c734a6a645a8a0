"""`nutgraf presets`, from the outside."""

import json

import pytest
from typer.testing import CliRunner

from nutgraf import presets, systems
from nutgraf.cli.app import app
from nutgraf.errors import UnknownName


def run(*arguments, width=200):
    return CliRunner().invoke(app, ["presets", *arguments], env={"COLUMNS": str(width)})


def test_lists_every_preset_with_what_it_is():
    output = run().stdout
    for name in presets.names():
        assert name in output
        assert systems.read_preset(name).table["title"] in output


def test_networks_stand_apart_and_say_how_they_are_made():
    ready, networks = run().stdout.split("nutgraf train NAME --data DATA --out FOLDER")
    assert "mls_plus" in ready
    assert "kpat" in networks
    assert "R-1 45.30" in networks
    assert "kpat" not in ready


def test_systems_of_a_paper_stand_together_under_its_name():
    output = run().stdout
    for paper, first, second in (
        ("See, Liu and Manning 2017", "pointer_generator", "pointer_generator_coverage"),
        ("Self-Attention Guided Copy Mechanism", "sagcopy_indegree_1", "sagcopy_outdegree"),
        ("Amaravarapu and Khare 2021", "lstm_transformer_selective", "selective"),
    ):
        rest = output[output.index(paper) :]
        assert rest.index(f"{first} ") < rest.index(f"{second} ")
    assert "Of no paper" in output


def test_a_narrow_terminal_is_wide_enough():
    assert all(len(line) <= 60 for line in run(width=60).stdout.splitlines())


def test_json_has_every_preset_whole():
    data = json.loads(run("--json").stdout)
    assert data == {name: systems.read_preset(name).table for name in presets.names()}


@pytest.mark.parametrize("name", presets.names())
def test_one_preset_is_shown_as_a_file_that_would_make_it(name, tmp_path):
    path = tmp_path / "shown.toml"
    path.write_text(run(name).stdout)
    assert systems.read_preset(path).table == systems.read_preset(name).table


def test_one_preset_as_json():
    assert json.loads(run("mls_plus", "--json").stdout) == systems.read_preset("mls_plus").table


def test_a_preset_of_ones_own_is_shown_with_what_it_extends(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('extends = "lead"\n[selection]\nnum_sentences = 5\n')
    output = run(str(path)).stdout
    assert 'kind = "lead"' in output
    assert "sentences = 5" in output


def test_a_name_that_is_not_there():
    assert isinstance(run("mls_pluss").exception, UnknownName)
