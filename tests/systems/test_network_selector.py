"""The network that is installed as a selector: what it reads, and how a summary says that it was asked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

import tiny_networks
from nutgraf import load
from nutgraf.errors import InputError
from nutgraf.extractive.traits import WIDTH
from nutgraf.inference import installed
from nutgraf.systems._selector import CLASSES, LONGEST, TASK, NetworkSelector
from nutgraf.text.document import Document
from nutgraf.text.summary import Summary

TEXT = (
    "The ferry left. Ferries sail daily from Kirkwall. Nobody left the ferry. We show that the ferry, the ferry left."
)

ASKING = {
    "extractive.genre": "article",
    "extractive.article.kind": "weighted_coverage",
    "extractive.article.selector_weight": 1.0,
}


def write(folder: Path) -> Path:
    """A network whose logit is the mean number of a sentence's word pieces."""
    tiny_networks.write(folder)
    inputs = {"vectors": ("float", ["n", 2]), "features": ("float", ["n", WIDTH])}
    constants = {
        "weights": np.array([[1], [0]], dtype=np.float32),
        "nothing": np.zeros((WIDTH, 1), dtype=np.float32),
    }
    nodes = [
        tiny_networks.node("MatMul", ["vectors", "weights"], "product"),
        tiny_networks.node("MatMul", ["features", "nothing"], "none"),
        tiny_networks.node("Add", ["product", "none"], "logits"),
    ]
    graph = tiny_networks.model(nodes, constants, inputs, ["logits"])
    (folder / "head.onnx").write_bytes(graph.SerializeToString())
    tiny_networks.sign(folder, spans=1, features=WIDTH, longest=LONGEST, task=TASK, classes=CLASSES)
    return folder


def summary(options: dict[str, object]) -> Summary:
    return load("adaptive", options)(TEXT, sentences=1)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed distribution with that network."""
    folder = tmp_path / "fleet_of_networks"
    folder.mkdir()
    (folder / "__init__.py").touch()
    write(folder / "selector")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(installed, "PACKAGE", folder.name)
    return folder


def test_each_sentence_is_rated_by_what_was_read_of_it(tmp_path: Path) -> None:
    selector, document = NetworkSelector(write(tmp_path / "selector")), Document.of(TEXT, language="en")
    said = selector(document, np.ones(len(document.sentences)))
    assert said is not None
    the, ferry, left, unknown, stop = 5, 6, 7, 1, 9
    assert said[0] == pytest.approx(np.mean([the, ferry, left, stop]))
    assert said[1] == pytest.approx(np.mean([unknown] * 5 + [stop]))
    assert said[2] == pytest.approx(np.mean([unknown, left, the, ferry, stop]))


def test_it_reads_windows_of_a_long_text_alike(tmp_path: Path) -> None:
    selector = NetworkSelector(write(tmp_path / "selector"))
    document = Document.of(" ".join([TEXT] * 40), language="en")
    said = selector(document, np.ones(len(document.sentences)))
    assert said is not None
    assert len(said) == len(document.sentences)
    assert said[: len(said) // 2] == pytest.approx(said[len(said) // 2 :])


@pytest.mark.parametrize("change", [{"task": "pairs"}, {"classes": CLASSES[::-1]}, {"longest": LONGEST - 1}])
def test_a_network_for_something_else_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    folder = write(tmp_path / "selector")
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    (folder / "card.json").write_text(json.dumps({**card, **change}), encoding="utf-8")
    with pytest.raises(InputError, match="selection"):
        NetworkSelector(folder)(Document.of(TEXT, language="en"), np.ones(4))


def test_a_text_in_another_language_is_not_read(tmp_path: Path) -> None:
    document = Document.of("Die Fähre ist weg. Sie fährt täglich.", language="de")
    assert NetworkSelector(tmp_path)(document, np.ones(2)) is None


def test_a_text_that_is_too_long_is_passed_over_with_a_notice(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert NetworkSelector(package / "selector").passes_over(Document.of(TEXT, language="en")) is None
    monkeypatch.setattr("nutgraf.systems._selector.MOST_WORDS", 10)
    [notice] = (one for one in summary(ASKING).notices if "network" in one)
    assert notice == (
        "The network that rates sentences read none of this text, which has 20 words: it reads up to 10. The summary "
        "is made without it."
    )


def test_a_summary_says_which_network_was_asked(package: Path) -> None:
    plain = summary({**ASKING, "extractive.selector": "none"})
    asked = summary(ASKING)
    assert "selector:" not in plain.signature
    [told] = [part for part in asked.signature.split("|") if part.startswith("selector:")]
    card = json.loads((package / "selector" / "card.json").read_text())
    tiny_networks.sign(package / "selector", **{**card, "title": "Another one"})
    again = summary(ASKING)
    assert told not in again.signature.split("|")


def test_a_method_that_asks_nobody_says_nothing_of_it(package: Path) -> None:
    assert "selector:" not in load("lead")(TEXT, sentences=1).signature


def test_without_an_installed_network_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "PACKAGE", "no_networks_here")
    assert "selector:" not in summary(ASKING).signature
