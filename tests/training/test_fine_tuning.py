"""Pretrained models that are trained further: a tiny BART and a tiny T5, made here, learn a few notices of ours."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tiny_network import NOTICES
from tiny_pretrained import ISLAND, SAID, tokenizer, untrained

pytest.importorskip("transformers")

import torch
from typer.testing import CliRunner, Result

import nutgraf
from nutgraf import checkpoint
from nutgraf.cli.app import app
from nutgraf.errors import InputError, MissingPackage, PresetError
from nutgraf.model.pretrained import SPECIAL, Pretrained
from nutgraf.presets import Preset
from nutgraf.steering import Marks, Span, forms
from nutgraf.steering.learned import _Scaled
from nutgraf.steering.marks import Window
from nutgraf.steering.reach import Unreachable
from nutgraf.systems import read_preset as read
from nutgraf.systems import sections_of
from nutgraf.tokenizers import tokenizers
from nutgraf.training.run import train

QUICK = {
    "truncation.source": 60,
    "truncation.target": 40,
    "keyphrases.top": 8,
    "training.max_steps": 6,
    "training.batch_size": 2,
    "training.gradient_accumulation_steps": 1,
    "training.validate_every": 3,
    "training.checkpoint_every": 3,
    "training.log_every": 1,
    "training.device": "cpu",
    "training.threads": 1,
    "training.precision": "fp32",
    "training.schedule.warmup_steps": 0,
    "training.schedule.learning_rate": 0.02,
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus, a BART and a T5 whose attention matters: their weights are larger than they begin with."""
    folder = tmp_path_factory.mktemp("fine_tuning")
    (folder / "corpus").mkdir()
    for split in ("train", "validation"):
        lines = [
            json.dumps({"id": str(number), "documents": [text], "summary": " ".join(summary)})
            for number, (text, summary) in enumerate(NOTICES)
        ]
        (folder / "corpus" / f"{split}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for name, kind in (("bart", "BartForConditionalGeneration"), ("t5", "T5ForConditionalGeneration")):
        made = untrained(folder / name, kind)
        enlarge(made, kind)
    return folder


def enlarge(folder: Path, kind: str) -> None:
    """Make a model's weights large enough for attention to matter."""
    import transformers

    network = getattr(transformers, kind).from_pretrained(folder)
    torch.manual_seed(3)
    with torch.no_grad():
        for weight in network.parameters():
            if weight.dim() == 2:
                weight.normal_(std=0.3)
    network.save_pretrained(folder)


def preset_of(folder: Path, name: str = "bart_kpat", **options: Any) -> Preset:
    return read(name, {**QUICK, "model.folder": str(folder), **options})


def trained(place: Path, out: Path, model: str = "bart", name: str = "bart_kpat", **options: Any) -> Path:
    train(preset_of(place / model, name, **options), place / "corpus", out)
    return out


def losses(folder: Path) -> list[float]:
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    return [line["loss"] for line in lines if "best" in line]


def network_of(folder: Path, **options: Any) -> Pretrained:
    """A network with the weights of a model's folder."""
    words = tokenizers.make("pretrained")
    words.load(folder)
    network = checkpoint.build(preset_of(folder, **options), len(words))
    network.begin_with_folder()
    return network.eval()


def batch_of(folder: Path, preset: Preset, examples: int = 3) -> Any:
    """The first notices as a batch; a single one has no padding."""
    from nutgraf.preparation import Preparation, batch
    from nutgraf.text.document import Document

    words = tokenizers.build(preset.options("tokenizer"))
    words.load(folder)
    preparation = Preparation.of(preset, words)
    sources = [preparation.source(Document.of(text, language="en")) for text, _ in NOTICES[:examples]]
    targets = [preparation.target(summary, source) for (_, summary), source in zip(NOTICES, sources, strict=False)]
    made = batch(sources, targets)
    assert len(made.phrases)
    return made


def by_transformers(network: Any, ids: torch.Tensor, given: Any) -> torch.Tensor:
    """Log probabilities of the labels, computed by a model of transformers alone; `ids` are its own ids."""
    with torch.no_grad():
        logits = network(
            input_ids=ids[given.source],
            attention_mask=(~given.key_padding_mask).long(),
            decoder_input_ids=ids[given.decoder_input],
        ).logits
    found = logits.gather(-1, ids[given.labels][..., None])[..., 0] - logits.logsumexp(-1)
    return found.masked_fill(given.labels_mask, 0.0)


def untouched(model: Path) -> Any:
    from transformers import AutoModelForSeq2SeqLM

    return AutoModelForSeq2SeqLM.from_pretrained(model, dtype=torch.float32).eval()


def changed(folder: Path, model: Path) -> set[str]:
    """Names of the weights in a trained model that are not those of the model that it began with."""
    from safetensors.torch import load_file

    now, before = load_file(folder / "weights.safetensors"), load_file(model / "model.safetensors")
    own = {name: before.get(name.removeprefix("backbone.").replace(".base_layer", "")) for name in now}
    return {name for name, tensor in now.items() if own[name] is None or not torch.equal(tensor, own[name])}


class TestTraining:
    @pytest.mark.parametrize("model", ["bart", "t5"])
    def test_strengths_alone_learn_and_nothing_else_changes(self, place: Path, tmp_path: Path, model: str) -> None:
        prefix = {"tokenizer.prefix": "summarize:"} if model == "t5" else {}
        rate = {"training.schedule.learning_rate": 0.1, "training.batch_size": 3, "training.max_steps": 12}
        out = trained(place, tmp_path / "out", model, **rate, **prefix)
        assert changed(out, place / model) == {"steering.strength.encoder", "steering.offset.encoder"}
        first, *_, last = losses(out)
        assert last < first

    def test_all_weights_learn(self, place: Path, tmp_path: Path) -> None:
        out = trained(place, tmp_path / "out", "t5", "bart_kpat_all")
        assert {"backbone.shared.weight", "steering.strength.encoder"} < changed(out, place / "t5")
        first, *_, last = losses(out)
        assert last < first

    def test_adapters_learn_beside_weights_that_stay(self, place: Path, tmp_path: Path) -> None:
        """LoRA: W + alpha / rank · B A, in the folder that was read again and in a model that is changed by hand."""
        pytest.importorskip("peft")
        lora = {"model.lora.rank": 2, "model.lora.alpha": 6.0, "steering": "none"}
        out = trained(place, tmp_path / "out", "bart", "bart_kpat_lora", **lora)
        new = changed(out, place / "bart")
        assert new
        assert all(".lora_A." in name or ".lora_B." in name for name in new)
        first, *_, last = losses(out)
        assert last < first
        assert "without [steering]" in " ".join(nutgraf.load(out)(ISLAND, highlights=["ferry"]).notices)
        rebuilt, plain = checkpoint.load(out, sections_of).network, untouched(place / "bart")
        given, found = batch_of(place / "bart", preset_of(place / "bart")), rebuilt.state_dict()
        with torch.no_grad():
            computed = rebuilt(given).target_log_probs
            assert not torch.allclose(computed, by_transformers(plain, rebuilt.ids, given), atol=1e-3)
            for name in [one for one in found if ".lora_A." in one]:
                product = found[name.replace("lora_A", "lora_B")] @ found[name]
                plain.get_parameter(name.removeprefix("backbone.").replace("lora_A.default.", "")).add_(3 * product)
        torch.testing.assert_close(computed, by_transformers(plain, rebuilt.ids, given), atol=1e-5, rtol=1e-5)

    def test_adapters_need_a_package(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "peft", None)
        with pytest.raises(MissingPackage):
            network_of(place / "bart", **{"model.trains": "lora"})

    @pytest.mark.parametrize("name", ["bart_kpat_all", "bart_kpat_lora"])
    def test_a_training_that_was_resumed_has_the_same_weights(self, place: Path, tmp_path: Path, name: str) -> None:
        options: dict[str, Any] = {"training.schedule.learning_rate": 0.01}
        if name == "bart_kpat_lora":
            pytest.importorskip("peft")
            options["model.lora.dropout"] = 0.3
        whole = trained(place, tmp_path / "whole", name=name, **options)
        parts = trained(place, tmp_path / "parts", name=name, **options, **{"training.max_steps": 3})
        train(preset_of(place / "bart", name, **options), place / "corpus", parts, resume=True)
        for name in ("weights", "optimizer"):
            one, other = (
                checkpoint.read_tensors(folder / f"checkpoints/last/{name}.safetensors") for folder in (whole, parts)
            )
            assert one.keys() == other.keys()
            assert checkpoint.digest_of(one) == checkpoint.digest_of(other)


class TestSteering:
    def test_eq_5_a_factor_and_an_addend_on_every_covered_cell(self) -> None:
        """KPAT's worked example: spans (1, 2) of weight 0.6 and (2, 3) of 0.3; head 0 has w = 2, β = 0.5, head 1 has
        w = −1, β = 0."""
        marks, window = Marks([[Span(1, 3, 0.6), Span(2, 4, 0.3)]]), Window(0, 5, 0, 5)
        form = _Scaled(forms.make("block"), torch.tensor([2.0, -1.0]), torch.tensor([0.5, 0.0]))
        made = form.bias(marks, window, lambda marked: marked)
        assert made is not None
        cells = (made.rows @ made.columns.mT)[0]
        first = [
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 1.7, 1.7, 0.0, 0.0],
            [0.0, 1.7, 1.7, 1.1, 0.0],
            [0.0, 0.0, 1.1, 1.1, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0],
        ]
        torch.testing.assert_close(cells[0], torch.tensor(first))
        assert cells[1, 1, 2].item() == pytest.approx(-0.6)
        assert cells[1, 1, 3].item() == 0.0

    @pytest.mark.parametrize("model", ["bart", "t5"])
    @pytest.mark.parametrize("form", ["block", "column"])
    def test_the_gradient_of_a_strength_is_what_a_small_change_of_it_changes(
        self, place: Path, model: str, form: str
    ) -> None:
        network = network_of(place / model, **{"steering.kind": form}).double()
        width = 1e-4 if model == "bart" else 1e-2  # T5 computes some in single precision, whatever its weights are
        given = batch_of(place / model, preset_of(place / model))

        def loss() -> torch.Tensor:
            return -network(given).target_log_probs.sum()

        loss().backward()
        for values in (network.steering.strength, network.steering.offset):
            for place_, parameter in values.items():
                assert parameter.grad is not None, place_
                slope = []
                for step in (width, -width):
                    with torch.no_grad():
                        parameter[0, 1] += step
                        slope.append(loss().item())
                        parameter[0, 1] -= step
                assert parameter.grad[0, 1].item() == pytest.approx((slope[0] - slope[1]) / (2 * width), rel=width)
                assert parameter.grad[0, 1].item() != 0

    @pytest.mark.parametrize("model", ["bart", "t5"])
    @pytest.mark.parametrize("examples", [1, 3])
    def test_strength_0_computes_what_the_untouched_model_does(self, place: Path, model: str, examples: int) -> None:
        network = network_of(place / model, **{"steering.strength": 0.0})
        given = batch_of(place / model, preset_of(place / model), examples)
        with torch.no_grad():
            found = network(given).target_log_probs
            network.steering.strength["encoder"].fill_(4.0)
            steered = network(given).target_log_probs
        assert torch.equal(found, by_transformers(untouched(place / model), network.ids, given))
        assert not torch.allclose(steered, found)

    def test_layers_and_heads_are_those_that_were_chosen(self, place: Path) -> None:
        network = network_of(place / "bart", **{"steering.highlighted_layers": [-1], "steering.highlighted_heads": [1]})
        network(batch_of(place / "bart", preset_of(place / "bart"))).target_log_probs.sum().backward()
        (grad,) = [one.grad for one in network.steering.strength.values()]
        assert grad[0, 0] == 0
        assert grad[0, 1] != 0


