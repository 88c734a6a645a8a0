"""Liu, Luo and Zhu 2018: the convolutional network of Gehring et al. 2017, which is told how long to write. Numbers by
hand, the network beside plain formulas, and what becomes of a length that is asked for."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

pytest.importorskip("torch")

import torch
from torch import Tensor
from torch.nn import functional as F

import nutgraf
from nutgraf.checkpoint import digest_of, load_weights, read_tensors, weights, write_tensors
from nutgraf.decoding.search import Config as Decoding
from nutgraf.decoding.search import search
from nutgraf.errors import PresetError
from nutgraf.model import coverage
from nutgraf.model.convolution import GatedConvolution, WeightNormLinear
from nutgraf.model.decoder import DecoderContext, decoders
from nutgraf.model.decoder.convolutional import Convolutional as Decoder
from nutgraf.model.encoder import encoders
from nutgraf.model.encoder.convolutional import Convolutional as Encoder
from nutgraf.model.layers import Size
from nutgraf.model.records import BOS, EOS, PAD, Batch, EncoderOutput, Phrases
from nutgraf.model.seq2seq import Config, Seq2Seq
from nutgraf.preparation import prepare
from nutgraf.presets import Preset, configure
from nutgraf.systems import read_preset as read
from nutgraf.training import run as experiment
from sources import encode
from tiny_network import NOTICES, tiny, train

HALF = math.sqrt(0.5)
NONE = Phrases.none()
BATCH, SOURCE, SHORT, STEPS, WIDTH = 2, 7, 5, 3, 11


def put(part: WeightNormLinear, rows: list[list[float]], bias: list[float]) -> None:
    """Give a normed map the matrix and the bias of an example."""
    with torch.no_grad():
        part.direction.copy_(torch.tensor(rows))
        part.magnitude.copy_(part.direction.norm(dim=1, keepdim=True))
        part.bias.copy_(torch.tensor(bias))


class TestWeights:
    def test_a_row_has_its_direction_and_its_length_apart(self) -> None:
        part = WeightNormLinear(2, 1)
        put(part, [[3.0, 4.0]], [0.5])
        assert part.weight.tolist() == [[3.0, 4.0]]
        with torch.no_grad():
            part.magnitude.fill_(10.0)
        assert part.weight[0].tolist() == pytest.approx([6.0, 8.0])
        with torch.no_grad():
            part.direction.mul_(7.0)
        assert part(torch.tensor([1.0, -1.0])).item() == pytest.approx(6.0 - 8.0 + 0.5)

    def test_they_are_torchs_weight_norm(self) -> None:
        torch.manual_seed(2)
        part, given = WeightNormLinear(5, 3), torch.randn(7, 5)
        theirs = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(5, 3))
        with torch.no_grad():
            part.magnitude.mul_(1.7)
            theirs.parametrizations.weight.original0.copy_(part.magnitude)
            theirs.parametrizations.weight.original1.copy_(part.direction)
            theirs.bias.copy_(part.bias)
        ours, other = part(given), theirs(given)
        ours.pow(3).sum().backward()
        other.pow(3).sum().backward()
        assert torch.allclose(ours, other, atol=1e-6)
        assert torch.allclose(part.direction.grad, theirs.parametrizations.weight.original1.grad, atol=1e-4)
        assert torch.allclose(part.plain()(given), ours, atol=1e-6)

    def test_they_are_kept_in_a_file(self, tmp_path) -> None:
        first, second = network(seed=3), network(seed=4)
        write_tensors(tmp_path / "weights.safetensors", weights(first))
        load_weights(second, read_tensors(tmp_path / "weights.safetensors"), "the file")
        found, expected = (one(examples([3, 2])).target_log_probs for one in (second, first))
        assert torch.equal(found, expected)

    def test_as_much_varies_at_the_end_as_at_the_beginning(self) -> None:
        """Sec. 3.5: eight layers at their first weights, and numbers as small as those of words are at first."""
        torch.manual_seed(5)
        encoder = encoders.make("convolutional", Size(5, 64, 1, 0.0), num_layers=8, channels=128)
        found = encode(encoder, 0.1 * torch.randn(3, 41, 64), None)
        assert found.encoder_hidden_states.std().item() == pytest.approx(0.1, rel=0.15)


class TestConvolution:
    def test_a_glu_is_half_of_it_as_far_as_the_other_half_lets_it_through(self) -> None:
        """One number a word, windows of three. What is let through: half, but σ(ln 3) = 3/4 or σ(2 ln 3) = 9/10 where a
        window ends with 1 or 2."""
        part = GatedConvolution(1, 3, 0.0)
        put(part.conv, [[1.0, 10.0, 100.0], [0.0, 1e-9, math.log(3.0)]], [0.0, 0.0])
        given = torch.tensor([[[2.0], [1.0], [0.0]]])
        assert part(given, before=1).flatten().tolist() == pytest.approx([(20 + 100) * 3 / 4, (2 + 10) / 2, 1 / 2])
        assert part(given, before=2).flatten().tolist() == pytest.approx([200 * 9 / 10, 120 * 3 / 4, 12 / 2])

    def test_one_word_by_its_window(self) -> None:
        torch.manual_seed(3)
        part, given = GatedConvolution(5, 3, 0.0), torch.randn(2, 7, 5)
        window = given[:, 2:5]
        assert torch.allclose(part.next(window), part(given, before=2)[:, 4], atol=1e-6)


class TestEncoder:
    def test_by_hand(self) -> None:
        """z⁰ = 2e + 1 = 3, 5, 7; a convolution that takes the word itself, half let through: 1.5, 2.5, 3.5; the sum of
        both times √½; z = −z¹; and values (z + e) · √½."""
        encoder = Encoder(
            configured("encoder", num_layers=1, channels=1, kernel_size=3, cross_attention_layers=0), Size(5, 1, 1, 0.0)
        )
        put(encoder.in_proj, [[2.0]], [1.0])
        put(encoder.layers[0].conv, [[0.0, 1.0, 0.0], [0.0, 1e-9, 0.0]], [0.0, 0.0])
        put(encoder.out_proj, [[-1.0]], [0.0])
        found = encode(encoder, torch.tensor([[[1.0], [2.0], [3.0]]]), None)
        states = [-4.5 * HALF, -7.5 * HALF, -10.5 * HALF]
        assert found.encoder_hidden_states.flatten().tolist() == pytest.approx(states)
        assert found.values is not None
        assert found.values.flatten().tolist() == pytest.approx(
            [(state + e) * HALF for state, e in zip(states, (1, 2, 3), strict=True)]
        )

    @pytest.mark.parametrize("kernel", [3, 5])
    def test_equals_the_plain_formulas(self, kernel: int) -> None:
        encoder, given, mask = an_encoder(kernel_size=kernel), embedded(SOURCE), padding()
        found = encode(encoder, given, mask)
        states, values = plain_encoder(encoder, given, mask)
        assert found.values is not None
        assert torch.allclose(found.encoder_hidden_states[~mask], states[~mask], atol=1e-5)
        assert torch.allclose(found.values[~mask], values[~mask], atol=1e-5)

    def test_each_layer_sees_a_word_farther(self) -> None:
        """Three layers of windows of three: three words to each side."""
        encoder, given = an_encoder(num_layers=3), embedded(SOURCE).requires_grad_()
        encode(encoder, given, None).encoder_hidden_states[0, 3].sum().backward()
        assert given.grad is not None
        assert given.grad[0].abs().sum(-1).ne(0).tolist() == [True] * 7
        given.grad = None
        encode(encoder, given, None).encoder_hidden_states[0, 0].sum().backward()
        assert given.grad[0].abs().sum(-1).ne(0).tolist() == [True] * 4 + [False] * 3

    def test_the_layers_hear_of_each_looker_a_half(self) -> None:
        """Sec. 3.5: with three layers that look, gradients are divided by six, but not what words get of the values."""
        grads = []
        for lookers in (0, 3):
            encoder, given = an_encoder(cross_attention_layers=lookers), embedded(SOURCE).requires_grad_()
            made = encode(encoder, given, None)
            (made.encoder_hidden_states.pow(2).sum() + made.values.pow(3).sum()).backward()
            direct = (3 * made.values.detach().pow(2)) * HALF
            grads.append((encoder.in_proj.direction.grad, given.grad - direct))
        for whole, part in zip(*grads, strict=True):
            assert torch.allclose(whole / 6, part, atol=1e-5)


class TestDecoder:
    def test_by_hand(self) -> None:
        """One number a word, one layer, ℓ = 50. h⁰ = (2e + 1) · 50/100 = 2.5 for e = 2; half of it goes through: c =
        1.25. It asks with q = (0.8c + e) · √½ = 3√½. The source's two words have the keys 0 and ln 9 / (3√½), so they
        are looked at as 1 to 9, and the values 10 and 20: 19 is brought, times √2. The state is h¹ = ((19√2 + c) · √½ +
        h⁰) · √½."""
        decoder = Decoder(
            configured("decoder", num_layers=1, channels=1, kernel_size=2, output_dim=1, length_unit=100.0),
            DecoderContext(Size(5, 1, 1, 0.0), 1),
        )
        put(decoder.in_proj, [[2.0]], [1.0])
        put(decoder.layers[0].convolution.conv, [[0.0, 1.0], [0.0, 1e-9]], [0.0, 0.0])
        put(decoder.layers[0].query_proj, [[0.8]], [0.0])
        put(decoder.layers[0].context_proj, [[1.0]], [0.0])
        put(decoder.out_proj, [[1.0]], [0.0])
        keys, values = [[[0.0], [math.log(9.0) / (3 * HALF)]]], [[[10.0], [20.0]]]
        memory = EncoderOutput(
            torch.tensor(keys),
            torch.zeros(1, 2, dtype=torch.bool),
            torch.tensor([[4, 4]]),
            values=torch.tensor(values),
            desired_length=torch.tensor([50]),
        )
        found = decoder(torch.tensor([[[2.0]]]), memory, True)
        assert found.cross_attention is not None
        assert found.cross_attention.flatten().tolist() == pytest.approx([0.1, 0.9])
        assert found.context.item() == pytest.approx(19.0)
        assert found.hidden_states.item() == pytest.approx(((19 * math.sqrt(2) + 1.25) * HALF + 2.5) * HALF)

    @pytest.mark.parametrize(("kernel", "unit"), [(3, None), (2, 100.0)])
    def test_equals_the_plain_formulas(self, kernel: int, unit: float | None) -> None:
        decoder, given, memory = a_decoder(kernel_size=kernel, length_unit=unit), embedded(STEPS), a_memory()
        found = decoder(given, memory, True)
        states, context, looks = plain_decoder(decoder, given, memory, unit)
        assert found.cross_attention is not None
        assert torch.allclose(found.hidden_states, states, atol=1e-5)
        assert torch.allclose(found.context, context, atol=1e-5)
        assert torch.allclose(found.cross_attention, looks[-1], atol=1e-5)
        decoder.config = replace(decoder.config, copy_attention="mean")
        assert torch.allclose(decoder(given, memory, True).cross_attention, torch.stack(looks).mean(0), atol=1e-5)

    def test_a_length_of_the_unit_changes_nothing_and_twice_as_much_doubles_the_input(self) -> None:
        conditioned, given = a_decoder(length_unit=100.0), embedded(STEPS)
        unconditioned = a_decoder(length_unit=None)
        once, twice = (replace(a_memory(), desired_length=torch.full((BATCH,), length)) for length in (100, 200))
        assert torch.allclose(
            conditioned(given, once, False).hidden_states, unconditioned(given, once, False).hidden_states, atol=1e-6
        )
        with torch.no_grad():
            unconditioned.in_proj.magnitude.mul_(2)
            unconditioned.in_proj.bias.mul_(2)
        assert torch.allclose(
            conditioned(given, twice, False).hidden_states, unconditioned(given, once, False).hidden_states, atol=1e-6
        )

    def test_a_length_that_nobody_told_is_a_mistake(self) -> None:
        with pytest.raises(ValueError, match="batch"):
            a_decoder(length_unit=100.0)(embedded(STEPS), replace(a_memory(), desired_length=None), False)

    def test_states_stand_for_values_that_an_encoder_does_not_have(self) -> None:
        decoder, given, memory = a_decoder(), embedded(STEPS), a_memory()
        found, expected = (
            decoder(given, replace(memory, values=values), False).hidden_states
            for values in (None, memory.encoder_hidden_states)
        )
        assert torch.equal(found, expected)

    def test_a_head_may_guide_the_last_layer(self) -> None:
        """A guide that adds to the keys what a word looks for draws all of the attention."""
        decoder, given, memory = a_decoder(), embedded(STEPS), a_memory()
        guide = torch.zeros_like(memory.encoder_hidden_states)
        guide[:, 2] = 1e3 * decoder.layers[-1].query(torch.zeros(BATCH, 1, 13), given[:, :1])[:, 0, 0].sign()
        found = decoder(given, replace(memory, guided_keys=guide), True)
        assert not torch.allclose(found.cross_attention, decoder(given, memory, True).cross_attention, atol=1e-3)
        assert torch.allclose(found.cross_attention.sum(-1), torch.ones(BATCH, STEPS))


class TestLenInit:
    """Kikuchi et al. 2016: a recurrent decoder that is told the length by the cell that it begins with."""

    def test_the_first_cell_is_the_length_times_a_vector(self) -> None:
        decoder = decoders.make(
            "recurrent",
            DecoderContext(Size(5, WIDTH, 1, 0.0), WIDTH),
            hidden_size=3,
            attention_dim=2,
            length_unit=100.0,
        )
        with torch.no_grad():
            decoder.length_cell.copy_(torch.tensor([1.0, -2.0, 0.5]))
        begun = decoder.start(a_memory(), 1).last.state[0]
        assert begun[0, 0].tolist() == pytest.approx([0.4, -0.8, 0.2])
        assert begun[1, 0].tolist() == pytest.approx([1.3, -2.6, 0.65])

    def test_without_it_the_source_says_how_to_begin(self) -> None:
        decoder = decoders.make(
            "recurrent", DecoderContext(Size(5, WIDTH, 1, 0.0), WIDTH, None), hidden_size=3, attention_dim=2
        )
        assert not hasattr(decoder, "length_cell")
        lengths = (replace(a_memory(), desired_length=length) for length in (None, torch.tensor([40, 130])))
        found, expected = (decoder.start(memory, 1).last.state[0] for memory in lengths)
        assert torch.equal(found, expected)


class TestOptions:
    @pytest.mark.parametrize(
        ("family", "options", "message"),
        [
            (encoders, {"kernel_size": 4}, "odd"),
            (encoders, {"num_layers": 0}, "num_layers"),
            (decoders, {"length_unit": 0.0}, "length_unit"),
            (decoders, {"kernel_size": 0}, "kernel_size"),
        ],
    )
    def test_what_cannot_be_is_said(self, family, options, message) -> None:
        size = Size(5, 2, 1, 0.0)
        given = DecoderContext(size, 2) if family is decoders else size
        with pytest.raises(PresetError, match=message):
            family.make("convolutional", given, **options)

    def test_it_keeps_no_coverage(self) -> None:
        with pytest.raises(PresetError, match=r"leave \[model.coverage\] out"):
            decoders.make("convolutional", DecoderContext(Size(5, 2, 1, 0.0), 2, coverage.Config()))

    def test_it_reads_states_as_wide_as_words(self) -> None:
        with pytest.raises(PresetError, match="wide as words"):
            decoders.make("convolutional", DecoderContext(Size(5, 2, 1, 0.0), 3, None))

    def test_the_recipe_is_the_papers(self) -> None:
        preset = read("length_controlled")
        assert preset.section("training.optimizer") == {"kind": "sgd", "momentum": 0.99, "nesterov": True}
        assert preset.section("training.schedule")["learning_rate"] == 0.2
        assert preset.section("training")["max_grad_norm"] == 0.1
        model, training = preset.section("model"), preset.section("training")
        assert (model["d_model"], model["dropout"]) == (256, 0.2)
        for part in (model["encoder"], model["decoder"]):
            assert (part["num_layers"], part["channels"], part["kernel_size"]) == (8, 512, 3)
        assert (model["decoder"]["output_dim"], model["decoder"]["length_unit"]) == (256, 100.0)
        assert (training["batch_size"], training["batch_type"]) == (4000, "tokens")
        assert training["objectives"]["likelihood"] == {"label_smoothing": 0.1}
        assert preset.section("tokenizer")["min_frequency"] == 20
        assert (preset.section("truncation")["source"], preset.section("truncation")["target"]) == (500, 200)
        assert preset.section("decoding")["beam_size"] == 5

    def test_a_head_that_copies_works_too(self) -> None:
        made, batch = network(head={"kind": "pointer"}).eval(), examples([3, 2])
        memory = made.encode(batch)
        with torch.no_grad():
            trace = made.step(torch.zeros(2, 1, 0, dtype=torch.long), memory, made.decoder.start(memory, 1))
        assert trace.p_copy is not None
        assert torch.allclose(trace.log_probs.exp().sum(-1), torch.ones(2, 1), atol=1e-5)


def test_what_was_trained_with_its_length_writes_as_long_as_it_is_told() -> None:
    """A summary is one word, said ℓ times; only ℓ tells how often."""
    made = network(seed=1)
    batch = examples([1, 2, 3, 4, 5, 6] * 20)
    optimizer = torch.optim.Adam(made.parameters(), lr=0.01)
    for _ in range(120):
        optimizer.zero_grad()
        (-made(batch).target_log_probs.sum() / len(batch.source)).backward()
        optimizer.step()
    made.eval()
    new = examples([1] * 3, seed=99)
    for length in (2, 4, 6):
        found = search(made, new, Decoding(beam_size=1, max_length=9, processors={}, desired_length=length))
        assert [len(each[0].ids) for each in found] == [length] * 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A network that has seen three notices for two steps."""
    preset = tiny("length_controlled", **{"decoding.max_length": 40})
    return train(tmp_path_factory.mktemp("told"), preset, steps=2)[0]


