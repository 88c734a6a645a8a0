"""Amaravarapu and Khare 2021: the selective gate, coverage in attention of several heads, the five rows of the tables;
and the gate of Zhou et al. 2017. By hand."""

import math
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from nutgraf.checkpoint import load_matching_weights, weights  # noqa: E402
from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.bridge import bridges  # noqa: E402
from nutgraf.model.coverage import Config as Covering  # noqa: E402
from nutgraf.model.coverage import Coverage  # noqa: E402
from nutgraf.model.records import Batch, EncoderOutput, Phrases, Trace  # noqa: E402
from nutgraf.model.seq2seq import Config, Seq2Seq  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.training.objectives import objectives  # noqa: E402

VOCAB_SIZE, EXTRA = 23, 2
WAYS = [("exact", "mean"), ("exact", "each"), ("one_pass", "mean"), ("one_pass", "each")]

every_way = pytest.mark.parametrize(("way", "heads"), WAYS)


def sigmoid(number):
    return 1 / (1 + math.exp(-number))


# The gate.


def gate(states, length=None, final=None, **options):
    """A gate of width 1 whose W, U and convolution are ones."""
    bridge = bridges.make("selective", 1, **options)
    with torch.no_grad():
        for name, one in bridge.named_parameters():
            one.fill_(0.0 if "bias" in name else 1.0)
    mask = torch.arange(len(states))[None] >= (length or len(states))
    given = torch.tensor(states)[None, :, None]
    return bridge(EncoderOutput(given, mask, torch.full(mask.shape, 4), final_state=final))


def test_a_gate_hears_the_word_and_its_neighbours():
    """ReLU of the sums of three: 3, ReLU(0), ReLU(−1); beside the words 1, 2, −3."""
    found = gate([1.0, 2.0, -3.0])
    expected = [sigmoid(1 + 3), sigmoid(2 + 0), sigmoid(-3 + 0)]
    assert found.gate[0].tolist() == pytest.approx(expected)
    assert found.encoder_hidden_states[0, :, 0].tolist() == pytest.approx(
        [1 * expected[0], 2 * expected[1], -3 * expected[2]]
    )


def test_padding_is_zero_to_its_neighbours():
    assert gate([1.0, 2.0, 50.0], length=2).gate[0, :2].tolist() == pytest.approx([sigmoid(1 + 3), sigmoid(2 + 3)])


def test_a_wider_kernel_hears_more():
    assert gate([1.0, 2.0, -3.0], kernel_size=5).gate[0, 1].item() == pytest.approx(sigmoid(2 + 0))
    assert gate([1.0, 2.0, -3.0], kernel_size=1).gate[0, 1].item() == pytest.approx(sigmoid(2 + 2))
    with pytest.raises(PresetError, match="odd"):
        gate([1.0], kernel_size=2)


def test_seass_hears_the_whole_sentence():
    final = torch.tensor([[70.0]]), torch.tensor([[0.5]])
    assert gate([1.0, -2.0], context="sentence", final=final).gate[0].tolist() == pytest.approx(
        [sigmoid(1 + 0.5), sigmoid(-2 + 0.5)]
    )
    # Without a recurrent encoder it is the mean of the words, 1 and −2.
    assert gate([1.0, -2.0, 9.0], length=2, context="sentence").gate[0, :2].tolist() == pytest.approx(
        [sigmoid(1 - 0.5), sigmoid(-2 - 0.5)]
    )


# Coverage.


def test_coverage_by_hand():
    """One head of weight −2, two places. First 3 : 1; then no place is better by itself, but the first was seen."""
    coverage = Coverage(Covering(), 1)
    with torch.no_grad():
        coverage.weight.fill_(-2.0)
    found = coverage(torch.tensor([[[[math.log(3), 0.0], [0.0, 0.0]]]]))[0, 0]
    second = [1 / (1 + math.e), math.e / (1 + math.e)]  # of −2 · 0.75 and −2 · 0.25
    assert found[0].tolist() == pytest.approx([0.75, 0.25])
    assert found[1].tolist() == pytest.approx(second)
    words = torch.tensor([[2, 5, 3]])
    batch = Batch(words, words, words == 0, Phrases.none(), 0, words, words)
    loss = objectives.make("coverage")(None, batch, Trace(cross_attention=found[None]))
    assert loss.item() == pytest.approx(min(0.75, second[0]) + min(0.25, second[1]))


