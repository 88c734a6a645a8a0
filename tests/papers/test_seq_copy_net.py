"""Zhou et al. 2018, Sequential Copying Networks (SeqCopyNet), as we remember it: spans by hand, the plain formula with
its gradients, and search against the sum over all ways to write every text. Its encoder, gate and decoder are SEASS's,
in `test_seass.py`."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import cache

import pytest

torch = pytest.importorskip("torch")

from nutgraf.decoding.search import Config as Search  # noqa: E402
from nutgraf.decoding.search import search  # noqa: E402
from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.head._spans import maximal_spans, run_lengths  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, UNK, Batch, Phrases, Trace  # noqa: E402
from nutgraf.model.seq2seq import Config, Seq2Seq  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.training.objectives import objectives  # noqa: E402

WORDS = 7
A, B, C = 4, 5, 6
ONLY_HERE = WORDS


def runs_of(text, source):
    return run_lengths(torch.tensor(text)[None, :, None] == torch.tensor(source)[None, None])


def test_how_far_text_and_source_go_together():
    """The text is A B A C, the source B A B A: from the text's A B A three words, from its second A one, or none."""
    expected = [[0, 3, 0, 1], [2, 0, 2, 0], [0, 1, 0, 1], [0, 0, 0, 0]]
    assert runs_of([A, B, A, C], [B, A, B, A])[0].tolist() == expected


def test_labels_are_the_longest_spans_from_left_to_right():
    """C is generated, A B A copied as one span; A, which then stands alone, is a span of one word."""
    begins, inside = maximal_spans(runs_of([C, A, B, A, A, C], [B, A, B, A]))
    assert begins[0].tolist() == [False, True, False, False, True, False]
    assert inside[0].tolist() == [False, True, True, True, True, False]


def network(seed=3, **changes):
    """SEASS's parts, tiny; its pointers have opinions."""
    torch.manual_seed(seed)
    gru = {"kind": "gru", "hidden_size": 4}
    parts = {
        "encoder": {**gru, "num_layers": 1},
        "decoder": {**gru, "hidden_size": 6, "attention_dim": 3},
        "bridge": {"kind": "selective", "context": "sentence"},
        "head": {"kind": "span", "pointer_dim": 3},
    }
    sizes = {"d_model": 5, "num_heads": 1, "dropout": 0.0, "max_positions": 29}
    made = Seq2Seq(configure(Config, {**sizes, **parts, **changes}, "model"), WORDS).double()
    with torch.no_grad():
        for one in made.parameters():
            one.copy_(torch.randn_like(one))
    return made.eval()


def indifferent():
    """A network whose gate is ½, whose pointers find all places alike, and which generates six words alike."""
    made = network()
    with torch.no_grad():
        for one in (*made.head.parameters(), *made.decoder.readout.parameters()):
            one.zero_()
    return made


def batch_of(sources, targets):
    def padded(rows):
        longest = max(map(len, rows))
        return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in rows])

    extended, target = padded(sources), padded([[BOS, *row, EOS] for row in targets])
    source, within = (one.masked_fill(one >= WORDS, UNK) for one in (extended, target))
    return Batch(source, extended, extended == PAD, Phrases.none(), 1, within, target)


def test_probabilities_by_hand():
    """The source is A B A, the text A B. Each start has ⅓; behind the first place there are three ends, behind the
    second two, behind the last one. Half is copied, and each of six words generated with ⅙.

    A alone: ½·⅙ generated, ½·⅓·⅓ from the first place, ½·⅓·1 from the last: α₁ = 11/36, and half of what is copied
    from the first place goes on: F₁ = 1/12 + ½·⅔ = 5/12.
    B behind it: α₁·½·⅙ generated, α₁·½·⅓·½ as a span of its own that ends, or twice that if it need not, and as the
    second word of a span, ½·⅓·⅓ where it ends and ½·⅓·⅔ where it need not.
    """
    trace = indifferent()(batch_of([[A, B, A]], [[A, B]]))
    free = 11 / 36
    two = free / 12 + free / 12 + 1 / 18
    whole = free / 12 + free / 6 + 1 / 9
    expected = [5 / 12, whole / (5 / 12), two / 12 / whole]
    assert trace.target_log_probs[0].exp().tolist() == pytest.approx(expected)
    copied = [1 / 2, 1 - free / 2 / (5 / 12), 1 - two / 2 / whole]
    assert trace.p_copy[0].tolist() == pytest.approx(copied)


