"""Folders of others that would take all the time or memory: each is refused in a sentence, or used and told about."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

import nutgraf
from nutgraf.errors import InputError
from nutgraf.model.pretrained_files import building, held
from nutgraf.model.pretrained_folder import check_network, read_config
from nutgraf.systems import _transformers
from tiny_pretrained import ISLAND, untrained


@pytest.fixture(scope="module")
def writer(tmp_path_factory):
    return untrained(tmp_path_factory.mktemp("others") / "writer", "BartForConditionalGeneration")


@pytest.fixture
def folder(writer, tmp_path):
    """A copy of a model, to be changed."""
    return shutil.copytree(writer, tmp_path / "model")


def says(path: Path, **change: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        nutgraf.load(f"hf:{folder}")(ISLAND, words=12)
    return str(caught.value)


class TestSizes:
    def test_a_table_that_several_layers_share_is_counted_once(self, folder):
        """So the network has exactly the numbers of its files, and none is spare."""
        check_network(folder, read_config(folder), _kind("BartForConditionalGeneration"), spare=0)

    def test_a_network_is_not_built_further_than_its_weights_go(self):
        told = InputError("too large")
        with pytest.raises(InputError) as caught, building(tensors=1, numbers=1 << 40, refusal=told):
            torch.nn.ModuleList(torch.nn.Linear(1, 1) for _ in range(10**9))
        assert caught.value is told
        with pytest.raises(InputError), building(tensors=2, numbers=30, refusal=told):
            torch.nn.Linear(7, 9)
        torch.nn.Linear(7, 9)

    @pytest.mark.parametrize("number", [10**9, 2**63, 10**40])
    def test_no_number_is_larger_than_a_model_has(self, folder, number):
        says(folder / "config.json", num_labels=number, rope_theta=10**9)
        assert f"num_labels = {str(number)[:30]}" in refusal(folder)

    def test_sines_of_two_million_positions(self, tmp_path):
        folder = untrained(tmp_path / "model", "PegasusForConditionalGeneration")
        says(folder / "config.json", max_position_embeddings=2_000_000)
        assert "lacks weights" in refusal(folder)


class TestFiles:
    @pytest.mark.parametrize("name", ["tokenizer_config.json", "config.json", "model.safetensors"])
    @pytest.mark.parametrize("target", ["/dev/zero", "model.safetensors", "missing"])
    def test_a_link_that_leads_to_no_file(self, folder, name, target):
        (folder / name).unlink()
        (folder / name).symlink_to(target if target != name else name)
        if not (folder / name).is_file():
            assert f"{name} is no plain file" in refusal(folder)

    def test_a_configuration_is_short(self, folder):
        says(folder / "config.json", task_specific_params={"summarization": {"prefix": "x" * 10**7}})
        assert "config.json has 10,00" in (said := refusal(folder))
        assert "1,048,576" in said

    def test_a_prefix_is_shorter(self, folder):
        says(folder / "config.json", task_specific_params={"summarization": {"prefix": "x" * 10_001}})
        assert "summarization.prefix of 10,001 characters, where 10,000 would do" in refusal(folder)

    def test_numbers_beside_the_weights_are_looked_at(self, folder):
        from safetensors.torch import load_file, save_file

        tensors = load_file(folder / "model.safetensors")
        tensors["final_logits_bias"] = torch.full((1, len(tensors["model.shared.weight"])), torch.nan)
        save_file(tensors, folder / "model.safetensors", {"format": "pt"})
        assert "not finite numbers, such as in 'final_logits_bias'" in refusal(folder)


class TestSettings:
    @pytest.mark.parametrize(
        ("file", "change", "told"),
        [
            (
                "tokenizer_config.json",
                {"tokenizer_class": "RagTokenizer"},
                "a RagTokenizer, which stands for several",
            ),
            ("tokenizer_config.json", {"model_max_length": -5}, "model_max_length = -5"),
            (
                "tokenizer_config.json",
                {"model_input_names": 7},
                "tokenizer_config.json",
            ),
            (
                "tokenizer_config.json",
                {"tokenizer_class": 7},
                "its files do not fit together; fetch tokenizer.json and",
            ),
            ("config.json", {"dtype": "float9"}, "float9"),
        ],
    )
    def test_that_nothing_can_be_made_of_are_refused(self, folder, file, change, told):
        path = folder / file
        path.write_text(json.dumps({**(json.loads(path.read_text()) if path.exists() else {}), **change}))
        assert told in refusal(folder)

    def test_a_tokenizer_that_gives_no_token(self, folder):
        content = json.loads((folder / "tokenizer.json").read_text())
        content["post_processor"] = {"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}
        (folder / "tokenizer.json").write_text(json.dumps(content))
        assert "reads 0 of 261 letters and figures of the text" in refusal(folder)

    @pytest.mark.parametrize(
        "change",
        [
            {"num_attention_heads": 0, "encoder_attention_heads": 0},
            {"max_position_embeddings": "400"},
            {"use_cache": "no"},
        ],
    )
    def test_a_mistake_in_config_is_told_of_that_file(self, folder, change):
        says(folder / "config.json", **change)
        said = refusal(folder)
        assert "config.json" in said
        assert "tokenizer" not in said

    def test_a_tokenizer_that_leaves_the_text_out(self, folder):
        nothing = {"type": "Replace", "pattern": {"Regex": "."}, "content": ""}
        says(folder / "tokenizer.json", normalizer=nothing)
        assert "reads 0 of 261 letters and figures of the text, and the model would not see the others" in refusal(
            folder
        )

    def test_a_tokenizer_without_a_decoder(self, folder):
        says(folder / "tokenizer.json", decoder=None)
        assert "for blanks: the decoder of its tokenizer.json is missing" in refusal(folder)

    def test_weights_that_compute_no_number(self, folder):
        from safetensors.torch import load_file, save_file

        tensors = {name: torch.full_like(one, 3.4e38) for name, one in load_file(folder / "model.safetensors").items()}
        save_file(tensors, folder / "model.safetensors", {"format": "pt"})
        assert "make the model compute infinite numbers; fetch its files of weights" in refusal(folder)

    def test_a_configuration_with_a_byte_order_mark(self, folder):
        path = folder / "config.json"
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        assert "config.json" in refusal(folder)

    def test_a_header_that_says_another_type(self, folder):
        path = folder / "model.safetensors"
        path.write_bytes(path.read_bytes().replace(b'"F32"', b'"F64"'))
        assert "model.safetensors cannot be read" in refusal(folder)

    def test_weights_of_whole_numbers(self, folder):
        from safetensors.torch import load_file, save_file

        tensors = {name: one.int() for name, one in load_file(folder / "model.safetensors").items()}
        save_file(tensors, folder / "model.safetensors", {"format": "pt"})
        assert "whole numbers" in refusal(folder)

    def test_a_setting_that_the_library_ignores_is_not_told_on_stderr(self, folder, capfd):
        (folder / "tokenizer_config.json").write_text(json.dumps({"clean_up_tokenization_spaces": True}))
        nutgraf.load(f"hf:{folder}")(ISLAND, words=12)
        assert capfd.readouterr().err == ""


class TestToldAndUsed:
    def test_layers_that_the_configuration_leaves_out(self, folder):
        layer = sum(name.startswith("model.encoder.layers.0.") for name in _names(folder))
        says(folder / "config.json", encoder_layers=0, num_hidden_layers=0)
        made = nutgraf.load(f"hf:{folder}")(ISLAND, words=12)
        assert layer == 16
        assert [one for one in made.notices if "has no place for" in one] == [
            f"The weights in {folder} have 16 tensors that the model of its config.json has no place for, such as "
            "'model.encoder.layers.0.fc1.bias': if the model writes badly, fetch config.json anew."
        ]

    def test_a_text_that_was_ended_at_the_limit(self, folder, monkeypatch):
        monkeypatch.setattr(_transformers, "MOST_WANTED", 9)
        says(folder / "generation_config.json", max_length=10**9, eos_token_id=None)
        system = nutgraf.load(f"hf:{folder}")
        told = "The files of the model let a text have 1,000,000,000 tokens, of which it wrote 9; --words"
        assert [one for one in system(ISLAND).notices if one.startswith(told)]
        assert not [one for one in system(ISLAND, words=5).notices if one.startswith(told)]


@pytest.mark.parametrize("shape", ["[1e999]", "[NaN]", "8"])
def test_a_header_with_a_shape_that_is_none_is_refused(tmp_path: Path, shape: str) -> None:
    header = f'{{"a": {{"dtype": "F32", "shape": {shape}, "data_offsets": [0, 8]}}}}'.encode()
    (tmp_path / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(8))
    with pytest.raises(InputError, match=r"model\.safetensors"):
        held(tmp_path, quantized=False)


def _kind(name: str) -> Any:
    import transformers

    return transformers.AutoModelForSeq2SeqLM if name.startswith("Bart") else transformers.AutoModelForCausalLM


def _names(folder: Path) -> list[str]:
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", "pt") as file:
        return list(file.keys())
