"""See, Liu and Manning 2017, Get To The Point (pointer-generator networks with coverage): the equations, by hand."""

import math
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from torch.nn import functional as F  # noqa: E402
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence  # noqa: E402

from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model import coverage  # noqa: E402
from nutgraf.model.additive import AdditiveAttention  # noqa: E402
from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.encoder import encoders  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.ops.additive_attention import additive_scores, masked_softmax  # noqa: E402
from nutgraf.model.records import UNK, Batch, DecoderOutput, EncoderOutput, Phrases  # noqa: E402
from nutgraf.model.seq2seq import Config, Seq2Seq  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.runtime.compute import has_bf16_kernels  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.training.objectives import objectives  # noqa: E402
from sources import encode  # noqa: E402

NONE = Phrases.none()
BATCH, SOURCE, SHORT, STEPS, INPUT, WIDTH, HIDDEN, COMPARED = 2, 7, 5, 3, 11, 6, 13, 17
EXACT = coverage.Config("exact")


def attention(uses_coverage=False):
    """Two numbers each of state, source and comparison: W_h is the identity, W_s swaps, b = (0, 0.5), v = (1, −2)."""
    part = AdditiveAttention(2, 2, 2, uses_coverage)
    with torch.no_grad():
        part.key_proj.weight.copy_(torch.eye(2))
        part.key_proj.bias.copy_(torch.tensor([0.0, 0.5]))
        part.query_proj.weight.copy_(torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
        part.score_weight.copy_(torch.tensor([1.0, -2.0]))
        if uses_coverage:
            part.coverage_weight.copy_(torch.tensor([3.0, -1.0]))
    return part


STATES = torch.tensor([[[1.0, 0.0], [0.0, 2.0], [7.0, 7.0]]])
PADDED = torch.tensor([[False, False, True]])


def looked(part, covered=None, grad=True):
    """The context and attention of s = (0.25, −1): W_s s = (−1, 0.25)."""
    with torch.set_grad_enabled(grad):
        return part(torch.tensor([[[0.25, -1.0]]]), part.project(STATES, STATES, PADDED), covered)[:2]


@pytest.mark.parametrize("grad", [True, False])
def test_eq_1_2_3_attention_compares_state_and_source(grad):
    context, weights = looked(attention(), grad=grad)
    scores = [math.tanh(one) - 2 * math.tanh(other) for one, other in ((1 - 1, 0.75), (0 - 1, 2.75))]
    first = 1 / (1 + math.exp(scores[1] - scores[0]))
    assert weights[0, 0].tolist() == pytest.approx([first, 1 - first, 0.0], abs=1e-6)
    assert context[0, 0].tolist() == pytest.approx([first, 2 * (1 - first)], abs=1e-6)


@pytest.mark.parametrize("grad", [True, False])
def test_eq_11_attention_knows_what_was_looked_at(grad):
    _, weights = looked(attention(uses_coverage=True), torch.tensor([[[0.5, 0.25, 0.0]]]), grad)
    scores = [
        math.tanh(one) - 2 * math.tanh(other)
        for one, other in ((1 - 1 + 3 * 0.5, 0.75 - 0.5), (0 - 1 + 3 * 0.25, 2.75 - 0.25))
    ]
    first = 1 / (1 + math.exp(scores[1] - scores[0]))
    assert weights[0, 0].tolist() == pytest.approx([first, 1 - first, 0.0], abs=1e-6)


class TestAttentionsGradient:
    """By the plain formula and torch, over two steps of which the second depends on the first."""

    def setup_method(self):
        torch.manual_seed(3)
        self.states = torch.randn(BATCH, SOURCE, WIDTH, dtype=torch.double, requires_grad=True)
        self.asked = torch.randn(BATCH, 2, HIDDEN, dtype=torch.double, requires_grad=True)
        self.mask = torch.arange(SOURCE) >= torch.tensor([[SOURCE], [SHORT]])

    def part(self, uses_coverage):
        part = AdditiveAttention(WIDTH, HIDDEN, COMPARED, uses_coverage).double()
        if uses_coverage:
            torch.nn.init.normal_(part.coverage_weight)
        return part

    def loss(self, part, uses_coverage, plain):
        source, values = part.project(self.states, self.states.sin(), self.mask), self.states.sin()
        if plain:
            source = replace(source, keys=part.key_proj(self.states), values=values)
        covered = torch.zeros(BATCH, 1, SOURCE, dtype=torch.double) if uses_coverage else None
        context, total = torch.zeros(BATCH, 1, WIDTH, dtype=torch.double), 0
        for step in range(2):
            state = self.asked[:, step, None] + F.pad(context, (0, HIDDEN - WIDTH))
            if plain:
                query = part.query_proj(state)
                scores = additive_scores(query, source, part.score_weight, covered, part.coverage_weight)
                weights = masked_softmax(scores, source.padding)
                context = weights @ values
            else:
                context, weights, _ = part(state, source, covered)
            covered = covered + weights if uses_coverage else None
            total = total + context.pow(3).sum() + weights[..., 0].sum()
        return total

    @pytest.mark.parametrize("uses_coverage", [False, True])
    def test_of_everything(self, uses_coverage):
        part = self.part(uses_coverage)
        inputs = [self.states, self.asked, *part.parameters()]
        plain, quick = (torch.autograd.grad(self.loss(part, uses_coverage, one), inputs) for one in (True, False))
        for expected, found in zip(plain, quick, strict=True):
            assert torch.allclose(found, expected, atol=1e-10)

    def test_twice_through_the_same_steps(self):
        part = self.part(False)
        loss = self.loss(part, False, plain=False)
        first, second = (torch.autograd.grad(loss, [self.states], retain_graph=True) for _ in range(2))
        assert torch.equal(first[0], second[0])

    def test_of_an_attention_that_nobody_copies_with(self):
        part = self.part(False)
        context, *_ = part(self.asked[:, :1], part.project(self.states, self.states, self.mask), None)
        context.sum().backward()
        assert self.states.grad[0].abs().sum(-1).all()
        assert not self.states.grad[1, SHORT:].any()


@pytest.mark.parametrize(("layers", "both"), [(1, True), (2, True), (1, False)])
def test_the_encoder_ends_at_each_ends_own_word(layers, both):
    """As packed sequences do; one source has a single word."""
    torch.manual_seed(5)
    encoder = encoders.make("recurrent", Size(23, INPUT, 1, 0.0), num_layers=layers, hidden_size=3, bidirectional=both)
    lengths = torch.tensor([SOURCE, SHORT, 1])
    mask = torch.arange(SOURCE) >= lengths[:, None]
    given = torch.randn(3, SOURCE, INPUT)
    found = encode(encoder, given.masked_fill(mask[..., None], 50.0), mask)
    states = pack_padded_sequence(given, lengths, batch_first=True)
    for layer in encoder.layers:
        states, (hidden, cell) = layer(states)
    expected, _ = pad_packed_sequence(states, batch_first=True)
    assert torch.allclose(found.encoder_hidden_states, expected, atol=1e-6)
    for end, one in zip(found.final_state, (cell, hidden), strict=True):
        assert end.shape == (3, encoder.hidden_size)
        assert torch.allclose(end, torch.cat(one.unbind(0), -1), atol=1e-6)


def new_decoder(covering):
    size = Size(23, INPUT, 1, 0.0)
    return decoders.make(
        "recurrent", DecoderContext(size, WIDTH, covering), hidden_size=HIDDEN, attention_dim=COMPARED
    ).double()


def decoder(covering=None):
    torch.manual_seed(7)
    part = new_decoder(covering)
    if covering == EXACT:
        torch.nn.init.normal_(part.cross_attention.coverage_weight)
    return part


def encoder_output(final=True):
    """The second source has SHORT words."""
    torch.manual_seed(8)
    mask = torch.arange(SOURCE) >= torch.tensor([[SOURCE], [SHORT]])
    states, cell, hidden = (
        torch.randn(*size, WIDTH, dtype=torch.double) for size in ((BATCH, SOURCE), (BATCH,), (BATCH,))
    )
    return EncoderOutput(states, mask, torch.full((BATCH, SOURCE), 4), final_state=(cell, hidden) if final else None)


def words():
    torch.manual_seed(9)
    return torch.randn(BATCH, STEPS, INPUT, dtype=torch.double)


def written(part, source, uses_coverage):
    """All steps of the first document, as the paper has them: a list of (x̂, c, h, a, context, W₁[h; context])."""
    states = source.encoder_hidden_states[0]
    ends = source.final_state or (source.encoder_hidden_states[:, :SOURCE].mean(1),) * 2
    cell, hidden = F.relu(part.cell_init(ends[0][0])), F.relu(part.hidden_init(ends[1][0]))
    context, covered, found = torch.zeros(WIDTH, dtype=torch.double), torch.zeros(SOURCE, dtype=torch.double), []
    for word in words()[0]:
        merged = part.in_proj.weight @ torch.cat([word, context]) + part.in_proj.bias
        gates = part.lstm.weight_ih @ merged + part.lstm.bias_ih + part.lstm.weight_hh @ hidden + part.lstm.bias_hh
        enter, stay, new, leave = gates.chunk(4)
        cell = stay.sigmoid() * cell + enter.sigmoid() * new.tanh()
        hidden = leave.sigmoid() * cell.tanh()
        state = part.cross_attention.query_proj.weight @ torch.cat([cell, hidden])
        keys = states @ part.cross_attention.key_proj.weight.T + part.cross_attention.key_proj.bias + state
        if uses_coverage:
            keys = keys + covered[:, None] * part.cross_attention.coverage_weight
        weights = (keys.tanh() @ part.cross_attention.score_weight).softmax(0)
        covered, context = covered + weights, weights @ states
        found.append((merged, cell, hidden, weights, context, part.out_proj(torch.cat([hidden, context]))))
    return [torch.stack(part) for part in zip(*found, strict=True)]


@pytest.mark.parametrize("covering", [None, EXACT])
@pytest.mark.parametrize("final", [True, False])
def test_the_decoder_step_by_step_as_the_paper_has_it(covering, final):
    part, source = decoder(covering), encoder_output(final)
    found = part(words(), source, True)
    merged, cell, hidden, weights, context, states = written(part, source, covering is not None)
    for one, expected in (
        (found.inputs, merged),
        (found.recurrent_state, torch.cat([cell, hidden], -1)),
        (found.cross_attention, weights),
        (found.context, context),
        (found.hidden_states, states),
    ):
        assert torch.allclose(one[0], expected, atol=1e-10)
    assert found.copy_features.shape[-1] == part.copy_features_dim == WIDTH + 2 * HIDDEN + INPUT


def test_without_a_final_state_padding_is_not_in_the_mean():
    part, source = decoder(), encoder_output(final=False)
    other = replace(
        source,
        encoder_hidden_states=source.encoder_hidden_states.masked_fill(source.key_padding_mask[..., None], 100.0),
    )
    assert torch.allclose(part(words(), other, True).hidden_states, part(words(), source, True).hidden_states)


def test_what_is_brought_may_differ_from_where_it_is_found():
    part, source = decoder(), encoder_output()
    found = part(words(), replace(source, values=2 * source.encoder_hidden_states), True)
    assert torch.allclose(found.context, 2 * found.cross_attention @ source.encoder_hidden_states)


class TestCoverage:
    def test_it_is_the_sum_of_the_attention_before(self):
        """Σᵢ cₜᵢ = t − 1."""
        part, source = decoder(EXACT), encoder_output()
        state = part.start(source, 2)
        total = torch.zeros(BATCH, 2, SOURCE, dtype=torch.double)
        for step in range(STEPS):
            found = part.step(words()[:, step, None].expand(-1, 2, -1), source, state, True)
            assert torch.allclose(state.last.covered, total)
            assert torch.allclose(state.last.covered.sum(-1), torch.tensor(float(step), dtype=torch.double))
            total += found.cross_attention

    def test_step_by_step_is_all_at_once_and_goes_with_its_hypothesis(self):
        """Both hypotheses go on from the second; then the first document leaves."""
        part, source = decoder(EXACT), encoder_output()
        torch.manual_seed(10)
        given = torch.randn(BATCH, 2, STEPS, INPUT, dtype=torch.double)
        state = part.start(source, 2)
        part.step(given[:, :, 0], source, state, True)
        state.reorder(torch.ones(BATCH, 2, dtype=torch.long))
        part.step(given[:, :, 1], source, state, True)
        stay = torch.tensor([1])
        state.keep(stay)
        found = part.step(given[stay, :, 2], source.keep(stay), state, True)
        for beam in range(2):
            path = torch.stack([given[:, 1, 0], given[:, beam, 1], given[:, beam, 2]], 1)
            assert torch.allclose(found.cross_attention[0, beam], part(path, source, True).cross_attention[1, 2])

    def test_with_a_weight_of_zero_there_is_none(self):
        plain, covering = decoder(), new_decoder(EXACT)
        new = covering.load_state_dict(plain.state_dict(), strict=False)
        assert new.missing_keys == ["cross_attention.coverage_weight"]
        assert not covering.cross_attention.coverage_weight.any()
        expected, found = (one(words(), encoder_output(), True) for one in (plain, covering))
        assert torch.allclose(found.hidden_states, expected.hidden_states, atol=1e-12)
        assert torch.allclose(found.cross_attention, expected.cross_attention, atol=1e-12)

    def test_attention_knows_of_it_from_the_second_phase_on(self):
        part = decoder(EXACT)
        second = part(words(), encoder_output(), True).cross_attention
        part.enter(1)
        first = part(words(), encoder_output(), True).cross_attention
        part.enter(2)
        assert torch.equal(part(words(), encoder_output(), True).cross_attention, second)
        assert torch.equal(first, decoder()(words(), encoder_output(), True).cross_attention)
        assert torch.allclose(first[:, 0], second[:, 0])
        assert not torch.allclose(first[:, 1], second[:, 1], atol=1e-3)

    def test_if_only_the_loss_knows_of_it_there_are_no_weights(self):
        plain, with_coverage = decoder(), decoder(coverage.Config("loss_only"))
        assert dict(plain.named_parameters()).keys() == dict(with_coverage.named_parameters()).keys()
        with_coverage.enter(2)
        assert torch.equal(
            plain(words(), encoder_output(), True).cross_attention,
            with_coverage(words(), encoder_output(), True).cross_attention,
        )

    def test_one_pass_is_for_others(self):
        with pytest.raises(PresetError, match="exact"):
            decoder(coverage.Config("one_pass"))


def network(uses_coverage=False, seed=11):
    """17 words, copying by context, state and input."""
    torch.manual_seed(seed)
    options = {
        "d_model": INPUT,
        "num_heads": 1,
        "dropout": 0.0,
        "embedding": {"position_embedding": "none", "scale": False},
        "encoder": {"kind": "recurrent", "hidden_size": 3},
        "decoder": {"kind": "recurrent", "hidden_size": HIDDEN, "attention_dim": COMPARED},
        "head": {"kind": "pointer", "p_copy_input": "context_state_input"},
    }
    return Seq2Seq(
        configure(Config, {**options, **({"coverage": {"mode": "exact"}} if uses_coverage else {})}, "model"), 17
    )


def batch():
    """The first source has an unknown word, 17, at two places, and says it; the second is shorter."""
    source = torch.tensor([[5, 17, 6, 5, 17, 9, 4], [7, 8, 16, 7, 4, 0, 0]])
    target = torch.tensor([[2, 5, 17, 6, 3], [2, 7, 10, 3, 0]])
    inside = [one.masked_fill(one == 17, UNK) for one in (source, target)]
    return Batch(inside[0], source, source == 0, NONE, 1, inside[1], target)


def test_eq_8_the_switch_is_one_minus_p_gen():
    """It reads the context, the cell and the hidden state, and the merged input, in this order."""
    one = network()
    head = one.head
    sizes = (6, 2 * HIDDEN, INPUT)
    assert head.p_copy_proj.in_features == one.decoder.copy_features_dim == sum(sizes)
    with torch.no_grad():
        head.p_copy_proj.bias.fill_(0.25)
        head.p_copy_proj.weight.zero_()
        for place, value in ((0, 1.0), (6, -2.0), (6 + HIDDEN, 0.5), (6 + 2 * HIDDEN, 3.0)):
            head.p_copy_proj.weight[0, place] = value
    context, carried, inputs = (torch.zeros(1, 1, size) for size in sizes)
    context[..., 0], carried[..., 0], carried[..., HIDDEN], inputs[..., 0] = 0.5, 0.25, -1.0, 0.125
    decoded = DecoderOutput(torch.zeros(1, 1, HIDDEN), inputs, context, torch.ones(1, 1, 1), carried)
    source = EncoderOutput(torch.zeros(1, 1, 6), torch.zeros(1, 1).bool(), torch.tensor([[5]]))
    copying = head.distribution(decoded, source, torch.zeros(1, 1, 0, dtype=torch.long)).p_copy.item()
    generating = -(0.5 * 1 + 0.25 * -2 + -1.0 * 0.5 + 0.125 * 3 + 0.25)
    assert copying == pytest.approx(1 - 1 / (1 + math.exp(-generating)))


def test_eq_9_a_word_is_generated_or_copied_from_all_its_places():
    """Four words of attention (0.1, 0.2, 0.3, 0.4): 5, 17, 5, 6; p_gen = 0.75; without weights P_vocab is even over 16
    words, since padding is never said. The word 17 is not in the vocabulary."""
    head = network().head
    with torch.no_grad():
        for one in head.parameters():
            one.zero_()
        head.p_copy_proj.bias.fill_(-math.log(3))
    source = EncoderOutput(torch.zeros(1, 4, 6), torch.zeros(1, 4).bool(), torch.tensor([[5, 17, 5, 6]]), num_oov=1)
    attended = torch.tensor([[[0.1, 0.2, 0.3, 0.4]]])
    states, inputs, context, carried = (torch.zeros(1, 1, size) for size in (HIDDEN, INPUT, 6, 2 * HIDDEN))
    decoded = DecoderOutput(states, inputs, context, attended, carried)
    found = head.distribution(decoded, source, torch.zeros(1, 1, 0, dtype=torch.long)).log_probs.exp()[0, 0]
    expected = torch.full((18,), 0.75 / 16)
    expected[0], expected[17] = 0.0, 0.25 * 0.2
    expected[5] += 0.25 * (0.1 + 0.3)
    expected[6] += 0.25 * 0.4
    assert found.tolist() == pytest.approx(expected.tolist())
    assert found.sum().item() == pytest.approx(1)


@pytest.mark.parametrize("uses_coverage", [False, True])
def test_what_training_and_search_say_is_the_same(uses_coverage):
    one, given = network(uses_coverage).eval(), batch()
    if uses_coverage:
        torch.nn.init.normal_(one.decoder.cross_attention.coverage_weight)
    at_once = one(given).target_log_probs
    source = one.encode(given)
    state = one.decoder.start(source, 1)
    message = given.target_extended[:, 1:]
    for step in range(message.shape[1]):
        trace = one.step(message[:, None, :step], source, state)
        assert torch.allclose(trace.log_probs.exp().sum(-1), torch.ones(BATCH, 1))
        here = trace.log_probs.gather(-1, message[:, None, step, None]).flatten()
        wanted = message[:, step] != 0
        assert torch.allclose(here[wanted], at_once[wanted, step], atol=1e-5)


def test_eq_12_13_nothing_is_looked_at_twice_for_free():
    """The objective's number from the attention that the network tells, and its gradient reaches w_c."""
    one, given = network(uses_coverage=True), batch()
    objective = objectives.make("coverage")
    trace = one(given)
    expected = sum(
        torch.minimum(trace.cross_attention[row, step], trace.cross_attention[row, :step].sum(0)).sum()
        for row, steps in ((0, 4), (1, 3))
        for step in range(steps)
    )
    loss = objective(None, given, trace)
    assert loss.item() == pytest.approx(expected.item(), rel=1e-5)
    loss.backward()
    assert one.decoder.cross_attention.coverage_weight.grad.abs().min() > 0


def test_the_loss_reaches_every_weight():
    one = network()
    one(batch()).target_log_probs.sum().backward()
    for name, part in one.named_parameters():
        assert part.grad is not None, name
        assert part.grad.any(), name


@pytest.mark.skipif(not has_bf16_kernels(), reason="this processor has no LSTM in bfloat16")
def test_half_precision_is_near():
    one, given = network(), batch()
    with torch.autocast("cpu", torch.bfloat16):
        half = one(given)
    half.target_log_probs.sum().backward()
    assert torch.allclose(half.target_log_probs, one(given).target_log_probs, atol=0.05)
    assert half.cross_attention.dtype == torch.float32


def test_weights_begin_as_in_their_code():
    """U(−0.02, 0.02) for LSTMs, whose gates keep with a bias of one; 1e-4 for words; Xavier's elsewhere."""
    torch.manual_seed(1)
    config = read("pointer_generator", {"model.encoder.hidden_size": 31, "model.decoder.hidden_size": 37}).section(
        "model"
    )
    one = Seq2Seq(configure(Config, config, "model"), 53)
    for lstm, size in ((one.encoder.layers[0], 31), (one.decoder.lstm, 37)):
        for name, part in lstm.named_parameters():
            if name.startswith("weight"):
                assert 0.018 < part.abs().max() <= 0.02
            else:
                keeps = torch.zeros_like(part)
                keeps[size : 2 * size] = "bias_ih" in name
                assert torch.equal(part, keeps)
    for part in (one.source_embedding.word_embeddings.weight, one.head.vocab_proj.weight):
        assert part.std().item() == pytest.approx(0.88e-4, rel=0.05)
        assert part.abs().max() <= 2e-4
    bound = math.sqrt(6 / (128 + 2 * 31 + 128))
    assert 0.95 * bound < one.decoder.in_proj.weight.abs().max() <= bound


def test_presets():
    plain, covering = (read(name) for name in ("pointer_generator", "pointer_generator_coverage"))
    assert plain.section("tokenizer") == {"kind": "words", "vocab_size": 50000}
    assert (plain.section("truncation")["source"], plain.section("truncation")["target"]) == (400, 100)
    model, training = plain.section("model"), plain.section("training")
    assert (model["d_model"], model["encoder"]["hidden_size"], model["decoder"]["hidden_size"]) == (128, 256, 256)
    assert (training["batch_size"], training["batch_type"], training["max_grad_norm"]) == (16, "examples", 2.0)
    assert training["optimizer"] == {"kind": "adagrad", "initial_accumulator_value": 0.1}
    assert training["schedule"] == {"kind": "constant", "learning_rate": 0.15}
    decoding = plain.section("decoding")
    assert (decoding["beam_size"], decoding["min_length"], decoding["length_penalty"]) == (4, 35, 1.0)
    assert decoding["length_penalty_form"] == "power"
    assert "coverage" not in model
    assert covering.section("model.coverage") == {"mode": "exact"}
    assert covering.section("training.objectives.coverage") == {"weight": 1.0}
    assert covering.section("training")["second_phase_steps"] == 3000


def test_the_baseline_is_the_network_without_copying():
    plain, copying = (Seq2Seq(read(name).config.model, 29) for name in ("seq2seq_attention", "pointer_generator"))
    copies = {name for name in copying.state_dict() if "p_copy" in name}
    assert copies
    assert set(plain.state_dict()) == set(copying.state_dict()) - copies
