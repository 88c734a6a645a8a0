"""Generating and copying: the loss of the CopyTransformer, with numbers done by hand.

Five words: PAD, UNK, BOS, EOS and 4, of which the four that can be said are equally likely: ¼ each. The
p_copy is ½ everywhere. The source is 4, 5, 5, 6, where 5 and 6 are no words of the vocabulary; it is looked at with
0.1, 0.2, 0.3, 0.4.
"""

import math

import pytest

torch = pytest.importorskip("torch")

from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.head import HeadContext  # noqa: E402
from nutgraf.model.head.pointer import Config, Pointer  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.records import BOS, EOS, UNK, Batch, DecoderOutput, EncoderOutput, Phrases  # noqa: E402

WORDS, WIDTH = 5, 3
SIZE = Size(WORDS, WIDTH, 1, 0.0)
SOURCE = torch.tensor([[4, 5, 5, 6]])
LOOKED = torch.tensor([[[0.1, 0.2, 0.3, 0.4]]])

known, twice, once, elsewhere = 4, 5, 6, 7


def head(p_copy_bias=0.0, **options):
    made = Pointer(
        Config(**options), HeadContext(SIZE, decoders.make("transformer", DecoderContext(SIZE, WIDTH, None)), WIDTH)
    )
    for parameter in made.parameters():
        torch.nn.init.zeros_(parameter)
    torch.nn.init.constant_(made.p_copy_proj.bias, p_copy_bias)
    return made


def decoded():
    states = torch.ones(1, 1, WIDTH)
    return DecoderOutput(states, states, states, LOOKED)


def likelihood(word, made=None):
    within = torch.tensor([[BOS, UNK if word >= WORDS else word]])
    target = torch.tensor([[BOS, word]])
    source = SOURCE.masked_fill(SOURCE >= WORDS, UNK)
    batch = Batch(source, SOURCE, torch.zeros_like(SOURCE, dtype=torch.bool), Phrases.none(), 2, within, target)
    return (made or head()).likelihood(decoded(), batch).target_log_probs.exp().item()


@pytest.mark.parametrize(
    ("word", "probability"),
    [
        (known, 0.5 * 0.25 + 0.5 * 0.1),
        (EOS, 0.5 * 0.25),
        (UNK, 0.5 * 0.25),
        (twice, 0.5 * (0.2 + 0.3)),
        (once, 0.5 * 0.4),
    ],
)
def test_both_ways_count_where_both_are_open(word, probability):
    assert likelihood(word) == pytest.approx(probability)


def test_what_neither_way_can_say_costs_much_but_not_infinitely_much():
    assert 0 < likelihood(elsewhere) < 1e-19


def test_forced_to_copy_what_can_be_copied():
    assert likelihood(known, head(force_copy=True)) == pytest.approx(0.5 * 0.1)
    assert likelihood(EOS, head(force_copy=True)) == pytest.approx(0.5 * 0.25)


def test_the_switch_is_the_probability_of_copying():
    mostly = head(p_copy_bias=math.log(3))  # σ(ln 3) = ¾
    assert likelihood(once, mostly) == pytest.approx(0.75 * 0.4)
    assert likelihood(EOS, mostly) == pytest.approx(0.25 * 0.25)


def test_the_distribution_adds_up_where_a_word_stands_twice():
    memory = EncoderOutput(torch.zeros(1, 4, WIDTH), torch.zeros_like(SOURCE, dtype=torch.bool), SOURCE, 2)
    trace = head().distribution(decoded(), memory, torch.zeros(1, 1, 0, dtype=torch.long))
    expected = [0.0, 0.125, 0.125, 0.125, 0.125 + 0.05, 0.25, 0.2]
    assert trace.log_probs.exp().flatten().tolist() == pytest.approx(expected)
    assert trace.p_copy.item() == pytest.approx(0.5)


def test_gradients_of_what_cannot_be_said_are_finite():
    made = head()
    states = torch.ones(1, 1, WIDTH, requires_grad=True)
    looked = torch.tensor([[[1.0, 0.0, 0.0, 0.0]]], requires_grad=True)
    target = torch.tensor([[BOS, once]])
    source = SOURCE.masked_fill(SOURCE >= WORDS, UNK)
    batch = Batch(source, SOURCE, source < 0, Phrases.none(), 2, target.clamp_max(UNK), target)
    made.likelihood(DecoderOutput(states, states, states, looked), batch).target_log_probs.sum().backward()
    assert torch.isfinite(states.grad).all()
    assert torch.isfinite(looked.grad).all()
