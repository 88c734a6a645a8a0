"""Minimum error rate training of ABS+'s features."""

import pytest

torch = pytest.importorskip("torch")

from nutgraf.decoding.processors.extractive_tuning import features  # noqa: E402
from nutgraf.decoding.search import Config  # noqa: E402
from nutgraf.evaluation.mert import Candidate, best_weights, feature_counts, tune_network  # noqa: E402
from nutgraf.model.records import EOS, PAD  # noqa: E402
from toy_examples import Toy, network  # noqa: E402


def test_the_best_weights_by_hand():
    """The second of the first list needs a unigram's weight u > 1, and the second of the other a bigram's b > 1 + 2u;
    only both together reach a mean of (0.6 + 0.9) / 2."""
    lists = [
        [Candidate(-1.0, (0, 0, 0, 0), 1.0, 0.2), Candidate(-2.0, (1, 0, 0, 0), 1.0, 0.6)],
        [Candidate(-1.0, (2, 0, 0, 0), 1.0, 0.1), Candidate(-2.0, (0, 1, 0, 0), 1.0, 0.9)],
    ]
    unigram, bigram, *_ = best_weights(lists, (0.0, 0.0, 0.0, 0.0))
    assert unigram > 1
    assert bigram > 1 + 2 * unigram


def test_weights_that_nothing_improves_are_kept():
    lists = [[Candidate(-1.0, (1, 0, 0, 0), 1.0, 0.5), Candidate(-2.0, (0, 0, 0, 0), 1.0, 0.5)]]
    assert best_weights(lists, (0.25, -0.5, 0.0, 1.0)) == (0.25, -0.5, 0.0, 1.0)


def test_a_length_penalty_counts():
    """Its rank halved, the first is ahead at weight 0: −3 / 2 against −2. Below −1 the second is: (−3 + w) / 2 < −2."""
    lists = [[Candidate(-3.0, (1, 0, 0, 0), 0.5, 0.1), Candidate(-2.0, (0, 0, 0, 0), 1.0, 0.9)]]
    assert best_weights(lists, (0.0, 0.0, 0.0, 0.0))[0] < -1


def test_counts_are_those_of_the_search():
    torch.manual_seed(3)
    for _ in range(20):
        source, summary = torch.randint(5, 9, (7,)), torch.randint(5, 10, (6,))
        counts = [0] * 4
        for length, word in enumerate(summary):
            found = features(source[None], summary[None, None, :length])[:, 0, 0]
            for number, feature in enumerate(found):
                counts[number] += bool((feature & (source == word)).any())
        assert feature_counts(source.tolist(), summary.tolist()) == tuple(counts)


def test_a_network_that_knows_nothing_is_tuned_to_take_words_of_the_source():
    """The score is the share of words that the source has; an untrained network hardly ever takes one by itself."""
    made, examples = network(head={"kind": "generator"}).eval(), Toy(3)
    batches = [examples.batch([0, 1]), examples.batch([2])]
    sources = [set(source) for source in examples.sources]

    def score(number, ids):
        return sum(one in sources[number] for one in ids if one not in (PAD, EOS)) / max(1, len(ids))

    config = Config(beam_size=4, min_length=3, max_length=5, processors={})
    tuned = tune_network(made, batches, config, score, rounds=2)
    assert tuned.examples == 3
    assert tuned.before < 0.6
    assert tuned.after > tuned.before + 0.2
    assert tuned.weights["unigram"] > 0
