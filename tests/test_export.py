"""Pretrained models as other engines read them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("transformers")
pytest.importorskip("ctranslate2")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnxscript")

import tiny_pretrained
from nutgraf.cli.app import app
from nutgraf.errors import InputError, OutputError, UnknownName
from nutgraf.export import CARD, LOST, export


@pytest.fixture(scope="module")
def bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_pretrained.bart(tmp_path_factory.mktemp("models") / "bart")


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_pretrained.llama(tmp_path_factory.mktemp("models") / "llama")


def test_ctranslate2_writes_what_the_model_learned(bart: Path, tmp_path: Path) -> None:
    import ctranslate2
    from transformers import AutoTokenizer

    ran = CliRunner().invoke(app, ["export", str(bart), "--to", "ctranslate2", "--out", str(tmp_path / "out")])
    assert ran.exit_code == 0, ran.output
    assert "float32; 100% of the trial's tokens are equal." in ran.stdout
    assert "highlights" in ran.stderr
    words = AutoTokenizer.from_pretrained(tmp_path / "out")
    source = words.convert_ids_to_tokens(words(tiny_pretrained.ISLAND[:200])["input_ids"])
    [found] = ctranslate2.Translator(str(tmp_path / "out")).translate_batch([source], beam_size=1)
    said = words.decode(words.convert_tokens_to_ids(found.hypotheses[0]), skip_special_tokens=True)
    assert said == tiny_pretrained.SAID


def test_the_card_says_what_was_exported_and_what_is_lost(llama: Path, tmp_path: Path) -> None:
    found = export(f"hf:{llama}", tmp_path / "out", "ctranslate2", "int8")
    card = json.loads((tmp_path / "out" / CARD).read_text())
    assert (card["format"], card["source"], card["quantization"]) == ("ctranslate2", str(llama), "int8")
    assert card["fingerprint"] == found.fingerprint
    assert card["lost"] == list(LOST)
    assert {"nutgraf", "torch", "transformers", "ctranslate2"} <= card["versions"].keys()
    assert 0 < found.agreement <= 1


@pytest.mark.parametrize("model", ["bart", "llama"])
def test_onnx_has_the_logits_of_the_model_for_texts_of_any_number_and_length(
    model: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    import numpy as np
    import onnxruntime
    import torch
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

    folder = request.getfixturevalue(model)
    assert export(str(folder), tmp_path / "out", "onnx").agreement == 1
    draw = np.random.default_rng(0)
    ids, written = draw.integers(4, 90, (3, 19)), draw.integers(4, 90, (3, 4))
    mask = np.ones_like(ids)
    mask[1, 12:] = 0
    given = {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}

    def run(name: str, **inputs: np.ndarray) -> np.ndarray:
        [found] = onnxruntime.InferenceSession(tmp_path / "out" / name).run(None, inputs)
        return np.asarray(found)

    with torch.no_grad():
        if model == "llama":
            wanted = AutoModelForCausalLM.from_pretrained(folder)(**given).logits
            made = run("model.onnx", input_ids=ids, attention_mask=mask)
        else:
            network = AutoModelForSeq2SeqLM.from_pretrained(folder)
            wanted = network(**given, decoder_input_ids=torch.tensor(written)).logits
            states = run("encoder_model.onnx", input_ids=ids, attention_mask=mask)
            made = run(
                "decoder_model.onnx", input_ids=written, encoder_hidden_states=states, encoder_attention_mask=mask
            )
    kept = np.ones_like(mask, dtype=bool) if model == "bart" else mask.astype(bool)
    kept = kept[:, : made.shape[1]]
    np.testing.assert_allclose(made[kept], wanted.numpy()[kept], atol=1e-4)


def test_an_engine_that_writes_something_else_is_found_out(tmp_path: Path) -> None:
    """CTranslate2 4.8 leaves out a norm of small Gemma 3 models; it writes other words, in any precision."""
    folder = tiny_pretrained.untrained(tmp_path / "gemma", "Gemma3ForCausalLM")
    for quantization in ("float32", "int8"):
        with pytest.raises(InputError, match="ctranslate2"):
            export(str(folder), tmp_path / "out", "ctranslate2", quantization)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("to", "sentence"),
    [("ctranslate2", "LED"), ("onnx", "PyTorch")],
)
def test_what_cannot_be_exported_is_told(to: str, sentence: str, tmp_path: Path) -> None:
    folder = tiny_pretrained.untrained(tmp_path / "led", "LEDForConditionalGeneration")
    with pytest.raises(InputError, match=sentence):
        export(str(folder), tmp_path / "out", to)
    assert [path.name for path in tmp_path.iterdir()] == ["led"]


def test_mistakes_are_told(bart: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"'onx'.*'onnx'"):
        export(str(bart), tmp_path / "out", "onx")
    with pytest.raises(UnknownName, match="'float16'"):
        export(str(bart), tmp_path / "out", "onnx", "float16")
    with pytest.raises(InputError, match="model"):
        export(str(tmp_path), tmp_path / "out", "onnx")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    with pytest.raises(OutputError, match="already"):
        export(str(bart), tmp_path / "out", "onnx")
    pickled = tmp_path / "pickled"
    shutil.copytree(bart, pickled)
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(InputError, match="pickled file"):
        export(str(pickled), tmp_path / "other", "ctranslate2")
