"""The processor's fused attention and its backward against the plain formula."""

import math

import pytest

torch = pytest.importorskip("torch")

from nutgraf.model.ops import attention  # noqa: E402
from nutgraf.model.ops.attention import _Fused  # noqa: E402

BATCH, HEADS, STEPS, SOURCE, WIDTH = 2, 3, 11, 7, 5


def given(dtype, steps=STEPS, source=SOURCE):
    """Query, key, value and the gradient of what comes of them."""
    torch.manual_seed(0)
    shapes = [steps, source, source, steps]
    made = [2 * torch.randn(BATCH, length, HEADS, WIDTH).to(dtype).transpose(1, 2) for length in shapes]
    return [one.requires_grad_() for one in made[:3]], made[3]


def plain(query, key, value, mask, causal):
    scores = query @ key.mT / math.sqrt(WIDTH)
    if mask is not None:
        scores = scores.masked_fill(mask[:, None, None, :], -math.inf)
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores[0, 0], dtype=torch.bool).triu(1), -math.inf)
    return scores.softmax(-1) @ value


def padding(source=SOURCE):
    """The second source is shorter by three."""
    mask = torch.zeros(BATCH, source, dtype=torch.bool)
    mask[1, -3:] = True
    return mask


def far(found, expected):
    return (found.double() - expected).norm() / expected.norm()


@pytest.mark.parametrize("cells", [1 << 20, 2 * STEPS * SOURCE, 3 * SOURCE])
@pytest.mark.parametrize(("causal", "mask"), [(False, None), (False, padding()), (True, None)])
def test_values_and_gradients(monkeypatch, cells, causal, mask):
    monkeypatch.setattr(attention, "CELLS", cells)  # all at once, two heads, three rows of a head
    source = STEPS if causal else SOURCE
    arguments, gradient = given(torch.double, source=source)
    found, expected = (way(*arguments, mask, causal) for way in (_Fused.apply, plain))
    assert torch.allclose(found, expected)
    ways = (torch.autograd.grad(one, arguments, gradient) for one in (found, expected))
    for by_us, by_formula in zip(*ways, strict=True):
        assert torch.allclose(by_us, by_formula)


@pytest.mark.parametrize("cells", [1 << 20, 3 * SOURCE])
@pytest.mark.parametrize(("dtype", "allowed"), [(torch.float32, 1e-5), (torch.bfloat16, 0.02)])
def test_in_lower_precision_gradients_are_as_near_as_it_allows(monkeypatch, dtype, allowed, cells):
    monkeypatch.setattr(attention, "CELLS", cells)
    arguments, gradient = given(dtype)
    exact = [one.detach().double().requires_grad_() for one in arguments]
    expected = torch.autograd.grad(plain(*exact, padding(), False), exact, gradient.double())
    found = torch.autograd.grad(_Fused.apply(*arguments, padding(), False), arguments, gradient)
    for by_us, by_formula in zip(found, expected, strict=True):
        assert by_us.dtype == dtype
        assert far(by_us, by_formula) < allowed


def test_what_is_padded_gets_no_gradient():
    arguments, gradient = given(torch.bfloat16)
    _, of_key, of_value = torch.autograd.grad(_Fused.apply(*arguments, padding(), False), arguments, gradient)
    assert not of_key[1, :, -3:].any()
    assert not of_value[1, :, -3:].any()


def test_a_row_without_weights_has_no_gradient():
    (query, key, value), gradient = given(torch.bfloat16)
    out, log_sum = attention.kernel(query, key, value)
    log_sum[0, 0, 4] = math.inf
    of_query, _, _ = attention.fused_backward(gradient, query, key, value, out, log_sum)
    assert torch.isfinite(of_query).all()
    assert not of_query[0, 0, 4].any()


def test_high_scores_to_come_do_no_harm():
    """Scores behind the mask may be as high as they like."""
    arguments, gradient = given(torch.bfloat16, steps=SOURCE)
    with torch.no_grad():
        arguments[1][:, :, -1] *= 200
    for one in torch.autograd.grad(_Fused.apply(*arguments, None, True), arguments, gradient):
        assert torch.isfinite(one).all()
