"""GGUF files become folders of transformers that hold the same weights."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from typer.testing import CliRunner

import nutgraf
from nutgraf.cli.app import app
from nutgraf.errors import InputError
from nutgraf.model.gguf_folder import unpack
from tiny_gguf import write_gguf
from tiny_pretrained import ISLAND, llama

pytest.importorskip("gguf")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return llama(tmp_path_factory.mktemp("gguf") / "llama", chats=False)


def _said(place: Path) -> str:
    """What a model says to a prompt whose letters its tokenizer knows: in GGUF there is no token for others."""
    return nutgraf.load(f"hf:{place}", {"pretrained.prompt": "{text}"})(ISLAND, words=25).text


def test_the_weights_are_those_of_the_file(folder: Path, tmp_path: Path) -> None:
    assert unpack(write_gguf(folder, tmp_path / "tiny.gguf"), tmp_path / "out") > 0
    wanted, found = (load_file(one / "model.safetensors") for one in (folder, tmp_path / "out"))
    assert wanted.keys() == found.keys()
    for name, values in wanted.items():
        assert np.array_equal(values, found[name]), name


def test_quantized_numbers_are_multiples_of_their_scale(folder: Path, tmp_path: Path) -> None:
    unpack(write_gguf(folder, tmp_path / "tiny.gguf", "Q8_0"), tmp_path / "out")
    name = "model.layers.0.mlp.down_proj.weight"
    wanted, found = (load_file(one / "model.safetensors")[name] for one in (folder, tmp_path / "out"))
    blocks, rounded = wanted.reshape(-1, 32), found.reshape(-1, 32)  # Q8_0: 32 numbers share a scale, max |x| / 127
    scales = np.abs(blocks).max(1, keepdims=True) / 127
    assert rounded == pytest.approx(np.round(blocks / scales) * scales.astype(np.float16), rel=1e-3)


def test_a_file_stands_where_a_folder_stands(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_ASSETS_CACHE", str(tmp_path / "cache"))
    file = write_gguf(folder, tmp_path / "tiny.gguf")
    assert _said(file) == _said(folder)
    [unpacked] = (path.parent for path in (tmp_path / "cache").glob("nutgraf/gguf/*/*/config.json"))
    before = (unpacked / "model.safetensors").stat().st_mtime_ns
    file.rename(tmp_path / "renamed.gguf")
    assert _said(tmp_path / "renamed.gguf") == _said(folder)
    assert (unpacked / "model.safetensors").stat().st_mtime_ns == before
    assert not capfd.readouterr().err


def test_the_command_writes_a_folder(folder: Path, tmp_path: Path) -> None:
    file = write_gguf(folder, tmp_path / "tiny.gguf")
    ran = CliRunner().invoke(app, ["convert", str(file), str(tmp_path / "out")])
    assert ran.exit_code == 0, ran.output
    assert f"hf:{tmp_path / 'out'}" in ran.output
    assert _said(tmp_path / "out") == _said(folder)


def test_what_is_no_whole_model_is_refused_and_nothing_is_left(folder: Path, tmp_path: Path) -> None:
    whole = write_gguf(folder, tmp_path / "tiny.gguf").read_bytes()
    other = b"GGUF" + bytes(range(256))
    for name, data in (("text", b"a text"), ("cut", whole[:-5000]), ("other", other)):
        (tmp_path / f"{name}.gguf").write_bytes(data)
        with pytest.raises(InputError, match=name):
            unpack(tmp_path / f"{name}.gguf", tmp_path / "out")
    with pytest.raises(InputError, match="lacks"):
        unpack(write_gguf(folder, tmp_path / "less.gguf", left_out="blk.0.ffn_up.weight"), tmp_path / "out")
    for numbers in ({"layers": 1_000_000}, {"width": 1 << 20}, {"words": 1 << 30}):
        with pytest.raises(InputError):
            unpack(write_gguf(folder, tmp_path / "more.gguf", **numbers), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def _gguf(keys: int, *entries: bytes, tensors: int = 0) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, tensors, keys) + b"".join(entries)


@pytest.mark.parametrize(
    "data",
    [
        _gguf(1, struct.pack("<Q", 1), b"a", struct.pack("<IIQ", 9, 0, 1 << 60)),  # a list of 2^60 numbers
        _gguf(1, struct.pack("<Q", 1 << 60), b"a"),  # a key of 2^60 bytes
        _gguf(1 << 60),
        _gguf(0, tensors=1 << 60),
        _gguf(1, struct.pack("<Q", 1), b"a", struct.pack("<IIQ", 9, 9, 1)),  # lists of lists
        _gguf(0),  # no architecture
    ],
)
def test_a_head_that_does_not_fit_into_its_file_is_refused_at_once(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "head.gguf").write_bytes(data)
    with pytest.raises(InputError, match=r"head\.gguf"):
        unpack(tmp_path / "head.gguf", tmp_path / "out")


def test_what_lies_beside_a_file_is_not_read(folder: Path, tmp_path: Path) -> None:
    file = write_gguf(folder, tmp_path / "tiny.gguf")
    (tmp_path / "adapter_config.json").write_text('{"peft_type": "LORA", "base_model_name_or_path": "."}')
    (tmp_path / "tokenizer_config.json").write_text('{"auto_map": {"AutoTokenizer": ["evil.Evil", null]}}')
    assert unpack(file, tmp_path / "out")


def test_weights_that_are_no_finite_numbers_are_refused(tmp_path: Path) -> None:
    made = llama(tmp_path / "llama", chats=False, learns=False)
    weights = load_file(made / "model.safetensors")
    weights["model.norm.weight"] = weights["model.norm.weight"] * np.float32("inf")
    save_file(weights, made / "model.safetensors")
    with pytest.raises(InputError, match="finite"):
        unpack(write_gguf(made, tmp_path / "tiny.gguf"), tmp_path / "out")
    assert not (tmp_path / "out").exists()
