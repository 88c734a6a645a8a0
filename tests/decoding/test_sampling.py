"""Sampling: what is drawn, how often, and that the seed alone decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from small_networks import random_network, random_sources  # noqa: E402

from nutgraf.decoding.sampling import Config, Sampler, nucleus  # noqa: E402
from nutgraf.decoding.search import Config as Search  # noqa: E402
from nutgraf.decoding.search import search  # noqa: E402
from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.presets import configure  # noqa: E402

ROWS = ("source", "source_extended", "key_padding_mask")

PROBS = torch.tensor([0.5, 0.1, 0.0, 0.25, 0.15])


@pytest.mark.parametrize(
    ("top_k", "top_p", "wanted"),
    [
        (0, 1.0, [0.5, 0.1, 0.0, 0.25, 0.15]),
        (2, 1.0, [0.5, 0.0, 0.0, 0.25, 0.0]),
        (0, 0.7, [0.5, 0.0, 0.0, 0.25, 0.0]),
        (0, 0.76, [0.5, 0.0, 0.0, 0.25, 0.15]),
        (3, 0.4, [0.5, 0.0, 0.0, 0.0, 0.0]),
        (9, 1.0, [0.5, 0.1, 0.0, 0.25, 0.15]),
    ],
)
def test_the_likeliest_are_kept(top_k: int, top_p: float, wanted: list[float]) -> None:
    assert nucleus(PROBS.log(), top_k, top_p).tolist() == pytest.approx(wanted)


def test_tokens_come_as_often_as_they_are_likely() -> None:
    """2,000 draws of each temperature; at 0.5 the probabilities are squared."""
    for temperature, powers in ((1.0, PROBS), (0.5, PROBS**2)):
        sampler = Sampler(Config(temperature=temperature, seed=3), 1)
        drawn = sampler.draw(PROBS.log().expand(1, 2000, 5), [0])
        shares = torch.bincount(drawn.flatten(), minlength=5) / 2000
        assert torch.allclose(shares, powers / powers.sum(), atol=0.04)
        assert shares[2] == 0


def test_one_seed_one_summary_whatever_stands_beside_it() -> None:
    made, sources = random_network(29, 1), random_sources(29, (7, 7, 7), 1)

    def drawn(batch, seed):
        config = Search(beam_size=2, num_return_sequences=2, max_length=9, processors={}, sampling=Config(seed=seed))
        return [[one.ids for one in each] for each in search(made, batch, config)]

    found = drawn(sources, 5)
    assert found == drawn(sources, 5) != drawn(sources, 6)
    alone = replace(sources, **{name: getattr(sources, name)[1:2] for name in ROWS})
    assert found[1:2] == drawn(alone, 5)


def test_all_samples_come_to_their_end() -> None:
    made, sources = random_network(11, 2), random_sources(11, (7, 5), 2)
    config = Search(beam_size=5, num_return_sequences=5, max_length=7, processors={}, sampling=Config())
    for each in search(made, sources, config):
        assert len(each) == 5
        assert [one.score for one in each if one.complete] == sorted(
            (one.score for one in each if one.complete), reverse=True
        )


def test_drawing_from_the_likeliest_alone_is_greedy_search() -> None:
    made, sources = random_network(11, 3), random_sources(11, (7, 5, 3), 3)
    greedy = search(made, sources, Search(beam_size=1, max_length=9))
    assert search(made, sources, Search(beam_size=1, max_length=9, sampling=Config(top_k=1))) == greedy


@pytest.mark.parametrize("wrong", [{"temperature": 0.0}, {"top_k": -1}, {"top_p": 0.0}, {"top_p": 1.5}, {"heat": 1}])
def test_options_that_cannot_be(wrong: dict[str, float]) -> None:
    with pytest.raises(PresetError, match=r"decoding\.sampling"):
        configure(Search, {"sampling": wrong}, "decoding")
