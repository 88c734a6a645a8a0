"""An objective of one file outside nutgraf that asks the network for words of its own."""

import pytest

pytest.importorskip("torch")

from nutgraf.presets import configure
from nutgraf.training.config import Config
from nutgraf.training.events import Progress
from nutgraf.training.setup import assemble
from toy_examples import Toy, network

REWARD = '''
"""Rewards words of the network's own that are right."""

from dataclasses import dataclass, replace

from nutgraf.training.objectives import Objective


@dataclass(frozen=True)
class Config:
    """Reward."""

    weight: float = 1.0
    """Weight of the objective."""


class Reward(Objective):
    """Log probability of the likeliest words, up where they are right and down where not."""

    def __init__(self, config):
        self.config = config

    def __call__(self, network, batch, trace):
        steps = ~batch.labels_mask
        reply = batch.target_extended.clone()
        reply[:, 1:][steps] = network.predict(batch, steps)
        reward = (reply[:, 1:] == batch.labels).float() - 0.5
        own = network(replace(batch, target_extended=reply)).target_log_probs
        return -self.config.weight * (reward * own).masked_fill(batch.labels_mask, 0.0).sum()
'''

QUICK = {
    "max_steps": 40,
    "batch_size": 10,
    "batch_type": "examples",
    "gradient_accumulation_steps": 1,
    "validate_every": 0,
    "log_every": 40,
    "device": "cpu",
    "precision": "fp32",
    "schedule": {"kind": "constant", "learning_rate": 0.01},
}


def test_it_samples_and_is_learned_from(tmp_path, monkeypatch):
    (tmp_path / "reward_lab").mkdir()
    (tmp_path / "reward_lab" / "reward.py").write_text(REWARD)
    monkeypatch.syspath_prepend(str(tmp_path))
    losses = []
    for weight in (0.0, 0.3):
        reports = []
        objectives = {"likelihood": {}, "reward_lab.reward": {"weight": weight}}
        config = configure(Config, {**QUICK, "objectives": objectives}, "training")
        made = assemble(config, network(), Toy(10), None, tmp_path / str(weight), seed=5, listeners=[reports.append])
        made.run()
        losses += [one.loss for one in reports if isinstance(one, Progress)]
    assert losses[0] != losses[1]
    assert all(loss < 3 for loss in losses)


def test_whoever_trains_hands_in_the_reward(tmp_path):
    """It is asked twice for each example and step: of the greedy summary, and of what was drawn."""
    asked = []

    def reward(summary, reference):
        asked.append(list(reference))
        return float(len(summary))

    objectives = {"self_critical": {"max_length": 3}}
    config = configure(Config, {**QUICK, "max_steps": 2, "objectives": objectives}, "training")
    examples = Toy(2)
    assemble(config, network(), examples, None, tmp_path / "one", reward=reward).run()
    wanted = [target[1:-1] for target in examples.targets]
    assert len(asked) == 2 * (1 + 2 * 2)  # one example is tried before the first step
    assert all(one in wanted for one in asked)
    with pytest.raises(ValueError, match="self_critical has no reward"):
        assemble(config, network(), examples, None, tmp_path / "two")
