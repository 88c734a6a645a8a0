"""Adapters of peft are added to the weights of a model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM

import nutgraf
from nutgraf.errors import InputError
from nutgraf.model.adapters import SETTINGS, WEIGHTS, with_adapter
from tiny_pretrained import ISLAND, llama

LAYER = "model.layers.0.mlp.down_proj"
BEGINNING = f"base_model.model.{LAYER}.lora_"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return llama(tmp_path_factory.mktemp("adapters") / "llama", chats=False)


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    """An adapter that adds 4 / 2 · B A to one matrix of 32 × 64 numbers: 6 in its first row and third column."""
    place = tmp_path / "adapter"
    place.mkdir()
    _write(place, {"peft_type": "LORA", "r": 2, "lora_alpha": 4, "target_modules": ["down_proj"], "bias": "none"})
    first, second = torch.zeros(2, 64), torch.zeros(32, 2)
    first[0, 2], second[0, 0] = 3.0, 1.0
    save_file({f"{BEGINNING}A.weight": first, f"{BEGINNING}B.weight": second}, place / WEIGHTS)
    return place


def _write(adapter: Path, settings: dict[str, Any]) -> None:
    (adapter / SETTINGS).write_text(json.dumps(settings))


def test_what_is_added_is_the_product_done_by_hand(folder: Path, adapter: Path) -> None:
    network = AutoModelForCausalLM.from_pretrained(folder)
    before = {name: one.clone() for name, one in network.state_dict().items()}
    after = with_adapter(network, adapter).state_dict()
    assert before.keys() == after.keys()
    for name, weights in after.items():
        added = weights - before[name]
        if name == f"{LAYER}.weight":
            assert added[0, 2].item() == pytest.approx(6.0)
            added[0, 2] = 0
        assert not added.any(), name


def test_a_system_has_it_in_its_weights_and_its_signature(folder: Path, adapter: Path) -> None:
    plain, some = nutgraf.load(f"hf:{folder}"), nutgraf.load(f"hf:{folder}", {"pretrained.adapter": str(adapter)})
    weights = load_file(adapter / WEIGHTS)
    save_file({name: 30 * one for name, one in weights.items()}, adapter / WEIGHTS)
    more = nutgraf.load(f"hf:{folder}", {"pretrained.adapter": str(adapter)})
    assert more(ISLAND, words=25).text != plain(ISLAND, words=25).text
    assert len({plain.signature, some.signature, more.signature}) == 3


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"peft_type": "PROMPT_TUNING"}, "LORA can be read"),
        ({"megatron_config": {"a": 1}, "megatron_core": "antigravity"}, "megatron_config"),
        ({"modules_to_save": ["lm_head"]}, "modules_to_save"),
        ({"rank_pattern": {"down_proj": 4}}, "rank_pattern"),
        ({"target_modules": "(.*.*)*Z"}, "target_modules"),
        ({"target_modules": ["(.*.*)*Z"]}, "names of layers"),
        ({"target_modules": ["no_such_layer"]}, "no_such_layer"),
        ({"target_modules": ["up_proj"]}, "another model"),
        ({"use_rslora": "no"}, "use_rslora"),
        ({"r": 3}, "rank"),
        ({"r": 200_000_000}, "'r'|r:|4,?096|settings of an adapter"),
    ],
)
def test_settings_that_are_not_known_or_do_not_fit_are_refused(
    folder: Path, adapter: Path, changed: dict[str, Any], told: str
) -> None:
    _write(adapter, {**json.loads((adapter / SETTINGS).read_text()), **changed})
    with pytest.raises(InputError, match=told):
        nutgraf.load(f"hf:{folder}", {"pretrained.adapter": str(adapter)})


def test_files_that_are_missing_or_damaged_are_refused(folder: Path, adapter: Path) -> None:
    tensors = load_file(adapter / WEIGHTS)
    save_file({name: one * float("nan") for name, one in tensors.items()}, adapter / WEIGHTS)
    for damage in (lambda: None, lambda: (adapter / WEIGHTS).write_bytes(b"x"), (adapter / WEIGHTS).unlink):
        damage()
        with pytest.raises(InputError, match="adapter"):
            nutgraf.load(f"hf:{folder}", {"pretrained.adapter": str(adapter)})


@pytest.mark.parametrize(
    ("name", "tensor"),
    [
        ("base_model.model.lm_head.weight", torch.ones(2, 2)),
        (f"{BEGINNING}A.weight", torch.ones(2, 64, dtype=torch.int8)),
        (f"{BEGINNING}A.weight", torch.ones(2, 64).to(torch.float8_e4m3fn)),
        (f"{BEGINNING}A.weight", torch.ones(2, 1_000_000)),
    ],
)
def test_tensors_that_are_no_part_of_an_adapter_are_refused(
    folder: Path, adapter: Path, name: str, tensor: torch.Tensor
) -> None:
    save_file({**load_file(adapter / WEIGHTS), name: tensor}, adapter / WEIGHTS)
    with pytest.raises(InputError, match=re.escape(name)):
        nutgraf.load(f"hf:{folder}", {"pretrained.adapter": str(adapter)})


def test_an_adapter_beside_a_model_is_not_added_unasked(tmp_path: Path, adapter: Path) -> None:
    folder = llama(tmp_path / "llama", chats=False, learns=False)
    for name in (SETTINGS, WEIGHTS):
        (adapter / name).rename(folder / name)
    with pytest.raises(InputError, match="unasked"):
        nutgraf.load(f"hf:{folder}")
