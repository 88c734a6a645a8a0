"""Lower precision says nearly the same, and every hypothesis on its own."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

torch = pytest.importorskip("torch")

from plain_search import alone  # noqa: E402
from small_networks import random_network, random_sources  # noqa: E402

from nutgraf.decoding.precision import Precision, lowered  # noqa: E402
from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402

CONFIG = Config(beam_size=3, max_length=9)


def network(head: str = "pointer") -> Seq2Seq:
    return random_network(29, 7, head=head).float()


@pytest.mark.parametrize("precision", get_args(Precision))
@pytest.mark.parametrize("head", ["pointer", "generator"])
def test_nearly_the_same_log_probabilities(precision: Precision, head: str) -> None:
    full, sources = network(head), random_sources(29, (11, 7), 7)
    memory = full.encode(sources)
    lower = lowered(full, precision)
    written = torch.tensor([[[]], [[]]], dtype=torch.long)
    with torch.inference_mode():
        wanted = full.step(written, memory, full.start(memory, 1)).log_probs
        found = lower.step(written, memory, lower.start(memory, 1)).log_probs
    assert wanted is not None
    assert found is not None
    likely = wanted > -5
    assert (found - wanted)[likely].abs().mean() < (1e-5 if precision == "fp32" else 0.2)


def test_single_precision_finds_the_same() -> None:
    full, sources = network(), random_sources(29, (11, 7), 7)
    exact = search(full.double(), sources, CONFIG)
    assert [one[0].ids for one in search(full.float(), sources, CONFIG)] == [one[0].ids for one in exact]


@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_documents_together_or_alone_give_the_same(precision: Precision) -> None:
    full, sources = network(), random_sources(29, (5, 5, 5), 3)
    config = replace(CONFIG, precision=precision)
    together = search(full, sources, config)
    for row, found in enumerate(together):
        [by_itself] = search(full, alone(sources, row), config)
        assert [one.ids for one in found] == [one.ids for one in by_itself]


def test_made_once_and_anew_when_a_weight_changes() -> None:
    full = network()
    first = lowered(full, "int8")
    assert lowered(full, "int8") is first
    full.head.vocab_proj.weight.data[5] += 1
    assert lowered(full, "int8") is not first


def test_the_network_itself_stays_as_it_is() -> None:
    full = network()
    before = {name: value.clone() for name, value in full.state_dict().items()}
    search(full, random_sources(29, (5,), 0), replace(CONFIG, precision="int8"))
    after = full.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(value, after[name]) for name, value in before.items())