@pytest.fixture
def desired_lengths(monkeypatch):
    """The lengths that searches were told."""
    lengths: list[list[int]] = []

    def spy(network, batch, config, limits=None, threads=None):
        lengths.append(batch.desired_length.tolist())
        return search(network, batch, config, limits, threads)

    monkeypatch.setattr("nutgraf.decoding.search.search", spy)
    return lengths


class TestLengthsThatAreAskedFor:
    """What the network is told."""

    TEXT = NOTICES[0][0]

    def test_a_budget_in_words_is_told_in_pieces_of_the_source(self, folder, desired_lengths) -> None:
        """The text has 31 words and 36 pieces, since its five marks are pieces too. 10 words are 10 · 36/31 = 11.6."""
        nutgraf.load(folder).many([document(self.TEXT)], words=10)
        assert len(self.TEXT.split()) == 31
        assert desired_lengths[0] == [12]

    def test_a_share_too(self, folder, desired_lengths) -> None:
        nutgraf.load(folder).many([document(self.TEXT)], share="1/2")
        assert desired_lengths[0] == [round(15 * 36 / 31)]

    def test_without_a_budget_as_long_as_what_it_was_trained_on(self, folder, desired_lengths, monkeypatch) -> None:
        system = nutgraf.load(folder)
        system.many([document(self.TEXT)])
        monkeypatch.setitem(system._trained.card, "data", {"target_length": 12.6})
        system.many([document(self.TEXT)])
        assert desired_lengths == [[40], [13]]

    def test_a_budget_holds_whatever_was_told(self, folder) -> None:
        for words in (3, 7):
            for made in nutgraf.load(folder).many([document(self.TEXT)], words=words):
                assert isinstance(made, nutgraf.errors.BudgetError) or made.words <= words