@pytest.mark.parametrize("way", ["exact", "one_pass"])
@pytest.mark.parametrize(("heads", "seconds"), [("mean", (-2 * 0.25, 4 * 0.25)), ("each", (-2 * 0.5, 4 * 0.0))])
def test_coverage_of_two_heads_by_hand(way, heads, seconds):
    """Weights −2 and 4. The first step looks by (0.75, 0.25) and (0.5, 0.5), in the mean by (0.625, 0.375): the first
    place leads by 0.25 in the mean, by 0.5 and by 0 for each head itself. In the second step nothing else differs."""
    coverage = Coverage(Covering(way, heads == "each"), 2)
    with torch.no_grad():
        coverage.weight.copy_(torch.tensor([-2.0, 4.0]))
    scores = torch.zeros(1, 2, 2, 2)
    scores[0, 0, 0, 0] = math.log(3)
    found = coverage(scores)[0]
    assert found[:, 0].flatten().tolist() == pytest.approx([0.75, 0.25, 0.5, 0.5])
    assert found[:, 1, 0].tolist() == pytest.approx([sigmoid(ahead) for ahead in seconds])
    _, state = coverage.step(scores[:, :, :1], coverage.start(torch.zeros(1, 2, dtype=torch.bool), 1))
    expected = [0.625, 0.375] if heads == "mean" else [0.75, 0.25, 0.5, 0.5]
    assert state.flatten().tolist() == pytest.approx(expected)


def covered(way, heads, dtype=torch.float64):
    """Three heads that weigh coverage, and scores of two texts, five steps, seven places; the last of them padding in
    the second."""
    torch.manual_seed(3)
    coverage = Coverage(Covering(way, heads == "each"), 3).to(dtype)
    torch.nn.init.normal_(coverage.weight)
    scores = torch.randn(2, 3, 5, 7, dtype=dtype)
    scores[1, ..., 6] = -math.inf
    mask = torch.zeros(2, 7, dtype=torch.bool)
    mask[1, 6] = True
    return coverage, scores, mask


@every_way
def test_the_loop_is_a_naive_decoder_step_by_step(way, heads):
    coverage, scores, mask = covered(way, heads)
    at_once, state = coverage(scores), coverage.start(mask, 1)
    for step in range(5):
        assert torch.allclose(state.sum(-1), torch.tensor(float(step), dtype=state.dtype)), "Σ c = t − 1"
        seen, state = coverage.step(scores[:, :, step, None], state)
        assert torch.allclose(at_once[:, :, step], seen[:, :, 0], atol=1e-6)


@pytest.mark.parametrize("heads", ["mean", "each"])
def test_the_gradient_is_that_of_the_naive_decoder(heads):
    coverage, scores, mask = covered("exact", heads)
    pull = torch.randn_like(scores)
    found = []
    for naive in (False, True):
        given = scores.clone().requires_grad_()
        if naive:
            state, steps = coverage.start(mask, 1), []
            for step in range(5):
                seen, state = coverage.step(given[:, :, step, None], state)
                steps.append(seen)
            out = torch.cat(steps, 2)
        else:
            out = coverage(given)
        found.append(torch.autograd.grad((out * pull).sum(), [given, coverage.weight]))
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, atol=1e-10)


@every_way
def test_coverage_that_weighs_nothing_is_none(way, heads):
    coverage, scores, _ = covered(way, heads)
    with torch.no_grad():
        coverage.weight.zero_()
    assert torch.allclose(coverage(scores), torch.softmax(scores, -1), atol=1e-12)


# The network.


def network(preset="selective", seed=1, **overrides):
    small = {
        "model.d_model": 22,
        "model.num_heads": 2,
        "model.max_positions": 64,
        "model.dropout": 0.0,
        "model.encoder.num_layers": 2,
        "model.encoder.ffn_dim": 13,
        "model.decoder.num_layers": 2,
        "model.decoder.ffn_dim": 13,
    }
    torch.manual_seed(seed)
    section = read(preset, {**small, **overrides}).section("model")
    return Seq2Seq(configure(Config, section, "model"), VOCAB_SIZE).eval()


def texts():
    """Two sources of 7 and 5 words, two targets of 5 and 3; the words above the vocabulary are the sources' own."""
    source = torch.tensor([[5, 6, 23, 8, 9, 6, 24], [11, 23, 13, 14, 15, 0, 0]])
    target = torch.tensor([[2, 6, 23, 9, 24, 3], [2, 23, 14, 3, 0, 0]])
    plain = [one.masked_fill(one >= VOCAB_SIZE, 1) for one in (source, target)]
    return Batch(plain[0], source, source == 0, Phrases.none(), EXTRA, plain[1], target)


