"""The projection in chunks against the plain formula."""

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from nutgraf.model.ops import log_probs  # noqa: E402
from nutgraf.model.ops.log_probs import log_probs_at, log_softmax  # noqa: E402
from nutgraf.model.records import PAD  # noqa: E402

WORDS, WIDTH = 23, 7
WANTED = torch.tensor([[5, 1, PAD], [5, 22, 3]])


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """Five words at once."""
    monkeypatch.setattr(log_probs, "CHUNK", 25)


@pytest.fixture
def words():
    torch.manual_seed(0)
    return nn.Linear(WIDTH, WORDS).double()


def states(dtype=torch.double):
    return torch.randn(2, 3, WIDTH, dtype=dtype, requires_grad=True)


def plain(decoded, words):
    """Return the target's log probability and the mean of all, by the plain formula."""
    log_probs = words(decoded).index_fill(-1, torch.tensor(PAD), -torch.inf).log_softmax(-1)
    padding = WANTED == PAD
    chosen = log_probs.gather(-1, WANTED[..., None]).squeeze(-1)
    return chosen.masked_fill(padding, 0), log_probs[..., PAD + 1 :].mean(-1).masked_fill(padding, 0)


def test_values_are_those_of_the_plain_formula(words):
    decoded = states()
    for found, expected in zip(log_probs_at(decoded, words, WANTED), plain(decoded, words), strict=True):
        assert torch.allclose(found, expected, atol=1e-12)


def test_all_log_probabilities_with_the_words_above_the_vocabulary(words):
    with torch.no_grad():
        share = torch.rand(2, 3, dtype=torch.double)
        found = log_softmax(words(states()), 4, share.log()).exp()
    assert torch.allclose(found.sum(-1), share)
    assert (found[..., PAD] == 0).all()
    assert (found[..., WORDS:] == 0).all()
    assert found.shape[-1] == WORDS + 4


def test_gradients_by_differences(words):
    def of(decoded, weight, bias):
        return torch.func.functional_call(Wanted(words), {"words.weight": weight, "words.bias": bias}, decoded)

    weight, bias = (one.detach().clone().requires_grad_() for one in (words.weight, words.bias))
    assert torch.autograd.gradcheck(of, (states(), weight, bias))


class Wanted(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.words = words

    def forward(self, decoded):
        return log_probs_at(decoded, self.words, WANTED)


@pytest.mark.parametrize("weights", [(1.0, 0.0), (0.9, 0.1), (0.0, 1.0)])
def test_gradients_are_those_of_the_plain_formula_in_single_precision(weights):
    torch.manual_seed(1)
    words, decoded = nn.Linear(WIDTH, WORDS), states(torch.float32)
    gradients = []
    for way in (lambda: log_probs_at(decoded, words, WANTED), lambda: plain(decoded, words)):
        loss = sum(weight * one.sum() for weight, one in zip(weights, way(), strict=True) if weight)
        gradients.append(torch.autograd.grad(loss, (decoded, words.weight, words.bias)))
    for found, expected in zip(*gradients, strict=True):
        assert torch.allclose(found, expected, atol=1e-5)


def test_far_logits_neither_overflow_nor_vanish(words):
    with torch.no_grad():
        words.weight *= 1000
    decoded = states()
    for found, expected in zip(log_probs_at(decoded, words, WANTED), plain(decoded, words), strict=True):
        assert torch.isfinite(found).all()
        assert torch.allclose(found, expected)


def test_under_autocast_values_and_gradients_are_near_and_of_the_parameters_precision():
    torch.manual_seed(2)
    words, decoded = nn.Linear(WIDTH, WORDS), states(torch.float32)
    with torch.autocast("cpu", torch.bfloat16):
        chosen, mean = log_probs_at(decoded, words, WANTED)
    expected = plain(decoded, words)
    assert chosen.dtype == mean.dtype == torch.float32
    assert torch.allclose(chosen, expected[0], atol=0.03)
    assert torch.allclose(mean, expected[1], atol=0.03)
    found = torch.autograd.grad(chosen.sum(), words.weight)[0]
    exact = torch.autograd.grad(expected[0].sum(), words.weight)[0]
    assert found.dtype == torch.float32
    assert (found - exact).norm() < 0.02 * exact.norm()


def test_a_certain_word_has_probability_one_and_no_gradient():
    words = nn.Linear(1, 5)
    with torch.no_grad():
        words.weight.copy_(torch.tensor([[0.0], [0.0], [90.0], [0.0], [0.0]]))
        words.bias.zero_()
    decoded = torch.ones(1, 1, 1, requires_grad=True)
    chosen, _ = log_probs_at(decoded, words, torch.tensor([[2]]))
    chosen.sum().backward()
    assert chosen.item() == 0
    assert words.weight.grad.abs().max() < 1e-30


def test_a_batch_of_nothing_but_padding_is_nothing(words):
    decoded = states()
    chosen, mean = log_probs_at(decoded, words, torch.full((2, 3), PAD))
    (chosen.sum() + mean.sum()).backward()
    assert not chosen.any()
    assert not decoded.grad.any()