def test_labelled_actions_by_hand():
    """Of C A B EOS over A B A, A B is copied, from the first place: ½·⅓·⅓; C and EOS are generated: ½·⅙."""
    batch = batch_of([[A, B, A]], [[C, A, B]])
    trace = indifferent()(batch)
    assert trace.action_log_probs[0].exp().tolist() == pytest.approx([1 / 12, 1 / 18, 1, 1 / 12])
    loss = objectives.make("spans", weight=3.0)(None, batch, trace)
    assert float(loss.detach()) == pytest.approx(3 * math.log(12 * 18 * 12))


def test_the_objective_says_which_head_it_needs():
    with pytest.raises(PresetError, match=r'model\.head\.kind = "span"'):
        objectives.make("spans")(None, None, Trace())


def plain_parts(made, batch, row):
    """For one example: the states of the source, and for each step the gate, the words' probabilities, the start
    pointer, and a function from a start to its ends."""
    length = int((~batch.key_padding_mask[row]).sum())
    one = Batch(
        batch.source[row : row + 1, :length],
        batch.source_extended[row : row + 1, :length],
        batch.key_padding_mask[row : row + 1, :length],
        Phrases.none(),
        1,
        batch.target[row : row + 1],
        batch.target_extended[row : row + 1],
    )
    encoded = made.encode(one)
    decoded = made.decoder(made.target_embedding(one.decoder_input), encoded, True)
    head, states = made.head, encoded.encoder_hidden_states[0]
    width = math.sqrt(head.query_proj.out_features)

    @cache
    def at(step):
        features = decoded.copy_features[0, step]
        z, q = head.p_copy_proj(features).sigmoid().squeeze(), head.query_proj(features).tanh()
        logits = head.vocab_proj(decoded.hidden_states[0, step])
        words = torch.cat([logits.new_full((1,), -torch.inf), logits[1:]]).softmax(0)
        starts = (head.start_proj(states) @ q / width).softmax(0)

        def ends(place):
            u = head.transducer(states[place][None], q[None])[0]
            later = (head.end_proj(states[place:]) @ u / width).softmax(0)
            return torch.cat([later.new_zeros(place), later])

        return z, words, starts, ends

    return one.source_extended[0].tolist(), at


def plain_ways(source, at, text, step=0):
    """Yield the probability of each way to write a text from a step on, which ends with it."""
    if step == len(text):
        yield torch.ones((), dtype=torch.double)
        return
    z, words, starts, ends = at(step)
    if text[step] < WORDS:
        for rest in plain_ways(source, at, text, step + 1):
            yield (1 - z) * words[text[step]] * rest
    for first, last in itertools.combinations_with_replacement(range(len(source)), 2):
        span = source[first : last + 1]
        if text[step : step + len(span)] == span:
            for rest in plain_ways(source, at, text, step + len(span)):
                yield z * starts[first] * ends(first)[last] * rest


def plain_actions(source, at, text):
    """The log probability of the labelled actions."""
    total, step = 0.0, 0
    while step < len(text):
        z, words, starts, ends = at(step)
        lengths = [
            next((n for n in range(len(source) - i, 0, -1) if source[i : i + n] == text[step : step + n]), 0)
            for i in range(len(source))
        ]
        longest = max(lengths)
        if longest:
            first = lengths.index(longest)
            total = total + (z * starts[first] * ends(first)[first + longest - 1]).log()
        else:
            total = total + ((1 - z) * words[text[step]]).log()
        step += longest or 1
    return total


SOURCES = [[A, B, A, B, ONLY_HERE], [B, A, C]]
TARGETS = [[A, B, A, ONLY_HERE], [B, B]]


def test_the_sum_over_all_ways_is_the_plain_formula_and_so_are_its_gradients():
    made, batch = network(), batch_of(SOURCES, TARGETS)
    expected = 0.0
    for row, target in enumerate(TARGETS):
        expected = expected + sum(plain_ways(*plain_parts(made, batch, row), [*target, EOS])).log()
    compare(made, made(batch).target_log_probs.sum(), expected)


def test_labelled_actions_are_the_plain_formula_and_so_are_their_gradients():
    made, batch = network(), batch_of(SOURCES, TARGETS)
    expected = 0.0
    for row, target in enumerate(TARGETS):
        expected = expected + plain_actions(*plain_parts(made, batch, row), [*target, EOS])
    compare(made, made(batch).action_log_probs.sum(), expected)


