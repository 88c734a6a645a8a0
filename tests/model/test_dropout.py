"""Dropout by bytes against the formula."""

import pytest

torch = pytest.importorskip("torch")

from nutgraf.model.ops.dropout import Dropout, random_bytes  # noqa: E402

RATE, DROPPED = 0.2, 51  # 51 of 256
GROWTH = 256 / (256 - DROPPED)


def seeded(function, *arguments):
    torch.manual_seed(7)
    return function(*arguments)


def numbers(*shape):
    return torch.randn(*shape, dtype=torch.double, requires_grad=True)


def kept(shape):
    """Return the numbers that a call with this seed keeps."""
    return seeded(random_bytes, torch.Size(shape)) >= DROPPED


def test_bytes_are_drawn_anew_each_time_and_again_for_a_seed():
    shape = torch.Size([3, 5, 7])
    first, second = seeded(random_bytes, shape), random_bytes(shape)
    assert not torch.equal(first, second)
    assert torch.equal(first, seeded(random_bytes, shape))
    assert first.shape == shape


def test_every_byte_comes_as_often():
    drawn = seeded(random_bytes, torch.Size([256 * 1000]))
    counts = torch.bincount(drawn.long(), minlength=256)
    chi_squared = ((counts - 1000) ** 2 / 1000).sum()
    assert 170 < chi_squared < 350  # 255 expected, standard deviation 22.6


def test_what_is_kept_grows_by_what_its_chance_was():
    states = numbers(3, 5, 7)
    expected = torch.where(kept((3, 5, 7)), states * GROWTH, 0.0)
    assert torch.allclose(seeded(Dropout(RATE), states), expected)


def test_after_relu_it_is_dropout_of_relu():
    states = numbers(3, 5, 7)
    expected = torch.where(kept((3, 5, 7)), states.relu() * GROWTH, 0.0)
    assert torch.allclose(seeded(Dropout(RATE).after_relu, states), expected)


def test_added_to_the_states_it_is_their_sum():
    states, change = numbers(3, 5, 7), numbers(3, 5, 7)
    expected = states + torch.where(kept((3, 5, 7)), change * GROWTH, 0.0)
    assert torch.allclose(seeded(Dropout(RATE).added, states, change), expected)


@pytest.mark.parametrize("name", ["forward", "after_relu", "added"])
def test_gradients(name):
    way = getattr(Dropout(RATE), name)
    arguments = (numbers(3, 5), numbers(3, 5)) if name == "added" else (numbers(3, 5),)
    assert torch.autograd.gradcheck(lambda *given: seeded(way, *given), arguments)


def test_the_sum_keeps_the_precision_of_the_states_and_the_gradient_that_of_the_change():
    states = torch.randn(3, 5, requires_grad=True)
    change = torch.randn(3, 5).bfloat16().requires_grad_()
    found = Dropout(RATE).added(states, change)
    found.sum().backward()
    assert found.dtype == states.grad.dtype == torch.float32
    assert change.grad.dtype == torch.bfloat16


def test_the_mean_stays():
    found = seeded(Dropout(RATE), torch.ones(100_000))
    assert abs(found.mean() - 1) < 0.01
    assert abs((found == 0).float().mean() - DROPPED / 256) < 0.005


@pytest.mark.parametrize("dropout", [Dropout(0.0), Dropout(RATE).eval()])
def test_without_a_rate_or_in_use_nothing_is_dropped_and_nothing_drawn(dropout):
    states = numbers(3, 5)
    before = torch.get_rng_state()
    assert torch.equal(dropout(states), states)
    assert torch.equal(dropout.after_relu(states), states.relu())
    assert torch.equal(dropout.added(states, states), states * 2)
    assert torch.equal(before, torch.get_rng_state())
