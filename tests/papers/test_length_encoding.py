"""The transformer decoder that is told a length (Takase and Okazaki 2019; the noise of Oka et al. 2020)."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

import nutgraf  # noqa: E402
from nutgraf.cli.info import info  # noqa: E402
from nutgraf.cli.tune import tune  # noqa: E402
from nutgraf.datasets import Record  # noqa: E402
from nutgraf.decoding.search import Config as Decoding  # noqa: E402
from nutgraf.decoding.search import search  # noqa: E402
from nutgraf.errors import InputError, OutputError  # noqa: E402
from nutgraf.evaluation.length import calibrate  # noqa: E402
from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.decoder._length_encoding import length_differences  # noqa: E402
from nutgraf.model.decoder.transformer import Config as Transformer  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, Batch, EncoderOutput, Phrases  # noqa: E402
from nutgraf.model.seq2seq import Config, Seq2Seq  # noqa: E402
from nutgraf.model_folder import read_card, write_card  # noqa: E402
from nutgraf.preparation.prepare import prepare  # noqa: E402
from nutgraf.presets.family import configure  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.text.document import Document  # noqa: E402
from nutgraf.text.summary import Budget, Summary, SummarySentence  # noqa: E402
from nutgraf.training import run as experiment  # noqa: E402
from nutgraf.training.random_state import drawing  # noqa: E402
from tiny_network import NOTICES, tiny, train  # noqa: E402

WIDTH, STEPS, SOURCE, WORDS = 8, 7, 5, 13
LETTERS = "abcdefghijklmnopqrstuvwxyz"
LENGTHS = [2, 4, 5]


def a_decoder(**options: object):
    torch.manual_seed(3)
    choice = decoders.choose("transformer", num_layers=2, ffn_dim=11, **options)
    return decoders.build(choice, DecoderContext(Size(WORDS, WIDTH, 2, 0.0), WIDTH))


def a_memory() -> EncoderOutput:
    torch.manual_seed(5)
    mask = torch.arange(SOURCE) >= torch.tensor([[SOURCE], [3], [SOURCE]])
    words = torch.full((3, SOURCE), 4)
    return EncoderOutput(torch.randn(3, SOURCE, WIDTH), mask, words, desired_length=torch.tensor(LENGTHS))


def embedded() -> Tensor:
    torch.manual_seed(6)
    return torch.randn(3, STEPS, WIDTH)


def test_the_equation_by_hand() -> None:
    """len = 3, d = 4, so the wavelengths are those of 1 and 10000^(2/4) = 100. Of BOS at pos = 0 three tokens remain;
    at pos = 3, where the end is due, and at pos = 4 none."""
    found = length_differences(torch.tensor([3]), torch.arange(5), 4)[0].tolist()
    assert found[0] == pytest.approx([math.sin(3), math.cos(3), math.sin(0.03), math.cos(0.03)])
    assert found[1] == pytest.approx([math.sin(2), math.cos(2), math.sin(0.02), math.cos(0.02)])
    assert found[2] == pytest.approx([0.84147098, 0.54030231, 0.00999983, 0.99995000], abs=1e-6)
    assert found[3] == found[4] == [0, 1, 0, 1]


def test_the_encoding_is_added_to_the_first_layers_input() -> None:
    """And that is all: a decoder without it, given the sum, has the same states."""
    told, plain = a_decoder(length_encoding="difference").eval(), a_decoder().eval()
    added = length_differences(torch.tensor(LENGTHS), torch.arange(STEPS), WIDTH)
    found = told(embedded(), a_memory(), True)
    expected = plain(embedded() + added, a_memory(), True)
    assert torch.equal(found.hidden_states, expected.hidden_states)
    assert torch.equal(found.inputs, embedded())


def test_nothing_is_learned_for_it() -> None:
    told, plain = a_decoder(length_encoding="difference"), a_decoder()
    told.load_state_dict(plain.state_dict())


def test_step_by_step_is_all_at_once_beyond_the_length_too() -> None:
    """Two of the three summaries are longer than they were told. The second document leaves after three steps."""
    decoder, given, memory = a_decoder(length_encoding="difference").eval(), embedded(), a_memory()
    at_once = decoder(given, memory, False).hidden_states
    state, stay = decoder.start(memory, 2), torch.tensor([0, 1, 2])
    for step in range(STEPS):
        if step == 3:
            stay = torch.tensor([0, 2])
            state.keep(stay)
            memory = memory.keep(stay)
        found = decoder.step(given[stay, step, None].expand(-1, 2, -1), memory, state, False).hidden_states
        for beam in (0, 1):
            assert torch.allclose(found[:, beam], at_once[stay, step], atol=1e-5)


class TestNoise:
    """In training a length is up to `length_noise` tokens off."""

    def lengths(self, decoder, step: int) -> list[int]:
        """The lengths that 200 targets of 20 tokens are told in a step of training."""
        told = torch.full((200,), 20)
        with drawing(told.device, 1, step):
            return decoder.length_encoding.perturbed(told).tolist()

    def test_every_length_within_it_is_drawn_and_no_other(self) -> None:
        assert set(self.lengths(a_decoder(length_encoding="difference", length_noise=2), 1)) == {18, 19, 20, 21, 22}

    def test_a_step_decides_it(self) -> None:
        """So a training that is resumed goes on as if it had not been stopped."""
        decoder = a_decoder(length_encoding="difference")
        assert self.lengths(decoder, 7) == self.lengths(decoder, 7) != self.lengths(decoder, 8)

    def test_there_is_none_outside_training_or_where_it_is_0(self) -> None:
        noisy, exact = (a_decoder(length_encoding="difference", length_noise=noise) for noise in (4, 0))
        for training, same in ((False, True), (True, False)):
            found, expected = (
                one.train(training)(embedded(), a_memory(), False).hidden_states for one in (noisy, exact)
            )
            assert torch.equal(found, expected) == same


def a_network(**changes: object) -> Seq2Seq:
    torch.manual_seed(0)
    layer = {"kind": "transformer", "num_layers": 1, "ffn_dim": 32}
    decoder = {**layer, "length_encoding": "difference", "length_noise": 0}
    options = {"d_model": 16, "num_heads": 2, "max_positions": 19, "dropout": 0.0}
    parts = {"encoder": layer, "decoder": decoder, "head": {"kind": "generator"}}
    return Seq2Seq(configure(Config, {**options, **parts, **changes}, "model"), WORDS)


def examples(lengths: list[int], seed: int = 0) -> Batch:
    """Of each source some words, and of each summary so many; nothing in the source tells how many."""
    source = torch.randint(5, WORDS, (len(lengths), 5), generator=torch.Generator().manual_seed(seed))
    rows = [[BOS, *[4] * length, EOS, *[PAD] * (max(lengths) - length)] for length in lengths]
    target = torch.tensor(rows)
    return Batch(source, source, source == PAD, Phrases.none(), 0, target, target, torch.tensor(lengths))


@pytest.fixture(scope="module")
def obedient() -> Seq2Seq:
    """A network that has seen summaries of one to eight words for some seconds."""
    network, batch = a_network(), examples([*range(1, 9)] * 2)
    optimizer = torch.optim.Adam(network.parameters(), lr=2e-2)
    for _ in range(60):
        optimizer.zero_grad()
        (-network(batch).target_log_probs.sum() / len(batch.source)).backward()
        optimizer.step()
    return network.eval()


def test_a_network_learns_to_write_as_much_as_it_is_told(obedient) -> None:
    """Each document of a batch has its own length, and alone it gets the same summary."""
    asked = [2, 7, 4, 6]
    new = replace(examples([1] * 4, seed=99), desired_length=torch.tensor(asked))
    for beams in (1, 3):
        decoding = Decoding(beam_size=beams, max_length=12, processors={})
        found = search(obedient, new, decoding)
        assert [len(one[0].ids) for one in found] == asked
        for row, together in enumerate(found):
            source = new.source[row, None]
            length = new.desired_length[row, None]
            alone = Batch(source, source, source == PAD, Phrases.none(), desired_length=length)
            assert search(obedient, alone, decoding)[0][0].log_prob == pytest.approx(together[0].log_prob, abs=1e-5)


TEXT = NOTICES[0][0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A network that has seen three notices for two steps; its summaries had 16.4 tokens, 1.5 a word."""
    preset = tiny("news_small", **{"decoding.beam_size": 1, "decoding.diversity": "none", "decoding.max_length": 24})
    trained = train(tmp_path_factory.mktemp("told"), preset, steps=2)[0]
    data = {"target_length": 16.4, "tokens_per_word": 1.5}
    write_card(trained, {**read_card(trained), "data": data})
    return trained