def compare(made, found, expected):
    assert float(found.detach()) == pytest.approx(float(expected.detach()), abs=1e-9)
    parameters = dict(made.named_parameters())
    gradients = [
        torch.autograd.grad(one, list(parameters.values()), allow_unused=True, materialize_grads=True)
        for one in (found, expected)
    ]
    for name, one, other in zip(parameters, *gradients, strict=True):
        assert torch.allclose(one, other, atol=1e-9), name


def test_a_wide_beam_finds_what_full_enumeration_finds():
    """All texts of at most three words, however their words come: by generating them, or in spans."""
    made, batch, most = network(), batch_of(SOURCES, TARGETS), 3
    words = [UNK, *range(A, WORDS + 1)]
    texts = [one for length in range(most + 1) for one in itertools.product(words, repeat=length)]
    config = Search(beam_size=900, num_return_sequences=900, max_length=most, early_stopping=False, processors={})
    with torch.no_grad():
        found = {one.ids: one.log_prob for one in search(made, batch, config)[0]}
        wanted = {text: math.log(probability_of(made, batch, 0, text)) for text in texts}
    assert found == pytest.approx(wanted, abs=1e-6)


def probability_of(made, batch, row, text):
    target = torch.tensor([[BOS, *text, EOS]] * len(batch.source))
    asked = Batch(
        batch.source,
        batch.source_extended,
        batch.key_padding_mask,
        Phrases.none(),
        1,
        target.masked_fill(target >= WORDS, UNK),
        target,
    )
    return float(sum(plain_ways(*plain_parts(made, asked, row), [*text, EOS])))


@pytest.mark.parametrize("objective", ["spans", "likelihood"])
def test_copied_spans_say_where_they_come_from(objective):
    """A summary is three words in a row, from a mark on. After some training, the words of a summary come from places
    in a row, and are copied together."""
    draw = torch.Generator().manual_seed(5)
    sources = [[*torch.randint(A + 1, WORDS, (6,), generator=draw).tolist()] for _ in range(12)]
    marks = torch.randint(0, 3, (12,), generator=draw).tolist()
    for source, mark in zip(sources, marks, strict=True):
        source[mark] = A
    targets = [source[mark : mark + 4] for source, mark in zip(sources, marks, strict=True)]
    made, batch = network(seed=1).float().train(), batch_of(sources, targets)
    with torch.no_grad():
        for one in made.parameters():
            one.mul_(0.3)
    optimizer = torch.optim.Adam(made.parameters(), 0.03)
    loss_of = objectives.make(objective)
    for _ in range(80):
        optimizer.zero_grad()
        loss_of(made, batch, made(batch)).backward()
        optimizer.step()
    found = search(made.eval(), batch, Search(beam_size=3, max_length=6, processors={}))
    right = [
        one[0].ids == tuple(target) and one[0].source_positions == tuple(range(mark, mark + 4))
        for one, target, mark in zip(found, targets, marks, strict=True)
    ]
    assert sum(right) > 9
    surest = max((one[0] for one in found), key=lambda one: one.log_prob)
    assert min(surest.copied_shares) > 0.5
    assert min(surest.p_copy[1:]) > 0.5, "inside a span"


def test_a_place_that_is_hidden_begins_no_span():
    """A bias of −∞, as MMR in the search has it for the sentences that it hides."""
    made, batch = indifferent(), batch_of([[A, B, A]], [[A]])
    with torch.no_grad():
        encoded = made.encode(batch)
        state = made.start(encoded, 1)
        seen = replace(encoded, source_bias=torch.tensor([[[-math.inf, 0.0, -math.inf]]]).double())
        trace = made.step(torch.zeros(1, 1, 0, dtype=torch.long), seen, state)
    assert trace.cross_attention[0, 0].tolist() == [0, 1, 0]
    assert trace.log_probs[0, 0, [A, B]].exp().tolist() == pytest.approx([1 / 12, 7 / 12])


def test_the_preset_is_seass_with_spans():
    config, seass = read("seq_copy_net").config, read("seass").config
    made = Seq2Seq(config.model, 29)
    assert config.model.encoder == seass.model.encoder
    assert config.model.bridge == seass.model.bridge
    assert made.head.start_proj.weight.shape == made.head.end_proj.weight.shape == (512, 512)
    assert made.head.p_copy_proj.in_features == 512 + 512 + 300
    assert set(config.training.objectives) == {"spans"}
    assert (config.training.batch_size, config.decoding.beam_size) == (64, 12)
