"""Callbacks are told in order, those from outside nutgraf too, and leave the process as it was."""

import sys

import pytest

pytest.importorskip("torch")


import numpy as np
import torch

from nutgraf.presets import configure
from nutgraf.training.config import Config
from nutgraf.training.events import Notice, Progress
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

MINE = '''
from dataclasses import dataclass

from nutgraf.training.callbacks import Callback
from nutgraf.training.context import Context

CALLS = []


@dataclass(frozen=True)
class Config:
    """Stops early."""

    last: int = 2
    """Last step."""


class Mine(Callback):
    """Writes down what happens, and ends the training."""

    def __init__(self, config: Config, context: Context) -> None:
        self.last = config.last

    def begin(self, state):
        CALLS.append(("begin", state.step))

    def report(self, report):
        CALLS.append((type(report).__name__, report.step))

    def save(self, state):
        CALLS.append(("save", state.step))

    def reason(self, state):
        return "that is enough" if state.step >= self.last else ""

    def end(self, state, reason):
        CALLS.append(("end", reason))
'''


def run(folder, names=CORE, **options):
    made = assemble(
        configure(Config, {**OPTIONS, **options}, "training"), network(), Toy(10), Toy(7), folder, names=names
    )
    made.run()
    return made


def test_one_from_outside_is_told_in_order(tmp_path, monkeypatch):
    (tmp_path / "my_lab").mkdir()
    (tmp_path / "my_lab" / "mine.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    made = run(tmp_path / "model", callbacks={"my_lab.mine": {"last": 2}})
    reports = [one for one in sys.modules["my_lab.mine"].CALLS if one[0] != "Notice"]
    assert made.reason == "that is enough"
    steps = [("begin", 0), ("Progress", 1), ("Progress", 2), ("Validation", 2), ("save", 2), ("end", "that is enough")]
    assert reports == steps


def test_a_report_that_comes_of_a_report_is_told_after_it(tmp_path):
    reports = []
    made = assemble(configure(Config, OPTIONS, "training"), network(), Toy(10), Toy(7), tmp_path)

    def answer(report):
        if isinstance(report, Progress):
            made.callbacks.report(Notice(report.step, "!"))

    made.callbacks.listeners = [answer, lambda report: reports.append(type(report).__name__)]
    made.callbacks.report(Progress(1, 1.0, 2.0, 0.1, 9.0, 3.0))
    assert reports == ["Progress", "Notice"]


def test_random_states_of_the_process_are_left_alone(tmp_path):
    model = network(dropout=0.2)
    states = [(np.random.get_state()[1].tolist(), torch.random.get_rng_state().tolist())]
    assemble(configure(Config, OPTIONS, "training"), model, Toy(10), Toy(7), tmp_path).run()
    states.append((np.random.get_state()[1].tolist(), torch.random.get_rng_state().tolist()))
    assert states[0] == states[1]
