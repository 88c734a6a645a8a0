"""Weights in 8 bits, and model folders without their training."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")

import torch

import nutgraf
from nutgraf.checkpoint import WEIGHTS, load, read_tensors, shapes_of, write_tensors
from nutgraf.cli.app import app
from nutgraf.errors import InputError, OutputError, UnknownName
from nutgraf.export.slim import write_slim
from nutgraf.model_folder import CARD, PRESET, TOKENIZER, read_card
from nutgraf.quantization import SCALE, pack, quantized, restored, unpack
from nutgraf.systems import sections_of
from tiny_network import NOTICES


def test_a_row_is_whole_numbers_and_the_127th_part_of_its_largest() -> None:
    matrix = torch.tensor([[254.0, -2.0, 1.4, 0.9], [0.0, 0.0, 0.0, 0.0], [-0.5, 0.25, 0.0, 0.125]])
    whole, scale = quantized(matrix)
    assert scale.tolist() == [2.0, 0.0, pytest.approx(0.5 / 127)]
    assert whole.dtype == torch.int8
    assert whole.tolist() == [[127, -1, 1, 0], [0, 0, 0, 0], [-127, 64, 0, 32]]
    assert restored(whole, scale)[0].tolist() == [254.0, -2.0, 2.0, 0.0]


@pytest.mark.parametrize("shape", [(5, 7), (3, 2, 5), (2, 1)])
def test_no_weight_moves_by_more_than_half_a_scale(shape: tuple[int, ...]) -> None:
    matrix = torch.randn(shape, generator=torch.Generator().manual_seed(0)) * 3
    whole, scale = quantized(matrix)
    moved = (matrix - restored(whole, scale)).abs().flatten(1).amax(1)
    assert (moved <= scale / 2 * (1 + 1e-5)).all()


def test_vectors_and_whole_numbers_stay_as_they_are() -> None:
    given = {"bias": torch.tensor([0.1, 0.2]), "count": torch.tensor([[3, 4]]), "weight": torch.ones(2, 3)}
    packed = pack(given)
    assert packed.keys() == {"bias", "count", "weight", f"weight{SCALE}"}
    found = unpack(packed, "here")
    assert list(found) == list(given)
    for name, tensor in given.items():
        assert found[name].dtype == tensor.dtype
        assert torch.allclose(found[name], tensor)


def test_a_file_shows_the_shapes_of_the_weights_and_not_those_of_the_scales(tmp_path: Path) -> None:
    write_tensors(tmp_path / "w", pack({"a": torch.randn(5, 7), "b": torch.randn(3)}))
    assert shapes_of(tmp_path / "w") == {"a": (5, 7), "b": (3,)}
    assert {name: tensor.dtype for name, tensor in read_tensors(tmp_path / "w").items()} == {
        "a": torch.float32,
        "b": torch.float32,
    }


@pytest.fixture(scope="module")
def float_folder(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that knows the notices by heart, with what a training leaves beside it."""
    folder = shutil.copytree(trained, tmp_path_factory.mktemp("float") / "trained")
    (folder / "checkpoints").mkdir()
    (folder / "log.jsonl").write_text("{}\n")
    card = json.loads((folder / CARD).read_text())
    gate = {"weights": None, "precisions": {"bfloat16": {"passes": True}}}
    (folder / CARD).write_text(json.dumps({**card, "precision_gate": gate, "commands": ["nutgraf train"]}))
    return folder


