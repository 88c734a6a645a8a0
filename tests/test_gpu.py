"""All that computes does so on a GPU, too: one that is not there (`fake_gpu.py`) refuses what a real one does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("accelerate")

import torch

import nutgraf
import tiny_checkers
import tiny_pretrained
from fake_gpu import OnFakeGpu, fake_gpu
from nutgraf.checkpoint import build as build_network
from nutgraf.decoding.search import search
from nutgraf.errors import TrainingError
from nutgraf.model.records import BOS, EOS, PAD, Batch, Phrases
from nutgraf.presets import names
from nutgraf.runtime.compute import kernels, multiplies_bf16
from nutgraf.systems import read_preset as read
from nutgraf.systems.verify import read_checker
from nutgraf.training.batches import wanted
from nutgraf.training.config import Config
from nutgraf.training.machine import WORKSPACE, Machine
from nutgraf.training.objectives import objectives
from nutgraf.training.run import train
from tiny_network import NOTICES, build, tiny
from tiny_pretrained import ISLAND
from tiny_spans import WRITE, tiny_spans

TEXT = NOTICES[0][0]

QUICK = {
    "training.max_steps": 1,
    "training.batch_size": 2,
    "training.gradient_accumulation_steps": 1,
    "training.validate_every": 1,
    "training.checkpoint_every": 1,
    "training.log_every": 1,
}

pytestmark = pytest.mark.filterwarnings("ignore:PyTorch was compiled without cuDNN")


@pytest.fixture
def gpu() -> Iterator[None]:
    with fake_gpu():
        yield


def kinds(table: Any, place: str = "") -> set[tuple[str, str]]:
    """Return every choice of a member of a family in a table, with its place there."""
    if not isinstance(table, dict):
        return set()
    found = {(place, str(table["kind"]))} if "kind" in table else set()
    return found.union(*(kinds(value, f"{place}.{name}") for name, value in table.items()))


def representative() -> list[str]:
    """Presets of networks that write, as few as have every part, objective and processor of them all."""
    seen: set[tuple[str, str]] = set()
    chosen = []
    for name in names():
        preset = read(name)
        if preset.system != "neural":
            continue
        table = preset.complete()
        parts = kinds(table["model"])
        for family in (table["training"]["objectives"], table["decoding"]["processors"]):
            parts |= {("", one["kind"]) for one in family.values()}
        if not parts <= seen:
            chosen.append(name)
            seen |= parts
    return chosen


class TestTheFakeGpu:
    """It refuses what a GPU refuses, and computes what the processor does."""

    def test_its_tensors_become_no_arrays(self, gpu: None) -> None:
        import numpy as np

        numbers = torch.arange(3, device="cuda")
        assert (str(numbers.device), numbers.is_cuda) == ("cuda:0", True)
        for convert in (lambda: numbers.numpy(), lambda: np.asarray(numbers), lambda: np.add(numbers, 1)):
            with pytest.raises(TypeError, match="cuda:0"):
                convert()
        assert numbers.cpu().numpy().tolist() == numbers.tolist() == [0, 1, 2]

    def test_its_tensors_do_not_meet_those_of_the_processor(self, gpu: None) -> None:
        table = torch.eye(3, device="cuda")
        for mix in (
            lambda: table + torch.ones(3),
            lambda: table[torch.arange(2)],
            lambda: torch.cat([table, torch.eye(3)]),
        ):
            with pytest.raises(RuntimeError, match="same device"):
                mix()
        assert (table + torch.tensor(1.0)).device.type == "cuda"
        assert table[[0, 2]].tolist() == [[1, 0, 0], [0, 0, 1]]

    def test_gradients_are_those_of_the_processor(self) -> None:
        torch.manual_seed(0)
        network, given = torch.nn.LSTM(3, 2, batch_first=True), torch.randn(2, 5, 3)
        network(given)[0].sum().backward()
        wanted = [one.grad.clone() for one in network.parameters()]
        with fake_gpu():
            network.to("cuda")(given.to("cuda"))[0].sum().backward()
            found = [one.grad for one in network.parameters()]
            assert all(isinstance(one, OnFakeGpu) for one in found)
            torch.testing.assert_close([one.cpu() for one in found], wanted)


@pytest.mark.parametrize("name", representative())
def test_a_network_learns_and_writes_as_on_the_processor(name: str, tmp_path: Path) -> None:
    short = {"self_critical": {"max_length": 3}, "brio": {"max_length": 3, "num_candidates": 2, "num_beam_groups": 1}}
    small = {"truncation.source": 12, "truncation.target": 6}
    chosen = [key for key in tiny(name).config.training.objectives if key in short]
    small |= {f"training.objectives.{key}.{option}": value for key in chosen for option, value in short[key].items()}
    preset = tiny(name, **small)
    network, batch, _ = build(tmp_path, preset)
    batch = batch.select(torch.tensor([0, 2]))
    judged = [objectives.build(one) for one in preset.config.training.objectives.values()]
    for one in judged:
        one.judge_by(lambda written, reference: len(written) / 9)
    config = replace(
        preset.options("decoding"), beam_size=2, num_return_sequences=1, max_length=2, min_length=0, diversity=None
    )

    def step(given: Any) -> float:
        trace = network.train()(given)
        loss = torch.stack([one(network, given, trace) for one in judged]).sum() / wanted(given)
        loss.backward()
        torch.optim.SGD(network.parameters(), 0.1).step()
        return loss.item()

    def written(given: Any) -> list[tuple[int, ...]]:
        return [one[0].ids for one in search(network.eval(), given, config)]

    for part in network.modules():
        part.p = 0.0 if isinstance(part, torch.nn.Dropout) else getattr(part, "p", None)
    begun = {key: value.clone() for key, value in network.state_dict().items()}
    torch.manual_seed(3)
    expected = step(batch), written(batch)
    network.load_state_dict(begun)
    with fake_gpu():
        network.to("cuda").zero_grad()
        torch.manual_seed(3)
        given = batch.to("cuda")
        assert step(given) == pytest.approx(expected[0], rel=1e-4)
        assert written(given) == expected[1]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gpu") / "corpus"
    folder.mkdir()
    for split in ("train", "validation"):
        lines = [
            json.dumps({"id": str(number), "documents": [text], "summary": " ".join(summary)})
            for number, (text, summary) in enumerate(NOTICES)
        ]
        (folder / f"{split}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def learned(corpus: Path) -> Path:
    out, said = corpus.parent / "learned", []
    options = {
        **QUICK,
        "training.rouge_examples": 1,
        "training.ema_decay": 0.9,
        "training.scheduled_sampling": 0.2,
        "training.validate_every": 2,
        "decoding.max_length": 3,
        "model.encoder.num_layers": 1,
        "model.decoder.num_layers": 1,
    }
    with fake_gpu():
        for steps, resume in ((1, False), (2, True)):
            preset = tiny("kpat", **{**options, "training.max_steps": steps})
            train(preset, corpus, out, resume=resume, listeners=[lambda one: said.append(getattr(one, "text", ""))])
    assert any("On cuda (Fake GPU), bf16" in one for one in said)
    return out


class TestAFolder:
    """From a corpus to a checked summary."""

    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"decoding.sampling.top_k": 5, "decoding.sampling.top_p": 0.9},
            {"decoding.beam_size": 4, "decoding.diversity.num_beam_groups": 2, "decoding.mbr.variants": ["1"]},
            {"decoding.unknown": "replace", "decoding.coverage_penalty": 0.5, "decoding.stepwise_penalty": True},
            {"decoding.precision": "bf16"},
        ],
    )
    def test_is_searched_in_every_way(self, learned: Path, gpu: None, options: dict[str, Any]) -> None:
        made = nutgraf.load(learned, options)(TEXT, highlights=["mast:2"], compare=True)
        assert made.text
        assert "kernels:Fake GPU" in made.signature
        assert made.effect.unsteered is not None

    def test_writes_what_it_writes_on_the_processor(self, learned: Path) -> None:
        precise = {"decoding.precision": "fp32"}
        on_processor = nutgraf.load(learned, precise, device="cpu")(TEXT, words=2)
        with fake_gpu():
            system = nutgraf.load(learned, precise)
            on_gpu = system(TEXT, words=2)
            assert on_gpu.text == on_processor.text
            assert system.signals(on_gpu) is not None
            assert system.attention(on_gpu).weights.shape[0] == 1
            assert system.ablate(on_gpu, 3) is not None

    def test_is_checked(self, learned: Path, gpu: None, tmp_path: Path) -> None:
        system = nutgraf.load(learned)
        made = system(TEXT)
        checker = tiny_checkers.pairs(tmp_path, [TEXT, made.text], "noon", ["entailment", "contradiction"], 0)
        assert nutgraf.check(made.text, TEXT, read_checker(checker)) is not None


@pytest.mark.parametrize("name", ["bert_ext_small", "reranker_small"])
def test_encoders_that_attend_to_phrases_read_texts_without_any(name: str) -> None:
    """A tagger's sentences and a re-ranker's summaries have no phrases."""
    parts = ["model.encoder"] + (["model.sentence_encoder"] if name == "bert_ext_small" else [])
    sizes = {"model.d_model": 8, "model.num_heads": 2, "model.encoder.num_layers": 1, "model.dropout": 0.0}
    network = build_network(read(name, {**sizes, **{f"{part}.attention.kind": "highlight" for part in parts}}), 31)
    source = torch.tensor([[BOS, 7, 8, BOS, 9, 5], [BOS, 9, 9, 6, PAD, PAD]])
    target = torch.tensor([[BOS, 7, EOS, BOS, 8, EOS], [BOS, 9, EOS, BOS, 5, EOS]])
    phrases = Phrases(torch.tensor([0]), torch.tensor([1]), torch.tensor([3]), torch.tensor([2.0]))
    batch = Batch(source, source, source == PAD, phrases, 0, target, target)

    def numbers(given: Batch) -> Any:
        with torch.no_grad():
            return network.eval().scores(given) if name == "reranker_small" else network.eval().probabilities(given)

    expected = numbers(batch)
    with fake_gpu():
        network.to("cuda")
        torch.testing.assert_close(numbers(batch.to("cuda")).cpu(), expected)


def test_a_tagger_selects(corpus: Path, tmp_path: Path, gpu: None) -> None:
    sizes = {"model.d_model": 8, "model.num_heads": 2, "model.encoder.num_layers": 1, "tokenizer.vocab_size": 300}
    train(read("bert_ext_small", {**sizes, **QUICK, "dataset.kind": "jsonl"}), corpus, tmp_path / "out")
    assert nutgraf.load(tmp_path / "out")(TEXT, sentences=1).text


@pytest.mark.parametrize("name", ["checker", "editor", "selector"])
def test_classifiers_of_spans_learn(name: str, tmp_path: Path, gpu: None) -> None:
    WRITE[name](tmp_path / "corpus")
    train(
        tiny_spans(name, **{"training.max_steps": 2, "training.validate_every": 2}), tmp_path / "corpus", tmp_path / "a"
    )
    if name == "selector":
        frozen = {"model.frozen_layers": 2, "training.init_from": str(tmp_path / "a")}
        train(tiny_spans(name, **{**frozen, "training.max_steps": 2}), tmp_path / "corpus", tmp_path / "b")
        assert nutgraf.load(tmp_path / "b")(TEXT, sentences=1).text


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    place = tmp_path_factory.mktemp("gpu")
    names = {"bart": "BartForConditionalGeneration", "gpt": "GPT2LMHeadModel"}
    return {key: tiny_pretrained.untrained(place / key, name) for key, name in names.items()}


class TestPretrained:
    """Models of transformers, steered in every form."""

    @pytest.mark.parametrize("name", ["bart", "gpt"])
    @pytest.mark.parametrize("form", ["column", "block", "share", "contrast"])
    def test_highlights_steer(self, folders: dict[str, Path], name: str, form: str, gpu: None) -> None:
        options = {"highlights.form": form, "pretrained.max_length": 4, "highlights.highlighted_heads": [0]}
        if form == "contrast":
            del options["highlights.highlighted_heads"]
        made = nutgraf.load(f"hf:{folders[name]}", options)(f"{ISLAND}\n", highlights=["seals"], compare=True)
        assert (made.effect.attention is None) == (form == "contrast")
        assert made.effect.unsteered is not None

    @pytest.mark.parametrize("name", ["bart", "gpt"])
    def test_sentences_are_ablated(self, folders: dict[str, Path], name: str, gpu: None) -> None:
        system = nutgraf.load(f"hf:{folders[name]}", {"pretrained.max_length": 9})
        assert system.ablate(system(ISLAND), 2) is not None

    def test_one_is_trained_further(self, folders: dict[str, Path], corpus: Path, tmp_path: Path, gpu: None) -> None:
        sizes = {"truncation.source": 60, "truncation.target": 40, "keyphrases.top": 8, "writing.max_length": 4}
        preset = read("bart_kpat", {**QUICK, **sizes, "model.folder": str(folders["bart"])})
        train(preset, corpus, tmp_path / "out")
        made = nutgraf.load(tmp_path / "out")(f"{TEXT}\n", highlights=["mast"])
        assert made.effect.attention is not None


class TestTheMachine:
    def test_the_device_is_chosen(self, learned: Path, gpu: None) -> None:
        device = Machine(Config()).device
        assert (device.type, kernels(device), multiplies_bf16(device)) == ("cuda", "Fake GPU", True)
        for asked, found in (("auto", "cuda"), ("cuda", "cuda"), ("cuda:0", "cuda"), ("cpu", "cpu")):
            assert nutgraf.load(learned, device=asked)._device.type == found

    @pytest.mark.parametrize(
        ("set_to", "started", "fixed"),
        [(None, False, ":4096:8"), (":16:8", True, ":16:8"), (None, True, None), (":0:0", False, None)],
    )
    def test_deterministic_products_are_asked_for_before_the_gpu_starts(
        self, gpu: None, monkeypatch: pytest.MonkeyPatch, set_to: str | None, started: bool, fixed: str | None
    ) -> None:
        import os

        monkeypatch.setenv(WORKSPACE, "")
        monkeypatch.delenv(WORKSPACE)
        if set_to:
            monkeypatch.setenv(WORKSPACE, set_to)
        monkeypatch.setattr(torch.cuda, "is_initialized", lambda: started)
        monkeypatch.setattr(torch, "use_deterministic_algorithms", lambda *_, **__: None)
        if fixed is None:
            with pytest.raises(TrainingError, match=f"{WORKSPACE}=:4096:8"):
                Machine(Config(deterministic=True))
        else:
            Machine(Config(deterministic=True))
            assert os.environ[WORKSPACE] == fixed
