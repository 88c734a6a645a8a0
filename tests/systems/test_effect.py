"""What highlights did to a summary is part of it, for every system."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

import nutgraf
from nutgraf.cli.app import app
from nutgraf.errors import InputError
from nutgraf.systems import System

TEXT = (
    "The storm closed the harbour for two days. The storm sank three boats. A new mill opened on Friday. "
    "Boats were counted after each storm by the harbour."
)


@pytest.fixture(scope="module")
def system() -> System:
    return nutgraf.load("sum_basic")


def test_each_highlight_is_counted(system: System) -> None:
    made = system(TEXT, sentences=2, highlights=["new mill:9", "storm"])
    assert made.effect is not None
    assert [(one.phrase, one.weight, one.times, one.before) for one in made.effect.mentions] == [
        ("new mill", 9.0, 1, None),
        ("storm", 1.0, 1, None),
    ]
    assert (made.effect.coverage, made.effect.coverage_before, made.effect.unsteered) == (1.0, None, None)


def test_the_summary_without_highlights_stands_beside_it(system: System) -> None:
    made = system(TEXT, sentences=1, highlights=["new mill:9"], compare=True)
    plain = system(TEXT, sentences=1)
    effect = made.effect
    assert effect is not None
    assert made.text == "A new mill opened on Friday."
    assert effect.unsteered == plain.said
    assert (effect.mentions[0].times, effect.mentions[0].before) == (1, 0)
    assert (effect.coverage, effect.coverage_before) == (1.0, 0.0)
    found = effect.difference(made.said)
    assert found is not None
    assert found.distance > 0.5
    again = nutgraf.Summary.loads(made.dumps(), made.document)
    assert again.effect == effect


def test_a_question_steers_both(system: System) -> None:
    asked = {"sentences": 1, "query": "What opened on Friday?"}
    made = system(TEXT, highlights=["boats:0.1"], compare=True, **asked)
    assert made.effect is not None
    assert made.effect.unsteered == system(TEXT, **asked).said


def test_many_are_compared_one_by_one(system: System) -> None:
    first, second = system.many([TEXT, "Nothing here."], sentences=1, highlights=["new mill:9"], compare=True)
    assert isinstance(first, nutgraf.Summary)
    assert isinstance(second, nutgraf.Summary)
    assert first.effect is not None
    assert first.effect.coverage_before == 0.0
    assert second.effect is None


def test_without_highlights_there_is_nothing_to_compare(system: System) -> None:
    assert system(TEXT).effect is None
    with pytest.raises(InputError, match="name one"):
        system(TEXT, compare=True)
    mistake = CliRunner().invoke(app, ["summarize", "x.txt", "--compare"]).exception
    assert "--compare" in str(mistake)


def test_the_command_shows_both(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "storm.txt").write_text(TEXT)
    options = ["--system", "sum_basic", "--sentences", "1", "--highlight", "new mill:9", "--compare"]
    result = CliRunner().invoke(app, ["summarize", str(tmp_path / "storm.txt"), *options])
    lines = result.stdout.splitlines()
    assert lines[0] == "A new mill opened on Friday."
    assert lines[2] == "highlight  new mill: 1 time in the summary, 0 without highlights"
    assert lines[3].startswith("differs in ")
    assert lines[4] == "   [-Boats were counted after each storm by the harbour.-]"
    assert lines[5] == "   {+A new mill opened on Friday.+}"