@pytest.fixture(scope="module")
def small(float_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("small") / "small"
    write_slim(float_folder, out, sections_of, "int8", "nutgraf export")
    return out


def test_the_folder_has_no_training_and_a_quarter_of_the_bytes(float_folder: Path, small: Path) -> None:
    assert sorted(path.name for path in small.iterdir()) == sorted([CARD, PRESET, TOKENIZER, WEIGHTS])
    numbers = [tensor.numel() for tensor in read_tensors(float_folder / WEIGHTS).values()]
    assert (float_folder / WEIGHTS).stat().st_size > 4 * sum(numbers)
    assert (small / WEIGHTS).stat().st_size < 1.2 * sum(numbers) + 20_000  # headers, scales and vectors


def test_its_card_says_so_and_validates_no_precision_for_other_weights(float_folder: Path, small: Path) -> None:
    card = read_card(small)
    assert (card["quantization"], card["commands"]) == ("int8", ["nutgraf train", "nutgraf export"])
    assert load(float_folder, sections_of).validated_precisions == ("bfloat16",)
    assert load(small, sections_of).validated_precisions == ()


def test_it_writes_the_same_as_the_network_that_it_was(float_folder: Path, small: Path) -> None:
    greedy = {"decoding.beam_size": 1}
    before, after = nutgraf.load(float_folder, greedy), nutgraf.load(small, greedy)
    for text, summary in NOTICES:
        assert before(text).text == after(text).text == " ".join(summary)


def test_in_float32_the_weights_are_the_same(float_folder: Path, tmp_path: Path) -> None:
    found = write_slim(float_folder, tmp_path / "out", sections_of)
    assert found.bytes_before == pytest.approx(found.bytes_after, rel=0.01)
    before, after = read_tensors(float_folder / WEIGHTS), read_tensors(tmp_path / "out" / WEIGHTS)
    assert all(torch.equal(before[name], after[name]) for name in {*before, *after})


def test_the_command_writes_it_and_says_what_it_takes(float_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["export", str(float_folder), "--to", "nutgraf", "--quantization", "int8", "--out", str(out)]
    ran = CliRunner().invoke(app, arguments)
    assert ran.exit_code == 0, ran.output
    assert "has the model in int8; its weights take 0." in ran.stdout
    assert read_card(out)["commands"][-1] == f"nutgraf {' '.join(arguments)}"
    again = CliRunner().invoke(app, arguments)
    assert isinstance(again.exception, OutputError)
    assert "is there already" in str(again.exception)


def test_what_cannot_be_written_is_refused(float_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="int4"):
        write_slim(float_folder, tmp_path / "out", sections_of, "int4")
    with pytest.raises(InputError, match="lacks"):
        write_slim(tmp_path, tmp_path / "out", sections_of)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match="model"):
        write_slim(tmp_path, tmp_path / "out", sections_of)
    assert not (tmp_path / "out").exists()


class TestDamage:
    @pytest.fixture
    def theirs(self, small: Path, tmp_path: Path) -> Path:
        return shutil.copytree(small, tmp_path / "theirs")

    @staticmethod
    def _rewrite(folder: Path, change: object) -> None:
        from safetensors import safe_open

        with safe_open(folder / WEIGHTS, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        change(tensors)  # type: ignore[operator]
        write_tensors(folder / WEIGHTS, tensors)

    @staticmethod
    def _matrix(tensors: dict[str, object]) -> str:
        return next(name for name in tensors if name + SCALE in tensors)

    def test_a_changed_byte(self, theirs: Path) -> None:
        data = bytearray((theirs / WEIGHTS).read_bytes())
        data[-1] ^= 1
        (theirs / WEIGHTS).write_bytes(data)
        with pytest.raises(InputError, match="was changed"):
            load(theirs, sections_of)

    def test_a_cut_file(self, theirs: Path) -> None:
        (theirs / WEIGHTS).write_bytes((theirs / WEIGHTS).read_bytes()[:-9])
        with pytest.raises(InputError, match="was cut"):
            load(theirs, sections_of)

    def test_whole_numbers_without_scales(self, theirs: Path) -> None:
        self._rewrite(theirs, lambda tensors: tensors.pop(self._matrix(tensors) + SCALE))
        with pytest.raises(InputError, match="int8"):
            load(theirs, sections_of)

    def test_scales_without_whole_numbers(self, theirs: Path) -> None:
        self._rewrite(theirs, lambda tensors: tensors.pop(self._matrix(tensors)))
        with pytest.raises(InputError, match="preset"):
            load(theirs, sections_of)

    def test_scales_of_other_rows(self, theirs: Path) -> None:
        def shorter(tensors: dict[str, object]) -> None:
            name = self._matrix(tensors) + SCALE
            tensors[name] = tensors[name][:-1].clone()  # type: ignore[index]

        self._rewrite(theirs, shorter)
        with pytest.raises(InputError, match="scales"):
            load(theirs, sections_of)

    def test_scales_that_are_not_finite(self, theirs: Path) -> None:
        self._rewrite(theirs, lambda tensors: tensors[self._matrix(tensors) + SCALE].fill_(float("nan")))
        with pytest.raises(InputError, match="not finite"):
            load(theirs, sections_of)

    def test_another_network(self, theirs: Path) -> None:
        self._rewrite(theirs, lambda tensors: tensors.update({"another.weight": torch.ones(2, 3)}))
        with pytest.raises(InputError, match="preset"):
            load(theirs, sections_of)


def test_it_needs_no_package_of_other_engines() -> None:
    code = (
        "import sys\n"
        "for name in ('transformers', 'ctranslate2', 'onnx', 'onnxruntime', 'peft'): sys.modules[name] = None\n"
        "import nutgraf.export.slim"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
