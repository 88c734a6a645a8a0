"""Training of networks that classify spans: what they learn, how they go on, and vectors that are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from nutgraf.checkpoint import read_tensors  # noqa: E402
from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.preparation.span_shards import open_shards  # noqa: E402
from nutgraf.training.batches import loaded  # noqa: E402
from nutgraf.training.callbacks.accuracy import average_precision, macro  # noqa: E402
from nutgraf.training.kept import KeptExamples  # noqa: E402
from nutgraf.training.run import train  # noqa: E402
from tiny_spans import WRITE, tiny_spans  # noqa: E402

FIXED = {"training.threads": 1, "training.checkpoint_every": 10}


def begun(tmp_path: Path, name: str = "selector") -> dict[str, Any]:
    """Freeze the encoder of a network that learned for a step."""
    if not (tmp_path / "begun").exists():
        learned(name, tmp_path, "begun", **{"training.max_steps": 1})
    return {"model.frozen_layers": 2, "training.init_from": str(tmp_path / "begun")}


def card_of(folder: Path) -> dict[str, Any]:
    card: dict[str, Any] = json.loads((folder / "card.json").read_text())
    return card


def learned(name: str, tmp_path: Path, out: str = "out", **changes: Any) -> Path:
    resume = changes.pop("resume", False)
    WRITE[name](tmp_path / "corpus")
    train(tiny_spans(name, **{**FIXED, **changes}), tmp_path / "corpus", tmp_path / out, resume=resume)
    return tmp_path / out


def assert_same_weights(one: Path, other: Path) -> None:
    ours, theirs = (read_tensors(folder / "weights.safetensors") for folder in (one, other))
    assert ours.keys() == theirs.keys()
    for name, tensor in ours.items():
        assert torch.equal(tensor, theirs[name]), name


@pytest.mark.parametrize("name", ["checker", "editor", "selector"])
def test_a_few_examples_are_learned_by_heart(name: str, tmp_path: Path) -> None:
    scores = card_of(learned(name, tmp_path, **{"training.max_steps": 60, "model.dropout": 0.0}))["scores"]
    assert scores["accuracy"] > 0.8
    assert scores["loss"] < 0.6
    if name == "checker":
        assert {"accuracy_set 0", "accuracy_set 1"} <= scores.keys()
        assert "precision" not in scores
    else:
        assert scores["precision"] > 0.9
    assert ("ROUGE-1" in scores) == (name == "selector")


@pytest.mark.parametrize("name", ["checker", "selector"])
def test_a_training_that_goes_on_ends_as_one_that_was_not_stopped(name: str, tmp_path: Path) -> None:
    whole = learned(name, tmp_path, "whole")
    learned(name, tmp_path, "parts", **{"training.max_steps": 20})
    parts = learned(name, tmp_path, "parts", resume=True)
    assert_same_weights(whole, parts)


def test_vectors_of_a_frozen_encoder_are_kept_and_used_again(tmp_path: Path) -> None:
    frozen = {**begun(tmp_path), "training.validate_every": 4}
    whole = learned("selector", tmp_path, "whole", **frozen, **{"training.max_steps": 8})
    (path,) = (tmp_path / "whole.data" / "train").glob("vectors-*.f2")
    kept = path.read_bytes()
    learned("selector", tmp_path, "parts", **frozen, **{"training.max_steps": 4})
    parts = learned("selector", tmp_path, "parts", resume=True, **frozen, **{"training.max_steps": 8})
    assert [one.read_bytes() for one in (tmp_path / "parts.data" / "train").glob("vectors-*")] == [kept]
    assert_same_weights(whole, parts)
    before, after = (read_tensors(one / "checkpoints" / "last" / "weights.safetensors") for one in (whole, parts))
    assert torch.equal(
        before["encoder.layers.0.self_attention.multi_head.qkv_proj.weight"],
        after["encoder.layers.0.self_attention.multi_head.qkv_proj.weight"],
    )


def test_vectors_of_a_run_that_was_killed_are_completed(tmp_path: Path) -> None:
    frozen = {**begun(tmp_path), "training.max_steps": 2}
    learned("selector", tmp_path, "out", **frozen)
    (path,) = (tmp_path / "out.data" / "train").glob("vectors-*.f2")
    kept = path.read_bytes()
    path.unlink()
    path.with_suffix(".part").write_bytes(kept[: len(kept) // 2 + 3])
    train(tiny_spans("selector", **{**FIXED, **frozen}), tmp_path / "out.data", tmp_path / "again")
    assert path.read_bytes() == kept
    assert not path.with_suffix(".part").exists()


def test_kept_vectors_are_those_of_the_network(tmp_path: Path) -> None:
    from nutgraf.checkpoint import load
    from nutgraf.systems import sections_of

    folder = learned("selector", tmp_path, **begun(tmp_path), **{"training.max_steps": 2})
    preset, network = tiny_spans("selector"), load(folder, sections_of).network
    shards = open_shards(tmp_path / "out.data", "train", preset)
    (path,) = (tmp_path / "out.data" / "train").glob("vectors-*.f2")
    kept, read = KeptExamples(shards, path).batch([2, 0]), shards.batch([2, 0])
    torch.testing.assert_close(network.log_probs(kept), network.log_probs(read), atol=1e-2, rtol=1e-2)
    assert kept.labels.tolist() == read.labels.tolist()


def test_processes_read_the_same_batches_as_a_thread(tmp_path: Path) -> None:
    import numpy as np

    learned("checker", tmp_path, **{"training.max_steps": 1})
    shards = open_shards(tmp_path / "out.data", "train", tiny_spans("checker"))
    groups = [[np.array([0, 1]), np.array([2])], [np.array([3, 4, 5])]]
    by_thread, by_processes = list(loaded(shards, groups)), list(loaded(shards, groups, 2))
    assert [len(group) for group in by_processes] == [2, 1]
    for one, other in zip(by_thread, by_processes, strict=True):
        for batch, same in zip(one, other, strict=True):
            assert torch.equal(batch.source, same.source)
            assert torch.equal(batch.labels, same.labels)


def test_a_preset_has_the_sizes_that_its_task_needs() -> None:
    with pytest.raises(PresetError, match="classes"):
        tiny_spans("checker", **{"model.classes": 2}).config  # noqa: B018
    with pytest.raises(PresetError, match="features"):
        tiny_spans("editor", **{"task.features": 3}).config  # noqa: B018
    with pytest.raises(PresetError, match="longest"):
        tiny_spans("checker", **{"task.longest": 1000}).config  # noqa: B018


def test_what_is_frozen_comes_from_somewhere(tmp_path: Path) -> None:
    for frozen in ({"model.frozen_layers": 1}, {"model.frozen_words": True}):
        with pytest.raises(PresetError, match="--init-from"):
            learned("checker", tmp_path, **frozen)
    assert not (tmp_path / "out.data").exists()


def test_another_data_set_than_the_tasks_is_refused(tmp_path: Path) -> None:
    WRITE["checker"](tmp_path / "corpus")
    with pytest.raises(PresetError, match="pairs"):
        train(tiny_spans("checker", **{"dataset.kind": "jsonl"}), tmp_path / "corpus", tmp_path / "out")


def test_macro_accuracy_counts_every_class_alike() -> None:
    """9 of 10 of the first class are right, 1 of 2 of the second; the third is not there."""
    assert macro(torch.tensor([[9, 1, 0], [1, 1, 0], [0, 0, 0]])) == pytest.approx((0.9 + 0.5) / 2)


def test_average_precision_by_hand() -> None:
    """Right at ranks 1 and 3: (1/1 + 2/3) / 2. Where all are rated alike it is the share of the right ones."""
    ratings, right = torch.tensor([0.1, 0.9, 0.5, 0.2]), torch.tensor([False, True, False, True])
    assert average_precision(ratings, right) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision(torch.zeros(4), right) == pytest.approx(0.5)
    assert average_precision(ratings, torch.zeros(4, dtype=torch.bool)) == 0.0