@pytest.fixture
def told(monkeypatch) -> list[list[int]]:
    """The lengths that networks were told."""
    lengths: list[list[int]] = []

    def spy(length: Tensor, positions: Tensor, width: int) -> Tensor:
        if positions.tolist() == [0]:
            lengths.append(length.tolist())
        return length_differences(length, positions, width)

    monkeypatch.setattr("nutgraf.model.decoder._length_encoding.length_differences", spy)
    return lengths


class TestWhatIsAskedFor:
    """The text has 31 words in 170 characters."""

    @pytest.mark.parametrize(
        ("budget", "tokens"),
        [
            ({"words": 10}, 15),
            ({"share": "1/2"}, 22),  # 15 words
            ({"characters": 60}, 15),  # as many words as 60 characters of the text hold: 10
            ({"words": 30}, 24),  # 45 are more than the longest summary
            ({"sentences": 1}, 16),
        ],
    )
    def test_it_reaches_the_network_in_tokens(self, folder, told, budget, tokens) -> None:
        made = nutgraf.load(folder).many([Document.of(TEXT)], **budget)[0]
        assert told[0] == [tokens]
        if isinstance(made, nutgraf.Summary):
            assert made.to_json()["desired_length"] == made.desired_length == tokens
            assert nutgraf.Summary.loads(made.dumps(), made.document).desired_length == tokens

    def test_the_budget_holds_whatever_was_told(self, folder) -> None:
        for words in (3, 7):
            made = nutgraf.load(folder).many([Document.of(TEXT)], words=words)[0]
            assert isinstance(made, nutgraf.errors.BudgetError) or made.words <= words

    def test_a_length_of_ones_own_goes_before_all_others(self, folder, told) -> None:
        nutgraf.load(folder, ["decoding.desired_length=9"]).many([Document.of(TEXT)], words=10)
        assert told[0] == [9]

    def test_a_calibrated_factor_holds_for_its_weights(self, folder, told, monkeypatch) -> None:
        """16.4 · 1.2 = 19.68. Weights that were trained further were not calibrated."""
        system = nutgraf.load(folder)
        for weights in (system.card.get("weights"), {"from": "best", "step": 7}):
            monkeypatch.setitem(system._trained.card, "length_calibration", {"weights": weights, "factor": 1.2})
            system.many([Document.of(TEXT)])
        assert told == [[20], [16]]


