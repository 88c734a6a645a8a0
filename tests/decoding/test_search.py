"""The search against what one would write down: enumeration, greedy choice, a plain search without cache."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

torch = pytest.importorskip("torch")

from plain_search import Plain, alone, next_words, plain_search  # noqa: E402
from small_networks import random_network, random_sources  # noqa: E402

from nutgraf.decoding.processors import Limits, processors  # noqa: E402
from nutgraf.decoding.ranking import Hypothesis  # noqa: E402
from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.records import EOS, UNK, Batch  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.presets import configure  # noqa: E402

ALLOW = {"whole_words": processors.choose("whole_words")}
FORBID = {"repetition": processors.choose("repetition"), **ALLOW}
DROP = {"repetition": processors.choose("repetition", on_repeat="drop"), **ALLOW}


def close(found: list[list[Hypothesis]], wanted: list[list[Plain]]) -> bool:
    """Return True if both have the same hypotheses with the same scores, in the same order."""
    same = [[(one.ids, one.complete) for one in each] for each in found] == [
        [(one.ids, one.complete) for one in each] for each in wanted
    ]
    scores = [(a.score, b.score) for x, y in zip(found, wanted, strict=True) for a, b in zip(x, y, strict=False)]
    return same and all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in scores)


@pytest.mark.parametrize("seed", range(3))
def test_what_nobody_looks_back_at_is_thrown_away_in_long_texts(seed: int) -> None:
    network, sources = random_network(29, seed, sharp=1.5), random_sources(29, (7, 5, 3), seed)
    config = Config(beam_size=3, num_return_sequences=3, min_length=27, max_length=31)
    assert close(search(network, sources, config), plain_search(network, sources, config))


@pytest.mark.parametrize("seed", range(24))
def test_the_quick_search_finds_what_the_plain_one_finds(seed: int) -> None:
    choose = random.Random(seed)
    vocabulary = choose.choice([6, 11, 29, 6000])
    network = random_network(
        vocabulary,
        seed,
        head=choose.choice(["pointer", "generator"]),
        norm=choose.choice(["pre", "post"]),
        sharp=choose.choice([0.8, 1.5, 2.5]),
    )
    sources = random_sources(vocabulary, (7, 5, 3), seed)
    beams, shortest = choose.choice([1, 2, 3, 5]), choose.choice([0, 3, 9])
    config = Config(
        beam_size=beams,
        num_return_sequences=choose.randint(1, beams),
        min_length=shortest,
        max_length=shortest + choose.choice([1, 6, 10]),
        processors=choose.choice([FORBID, DROP, ALLOW]),
        length_penalty=choose.choice([0.0, 0.9]),
        coverage_penalty=choose.choice([0.0, 0.7]),
        stepwise_penalty=choose.random() < 0.5,
        unknown=choose.choice(["keep", "forbid"]),
        early_stopping=choose.choice([True, False]),
    )
    limits = Limits(
        exempt=choose.choice([(), (4,)]),
        begins_word=choose.choice([None, [word % 2 == 0 for word in range(vocabulary)]]),
        words=choose.choice([None, [2, None, 4]]),
        tails=choose.choice([(), (5, 7)]),
    )
    assert close(search(network, sources, config, limits), plain_search(network, sources, config, limits))


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_of_one_says_the_likeliest_word_each_time(seed: int) -> None:
    network, sources = random_network(11, seed), random_sources(11, (5,), seed)
    generated: list[int] = []
    while len(generated) < 7 and EOS not in generated:
        log_probs, _ = next_words(network, network.encode(sources), generated)
        generated.append(int(log_probs.argmax()))
    [[found]] = search(network, sources, Config(beam_size=1, max_length=7, processors={}))
    assert list(found.ids) == [word for word in generated if word != EOS]
    assert found.complete == (EOS in generated)


@cache
def enumerated() -> tuple[Seq2Seq, Batch, Callable[[tuple[int, ...]], tuple[torch.Tensor, torch.Tensor]]]:
    """A network, a source, and `next_words` after some ids: many sequences begin alike, whatever their penalties."""
    network, sources = random_network(6, 3, sharp=1.0), random_sources(6, (5,), 3)
    memory = network.encode(sources)
    return network, sources, cache(lambda ids: next_words(network, memory, ids))


@pytest.mark.parametrize("alpha", [0.0, 0.9])
@pytest.mark.parametrize("beta", [0.0, 0.5])
def test_a_wide_beam_is_full_enumeration(alpha: float, beta: float) -> None:
    network, sources, after = enumerated()
    longest = 3
    config = Config(
        beam_size=300,
        num_return_sequences=30,
        max_length=longest,
        processors={},
        length_penalty=alpha,
        coverage_penalty=beta,
        early_stopping=False,
    )
    scored: list[tuple[float, tuple[int, ...]]] = []
    sayable = [UNK, 4, 5, 6, 7]
    for length in range(longest + 1):
        for ids in itertools.product(sayable, repeat=length):
            log_prob, looked = 0.0, torch.zeros(5)
            for place, word in enumerate((*ids, EOS)):
                log_probs, looks = after(ids[:place])
                log_prob, looked = log_prob + float(log_probs[word]), looked + looks
            if length == longest and int(log_probs.argmax()) != EOS:
                continue
            penalty = beta * float(looked.clamp(min=1).sum() - 5)
            scored.append((log_prob / ((5 + length + 1) / 6) ** alpha - penalty, ids))
    scored.sort(reverse=True)
    [found] = search(network, sources, config)
    assert [one.ids for one in found] == [ids for _, ids in scored[:30]]
    assert [one.score for one in found] == pytest.approx([score for score, _ in scored[:30]], abs=1e-4)


def test_documents_together_or_alone_give_the_same() -> None:
    network, sources = random_network(29, 1), random_sources(29, (11, 2, 7, 5), 1)
    config = Config(beam_size=3, num_return_sequences=2, max_length=13, coverage_penalty=0.3, stepwise_penalty=True)
    together = search(network, sources, config)
    for row, found in enumerate(together):
        [by_itself] = search(network, alone(sources, row), config)
        assert [one.ids for one in found] == [one.ids for one in by_itself]
        assert [one.score for one in found] == pytest.approx([one.score for one in by_itself], abs=1e-4)


def test_a_network_in_training_mode_is_refused() -> None:
    network, sources = random_network(11, 0).train(), random_sources(11, (5,), 0)
    with pytest.raises(ValueError, match=r"network\.eval\(\)"):
        search(network, sources, Config(beam_size=2, max_length=3))
    assert network.training


def test_threads_search_with_one_network_at_the_same_time() -> None:
    network, config = random_network(29, 1), Config(beam_size=3, num_return_sequences=2, max_length=13)
    batches = [random_sources(29, (11, 2, 7), seed) for seed in range(6)]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda batch: search(network, batch, config), batches))
    assert together == [search(network, batch, config) for batch in batches]
    assert not network.training


def test_more_words_than_positions_are_refused() -> None:
    network, sources = random_network(11, 0), random_sources(11, (5,), 0)
    with pytest.raises(PresetError, match=r"max_length = 32.*32 positions.*31"):
        search(network, sources, Config(max_length=32))


@pytest.mark.parametrize(
    "wrong",
    [
        {"num_return_sequences": 6},
        {"num_return_sequences": 0},
        {"min_length": 129},
        {"min_length": -1},
        {"max_length": 0},
        {"length_penalty": -0.1},
    ],
)
def test_options_that_cannot_be(wrong: dict[str, float]) -> None:
    with pytest.raises(PresetError, match=next(iter(wrong))):
        configure(Config, wrong, "decoding")
