"""The likelihood, and label smoothing that acts with copying too."""

import pytest

pytest.importorskip("torch")

import torch

from nutgraf.model.records import Trace
from nutgraf.training.objectives import objectives
from toy_examples import Toy, network


def batch_of_two():
    return Toy(2).batch([0, 1])


def test_padding_costs_nothing():
    toy = Toy(2)
    toy.targets[1] = toy.targets[1][:3]
    batch = toy.batch([0, 1])
    log_probs = torch.tensor([[-1.0, -2.0, -3.0, -5.0], [-7.0, -11.0, -100.0, -100.0]])
    assert objectives.make("likelihood")(None, batch, Trace(target_log_probs=log_probs)) == 29


def test_smoothing_by_hand():
    batch = batch_of_two()
    trace = Trace(target_log_probs=torch.full((2, 4), -2.0), mean_log_probs=torch.full((2, 4), -5.0))
    # Each of 8 words: 0.9 · 2 + 0.1 · 5 = 2.3; with a weight of 3, three times that.
    assert objectives.make("likelihood", label_smoothing=0.1)(None, batch, trace) == pytest.approx(8 * 2.3)
    assert objectives.make("likelihood", label_smoothing=0.1, weight=3.0)(None, batch, trace) == pytest.approx(8 * 6.9)


def test_smoothing_acts_on_a_head_that_copies():
    batch, copying = batch_of_two(), network()
    gradients = []
    for smoothing in (0.0, 0.1):
        copying.zero_grad()
        objectives.make("likelihood", label_smoothing=smoothing)(None, batch, copying(batch)).backward()
        gradients.append(copying.head.vocab_proj.weight.grad.clone())
    assert not torch.allclose(*gradients)


def test_smoothing_keeps_the_network_from_being_certain():
    batch = batch_of_two()
    spread = []
    for smoothing in (0.0, 0.3):
        trained = network(head={"kind": "generator"})
        optimizer = torch.optim.Adam(trained.parameters(), lr=0.02)
        for _ in range(60):
            optimizer.zero_grad()
            objectives.make("likelihood", label_smoothing=smoothing)(None, batch, trained(batch)).backward()
            optimizer.step()
        spread.append(trained(batch).target_log_probs.exp().mean().item())
    assert spread[0] > 0.95
    assert 0.6 < spread[1] < 0.8
