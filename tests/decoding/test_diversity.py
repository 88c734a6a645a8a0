"""Diverse beam search: its first step by hand, whole searches against a plain one, and where it is beam search."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from plain_search import plain_search  # noqa: E402
from small_networks import random_network, random_sources  # noqa: E402

from nutgraf.decoding.diversity import Config as Diversity  # noqa: E402
from nutgraf.decoding.offers import best  # noqa: E402
from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.records import EOS  # noqa: E402
from nutgraf.presets import configure  # noqa: E402

FIRST, SECOND = 4, 5
"""The likeliest tokens of the example below."""


def offered(probabilities: dict[int, float], groups: int, penalty: float):
    """What groups of one hypothesis each are offered if all of them expect the same next tokens."""
    log_probs = torch.full((1, groups, 7), -math.inf)
    for token, probability in probabilities.items():
        log_probs[..., token] = math.log(probability)
    return best(log_probs, torch.zeros(1, groups), groups, penalty)


@pytest.mark.parametrize(
    ("penalty", "chosen"),
    [
        (0.0, [FIRST, FIRST, FIRST]),
        (math.log(4), [FIRST, FIRST, SECOND]),  # 0.8 / 4 = 0.2 is above 0.15, and 0.8 / 16 = 0.05 is below
        (math.log(6), [FIRST, SECOND, FIRST]),  # 0.8 / 6 = 0.13 is below 0.15, and 0.15 / 6 = 0.025 below that
    ],
)
def test_a_token_counts_less_for_each_earlier_group_that_took_it(penalty: float, chosen: list[int]) -> None:
    found = offered({FIRST: 0.8, SECOND: 0.15, 6: 0.01}, 3, penalty)
    assert found.word[0, :, 0].tolist() == chosen
    by_network = {FIRST: math.log(0.8), SECOND: math.log(0.15)}
    assert found.log_prob[0, :, 0].tolist() == pytest.approx([by_network[token] for token in chosen])


def test_an_end_is_never_penalized() -> None:
    found = offered({EOS: 0.6, FIRST: 0.3, SECOND: 0.1}, 2, 9.0)
    assert found.word[0].tolist() == [[EOS, FIRST], [EOS, SECOND]]


@pytest.mark.parametrize("seed", range(12))
def test_the_quick_search_finds_what_the_plain_one_finds(seed: int) -> None:
    choose = random.Random(seed)
    vocabulary = choose.choice([11, 29, 6000])
    network, sources = random_network(vocabulary, seed, sharp=1.5), random_sources(vocabulary, (7, 5, 3), seed)
    groups, width = choose.choice([(2, 1), (2, 3), (3, 2), (4, 2)])
    config = Config(
        beam_size=groups * width,
        num_return_sequences=choose.choice([1, width, groups * width]),
        min_length=choose.choice([0, 3]),
        max_length=9,
        length_penalty=choose.choice([0.0, 0.9]),
        coverage_penalty=choose.choice([0.0, 0.7]),
        stepwise_penalty=choose.random() < 0.5,
        early_stopping=choose.choice([True, False]),
        diversity=Diversity(groups, choose.choice([0.3, 2.0])),
    )
    found, wanted = search(network, sources, config), plain_search(network, sources, config)
    assert [[(one.ids, one.complete) for one in each] for each in found] == [
        [(one.ids, one.complete) for one in each] for each in wanted
    ]
    for ours, theirs in zip(found, wanted, strict=True):
        assert [one.score for one in ours] == pytest.approx([one.score for one in theirs], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_one_group_is_beam_search(seed: int) -> None:
    network, sources = random_network(29, seed).float(), random_sources(29, (7, 5, 3), seed)
    plain = Config(beam_size=5, num_return_sequences=5, max_length=11, coverage_penalty=0.3, stepwise_penalty=True)
    diverse = replace(plain, diversity=Diversity(num_beam_groups=1, diversity_penalty=0.7))
    assert search(network, sources, diverse) == search(network, sources, plain)


@pytest.mark.parametrize("seed", range(3))
def test_without_a_penalty_every_group_does_the_same_beam_search(seed: int) -> None:
    """What all groups find comes once. Only rounding differs, for a matrix of more rows."""
    network, sources = random_network(29, seed), random_sources(29, (7, 5, 3), seed)
    plain = Config(beam_size=2, num_return_sequences=2, max_length=11)
    diverse = replace(plain, beam_size=8, num_return_sequences=8, diversity=Diversity(4, 0.0))
    for found, wanted in zip(search(network, sources, diverse), search(network, sources, plain), strict=True):
        assert [one.ids for one in found] == [one.ids for one in wanted]
        assert [one.score for one in found] == pytest.approx([one.score for one in wanted], rel=1e-9)


def test_groups_find_different_summaries() -> None:
    network, sources = random_network(29, 1, sharp=1.5), random_sources(29, (7, 5, 3), 1)
    plain = Config(beam_size=4, num_return_sequences=4, max_length=9)
    diverse = replace(plain, diversity=Diversity(4, 2.0))

    def kinds(config: Config) -> int:
        return sum(len({one.ids[0] for one in each}) for each in search(network, sources, config))

    assert kinds(diverse) > kinds(plain)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"diversity": {"num_beam_groups": 3}}, "beam_size = 5.*3 groups"),
        ({"diversity": {"num_beam_groups": 5}, "sampling": {}}, "diversity"),
        ({"diversity": {"num_beam_groups": 0}}, "num_beam_groups"),
        ({"diversity": {"diversity_penalty": -1}}, "diversity_penalty"),
    ],
)
def test_options_that_cannot_be(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(PresetError, match=message):
        configure(Config, wrong, "decoding")
