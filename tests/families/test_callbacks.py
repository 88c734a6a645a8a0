"""The contract of the callbacks, over every file in the folder: a training with it comes to its end, and goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from members import every_example

pytest.importorskip("torch")

import torch

from nutgraf.presets import Choice, configure
from nutgraf.training.callbacks import Callback, callbacks
from nutgraf.training.config import Config
from nutgraf.training.loop import Loop
from nutgraf.training.setup import CORE, assemble
from toy_examples import Toy, network

OPTIONS = {
    "max_steps": 3,
    "batch_size": 5,
    "batch_type": "examples",
    "validate_every": 2,
    "log_every": 1,
    "device": "cpu",
}


def training(folder: Path, choice: Choice[Callback], **options: object) -> Loop:
    """A training of three steps with a callback beside those that every training has."""
    config = configure(Config, {**OPTIONS, **options, "callbacks": {"this": choice}}, "training")
    names = tuple(name for name in CORE if name != choice.kind)
    return assemble(config, network(), Toy(10), Toy(7), folder, names=names)


@every_example(callbacks)
def test_a_training_with_it_comes_to_its_end(choice: Choice[Callback], tmp_path: Path) -> None:
    loop = training(tmp_path, choice)
    loop.run()
    assert loop.reason
    assert 0 < loop.state.step <= 3
    assert loop.state.step == 3 or loop.reason != "3 steps are done"


@every_example(callbacks)
def test_a_training_with_it_goes_on_after_a_resume(choice: Choice[Callback], tmp_path: Path) -> None:
    training(tmp_path, choice).run()
    loop = training(tmp_path, choice, max_steps=5)
    loop.resume()
    before = loop.state.step
    loop.run()
    assert before <= loop.state.step <= 5
    assert loop.reason


@every_example(callbacks)
def test_its_reason_is_the_same_whenever_it_is_asked(choice: Choice[Callback], tmp_path: Path) -> None:
    """Every process asks its own callbacks, and all must end together."""
    loop = training(tmp_path, choice)
    loop.run()
    member = next(one for one in loop.callbacks.members if type(one) is callbacks.find(choice.kind))
    reasons = {member.reason(loop.state) for _ in range(3)}
    assert len(reasons) == 1
    assert isinstance(reasons.pop(), str)


@every_example(callbacks)
def test_its_scores_leave_the_network_as_it_is(choice: Choice[Callback], tmp_path: Path) -> None:
    loop = training(tmp_path, choice)
    member = next(one for one in loop.callbacks.members if type(one) is callbacks.find(choice.kind))
    weights = [one.detach().clone() for one in loop.network.parameters()]
    scores = member.scores(loop.network.eval())
    assert all(isinstance(name, str) and isinstance(value, float) for name, value in scores.items())
    assert all(torch.equal(one, other) for one, other in zip(weights, loop.network.parameters(), strict=True))
