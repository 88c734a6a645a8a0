"""Networks without torch, one of which can be done by hand; see tests/tiny_networks.py."""

from __future__ import annotations

import hashlib
import json
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

import tiny_networks
from nutgraf.errors import MissingPackage, UnknownName
from nutgraf.inference import Reading, TextEncoder, find_network, installed_networks, lacking, open_network
from nutgraf.inference import installed as module

THE, FERRY, LEFT, S, END = 5, 6, 7, 8, 3


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_networks.write(tmp_path / "tiny")


def test_text_becomes_the_pieces_that_the_network_learned(folder: Path) -> None:
    words = open_network(folder).words
    found = words.encode("The FERRYS left")
    assert found.ids == (THE, FERRY, S, LEFT)
    assert found.spans == ((0, 3), (4, 9), (9, 10), (11, 15))
    assert words.row([THE], [FERRY]) == [2, THE, END, FERRY, END]
    assert words.segments(np.array([2, THE, END, FERRY, END])).tolist() == [0, 0, 0, 1, 1]


def test_logits_are_those_done_by_hand(folder: Path) -> None:
    network = open_network(folder)
    row, other = network.words.row([THE, FERRY], [LEFT, S]), network.words.row([FERRY])
    items = [
        [[(0, 1, 3)], [(0, 4, 6)]],  # the means of 5, 6 and of 107, 108
        [[(0, 1, 2), (1, 1, 2)], []],  # a span in two rows, and one without pieces: 5.5 and 0
    ]
    features = np.array([[0.25], [-1.0]], dtype=np.float32)
    reading = Reading([row, other], items, features)
    assert network.vectors(reading).tolist() == [[5.5, -5.5, 107.5, 92.5], [5.5, -5.5, 0, 0]]
    assert network.logits(reading).tolist() == [[113.25], [4.5]]
    assert network.judged(network.vectors(reading), features).tolist() == [[113.25], [4.5]]
    assert network.logits(Reading([row], [], features[:0])).shape == (0, 1)


def test_a_row_that_is_too_long_and_items_that_do_not_fit_are_refused(folder: Path) -> None:
    network = open_network(folder)
    row = network.words.row([THE] * 20)
    with pytest.raises(ValueError, match="12"):
        network.vectors(Reading([row], [[[(0, 0, 1)], []]]))
    with pytest.raises(ValueError, match="2 spans"):
        network.vectors(Reading([row], [[[(0, 0, 1)]]]))
    with pytest.raises(ValueError, match="features"):
        network.logits(Reading([row[:5]], [[[(0, 0, 1)], []]]))


def test_threads_and_a_copy_change_nothing(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    draw = np.random.default_rng(0)
    rows = [draw.integers(4, 10, int(size)).tolist() for size in draw.integers(1, 12, 40)]
    items = [[[(number, 0, len(row))], [(number, 0, 1)]] for number, row in enumerate(rows)]
    reading = Reading(rows, items, np.zeros((40, 1), dtype=np.float32))
    found = [open_network(folder).logits(reading), open_network(tmp_path / "copy").logits(reading)]
    found.append(open_network(folder, threads=2).logits(reading))
    assert all((one == found[0]).all() for one in found)


def test_files_that_networks_share_may_lie_in_the_encoder_beside(folder: Path, tmp_path: Path) -> None:
    beside = tmp_path / "encoder"
    beside.mkdir()
    for name in ("words.npy", "word_scales.npy", "tokenizer.json"):
        (folder / name).rename(beside / name)
    assert open_network(folder).words.encode("ferry").ids == (FERRY,)


def test_vectors_of_texts_have_length_one_and_forget_what_is_too_long(tmp_path: Path) -> None:
    folder = tiny_networks.write(tmp_path / "encoder", task="vectors", spans=0, features=0, classes=[])
    (folder / "head.onnx").unlink()
    tiny_networks.sign(folder, task="vectors", spans=0, features=0, classes=[])
    found = TextEncoder(open_network(folder)).vectors(["the ferry", "the " * 100, ""])
    assert found.shape == (3, 2)
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1, 1])


def test_memory_does_not_grow_with_the_number_of_readings(folder: Path) -> None:
    network = open_network(folder)
    draw = np.random.default_rng(0)

    def read(count: int) -> None:
        for size in draw.integers(1, 12, count):
            row = draw.integers(4, 10, int(size)).tolist()
            network.logits(Reading([row], [[[(0, 0, 1)], []]], np.zeros((1, 1), dtype=np.float32)))

    read(500)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    read(5_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4_000


def test_a_network_needs_neither_torch_nor_transformers(folder: Path) -> None:
    code = (
        "import sys\nfrom nutgraf.inference import Reading, open_network\n"
        f"network = open_network({str(folder)!r})\nnetwork.vectors(Reading([[2, 5, 3]], [[[(0, 0, 3)], []]]))\n"
        "print(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"torch", "transformers", "onnx"}.isdisjoint(ran.stdout.split())


def test_installed_networks_are_found_without_an_import(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PACKAGE", "tiny_minilm")
    assert (installed_networks(), find_network("checker")) == ({}, None)
    assert module.INSTALL in str(lacking("checker", "With its checker, more is known"))
    with pytest.raises(MissingPackage, match="minilm"):
        open_network("checker")
    package = tmp_path / "tiny_minilm"
    shutil.copytree(folder, package / "checker")
    (package / "__init__.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert installed_networks() == {"checker": package / "checker"}
    assert find_network("checker") == package / "checker"
    assert lacking("checker", "…") is None
    assert open_network("checker").card.title == "Tiny"
    with pytest.raises(UnknownName, match="checker"):
        open_network("chequer")


def test_the_digests_of_a_card_are_those_of_its_files(folder: Path) -> None:
    card = json.loads((folder / "card.json").read_text())
    assert card["files"]["words.npy"] == hashlib.sha256((folder / "words.npy").read_bytes()).hexdigest()
