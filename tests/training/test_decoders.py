"""Decoders alone that are trained further: a tiny Llama and a tiny GPT-2 learn what stands behind a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tiny_network import NOTICES
from tiny_pretrained import ISLAND, SAID, llama, untrained

pytest.importorskip("transformers")

import torch
from typer.testing import CliRunner

import nutgraf
from nutgraf import checkpoint
from nutgraf.cli.app import app
from nutgraf.errors import InputError, PresetError
from nutgraf.export.adapter import write_adapter
from nutgraf.model.adapters import with_adapter
from nutgraf.model.pretrained import Pretrained
from nutgraf.model.records import Batch
from nutgraf.preparation import Preparation, batch
from nutgraf.presets import Preset
from nutgraf.systems import read_preset as read
from nutgraf.systems import sections_of
from nutgraf.text.document import Document
from nutgraf.tokenizers import Tokenizer, tokenizers
from nutgraf.training.run import train

SUFFIX = "</s>in short "

OPTIONS: dict[str, Any] = {
    "tokenizer.suffix": SUFFIX,
    "steering": "none",
    "truncation.source": 60,
    "truncation.target": 40,
    "keyphrases.top": 8,
    "training.max_steps": 6,
    "training.batch_size": 3,
    "training.gradient_accumulation_steps": 1,
    "training.validate_every": 3,
    "training.checkpoint_every": 3,
    "training.log_every": 1,
    "training.device": "cpu",
    "training.threads": 1,
    "training.precision": "fp32",
    "training.schedule.warmup_steps": 0,
    "training.schedule.learning_rate": 0.01,
}

MODELS = ("llama", "gpt2")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus in which every notice has the same summary, and two models."""
    folder = tmp_path_factory.mktemp("decoders")
    (folder / "corpus").mkdir()
    lines = [json.dumps({"id": str(at), "documents": [text], "summary": SAID}) for at, (text, _) in enumerate(NOTICES)]
    for split in ("train", "validation"):
        (folder / "corpus" / f"{split}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    llama(folder / "llama", chats=False, learns=False)
    untrained(folder / "gpt2", "GPT2LMHeadModel")
    return folder


def preset_of(folder: Path, name: str = "bart_kpat_all", **options: Any) -> Preset:
    return read(name, {**OPTIONS, "model.folder": str(folder), **options})


def words_of(folder: Path, preset: Preset) -> Tokenizer:
    words = tokenizers.build(preset.options("tokenizer"))
    words.load(folder)
    return words


def batch_of(folder: Path, preset: Preset) -> Batch:
    preparation = Preparation.of(preset, words_of(folder, preset))
    sources = [preparation.source(Document.of(text, language="en")) for text, _ in NOTICES[:3]]
    targets = [preparation.target(summary, source) for (_, summary), source in zip(NOTICES, sources, strict=False)]
    return batch(sources, targets)


def untouched(folder: Path) -> Any:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()


@pytest.mark.parametrize("model", MODELS)
def test_each_summary_is_as_probable_as_behind_its_text_alone(place: Path, model: str) -> None:
    """One row at a time, without padding, and with the logits of all its words: what transformers does by itself."""
    preset, plain = preset_of(place / model), untouched(place / model)
    given = batch_of(place / model, preset)
    network = checkpoint.build(preset, len(words_of(place / model, preset)))
    assert isinstance(network, Pretrained)
    network.begin_with_folder()
    with torch.no_grad():
        found = network.eval()(given)
    assert given.target is not None
    for row, (source, target) in enumerate(zip(given.source, given.target, strict=True)):
        read = network.ids[source[~given.key_padding_mask[row]]]
        said = network.ids[target[1:][target[1:] != 0]]
        with torch.no_grad():
            logits = plain(torch.cat([read, said])[None]).logits[0, len(read) - 1 : -1]
        wanted = logits.log_softmax(-1).gather(-1, said[:, None])[:, 0]
        torch.testing.assert_close(found.target_log_probs[row, : len(said)], wanted, atol=1e-5, rtol=1e-5)
        assert not found.target_log_probs[row, len(said) :].any()


def test_marks_are_special_around_a_text_and_plain_within(place: Path) -> None:
    preset = preset_of(place / "llama")
    words = words_of(place / "llama", preset)
    source = Preparation.of(preset, words).source(Document.of("A sign says </s> on the island.", language="en"))
    spelled = [words.tokens[number] for number in source.ids]
    assert spelled.count("</s>") == 1
    assert spelled[0] == "<s>"
    assert spelled.index("</s>") > len(spelled) - 12
    target = Preparation.of(preset, words).target([SAID], source)
    assert words.tokens[target.ids[1]] != "<s>"


@pytest.mark.parametrize("name", ["bart_kpat_all", "bart_kpat_lora"])
def test_it_learns_what_to_write_and_writes_it(place: Path, tmp_path: Path, name: str) -> None:
    lora = {
        "model.lora.rank": 16,
        "model.lora.alpha": 32,
        "model.lora.target_modules": ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
    }
    options = lora | {"training.schedule.learning_rate": 0.01} if name.endswith("lora") else {}
    longer = {"training.max_steps": 80, "training.validate_every": 0, **options}
    llama(tmp_path / "llama", chats=False)  # which knows the words, and another end of the text
    train(preset_of(tmp_path / "llama", name, **longer), place / "corpus", tmp_path / "out")
    for moved in ("config.json", "model.safetensors"):
        (tmp_path / "llama" / moved).unlink()
    summary = nutgraf.load(tmp_path / "out")(ISLAND, words=12)
    assert summary.sentences
    assert all(sentence.text in SAID for sentence in summary.sentences)
    assert summary.words <= 12


def test_adapters_are_exported_alone_and_added_again(place: Path, tmp_path: Path) -> None:
    folder = llama(tmp_path / "llama", chats=False)
    options = {"model.lora.rank": 4, "model.lora.target_modules": ["v_proj", "down_proj"]}
    train(preset_of(folder, "bart_kpat_lora", **options), place / "corpus", tmp_path / "out")
    ran = CliRunner().invoke(
        app, ["export", str(tmp_path / "out"), "--to", "adapter", "--out", str(tmp_path / "alone")]
    )
    assert ran.exit_code == 0, ran.exception
    assert f"pretrained.adapter={tmp_path / 'alone'}" in ran.output
    trained = checkpoint.load(tmp_path / "out", sections_of).network
    ids = torch.arange(5, 45)[None]
    with torch.no_grad():
        found = with_adapter(untouched(folder), tmp_path / "alone")(ids).logits
        torch.testing.assert_close(found, trained.backbone(ids).logits, atol=1e-5, rtol=1e-5)
        assert not torch.allclose(found, untouched(folder)(ids).logits, atol=1e-3)
    train(preset_of(folder), place / "corpus", tmp_path / "whole")
    with pytest.raises(InputError, match="no adapters"):
        write_adapter(tmp_path / "whole", tmp_path / "none", sections_of)


def test_a_training_that_was_resumed_has_the_same_weights(place: Path, tmp_path: Path) -> None:
    train(preset_of(place / "llama"), place / "corpus", tmp_path / "whole")
    train(preset_of(place / "llama", **{"training.max_steps": 3}), place / "corpus", tmp_path / "parts")
    train(preset_of(place / "llama"), place / "corpus", tmp_path / "parts", resume=True)
    one, other = (
        checkpoint.digest_of(checkpoint.read_tensors(tmp_path / name / "weights.safetensors"))
        for name in ("whole", "parts")
    )
    assert one == other


def test_without_words_behind_a_source_it_is_refused(place: Path) -> None:
    with pytest.raises(PresetError, match=r"tokenizer\.suffix"):
        preset_of(place / "llama", **{"tokenizer.suffix": ""}).config  # noqa: B018


def test_a_source_and_its_summary_have_room_together(place: Path) -> None:
    with pytest.raises(PresetError, match=r"300 tokens .* 120 behind it"):
        preset_of(place / "llama", **{"truncation.source": 300, "truncation.target": 120}).config  # noqa: B018


def test_a_strength_per_head_learns_inside_it(place: Path, tmp_path: Path) -> None:
    """With "column", what is written looks at highlights, too; in one layer, "block" alone would change nothing."""
    options = {"steering": {"kind": "column", "strength": 1.0}, "model.trains": "steering"}
    rate = {"training.schedule.learning_rate": 0.1}
    out = tmp_path / "out"
    llama(tmp_path / "llama", chats=False)
    train(preset_of(tmp_path / "llama", **options, **rate), place / "corpus", out)
    network = checkpoint.load(out, sections_of).network
    [strengths] = network.steering.strength.values()
    assert (strengths != 1.0).all()
    assert nutgraf.load(out)(ISLAND, words=12, highlights=["ferry"]).effect.attention is not None


def test_marks_stand_where_the_phrases_of_a_padded_row_are(place: Path, tmp_path: Path) -> None:
    options = {"steering": {"kind": "column", "strength": 2.0}, "model.trains": "steering"}
    folder = llama(tmp_path / "llama", chats=False)
    preset = preset_of(folder, **options)
    words = words_of(folder, preset)
    network = checkpoint.build(preset, len(words))
    assert isinstance(network, Pretrained)
    network.begin_with_folder()
    preparation = Preparation.of(preset, words)
    texts = [text for text, _ in NOTICES[:3]]
    sources = [preparation.source(Document.of(text, language="en")) for text in texts]
    targets = [preparation.target([SAID], source) for source in sources]
    with torch.no_grad():
        together = network.eval()(batch(sources, targets)).target_log_probs
        for row in range(3):
            alone = network(batch(sources[row : row + 1], targets[row : row + 1])).target_log_probs[0]
            torch.testing.assert_close(together[row, : len(alone)], alone, atol=1e-5, rtol=1e-5)