def test_its_recipe_goes_on_where_it_was_stopped_and_the_folder_knows_the_usual_length(
    tmp_path, desired_lengths
) -> None:
    """Gradient descent with Nesterov's momentum. The summaries of the three notices have 14, 14 and 17 pieces."""
    lines = [json.dumps({"document": text, "summary": summary}) for text, summary in NOTICES]
    (tmp_path / "corpus").mkdir()
    for split in ("train", "validation"):
        (tmp_path / "corpus" / f"{split}.jsonl").write_text("\n".join(lines))
    prepare(recipe(), tmp_path / "corpus", tmp_path / "data", workers=1)
    whole, begun, resumed = (
        experiment.train(recipe(max_steps=steps), tmp_path / "data", tmp_path / name, resume=True)
        for name, steps in (("whole", 4), ("parts", 2), ("parts", 4))
    )
    assert [whole.step, begun.step, resumed.step] == [4, 2, 4]
    one, other = (digest_of(read_tensors(outcome.folder / "weights.safetensors")) for outcome in (whole, resumed))
    assert one == other
    assert whole.card["data"]["target_length"] == (14 + 14 + 17) / 3
    desired_lengths.clear()
    nutgraf.load(whole.folder).many([document(NOTICES[0][0])])
    assert desired_lengths == [[15]]