def test_the_length_is_calibrated_by_rouge_1(folder, tmp_path) -> None:
    """The network is replaced by one that writes as many letters as it is told: 10 (0.6 times 16.4) to 23. The
    reference has 20, which is nearest to 1.2 times 16.4."""

    class Obedient:
        def __init__(self, length: int) -> None:
            self.length = length

        def many(self, documents, progress):
            text = " ".join(LETTERS[: self.length])
            return [Summary((SummarySentence(text, "generated", ()),), one, Budget(), "") for one in documents]

    own = tmp_path / "own"
    shutil.copytree(folder, own)
    records = [Record("a", Document.of(TEXT), ((" ".join(LETTERS[:20]),),)), Record("b", Document.of(TEXT), ())]
    found = calibrate(nutgraf.load(own), Obedient, records)
    assert (found.factor, found.length, found.examples) == (1.2, 20, 1)
    assert found.scores[1.2] == pytest.approx(100)
    assert found.scores[0.6] == pytest.approx(100 * 2 * 10 / (10 + 20), abs=1e-3)
    assert read_card(own)["length_calibration"]["factor"] == 1.2
    assert nutgraf.load(own)(Document.of(TEXT)).desired_length == 20


def test_a_network_that_is_told_nothing_is_not_calibrated(tmp_path) -> None:
    plain = train(tmp_path, tiny("copy_transformer_small"), steps=0)[0]
    with pytest.raises(InputError, match="told a length"):
        calibrate(nutgraf.load(plain), lambda length: None, [])
    with pytest.raises(OutputError, match="file"):
        tune(str(plain), "nowhere.jsonl", None)


def test_a_training_leaves_a_folder_that_knows_its_lengths(tmp_path, capsys, monkeypatch) -> None:
    """`nutgraf tune` and `nutgraf info` take it from there. The three summaries have 13, 11 and 13 words."""
    lines = "\n".join(json.dumps({"document": text, "summary": summary}) for text, summary in NOTICES)
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "train.jsonl").write_text(lines)
    training = {"batch_size": 3, "max_steps": 1, "validate_every": 0, "rouge_examples": 0, "threads": 1}
    changes = {f"training.{name}": one for name, one in training.items()}
    preset = tiny(
        "news_small", **changes, **{"decoding.beam_size": 1, "decoding.diversity": "none", "decoding.max_length": 5}
    )
    prepare(preset, tmp_path / "corpus", tmp_path / "data", workers=1)
    folder = experiment.train(preset, tmp_path / "data", tmp_path / "out").folder
    data = read_card(folder)["data"]
    assert data["tokens_per_word"] == pytest.approx(3 * data["target_length"] / (13 + 11 + 13), abs=1e-3)
    monkeypatch.setattr("nutgraf.evaluation.length.FACTORS", (1.0,))
    tune(str(folder), str(tmp_path / "corpus" / "train.jsonl"), None, limit=1)
    assert "best natural" in capsys.readouterr().err
    info(str(folder))
    told = f"{data['tokens_per_word']:g} tokens for each word of a budget, without one the {data['target_length']:g}"
    assert f"told; {told} of a training summary × 1, by 1 examples" in capsys.readouterr().out


def test_the_preset_of_news_is_told_lengths() -> None:
    preset = read("news_small")
    assert preset.config.model.decoder.config == Transformer(
        num_layers=3, ffn_dim=1024, length_encoding="difference", length_noise=4
    )
    assert (preset.config.truncation.source, preset.config.truncation.target) == (300, 100)
    assert preset.config.training.ema_decay == 0.999
    assert preset.config.training.schedule.config.end_step == preset.config.training.max_steps
