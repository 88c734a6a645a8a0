"""A system that chooses among its own hypotheses by minimum Bayes risk."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import nutgraf
import nutgraf.decoding.search
from nutgraf.metrics.rouge import rouge
from tiny_network import NOTICES

FERRY = NOTICES[0][0]
SAMPLES = {"decoding.sampling.temperature": 2.5, "decoding.beam_size": 7, "decoding.max_length": 30}


def mean_gain(text: str, others: list[str]) -> float:
    """ROUGE-1 F by each of the others and by itself."""
    return sum(rouge(text, other, variants=("1",))["1"].f for other in others) / len(others)


def test_of_samples_it_takes_the_one_most_like_the_others(trained, monkeypatch):
    """Without minimum Bayes risk it would take the most probable, which is another one here."""
    plain = nutgraf.load(trained, SAMPLES)
    system = nutgraf.load(trained, {**SAMPLES, "decoding.mbr.variants": ["1"]})
    seen, search = [], nutgraf.decoding.search.search

    def spy(*asked):
        seen.append(search(*asked))
        return seen[-1]

    monkeypatch.setattr("nutgraf.decoding.search.search", spy)
    made, most_probable = system(FERRY), plain(FERRY)
    tokens = system._tokenizer.tokens
    unknown = system._source(made.document, nutgraf.systems.steering.Steering()).unknown
    texts = [
        system._tokenizer.decode([tokens[one] if one < len(tokens) else unknown[one - len(tokens)] for one in each.ids])
        for each in seen[0][0]
    ]
    complete = [text for text, each in zip(texts, seen[0][0], strict=True) if each.complete]
    wanted = max(complete or texts, key=lambda text: mean_gain(text, texts))
    assert rouge(str(made), wanted, variants=("1",))["1"].f == 1
    assert str(made) != str(most_probable)


@pytest.mark.parametrize(
    "options",
    [
        {**SAMPLES, "decoding.mbr.weights": "auto"},
        {"decoding.beam_size": 4, "decoding.mbr.weights": "uniform", "decoding.diversity.num_beam_groups": 2},
        {"decoding.beam_size": 4, "decoding.mbr.source_share": 0.7},
    ],
)
def test_every_copied_word_stands_where_it_is_said_to(trained, options):
    words = [word for sentence in nutgraf.load(trained, options)(FERRY).sentences for word in sentence.words]
    copied = [word for word in words if word.operation == "copied"]
    assert copied
    for word in copied:
        assert FERRY[word.origin.start : word.origin.end].lower() == word.text.lower()


def test_a_budget_in_words_is_kept(trained):
    system = nutgraf.load(trained, {**SAMPLES, "decoding.mbr.weights": "uniform"})
    assert 0 < system(FERRY, words=14).words <= 14