def recipe(**training: object) -> Preset:
    """The papers' preset made tiny, but for what is trained how."""
    changes = {
        "batch_size": 80,
        "validate_every": 2,
        "checkpoint_every": 2,
        "log_every": 1,
        "device": "cpu",
        "patience": 0,
        **training,
    }
    return tiny("length_controlled", **{f"training.{key}": value for key, value in changes.items()})


def document(text: str) -> nutgraf.text.document.Document:
    return nutgraf.text.document.Document.of(text, language="en")


def configured(part: str, **options):
    return (encoders if part == "encoder" else decoders).config("convolutional")(**options)


def an_encoder(**options) -> Encoder:
    torch.manual_seed(3)
    return encoders.make("convolutional", Size(5, WIDTH, 1, 0.0), **{"num_layers": 2, "channels": 13, **options})


def a_decoder(**options) -> Decoder:
    torch.manual_seed(4)
    options = {"num_layers": 2, "channels": 13, "output_dim": 17, **options}
    return decoders.make("convolutional", DecoderContext(Size(5, WIDTH, 1, 0.0), WIDTH, None), **options)


def embedded(steps: int) -> Tensor:
    torch.manual_seed(5)
    return torch.randn(BATCH, steps, WIDTH)


def padding() -> Tensor:
    return torch.arange(SOURCE) >= torch.tensor([[SOURCE], [SHORT]])


