"""The network as a whole."""

import dataclasses
import math

import pytest

torch = pytest.importorskip("torch")

from jaxtyping import TypeCheckError  # noqa: E402
from torch import nn  # noqa: E402

from nutgraf.errors import InputError  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, UNK, Batch, Phrases  # noqa: E402
from nutgraf.model.seq2seq import Config, Seq2Seq  # noqa: E402
from nutgraf.presets.family import configure  # noqa: E402

WORDS, EXTRA = 13, 2
TINY = {
    "d_model": 14,
    "num_heads": 2,
    "dropout": 0.0,
    "max_positions": 17,
    "encoder": {"kind": "transformer", "num_layers": 2, "ffn_dim": 11},
    "decoder": {"kind": "transformer", "num_layers": 2, "ffn_dim": 11},
    "head": {"kind": "pointer"},
}
EXTENDED = torch.tensor([[5, 7, 5, 9, WORDS, 4, 8], [4, WORDS, WORDS + 1, 6, PAD, PAD, PAD]])
TARGET = torch.tensor([[BOS, 5, WORDS, 8, EOS], [BOS, WORDS + 1, EOS, PAD, PAD]])


def network(**changes):
    torch.manual_seed(0)
    return Seq2Seq(configure(Config, TINY | changes, "model"), WORDS)


def batch(extended=EXTENDED, target=TARGET):
    source, within = (one.masked_fill(one >= WORDS, UNK) for one in (extended, target))
    return Batch(source, extended, source == PAD, Phrases.none(), EXTRA, within, target)


def loss(made, given):
    return -made(given).target_log_probs.sum()


@pytest.mark.parametrize("head", ["generator", "pointer"])
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_step_by_step_words_are_as_likely_as_all_at_once(head, norm):
    slots = {part: TINY[part] | {"norm": norm} for part in ("encoder", "decoder")}
    made, given = network(head={"kind": head}, **slots).eval(), batch()
    at_once = made(given).target_log_probs
    memory = made.encode(given)
    state = made.start(memory, 1)
    for step in range(TARGET.shape[1] - 1):
        log_probs = made.step(TARGET[:, None, 1 : step + 1], memory, state).log_probs[:, 0]
        wanted = TARGET[:, step + 1]
        if head == "generator":
            wanted = wanted.masked_fill(wanted >= WORDS, UNK)
        found = log_probs.gather(1, wanted[:, None]).squeeze(1).masked_fill(wanted == PAD, 0)
        assert torch.allclose(found, at_once[:, step], atol=1e-5)


def test_examples_together_or_alone_are_the_same():
    made, given = network().eval(), batch()
    together = made(given).target_log_probs
    alone = made(batch(EXTENDED[1:, :4], TARGET[1:, :3])).target_log_probs
    assert torch.allclose(together[1:, :2], alone, atol=1e-5)


@pytest.mark.parametrize("share", [False, True])
@pytest.mark.parametrize("tied", [False, True])
def test_what_shares_a_table_shares_it(share, tied):
    made = network(share_embeddings=share, tie_word_embeddings=tied)
    source, target = made.source_embedding.word_embeddings.weight, made.target_embedding.word_embeddings.weight
    assert (source is target) == share
    assert (made.head.vocab_proj.weight is target) == tied
    loss(made, batch()).backward()
    assert all(one.grad is not None and one.grad.any() for one in (source, target, made.head.vocab_proj.weight))


def test_a_shared_table_gets_the_gradient_of_both_texts():
    """The gradient of a shared table is the sum of the gradients of two equal ones."""
    shared, apart = network(), network(share_embeddings=False)
    missing, _ = apart.load_state_dict(shared.state_dict(), strict=False)
    assert not missing
    loss(shared, batch()).backward()
    loss(apart, batch()).backward()
    both = apart.source_embedding.word_embeddings.weight.grad + apart.target_embedding.word_embeddings.weight.grad
    assert torch.allclose(shared.source_embedding.word_embeddings.weight.grad, both, atol=1e-5)


def test_batches_of_other_shapes_add_their_gradients():
    """Two sources one after the other leave what they leave together."""
    made = network()
    loss(made, batch()).backward()
    together = [parameter.grad.clone() for parameter in made.parameters()]
    made.zero_grad()
    loss(made, batch(EXTENDED[:1], TARGET[:1])).backward()
    loss(made, batch(EXTENDED[1:, :4], TARGET[1:, :3])).backward()
    for parameter, expected in zip(made.parameters(), together, strict=True):
        assert torch.allclose(parameter.grad, expected, atol=1e-4)


def test_in_bfloat16_loss_and_gradients_are_near_and_in_single_precision():
    made, given = network(), batch()
    whole = torch.autograd.grad(loss(made, given), list(made.parameters()))
    with torch.autocast("cpu", torch.bfloat16):
        found = loss(made, given)
    half = torch.autograd.grad(found, list(made.parameters()))
    assert found.dtype == torch.float32
    assert found.item() == pytest.approx(loss(made, given).item(), rel=0.02)
    far = sum(((one - other) ** 2).sum() for one, other in zip(whole, half, strict=True))
    assert far < 0.05**2 * sum((one**2).sum() for one in whole)


def test_a_seed_makes_the_same_network_and_the_same_dropout():
    losses = []
    for _ in range(2):
        made = network(dropout=0.3)
        losses.append(loss(made, batch()).item())
    assert losses[0] == losses[1] != loss(made, batch()).item()


def test_a_few_steps_learn_two_summaries_by_heart():
    made, given = network(), batch()
    adam = torch.optim.Adam(made.parameters(), lr=0.02)
    for _ in range(80):
        adam.zero_grad()
        loss(made, given).backward()
        adam.step()
    assert loss(made, given) / 6 < 0.1


def test_every_matrix_begins_by_xaviers_distribution_and_biases_at_zero():
    made = network(d_model=28, encoder={"kind": "transformer", "num_layers": 1, "ffn_dim": 84})

    def reach(rows, columns):
        return math.sqrt(6 / (rows + columns))

    def check(weight, rows, columns):
        assert 0.8 * reach(rows, columns) < weight.abs().max() <= reach(rows, columns)

    layer = made.encoder.layers[0]
    check(layer.feed_forward.linear1.weight, 84, 28)  # three times as high as wide, and yet one matrix
    for part in layer.self_attention.multi_head.qkv_proj.weight.chunk(3):
        check(part, 28, 28)
    check(made.source_embedding.word_embeddings.weight, WORDS, 28)
    assert not any(module.bias.any() for module in made.modules() if isinstance(module, nn.Linear))


@pytest.mark.parametrize(("source", "target"), [(18, 5), (7, 19)])
def test_a_text_longer_than_the_positions_is_told(source, target):
    given = batch(torch.full((2, source), 4), torch.full((2, target), 4))
    with pytest.raises(InputError, match=r"18 words.*17"):
        network()(given)


def test_shapes_are_checked_in_tests():
    made, given = network(), batch()
    with pytest.raises(TypeCheckError):
        made.encoder(torch.zeros(2, 7), None, Phrases.none())
    with pytest.raises(TypeCheckError):
        dataclasses.replace(given, key_padding_mask=given.key_padding_mask[:1])
