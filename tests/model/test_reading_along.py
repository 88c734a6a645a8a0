"""Number of files that a reader has to open to follow a network."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

import nutgraf
from tiny_network import build, tiny

PACKAGE = Path(nutgraf.__file__).parent
MOST_FILES = 12


def test_one_training_forward_of_kpat_goes_through_at_most_twelve_files(tmp_path):
    network, batch, _ = build(tmp_path, tiny("kpat", **{"model.dropout": 0.1}))
    network.train()
    files = set()
    sys.setprofile(lambda frame, event, arg: files.add(frame.f_code.co_filename) if event == "call" else None)
    try:
        network(batch)
    finally:
        sys.setprofile(None)
    entered = sorted(str(Path(file).relative_to(PACKAGE)) for file in files if file.startswith(str(PACKAGE)))
    assert "model/attention/highlight.py" in entered
    assert len(entered) <= MOST_FILES, "\n".join(entered)
