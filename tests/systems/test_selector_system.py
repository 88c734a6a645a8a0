"""A selector as a system: trained on a few notices, it selects sentences within a length, and says where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import nutgraf  # noqa: E402
from nutgraf.errors import BudgetError, PresetError  # noqa: E402
from nutgraf.systems import System  # noqa: E402
from nutgraf.training.run import train  # noqa: E402
from tiny_network import NOTICES  # noqa: E402
from tiny_spans import WRITE, tiny_spans  # noqa: E402

LONG = "\n\n".join(text for text, _ in NOTICES * 4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("selector")
    WRITE["selector"](place / "corpus")
    windows = {"task.longest": 40, "task.longest_sentence": 30}
    train(tiny_spans("selector", **windows), place / "corpus", place / "out")
    return place / "out"


@pytest.fixture(scope="module")
def system(folder: Path) -> System:
    return nutgraf.load(folder)


def test_a_summary_has_sentences_as_they_stand_with_their_places(system: System) -> None:
    summary = system(LONG, words=30)
    assert 0 < summary.words <= 30
    for sentence in summary.sentences:
        (origin,) = sentence.origins
        assert LONG[origin.start : origin.end] == sentence.text
        assert sentence.operation == "copied"


@pytest.mark.parametrize("length", [{"sentences": 2}, {"share": "1/4"}, {"characters": 200}, {}])
def test_lengths_hold(system: System, length: dict[str, object]) -> None:
    summary = system(LONG, **length)
    assert summary.sentences
    if "sentences" in length:
        assert len(summary.sentences) == 2
    if "characters" in length:
        assert len(str(summary)) <= 200


def test_too_short_a_budget_is_told(system: System) -> None:
    with pytest.raises(BudgetError):
        system(LONG, words=1)


def test_highlights_and_questions_move_sentences_up(system: System) -> None:
    assert "piano" in str(system(LONG, words=30, highlights=["piano:9"]))
    assert "bearings" in str(system(LONG, words=30, query="Where was rust found?"))


def test_several_documents_are_read_as_several(system: System) -> None:
    summary = system([text for text, _ in NOTICES], words=40)
    for sentence in summary.sentences:
        (origin,) = sentence.origins
        assert NOTICES[origin.source][0][origin.start : origin.end] == sentence.text


def test_a_reloaded_folder_gives_the_same(folder: Path, system: System) -> None:
    again = nutgraf.load(folder, threads=1)
    assert again(LONG, words=30).signature == system(LONG, words=30).signature
    assert str(again(LONG, words=30)) == str(system(LONG, words=30))


@pytest.mark.parametrize("name", ["checker", "editor"])
def test_what_summarizes_nothing_says_what_it_is_for(name: str, tmp_path: Path) -> None:
    WRITE[name](tmp_path / "corpus")
    train(tiny_spans(name, **{"training.max_steps": 1}), tmp_path / "corpus", tmp_path / "out")
    with pytest.raises(PresetError, match=name) as trained:
        nutgraf.load(tmp_path / "out")
    assert "nutgraf train" not in str(trained.value)
    with pytest.raises(PresetError, match=f"train {name} "):
        nutgraf.load(name)
