"""F1 of what a tagger selects, by hand."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

from nutgraf.model.records import BOS, PAD, SELECTED, UNSELECTED, Batch, Phrases  # noqa: E402
from nutgraf.model.tagger import Config, Tagger  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.training.callbacks.f1 import F1  # noqa: E402
from nutgraf.training.callbacks.f1 import Config as Options  # noqa: E402
from toy_examples import network, padded  # noqa: E402


class Known(Tagger):
    """Selects a token with the probability of its id in hundredths."""

    def probabilities(self, batch: Batch):
        return batch.source / 100


def scores(made, labels: list[list[int]], **options: float):
    source = padded([[90, 80, 70, 10], [60, 20]])
    target = padded([[BOS, *row] for row in labels])
    batch = Batch(source, source, source == PAD, Phrases.none(), 0, target, target)
    return F1(Options(**options), SimpleNamespace(validator=SimpleNamespace(read=lambda: [batch]))).scores(made)


@pytest.fixture
def known() -> Known:
    return Known(configure(Config, {"d_model": 4, "num_heads": 1, "encoder": {"kind": "recurrent"}}, "model"), 101)


def test_precision_recall_and_f1_count_all_labels_together(known: Known):
    """Above 0.5: 90, 80 and 60 (70 has no label). Wanted: 90, 10 and 60. Two of three in either direction."""
    labels = [[SELECTED, UNSELECTED, PAD, SELECTED], [SELECTED, UNSELECTED]]
    assert scores(known, labels) == pytest.approx({"f1": 2 / 3, "precision": 2 / 3, "recall": 2 / 3})
    low = scores(known, labels, threshold=0.05)
    assert low == pytest.approx({"f1": 2 * 3 / (5 + 3), "precision": 3 / 5, "recall": 1.0})


def test_nothing_is_said_of_a_network_that_writes_or_of_nothing_to_select(known: Known):
    assert scores(known, [[UNSELECTED] * 4, [UNSELECTED] * 2]) == {}
    assert scores(network(), [[SELECTED] * 4, [SELECTED] * 2]) == {}
