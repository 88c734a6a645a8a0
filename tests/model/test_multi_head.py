"""Multi-head attention against torch's own."""

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from nutgraf.model.layers import Size, sinusoids  # noqa: E402
from nutgraf.model.multi_head import MultiHead  # noqa: E402
from nutgraf.model.ops.attention import attend, softmax_weights  # noqa: E402

BATCH, STEPS, SOURCE, HEADS, WIDTH = 2, 5, 7, 3, 33


@pytest.fixture
def pair():
    """Ours and torch's with the same numbers."""
    torch.manual_seed(0)
    ours, theirs = MultiHead(Size(11, WIDTH, HEADS, 0.0)), nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
    theirs.load_state_dict(
        {
            "in_proj_weight": ours.qkv_proj.weight,
            "in_proj_bias": ours.qkv_proj.bias,
            "out_proj.weight": ours.out_proj.weight,
            "out_proj.bias": ours.out_proj.bias,
        }
    )
    return ours, theirs


def padding():
    return torch.arange(SOURCE) >= torch.tensor([[SOURCE], [4]])


@pytest.mark.parametrize("mask", [None, padding()])
def test_self_attention(pair, mask):
    ours, theirs = pair
    states = torch.randn(BATCH, SOURCE, WIDTH)
    expected, weights = theirs(states, states, states, key_padding_mask=mask, average_attn_weights=False)
    query, key, value = ours.project(states)
    assert torch.allclose(ours.merge(attend(query, key, value, mask)), expected, atol=1e-6)
    assert torch.allclose(softmax_weights(query, key, mask), weights, atol=1e-6)


@pytest.mark.parametrize("mask", [None, padding()])
def test_cross_attention(pair, mask):
    ours, theirs = pair
    states, memory = torch.randn(BATCH, STEPS, WIDTH), torch.randn(BATCH, SOURCE, WIDTH)
    expected, _ = theirs(states, memory, memory, key_padding_mask=mask)
    key, value = ours.project_key_value(memory)
    assert torch.allclose(ours.merge(attend(ours.project_query(states), key, value, mask)), expected, atol=1e-6)


def test_causal_self_attention(pair):
    ours, theirs = pair
    states = torch.randn(BATCH, STEPS, WIDTH)
    ahead = torch.ones(STEPS, STEPS, dtype=torch.bool).triu(1)
    expected, _ = theirs(states, states, states, attn_mask=ahead)
    assert torch.allclose(ours.merge(attend(*ours.project(states), causal=True)), expected, atol=1e-6)


@pytest.mark.parametrize("causal", [False, True])
def test_half_precision_in_training_is_near_the_whole(pair, causal):
    ours, _ = pair
    states = torch.randn(BATCH, STEPS, WIDTH, requires_grad=True)
    results = []
    for half in (False, True):
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            found = ours.merge(attend(*ours.project(states), causal=causal)).float()
        results.append((found, *torch.autograd.grad(found.pow(2).sum(), (states, ours.qkv_proj.weight))))
    for whole, half in zip(*results, strict=True):
        assert (whole - half).norm() < 0.03 * whole.norm()


def test_positions():
    """Sine and cosine by turns, each pair slower than the one before."""
    table = sinusoids(3, 4)
    expected = [[0, 1, 0, 1], [0.841471, 0.540302, 0.01, 0.99995], [0.909297, -0.416147, 0.019999, 0.9998]]
    assert torch.allclose(table, torch.tensor(expected), atol=1e-6)