def a_memory() -> EncoderOutput:
    torch.manual_seed(6)
    states, values = torch.randn(2, BATCH, SOURCE, WIDTH).unbind()
    return EncoderOutput(
        states, padding(), torch.full((BATCH, SOURCE), 4), values=values, desired_length=torch.tensor([40, 130])
    )


def plain(part: WeightNormLinear, given: Tensor) -> Tensor:
    rows = part.direction / part.direction.pow(2).sum(1, keepdim=True).sqrt() * part.magnitude
    return given @ rows.T + part.bias


def plain_convolution(part: GatedConvolution, given: Tensor, padding: int) -> Tensor:
    """By torch's convolution, over channels first."""
    rows = part.conv.direction / part.conv.direction.norm(dim=1, keepdim=True) * part.conv.magnitude
    kernel = rows.view(2 * part.channels, part.kernel_size, part.channels).permute(0, 2, 1)
    both = F.conv1d(given.permute(0, 2, 1), kernel, part.conv.bias, padding=padding)[:, :, : given.shape[1]]
    value, gate = both.permute(0, 2, 1).chunk(2, -1)
    return value * torch.sigmoid(gate)


def plain_encoder(encoder: Encoder, given: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    states = plain(encoder.in_proj, given)
    for layer in encoder.layers:
        shown = states * ~mask[..., None]
        states = (plain_convolution(layer, shown, layer.kernel_size // 2) + states) * HALF
    states = plain(encoder.out_proj, states)
    return states, (states + given) * HALF


def plain_decoder(
    decoder: Decoder, given: Tensor, memory: EncoderOutput, unit: float | None
) -> tuple[Tensor, Tensor, list[Tensor]]:
    states = plain(decoder.in_proj, given)
    if unit is not None:
        states = torch.stack([states[0] * 40 / unit, states[1] * 130 / unit])
    looks, count = [], torch.tensor([SOURCE, SHORT])[:, None, None]
    for layer in decoder.layers:
        convolved = plain_convolution(layer.convolution, states, layer.convolution.kernel_size - 1)
        query = (plain(layer.query_proj, convolved) + given) * HALF
        scores = torch.einsum("btw,bnw->btn", query, memory.encoder_hidden_states)
        looks.append(scores.masked_fill(memory.key_padding_mask[:, None], -math.inf).softmax(-1))
        context = looks[-1] @ memory.values
        brought = plain(layer.context_proj, context * count.sqrt())
        states = ((brought + convolved) * HALF + states) * HALF
    return plain(decoder.out_proj, states), context, looks


WORDS = 13


def network(seed: int = 0, head: dict[str, str] | None = None) -> Seq2Seq:
    torch.manual_seed(seed)
    encoder = {"kind": "convolutional", "num_layers": 1, "channels": 12}
    decoder = {"kind": "convolutional", "num_layers": 2, "channels": 16, "output_dim": 14, "length_unit": 4.0}
    parts = {"encoder": encoder, "decoder": decoder, "head": head or {"kind": "generator"}}
    embedding = {"position_embedding": "learned", "scale": False}
    options = {"d_model": 12, "num_heads": 1, "max_positions": 19, "dropout": 0.0, "initialization": "variance"}
    return Seq2Seq(configure(Config, {**options, "embedding": embedding, **parts}, "model"), WORDS)


def examples(lengths: list[int], seed: int = 0) -> Batch:
    """Of each source some words, and of each summary so many."""
    source = torch.randint(5, WORDS, (len(lengths), 5), generator=torch.Generator().manual_seed(seed))
    longest = max(lengths)
    rows = [[BOS, *[4] * length, EOS, *[PAD] * (longest - length)] for length in lengths]
    target = torch.tensor(rows)
    return Batch(source, source, source == PAD, NONE, 0, target, target, torch.tensor(lengths))