def weigh(one, coverage=0.7, bias=None):
    """The network with weights of coverage, and a gate's bias."""
    with torch.no_grad():
        for name, parameter in one.named_parameters():
            if name.endswith("coverage.weight"):
                parameter.copy_(torch.tensor([-coverage, coverage]))
            if name == "bridge.bias" and bias is not None:
                parameter.fill_(bias)
    return one


def like(one, other):
    """The same network with the other's weights."""
    load_matching_weights(one, weights(other))
    return one


def test_an_open_gate_is_none():
    gated = weigh(network("lstm_transformer_selective"), bias=100.0)
    plain = like(network("lstm_transformer"), gated)
    assert torch.equal(gated(texts()).target_log_probs, plain(texts()).target_log_probs)


@pytest.mark.parametrize("way", ["exact", "one_pass", "loss_only"])
def test_the_network_with_coverage_that_weighs_nothing_is_the_one_without(way):
    covering = network("lstm_transformer_coverage", **{"model.coverage.mode": way})
    plain = like(network("lstm_transformer"), covering)
    assert torch.allclose(covering(texts()).target_log_probs, plain(texts()).target_log_probs, atol=1e-6)


@pytest.mark.parametrize("lstm", ["before", "within", "alone"])
@pytest.mark.parametrize(("way", "heads"), [("exact", "mean"), ("one_pass", "each")])
def test_word_by_word_the_network_says_what_it_says_at_once(lstm, way, heads):
    """LSTM's state, keys and values, coverage: all that a hypothesis carries."""
    reading = {"model.encoder.lstm": lstm, "model.decoder.lstm": lstm}
    one = weigh(network(**reading, **{"model.coverage.mode": way, "model.coverage.per_head": heads == "each"}))
    batch = texts()
    at_once = one(batch).target_log_probs
    memory = one.encode(batch)
    state = one.decoder.start(memory, 1)
    for step in range(batch.labels.shape[1]):
        log_probs = one.step(batch.target_extended[:, None, 1 : step + 1], memory, state).log_probs[:, 0]
        wanted = log_probs.gather(1, batch.labels[:, step, None])[:, 0]
        there = ~batch.labels_mask[:, step]
        assert torch.allclose(at_once[there, step], wanted[there], atol=1e-5)


def test_a_hypothesis_takes_over_its_parents_coverage():
    """Two hypotheses begin differently; both go on from the second."""
    one, batch = weigh(network()), texts()
    memory = one.encode(batch)
    state = one.decoder.start(memory, 2)
    one.step(torch.zeros(2, 2, 0, dtype=torch.long), memory, state)
    one.step(torch.tensor([[[6], [9]], [[14], [11]]]), memory, state)
    state.reorder(torch.ones(2, 2, dtype=torch.long))
    state.keep(torch.tensor([1]))
    found = one.step(torch.tensor([[[11, 13], [11, 5]]]), memory.keep(torch.tensor([1])), state).log_probs
    for beam, word in enumerate((13, 5)):
        alone = one.decoder.start(memory, 1)
        for length in range(3):
            path = torch.tensor([[[11, word]]]).expand(2, 1, 2)[..., :length]
            expected = one.step(path, memory, alone).log_probs
        assert torch.allclose(found[0, beam], expected[1, 0], atol=1e-5)


def test_coverage_waits_for_the_second_phase():
    covering = weigh(network("lstm_transformer_coverage"))
    plain, objective = like(network("lstm_transformer"), covering), objectives.make("coverage")
    for part in (*covering.modules(), objective):
        if hasattr(part, "enter"):
            part.enter(1)
    first = covering(texts())
    assert torch.equal(first.target_log_probs, plain(texts()).target_log_probs)
    assert first.cross_attention is None, "nobody asks where it looks"
    assert objective(None, texts(), first) == 0
    for part in (*covering.modules(), objective):
        if hasattr(part, "enter"):
            part.enter(2)
    second = covering(texts())
    assert not torch.allclose(second.target_log_probs, first.target_log_probs, atol=1e-4)
    assert objective(None, texts(), second) > 0


def test_coverages_loss_without_anything_that_tells_where_the_network_looks():
    with pytest.raises(PresetError, match=r"\[model.coverage\]"):
        objectives.make("coverage")(None, texts(), network("lstm_transformer")(texts()))


