"""Folders of transformers that are damaged: each command that takes one ends with status 2 and a sentence about it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tiny_network import NOTICES

pytest.importorskip("transformers")

import torch
from typer.testing import CliRunner

from nutgraf.cli.app import app
from nutgraf.errors import InputError, NutgrafError
from nutgraf.model.library_errors import told
from nutgraf.model.pretrained_folder import configuration_of
from tiny_checkers import pairs
from tiny_pretrained import untrained

SUMMARY = "The ferry left at noon. Nobody was hurt."

COMMANDS = {
    "check": ("checker", "check text.txt text.txt --checker given"),
    "export": ("writer", "export given --to ctranslate2 --out out"),
    "train": (
        "writer",
        "train bart_kpat --data corpus.jsonl --out out --set model.folder=given --set truncation.source=60 "
        "--set truncation.target=40 --set keyphrases.tagger=content --set training.threads=1 "
        "--set training.precision=fp32",
    ),
}
"""Commands by their names, each with the model that it takes."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that writes, one that checks, a text and a corpus."""
    folder = tmp_path_factory.mktemp("bad_folders")
    untrained(folder / "writer", "BartForConditionalGeneration")
    pairs(folder / "checker", [SUMMARY], "noon", ("contradiction", "entailment", "neutral"), 1)
    (folder / "text.txt").write_text(SUMMARY)
    lines = [json.dumps({"documents": [text], "summary": " ".join(summary)}) for text, summary in NOTICES]
    (folder / "corpus.jsonl").write_text("\n".join(lines))
    return folder


def says(file: str, **change: Any) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        content = json.loads((folder / file).read_text())
        (folder / file).write_text(json.dumps({**content, **change}))

    return damage


def holds(change: Callable[[dict[str, torch.Tensor], str], Any]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        from safetensors.torch import load_file, save_file

        tensors = load_file(folder / "model.safetensors")
        change(tensors, min(name for name in tensors if name.endswith(("k_proj.weight", "key.weight"))))
        save_file(tensors, folder / "model.safetensors", {"format": "pt"})

    return damage


def cut(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-900])


def refusal(line: str) -> str:
    """Run a command that ends with status 2, and return what it says."""
    with pytest.raises(NutgrafError) as caught:
        CliRunner().invoke(app, line.split(), catch_exceptions=False)
    return str(caught.value)


class TestDamagedFolders:
    @pytest.fixture(params=COMMANDS)
    def refused(self, request, place, tmp_path, monkeypatch) -> Callable[..., str]:
        """Runs a command on a folder that was damaged, and returns what it says."""
        model, line = COMMANDS[request.param]
        shutil.copytree(place / model, tmp_path / "given")
        for name in ("text.txt", "corpus.jsonl"):
            shutil.copyfile(place / name, tmp_path / name)
        monkeypatch.chdir(tmp_path)

        def run(damage: Callable[[Path], object]) -> str:
            damage(Path("given"))
            return refusal(line)

        return run

    @pytest.mark.parametrize(
        ("damage", "sentence"),
        [
            (lambda folder: (folder / "config.json").write_text("{"), "config.json is not a configuration of a model"),
            (says("config.json", d_model="x", hidden_size="x"), "given cannot be loaded: Validation error for field"),
            (says("config.json", vocab_size=10**7), "given lacks weights"),
            (says("config.json", max_position_embeddings=10**9), "max_position_embeddings = 1000000000"),
            (says("config.json", num_hidden_layers=10**9), "num_hidden_layers = 1000000000"),
            (holds(lambda tensors, name: tensors.pop(name)), "given lacks 1 of the weights of its model, such as"),
            (
                holds(lambda tensors, name: tensors.update({name: tensors[name][:-1].clone()})),
                "given has weights of other shapes than its config.json says",
            ),
            (holds(lambda tensors, name: tensors[name].fill_(torch.nan)), "given has weights that are not finite"),
            (cut, "model.safetensors cannot be read"),
            (lambda folder: (folder / "tokenizer.json").unlink(), "given has no tokenizer: put the model's"),
        ],
    )  # fmt: skip
    def test_are_refused_in_a_sentence(self, refused, damage, sentence):
        assert sentence in refused(damage)


@pytest.mark.parametrize("command", ["export", "train"])
def test_settings_of_a_search_are_checked_first(command, place, tmp_path, monkeypatch):
    shutil.copytree(place / "writer", tmp_path / "given")
    shutil.copyfile(place / "corpus.jsonl", tmp_path / "corpus.jsonl")
    monkeypatch.chdir(tmp_path)
    says("generation_config.json", num_beams=10**9)(Path("given"))
    assert "generation_config.json says num_beams = 1000000000" in refusal(COMMANDS[command][1])
    says("generation_config.json", num_beams=1, decoder_start_token_id={"a": 1})(Path("given"))
    assert "generation_config.json says decoder_start_token_id = {'a': 1}" in refusal(COMMANDS[command][1])


def test_an_engine_that_does_not_take_the_tokenizer_is_told(place, tmp_path, monkeypatch):
    pytest.importorskip("ctranslate2")
    shutil.copytree(place / "writer", tmp_path / "given")
    monkeypatch.chdir(tmp_path)
    says("tokenizer_config.json", unk_token=None)(Path("given"))
    told = "given cannot be exported: ctranslate2 does not run what was made of it"
    assert told in refusal(COMMANDS["export"][1])


class TestWhoseMistakeItIs:
    def test_an_error_within_a_library_is_the_folder_s(self):
        refused = pytest.raises(InputError, match="JSONDecodeError")
        with refused, told(Path("given"), "reads no text"):
            json.loads("")

    def test_an_error_in_a_line_of_nutgraf_passes(self):
        with pytest.raises(KeyError, match="model_type"), told(Path("given")):
            configuration_of({})