@pytest.fixture(scope="module")
def folder(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BART that learned one sentence for every notice, in a place where its own folder is not."""
    away = tmp_path_factory.mktemp("away")
    shutil.copytree(place / "bart", away / "bart")
    lines = [json.dumps({"id": "1", "documents": [text], "summary": SAID}) for text, _ in NOTICES]
    (away / "corpus.jsonl").write_text("\n".join(lines * 2), encoding="utf-8")
    options = {**QUICK, "training.max_steps": 40, "training.validate_every": 0, "model.folder": away / "bart"}
    done = command(
        *("train", "bart_kpat_all", "--data", away / "corpus.jsonl", "--out", away / "out"),
        *(part for name, value in options.items() for part in ("--set", f"{name}={value}")),
    )
    assert done.exit_code == 0, done.output
    shutil.move(away / "out", away / "elsewhere")
    shutil.rmtree(away / "bart")
    return away / "elsewhere"


def command(*arguments: object) -> Result:
    """Run a command of nutgraf."""
    return CliRunner().invoke(app, [str(one) for one in arguments])


class TestModelFolder:
    def test_it_rebuilds_itself_and_writes(self, folder: Path) -> None:
        system = nutgraf.load(folder, {"writing.beam_size": 2})
        summary = system(ISLAND, words=12, highlights={"lighthouse": 2.0})
        assert summary.sentences
        assert summary.words <= 12
        assert all(text in SAID for text in (one.text for one in summary.sentences))
        assert "weights:" in summary.signature
        assert str(nutgraf.load(folder, {"writing.beam_size": 2})(ISLAND, words=12)) != ""
        assert any(sentence.origins for sentence in summary.sentences)

    @pytest.mark.parametrize(("words", "kept"), [(13, (0, 2)), (12, (0, 1))])
    def test_the_command_keeps_to_the_length(
        self, folder: Path, tmp_path: Path, words: int, kept: tuple[int, ...]
    ) -> None:
        """The model writes sentences of 5, 7 and 8 words."""
        (tmp_path / "island.txt").write_text(ISLAND, encoding="utf-8")
        done = command(
            "summarize", tmp_path / "island.txt", "--system", folder, "--words", words, "--highlight", "ferry"
        )
        assert done.exit_code == 0, done.output
        said = re.findall(r"[^.]+\.", SAID)
        assert done.stdout.split() == "".join(said[one] for one in kept).split()

    def test_attention_on_highlights_is_told_and_sentences_can_be_left_out(self, folder: Path) -> None:
        system = nutgraf.load(folder)
        summary = system(ISLAND, words=12, highlights=["lighthouse"])
        assert summary.effect.attention is not None
        assert 0 < summary.effect.attention < 1
        found = system.ablate(summary, ablations=4)
        assert len(found.sentences) == len(summary.sentences)

    def test_a_long_text_is_read_in_windows(self, folder: Path) -> None:
        summary = nutgraf.load(folder, {"reading.window": 20})(ISLAND)
        assert any("part was left" in notice for notice in summary.notices)

    def test_phrases_and_highlights_steer_it(self, folder: Path) -> None:
        system = nutgraf.load(folder)
        seen: list[Any] = []
        marking = system._trained.network.steering.marking
        system._trained.network.steering.marking = lambda spans, gauge: (seen.append(spans), marking(spans, gauge))[1]
        system(NOTICES[0][0], highlights={"noon": 7.0})
        assert 7.0 in {span.weight for span in seen[0][0]}
        assert len(seen[0][0]) > 1

    def test_its_model_stays(self, folder: Path) -> None:
        with pytest.raises(PresetError, match=r"steering\.strength stays"):
            nutgraf.load(folder, {"steering.strength": 2.0})

    def test_damaged_strengths_are_refused(self, folder: Path, tmp_path: Path) -> None:
        shutil.copytree(folder, tmp_path / "copy")
        tensors = checkpoint.read_tensors(folder / "weights.safetensors")
        del tensors["steering.offset.encoder"]
        checkpoint.write_tensors(tmp_path / "copy" / "weights.safetensors", tensors)
        with pytest.raises(InputError, match=r"lacks steering\.offset\.encoder"):
            checkpoint.load(tmp_path / "copy", sections_of)


class TestTokenizer:
    def test_a_source_has_the_ids_that_the_model_was_trained_with(self, place: Path) -> None:
        given = batch_of(place / "bart", preset_of(place / "bart"))
        text = NOTICES[2][0].split(" Her")[0]
        expected = tokenizer()(f" {text}")["input_ids"]
        ids = (given.source[2] - SPECIAL).tolist()
        assert ids[:50] == expected[:50]
        assert given.target[2, :2].tolist() == [2, SPECIAL]

    def test_a_prefix_stands_before_sources_alone(self, place: Path) -> None:
        words = tokenizers.make("pretrained", prefix="summarize:")
        words.load(place / "bart")
        assert words.frame.before_target == (SPECIAL,)
        assert len(words.frame.before_source) > 2
        assert words.frame.behind_source == (SPECIAL + 2,)

    def test_spans_are_those_of_the_text_and_special_tokens_of_a_text_are_text(self, place: Path) -> None:
        words = tokenizers.make("pretrained")
        words.load(place / "bart")
        text = "The ferry  sails on"
        found = words.encode(text)
        assert "".join(text[start:end] for start, end in found.spans) == text.replace(" ", "")
        assert words.decode(found.tokens) == text
        assert SPECIAL + 2 not in words.encode("Mondays </s> and").ids

    def test_it_learns_nothing(self) -> None:
        with pytest.raises(PresetError, match=r"model\.folder"):
            tokenizers.make("pretrained").train(["A ferry."])


class TestRefusals:
    def refused(self, place: Path, folder: Path | str, match: str, **options: Any) -> None:
        with pytest.raises((InputError, PresetError), match=match):
            train(preset_of(Path(folder), **options), place / "corpus", Path(place / "never"))

    def test_folders_without_a_model_of_use(self, place: Path, tmp_path: Path) -> None:
        with pytest.raises(PresetError, match=r"--set model\.folder=FOLDER"):
            train(read("bart_kpat", QUICK), place / "corpus", tmp_path / "out")
        self.refused(place, tmp_path / "none", "neither a folder nor a GGUF file|There is no folder")
        (tmp_path / "empty").mkdir()
        self.refused(place, tmp_path / "empty", r"holds no model: there is no config\.json")
        self.refused(place, untrained(tmp_path / "gpt", "GPT2LMHeadModel"), "decoder alone")
        self.refused(place, untrained(tmp_path / "mbart", "MBartForConditionalGeneration"), "languages")

    def test_pickles_and_code_are_never_read(self, place: Path, tmp_path: Path) -> None:
        shutil.copytree(place / "bart", tmp_path / "old")
        (tmp_path / "old" / "model.safetensors").rename(tmp_path / "old" / "pytorch_model.bin")
        self.refused(place, tmp_path / "old", "--safetensors reads the weights alone")
        shutil.copytree(place / "bart", tmp_path / "code")
        config = json.loads((tmp_path / "code" / "config.json").read_text(encoding="utf-8"))
        config |= {"model_type": "own", "auto_map": {"AutoModelForSeq2SeqLM": "own.Model"}}
        (tmp_path / "code" / "config.json").write_text(json.dumps(config), encoding="utf-8")
        self.refused(place, tmp_path / "code", "runs no code")

    def test_kernels_that_a_configuration_names_are_not_fetched(self, place: Path, tmp_path: Path) -> None:
        shutil.copytree(place / "bart", tmp_path / "bart")
        config = json.loads((tmp_path / "bart" / "config.json").read_text(encoding="utf-8"))
        config |= dict.fromkeys(("attn_implementation", "_attn_implementation"), "kernels-community/flash-attn3")
        (tmp_path / "bart" / "config.json").write_text(json.dumps(config), encoding="utf-8")
        assert network_of(tmp_path / "bart").backbone.config._attn_implementation == "nutgraf_sdpa"

    def test_attention_that_cannot_be_reached(self, place: Path, tmp_path: Path) -> None:
        made = untrained(tmp_path / "led", "LEDForConditionalGeneration")
        with pytest.raises(Unreachable):
            train(preset_of(made), place / "corpus", tmp_path / "out")

    def test_options_that_do_not_fit(self, place: Path) -> None:
        self.refused(place, place / "bart", "needs a section", steering="none")
        self.refused(place, place / "bart", "has no strength", **{"steering.kind": "share"})
        self.refused(place, place / "bart", "^A source of 1,020 tokens", **{"truncation.source": 1020})
        told = r"^A source of .* and a summary of .* are too long .*--set truncation.source=1008 --set truncation"
        self.refused(place, place / "bart", told, **{"truncation.source": 1020, "truncation.target": 1020})
        self.refused(place, place / "bart", "neither sampled from", **{"training.rouge_examples": 5})

    def test_data_of_another_tokenizer(self, place: Path, tmp_path: Path) -> None:
        trained(place, tmp_path / "out")
        shutil.copytree(place / "bart", tmp_path / "bart")
        words = json.loads((tmp_path / "bart" / "tokenizer.json").read_text(encoding="utf-8"))
        vocabulary = words["model"]["vocab"]
        first, second = list(vocabulary)[50:52]
        vocabulary[first], vocabulary[second] = vocabulary[second], vocabulary[first]
        (tmp_path / "bart" / "tokenizer.json").write_text(json.dumps(words), encoding="utf-8")
        with pytest.raises(InputError, match="tokenizer"):
            train(preset_of(tmp_path / "bart"), tmp_path / "out.data", tmp_path / "again")
