"""Lower precision passes where ROUGE does not suffer; the card keeps the verdict, and decoding follows it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import nutgraf  # noqa: E402
from nutgraf.checkpoint import load, read_card, write_card  # noqa: E402
from nutgraf.decoding.precision import decoding_precision  # noqa: E402
from nutgraf.evaluation.precision import Verdict, gate  # noqa: E402
from nutgraf.evaluation.significance import Interval  # noqa: E402
from nutgraf.systems import sections_of  # noqa: E402
from nutgraf.training import run as experiment  # noqa: E402
from tiny_network import NOTICES, tiny  # noqa: E402

CPU = torch.device("cpu")


@pytest.mark.parametrize(
    ("low", "mean", "high", "passes"),
    [
        (-0.2, 0.1, 0.4, True),
        (-0.9, -0.3, 0.2, True),
        (-0.5, -0.3, -0.1, False),  # lower without doubt
        (-1.4, 0.0, 1.4, False),  # too uncertain to say
    ],
)
def test_the_interval_decides(low: float, mean: float, high: float, passes: bool) -> None:
    better = Interval(0.0, -0.1, 0.1, 200)
    differences = {"ROUGE-1": better, "ROUGE-2": Interval(mean, low, high, 200)}
    assert Verdict(200, differences, 0.9).passes is passes
    few = Verdict(99, differences, 0.9)
    assert not few.passes
    assert "99 examples" in str(few)


def test_auto_is_the_fastest_that_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nutgraf.decoding.precision.quick_precisions", lambda device: ["int8", "bf16"])
    assert decoding_precision("auto", CPU, ("bf16", "int8")) == "int8"
    assert decoding_precision("auto", CPU, ("bf16",)) == "bf16"
    assert decoding_precision("auto", CPU) == "fp32"
    assert decoding_precision("bf16", CPU) == "bf16"
    monkeypatch.setattr("nutgraf.decoding.precision.quick_precisions", lambda device: ["bf16"])
    assert decoding_precision("auto", CPU, ("bf16", "int8")) == "bf16", "int8 is slow here"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A trained model and its prepared data."""
    folder = tmp_path_factory.mktemp("compared")
    lines = [json.dumps({"text": text, "summary": summary}) for text, summary in NOTICES]
    (folder / "corpus").mkdir()
    for split in ("train", "validation"):
        (folder / "corpus" / f"{split}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    preset = tiny("copy_transformer", **{"training.max_steps": 2, "training.precision": "fp32"})
    outcome = experiment.train(preset, folder / "corpus", folder / "model")
    assert outcome.comparison == "few"
    return outcome.folder, outcome.data


def test_the_verdict_stands_on_the_card_and_auto_follows_it(
    model: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("nutgraf.decoding.precision", "nutgraf.evaluation.precision"):
        monkeypatch.setattr(f"{place}.quick_precisions", lambda device: ["int8", "bf16"])
    folder, data = tmp_path / "model", model[1]
    shutil.copytree(model[0], folder)
    counts: list[int] = []
    verdicts = gate(folder, data, progress=counts.append)
    assert list(verdicts) == ["int8", "bf16"]
    assert sum(counts) == (1 + len(verdicts)) * 3
    card = read_card(folder)
    assert {name: one["passes"] for name, one in card["precision_gate"]["precisions"].items()} == dict.fromkeys(
        ["int8", "bf16"], False
    )
    assert load(folder, sections_of).validated_precisions == ()
    card["precision_gate"]["precisions"] = {"int8": {"passes": True}}
    write_card(folder, card)
    assert "|precision:int8|" in nutgraf.load(folder).signature
    assert "|precision:fp32|" in nutgraf.load(folder, {"decoding.precision": "fp32"}).signature
    deterministic = nutgraf.load(folder, deterministic=True).signature
    assert "|precision:fp32|" in deterministic
    assert "|threads:1|" in deterministic
    card["precision_gate"]["weights"] = {"from": "last", "step": 99}
    write_card(folder, card)
    assert load(folder, sections_of).validated_precisions == (), "other weights were never compared"
