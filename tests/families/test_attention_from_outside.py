"""A network learns with an attention in a file of one's own: the one that CONTRIBUTING.md shows."""

import pytest

torch = pytest.importorskip("torch")

from test_outside import contributed  # noqa: E402

from tiny_network import build, tiny  # noqa: E402


def test_a_network_learns_with_it(tmp_path, monkeypatch):
    (tmp_path / "my_lab").mkdir()
    (tmp_path / "my_lab" / "local.py").write_text(contributed()["local"])
    monkeypatch.syspath_prepend(tmp_path)
    changes = {"model.encoder.attention.kind": "my_lab.local"}
    network, batch, _ = build(tmp_path, tiny("copy_transformer", **changes))
    optimizer = torch.optim.Adam(network.parameters(), lr=4e-3)
    losses = []
    for _ in range(5):
        optimizer.zero_grad()
        losses.append(-network(batch).target_log_probs.sum())
        losses[-1].backward()
        optimizer.step()
    assert losses[-1] < losses[0]
