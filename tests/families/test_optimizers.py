"""The contract of the optimizers, over every file in the folder: the rate of a step is the schedule's, weights go down
the gradient, and what is remembered is what was said."""

import pytest
from members import members

pytest.importorskip("torch")

import torch

from nutgraf.training.optimizers import optimizers
from nutgraf.training.store import moments

every = pytest.mark.parametrize("kind", members(optimizers))


def line():
    """One layer, and the loss that pulls its output to 5."""
    torch.manual_seed(3)
    layer = torch.nn.Linear(2, 3)
    return layer, lambda: (layer(torch.ones(7, 2)) - 5).square().sum()


def descend(kind, steps, rate, **options):
    layer, loss = line()
    optimizer = optimizers.make(kind, **options).create(list(layer.parameters()))
    losses = []
    for _ in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        losses.append(loss())
        losses[-1].backward()
        optimizer.step()
    return layer, optimizer, [one.item() for one in losses]


@every
def test_steps_lower_the_loss(kind):
    *_, losses = descend(kind, 5, 0.002)
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


@every
def test_a_rate_of_zero_changes_nothing(kind):
    layer, _, _ = descend(kind, 2, 0.0)
    assert all(torch.equal(one, other) for one, other in zip(layer.parameters(), line()[0].parameters(), strict=True))


@every
def test_what_is_remembered_is_what_was_said(kind):
    layer, optimizer, _ = descend(kind, 2, 0.1)
    kept = {name.rpartition("/")[2] for name in moments(layer, optimizer)}
    assert kept - {"step"} == set(optimizers.make(kind).state_names)


def test_adagrad_by_hand():
    """Two gradients of 3 and 4: the sum of squares is 0.1 + 9 + 16, and a step is rate · gradient / its root."""
    weight = torch.nn.Parameter(torch.tensor([1.0]))
    optimizer = optimizers.make("adagrad").create([weight])
    optimizer.param_groups[0]["lr"] = 0.15
    wanted = 1.0
    for gradient, total in ((3.0, 9.1), (4.0, 25.1)):
        weight.grad = torch.tensor([gradient])
        optimizer.step()
        wanted -= 0.15 * gradient / total**0.5
    assert weight.item() == pytest.approx(wanted, rel=1e-6)


def test_nesterov_by_hand():
    """Momentum 0.5, gradients 2 and 3: the buffer is 2, then 4; a step takes the gradient and half of the buffer."""
    weight = torch.nn.Parameter(torch.tensor([1.0]))
    optimizer = optimizers.make("sgd", momentum=0.5).create([weight])
    optimizer.param_groups[0]["lr"] = 0.1
    for gradient in (2.0, 3.0):
        weight.grad = torch.tensor([gradient])
        optimizer.step()
    assert weight.item() == pytest.approx(1 - 0.1 * (2 + 0.5 * 2) - 0.1 * (3 + 0.5 * 4), rel=1e-6)


def test_adadelta_by_hand():
    """Decay 0.5, gradients 2 and 4, eps 1: the mean squares are 2, then 9; a step of 2 / √3 leaves ⅔ for the next."""
    weight = torch.nn.Parameter(torch.tensor([1.0]))
    optimizer = optimizers.make("adadelta", rho=0.5, eps=1.0).create([weight])
    optimizer.param_groups[0]["lr"] = 0.1
    for gradient in (2.0, 4.0):
        weight.grad = torch.tensor([gradient])
        optimizer.step()
    first = 2 / 3**0.5
    second = 4 * ((2 / 3 + 1) / 10) ** 0.5
    assert weight.item() == pytest.approx(1 - 0.1 * (first + second), rel=1e-6)


def test_plain_descent_remembers_nothing():
    layer, optimizer, _ = descend("sgd", 2, 0.01, momentum=0.0, nesterov=False)
    assert not {name for name in moments(layer, optimizer) if not name.endswith("/step")}
    assert optimizers.make("sgd", momentum=0.0, nesterov=False).state_names == ()
