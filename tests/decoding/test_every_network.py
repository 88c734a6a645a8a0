"""Search is the same for networks of every kind: each preset, made tiny, is searched in every precision, and finds what
a plain search without cache finds. Presets that differ in their training alone have the same network here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from plain_search import plain_search  # noqa: E402

from nutgraf.decoding.precision import Precision, encode, lowered  # noqa: E402
from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.model.records import Batch  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.presets import names  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from tiny_network import TINY, build, tiny  # noqa: E402

BEAM = Config(beam_size=3, num_return_sequences=2, max_length=9, coverage_penalty=0.2, stepwise_penalty=True)
GREEDY = Config(beam_size=1, max_length=9)


def different() -> list[str]:
    """Presets of networks; the first of those that make the same network and the same examples once they are tiny."""
    found: dict[str, str] = {}
    for name in [name for name in names() if read(name).system == "neural"]:
        table = read(name, {**TINY, "decoding.diversity": "none"}).complete()
        made_of = {key: table.get(key) for key in ("dataset", "tokenizer", "truncation", "keyphrases", "model")}
        found.setdefault(json.dumps(made_of, sort_keys=True), name)
    return [*found.values()]


@pytest.fixture(scope="module", params=different())
def network(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Seq2Seq, Batch]:
    """With opinions: weights so large that some words are much likelier than others, and none is as it began."""
    made, batch, _ = build(tmp_path_factory.mktemp(request.param), tiny(request.param))
    torch.manual_seed(5)
    with torch.no_grad():
        for weight in made.parameters():
            weight.add_(torch.randn_like(weight) * 0.1).mul_(1.3)
    return made.eval(), batch


@contextmanager
def doubled(network: Seq2Seq) -> Iterator[Seq2Seq]:
    """So exact that rounding does not decide between hypotheses of nearly the same score."""
    network.double()
    try:
        yield network
    finally:
        network.float()


@pytest.mark.parametrize("config", [BEAM, GREEDY])
def test_the_quick_search_finds_what_the_plain_one_finds(network: tuple[Seq2Seq, Batch], config: Config) -> None:
    made, batch = network
    with doubled(made):
        found, wanted = search(made, batch, config), plain_search(made, batch, config)
    assert [[one.ids for one in each] for each in found] == [[one.ids for one in each] for each in wanted]
    for each, likewise in zip(found, wanted, strict=True):
        assert [one.score for one in each] == pytest.approx([one.score for one in likewise], abs=1e-5)


def test_single_precision_finds_the_same(network: tuple[Seq2Seq, Batch]) -> None:
    made, batch = network
    found = search(made, batch, BEAM)
    with doubled(made):
        exact = search(made, batch, BEAM)
    assert [one[0].ids for one in found] == [one[0].ids for one in exact]
    assert [one[0].score for one in found] == pytest.approx([one[0].score for one in exact], abs=1e-3)


@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_lower_precision_says_nearly_the_same(network: tuple[Seq2Seq, Batch], precision: Precision) -> None:
    if precision == "int8" and not torch.cpu._is_vnni_supported():
        pytest.skip("weights have 7 bits on processors without VNNI, which is rougher for such tiny networks")
    made, batch = network
    written = batch.source_extended[:, None, :2]
    log_probs = []
    with torch.inference_mode():
        for one, kept in (
            (made, encode(made, batch, "fp32")),
            (lowered(made, precision), encode(made, batch, precision)),
        ):
            state = one.start(kept, 1)
            log_probs.append([one.step(written[..., :length], kept, state).log_probs for length in range(3)])
    for exact, rough in zip(*log_probs, strict=True):
        assert rough.dtype == torch.float32
        assert (exact - rough)[exact > -6].abs().mean() < 0.3


@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_lower_precision_searches(network: tuple[Seq2Seq, Batch], precision: Precision) -> None:
    made, batch = network
    for config in (BEAM, GREEDY):
        found = search(made, batch, replace(config, precision=precision))
        assert all(1 <= len(each) <= config.num_return_sequences for each in found)