def test_the_loss_is_over_wanted_words():
    one = weigh(network())
    trace, batch = one(texts()), texts()
    loss = objectives.make("coverage")(None, batch, trace)
    total = 0.0
    for example, steps in ((0, 5), (1, 3)):
        seen = trace.cross_attention[example]
        for step in range(1, steps):
            total += torch.minimum(seen[step], seen[:step].sum(0)).sum().item()
    assert loss.item() == pytest.approx(total, rel=1e-5)


def test_pointing_by_summed_scores_does_not_know_coverage():
    with pytest.raises(PresetError, match="summed"):
        network(**{"model.decoder.copy_attention": "summed"})


# The rows of the paper's tables.

GATE = {"model.bridge.kind": "selective"}
COVERAGE = {
    "model.coverage.mode": "exact",
    "training.objectives.coverage.weight": 1.0,
    "training.second_phase_steps": 3000,
}
POINTER = {"model.head.kind": "pointer", "model.head.p_copy_input": "context_state_input"}


def shapes(preset):
    """Of a narrow network of a preset."""
    config = replace(configure(Config, preset.section("model"), "model"), d_model=32, num_heads=4)
    return {name: one.shape for name, one in weights(Seq2Seq(config, 7)).items()}


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("lstm_transformer_coverage", COVERAGE),
        ("lstm_transformer_selective", GATE),
        ("lstm_transformer_selective_coverage", {**GATE, **COVERAGE}),
        ("selective", {**GATE, **COVERAGE, **POINTER}),
    ],
)
def test_each_row_is_the_base_with_changes(preset, changes):
    row, base = read(preset), read("lstm_transformer", changes)
    assert shapes(row) == shapes(base)
    assert row.section("training") == base.section("training")
    assert row.section("decoding") == base.section("decoding")


def test_what_a_trunk_gains_by_each_row():
    """The weights of the base fit every row; new are the selective gate, coverage's weights and the copy gate."""
    trunk = weights(network("lstm_transformer"))
    gains = {}
    for preset in ("lstm_transformer_coverage", "lstm_transformer_selective", "selective"):
        matched = load_matching_weights(network(preset, seed=2), trunk)
        assert not matched.unused
        assert not matched.other_shape
        gains[preset] = {name.rsplit(".", 1)[0] for name in matched.new}
    gate = {"bridge", "bridge.state_proj", "bridge.context_proj", "bridge.ngram_conv"}
    assert gains["lstm_transformer_coverage"] == {"decoder.coverage"}
    assert gains["lstm_transformer_selective"] == gate
    assert gains["selective"] == gate | {"decoder.coverage", "head.p_copy_proj"}


def test_the_papers_setting():
    preset = read("selective")
    training, model = preset.section("training"), preset.section("model")
    assert preset.section("tokenizer")["vocab_size"] == 50_000
    assert (preset.section("truncation")["source"], preset.section("truncation")["target"]) == (512, 128)
    assert (model["d_model"], model["num_heads"], training["batch_size"]) == (256, 8, 32)
    assert training["optimizer"] == {"kind": "adam", "betas": [0.9, 0.9], "eps": 1e-6}
    assert training["schedule"] == {"kind": "constant", "learning_rate": 1e-3}
    assert preset.section("decoding")["beam_size"] == 5


def test_zhang_and_liu_have_gate_and_coverage_without_lstm_and_copying():
    network = Seq2Seq(read("transformer_selective_coverage").config.model, VOCAB_SIZE)
    rows = Seq2Seq(read("lstm_transformer_selective_coverage").config.model, VOCAB_SIZE)
    assert any("lstm" in name for name in rows.state_dict())
    # The LSTMs, whose places the embeddings' positions take, are all that they lack.
    assert set(network.state_dict()) == {name for name in rows.state_dict() if "lstm" not in name}
    assert "decoder.coverage.weight" in network.state_dict()
    assert read("transformer_selective_coverage").config.training.second_phase_steps == 3000


def test_mhas_is_an_lstm_and_one_layer_of_attention_on_each_side_and_copies_with_the_mean_of_heads():
    config = read("mhas").config.model
    network = Seq2Seq(config, VOCAB_SIZE)
    assert len(network.encoder.layers) == len(network.decoder.layers) == 1
    names = set(network.state_dict())
    assert {"encoder.lstm.forward_lstm.weight_hh_l0", "decoder.lstm.forward_lstm.weight_hh_l0"} <= names
    assert not [name for name in names if "feed_forward" in name or "linear1" in name or "bridge" in name]
    assert (config.head.kind, config.decoder.config.copy_attention) == ("pointer", "mean")
