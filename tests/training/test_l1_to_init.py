"""The L1 penalty towards the initial weights."""

import pytest

pytest.importorskip("torch")

import torch

from nutgraf.checkpoint import weights
from nutgraf.errors import PresetError
from nutgraf.presets import configure
from nutgraf.training.config import Config
from nutgraf.training.l1_to_init import L1ToInit
from nutgraf.training.setup import assemble
from toy_examples import Toy, network


def test_it_adds_its_factor_towards_each_initial_weight():
    model = torch.nn.Linear(3, 1)
    with torch.no_grad():
        model.weight.copy_(torch.tensor([[1.0, -2.0, 0.5]]))
    penalty = L1ToInit(0.25, model, {"weight": torch.tensor([[0.5, -2.0, 0.75]]), "bias": torch.zeros(7)})
    penalty()  # nothing was in a loss yet
    assert model.weight.grad is None
    (3.0 * model(torch.ones(3))).sum().backward()
    penalty()
    assert model.weight.grad.tolist() == [[3.25, 3.0, 2.75]]
    assert model.bias.grad.tolist() == [3.0]


def test_a_network_with_the_penalty_stays_nearer(tmp_path):
    moved = []
    for strength in (0.0, 0.01):
        model = network()
        start = {name: weight.clone() for name, weight in weights(model).items()}
        options = {
            "max_steps": 20,
            "batch_size": 5,
            "batch_type": "examples",
            "gradient_accumulation_steps": 1,
            "validate_every": 0,
            "device": "cpu",
        }
        options["schedule"] = {"kind": "constant", "learning_rate": 0.003}
        made = assemble(configure(Config, options, "training"), model, Toy(10), None, tmp_path / str(strength), seed=5)
        made.update.penalty = L1ToInit(strength, model, start) if strength else None
        made.run()
        moved.append(sum((weight - start[name]).abs().sum().item() for name, weight in weights(model).items()))
    assert moved[1] < 0.9 * moved[0]


def test_there_must_be_initial_weights():
    with pytest.raises(PresetError, match=r"l1_to_init.*init_from.*--init-from"):
        configure(Config, {"l1_to_init": 1e-5}, "training")
