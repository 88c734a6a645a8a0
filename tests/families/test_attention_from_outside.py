"""An attention in a file of one's own keeps the contract, and a network learns with it."""

import pytest

torch = pytest.importorskip("torch")

import test_attention as contract  # noqa: E402

from tiny_network import build, tiny  # noqa: E402

LOCAL = '''
"""Local attention: each word attends to the words near it."""

from dataclasses import dataclass

import torch

from nutgraf.model.attention import Attention
from nutgraf.model.multi_head import MultiHead
from nutgraf.model.ops.attention import scaled_scores


@dataclass(frozen=True)
class Config:
    """Local attention."""

    radius: int = 2
    """Words to each side."""


class Local(Attention):
    """Multi-head attention within a window."""

    def __init__(self, config, context):
        super().__init__(config, context)
        self.radius = config.radius
        self.multi_head = MultiHead(context.size)

    def forward(self, states, key_padding_mask, phrases):
        _, _, value = self.multi_head.project(states)
        return self.multi_head.merge(self.weights(states, key_padding_mask, phrases) @ value)

    def weights(self, states, key_padding_mask, phrases):
        query, key, _ = self.multi_head.project(states)
        scores = scaled_scores(query, key, key_padding_mask)
        positions = torch.arange(scores.shape[-1])
        far = (positions[:, None] - positions).abs() > self.radius
        return scores.masked_fill(far & scores.isfinite(), torch.finfo(scores.dtype).min).softmax(-1)
'''

CONTRACT = [name for name in vars(contract) if name.startswith("test_") and name != "test_every_member_is_tried"]


@pytest.fixture
def kind(tmp_path, monkeypatch):
    (tmp_path / "my_lab").mkdir()
    (tmp_path / "my_lab" / "local.py").write_text(LOCAL)
    monkeypatch.syspath_prepend(tmp_path)
    return "my_lab.local"


@pytest.mark.parametrize("name", CONTRACT)
def test_it_keeps_the_contract(name, kind):
    vars(contract)[name](kind=kind, options={"radius": 3})


def test_a_network_learns_with_it(kind, tmp_path):
    network, batch, _ = build(tmp_path, tiny("copy_transformer", **{"model.encoder.attention.kind": kind}))
    optimizer = torch.optim.Adam(network.parameters(), lr=4e-3)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        losses.append(-network(batch).target_log_probs.sum())
        losses[-1].backward()
        optimizer.step()
    assert losses[-1] < losses[0]
