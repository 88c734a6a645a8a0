"""`nutgraf info` shows a trained model, and needs no torch for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from nutgraf.model_folder import WEIGHTS, read_card

CODE = """
import sys
sys.modules.update(dict.fromkeys(["torch", "safetensors", "tomli_w", "tokenizers"]))
from nutgraf.cli.app import app
sys.argv = ["nutgraf", "info", *sys.argv[1:]]
app()
"""


def info(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", CODE, *map(str, arguments)], capture_output=True, text=True)


def test_it_needs_no_torch(trained: Path) -> None:
    done = info(trained)
    assert done.returncode == 0, done.stderr
    assert "preset" in done.stdout
    assert "kpat" in done.stdout
    assert json.loads(info(trained, "--json").stdout)["table"]["system"] == "neural"


def test_it_tells_what_the_data_set_skipped(trained: Path, tmp_path: Path) -> None:
    card = read_card(trained)
    card["data"] = {"splits": {"train": {"examples": 3, "dropped": {"more than 10 articles": 2}}}}
    (tmp_path / "card.json").write_text(json.dumps(card))
    (tmp_path / "preset.toml").write_bytes((trained / "preset.toml").read_bytes())
    assert "dropped  train 2, more than 10 articles" in info(tmp_path).stdout


def test_the_weights_carry_a_part_of_the_card(trained: Path, tmp_path: Path) -> None:
    from nutgraf.checkpoint import read_tensors, write_tensors

    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("preset.toml", "card.json"):
        (folder / name).write_bytes((trained / name).read_bytes())
    assert "weights" not in read_card(folder)
    write_tensors(folder / WEIGHTS, read_tensors(trained / WEIGHTS), {"weights": {"from": "best", "step": 7}})
    assert read_card(folder)["weights"] == {"from": "best", "step": 7}
    whole = (folder / WEIGHTS).read_bytes()
    for damaged in (whole[:-1], whole[:9], b"", b"\xff" * 99):
        (folder / WEIGHTS).write_bytes(damaged)
        assert "weights" not in read_card(folder)


@pytest.mark.parametrize(
    "said",
    [
        dict.fromkeys(["training", "weights", "init_from", "converted", "precision_gate", "tuning", "data", "seed"]),
        {"data": {"tokens_per_word": 1.5}},
        {"training": {"step": 1, "epochs": 1, "hours": 0.5, "device": "cpu", "precision": "fp32", "processes": 1,
                      "ended": ""}},
    ],
)  # fmt: skip
def test_what_a_card_does_not_say_is_left_out(trained: Path, tmp_path: Path, said: dict[str, object]) -> None:
    (tmp_path / "card.json").write_text(json.dumps({"schema": "nutgraf.trained/1", "preset": "mine", **said}))
    (tmp_path / "preset.toml").write_bytes((trained / "preset.toml").read_bytes())
    done = info(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "seed" not in done.stdout
