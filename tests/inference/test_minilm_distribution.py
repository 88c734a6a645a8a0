"""The distribution nutgraf-minilm: its networks open, and say what they learned from."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

from nutgraf.inference import Network, open_encoder, open_network

ROOT = Path(__file__).resolve().parents[2] / "models" / "minilm"
PACKAGE = ROOT / "src" / "nutgraf_minilm"
NETWORKS = sorted(path.parent.name for path in PACKAGE.glob("*/card.json"))

CLOSED = {
    "pubmed",
    "qmsum",
    "neus",
    "multi_news",
    "klexikon",
    "tweetsumm",
    "litl",
    "monli",
    "frank",
    "cliff",
    "goyal21",
}
"""Sets that nothing may learn from that ships."""

LARGEST_FILE, LARGEST = 50e6, 60e6
"""Bytes of a file, and of all; with onnxruntime and tokenizers, which have 31 MB, there are less than 90 MB."""


@pytest.fixture(scope="module", params=NETWORKS)
def network(request: pytest.FixtureRequest) -> Network:
    return open_network(PACKAGE / request.param)


def test_the_encoder_is_there() -> None:
    assert "encoder" in NETWORKS


def test_each_network_says_what_it_began_with_and_learned_from(network: Network) -> None:
    sources = {one.name: one.licence for one in network.card.sources}
    assert "all-MiniLM-L6-v2" in sources
    assert all(sources.values())
    assert CLOSED.isdisjoint(sources)
    assert network.card.licence.startswith("Apache-2.0")
    assert not any("/" in command.split(" --set ")[0].removeprefix("nutgraf ") for command in network.card.commands)


def test_files_are_small_enough() -> None:
    sizes = [path.stat().st_size for path in PACKAGE.rglob("*") if path.is_file()]
    assert max(sizes) < LARGEST_FILE
    assert sum(sizes) < LARGEST


def test_texts_of_one_content_are_near() -> None:
    texts = [
        "The ferry left the harbour at noon.",
        "At midday the boat departed.",
        "The bank raised its interest rates.",
    ]
    first, second, third = open_encoder(PACKAGE / "encoder").vectors(texts)
    assert first @ second > 0.5
    assert first @ third < 0.3


def test_the_licences_travel_with_the_weights() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "Apache-2.0"
    assert all((ROOT / name).is_file() for name in project["license-files"])
