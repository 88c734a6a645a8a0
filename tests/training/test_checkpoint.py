"""A trained model: built by its preset and seed, complete, and refused where it is not what it says."""

import json
import tomllib

import pytest

pytest.importorskip("torch")

import torch

from nutgraf.checkpoint import build, create_folder, digest_of, is_trained, load, read_preset, weights, write_tensors
from nutgraf.errors import InputError, PresetError
from nutgraf.systems import read_preset as read
from nutgraf.systems import sections_of

TINY = {
    "model.d_model": 8,
    "model.num_heads": 2,
    "model.encoder.num_layers": 1,
    "model.decoder.num_layers": 1,
    "tokenizer.vocab_size": 11,
}


def tiny(**changes):
    return read("kpat", {**TINY, **changes})


@pytest.fixture
def trained(tmp_path):
    """A folder with a network of eleven words, untrained."""
    from nutgraf.tokenizers import tokenizers

    preset = tiny()
    tokenizer = tokenizers.build(preset.options("tokenizer"))
    tokenizer.train(["the ferry left the port and the gulls left the ferry"])
    (tmp_path / "words").mkdir()
    tokenizer.save(tmp_path / "words")
    folder = tmp_path / "folder"
    create_folder(folder, preset, tmp_path / "words", {"preset": preset.name})
    write_tensors(folder / "weights.safetensors", weights(build(preset, len(tokenizer))))
    return folder


def test_the_preset_s_seed_decides_the_weights_and_nothing_else_is_drawn_from():
    torch.manual_seed(3)
    before = torch.random.get_rng_state()
    digests = [digest_of(weights(build(tiny(seed=seed), 13))) for seed in (5, 5, 6)]
    assert digests[0] == digests[1] != digests[2]
    assert torch.equal(before, torch.random.get_rng_state())


def test_a_folder_is_loaded_as_it_was(trained):
    found = load(trained, sections_of)
    assert is_trained(trained)
    assert found.preset.config == tiny().config
    assert found.preset.name == "kpat"
    assert digest_of(weights(found.network)) == digest_of(weights(build(tiny(), len(found.tokenizer))))
    assert not found.network.training


def test_the_preset_is_written_with_all_its_defaults(tmp_path):
    (tmp_path / "words").mkdir()
    create_folder(tmp_path / "folder", tiny(), tmp_path / "words", {"preset": "mine"})
    written = tomllib.loads((tmp_path / "folder" / "preset.toml").read_text())
    assert written == tiny().complete()
    assert written["schema"] == "nutgraf.preset/1"
    assert written["model"]["bridge"] == "none"


@pytest.mark.parametrize("name", ["preset.toml", "weights.safetensors", "card.json"])
def test_an_incomplete_folder_is_none(trained, name):
    (trained / name).unlink()
    assert not is_trained(trained)
    with pytest.raises(InputError, match="trained"):
        load(trained, sections_of)


def test_a_card_of_another_kind_is_refused(trained):
    (trained / "card.json").write_text(json.dumps({"schema": "somebody.else/9"}))
    with pytest.raises(InputError, match=r"'nutgraf\.trained/1'"):
        read_preset(trained, sections_of)


def test_a_preset_that_does_not_fit_its_weights_is_refused(trained):
    path = trained / "preset.toml"
    path.write_text(path.read_text().replace("ffn_dim = 2048", "ffn_dim = 5"))
    with pytest.raises(InputError, match="preset"):
        load(trained, sections_of)
    path.write_text(path.read_text().replace("d_model = 8", "d_modle = 8"))
    with pytest.raises(PresetError, match="Did you mean 'd_model'"):
        load(trained, sections_of)
