"""BRIO (Liu et al. 2022), with numbers done by hand; see `training/objectives/brio.py`."""

from __future__ import annotations

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, UNK, Batch, Trace  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.training.objectives.brio import Brio, Config, scores_of  # noqa: E402
from toy_examples import Toy, network, padded  # noqa: E402


def small(**changes: object) -> Config:
    return configure(Config, {"num_candidates": 4, "num_beam_groups": 2, "max_length": 5, **changes}, "brio")


@pytest.fixture
def batch() -> Batch:
    return Toy(3).batch([0, 1, 2])


def test_the_score_is_the_log_probability_over_a_power_of_the_length(batch: Batch):
    """Three tokens and EOS: Σ log p / 4^α. The first document has one candidate, and the second two."""
    made = network().eval()
    candidates = [[(7, 9, 11)], [(12,), (8, 9)], [()]]
    found = scores_of(made, batch, candidates, 2.0)
    alone = replace(
        batch.select(torch.tensor([0])),
        target=torch.tensor([[BOS, 7, 9, 11, EOS]]),
        target_extended=torch.tensor([[BOS, 7, 9, 11, EOS]]),
    )
    assert found[0, 0].item() == pytest.approx(made(alone).target_log_probs.sum().item() / 16, abs=1e-5)
    assert (found > -torch.inf).tolist() == [[True, False], [True, True], [True, False]]


def test_candidates_come_by_falling_reward(batch: Batch, monkeypatch: pytest.MonkeyPatch):
    """Rewards 1, 3 and 2 order f = −1, −2, −4 as −2, −4, −1, and one that has the reward of another is left out.
    λ = 0.5: f₂ − f₁ + λ < 0, f₃ − f₁ + 2λ = 1 + 1 = 2, f₃ − f₂ + λ = 3 + 0.5; γ = 10."""
    from nutgraf.training.objectives import brio

    written = {(7,): (1.0, -1.0), (8,): (3.0, -2.0), (9,): (2.0, -4.0), (10,): (3.0, -8.0)}
    monkeypatch.setattr(
        brio, "search", lambda *asked: [[type("H", (), {"ids": one})() for one in written]] * len(batch.source)
    )
    seen = []

    def scores(made, given, candidates, length_penalty):
        seen.append(candidates)
        return torch.tensor([[written[one][1] for one in each] for each in candidates])

    monkeypatch.setattr(brio, "scores_of", scores)
    objective = Brio(small(weight=10.0, margin=0.5))
    objective.judge_by(lambda summary, reference: written[summary][0])
    one = batch.select(torch.tensor([1]))
    monkeypatch.setattr(brio, "search", lambda *asked: [[type("H", (), {"ids": each})() for each in written]])
    assert objective(network(), one, Trace()).item() == pytest.approx(10 * (2.0 + 3.5))
    assert seen == [[[(8,), (9,), (7,)]]]


def test_a_step_brings_probabilities_nearer_to_the_order(batch: Batch):
    """The reward is the number of the reference's words; the candidates are the network's own."""
    made = network()
    objective = Brio(small(margin=0.1, length_penalty=1.0, weight=1.0))
    objective.judge_by(lambda summary, reference: len(set(summary) & set(reference)))
    ordered = objective._ordered(made, batch, objective.reward)
    optimizer = torch.optim.SGD(made.parameters(), lr=0.05)
    before = objective(made, batch, Trace())
    before.backward()
    optimizer.step()

    from nutgraf.training.objectives._margins import margin_ranking

    assert margin_ranking(scores_of(made, batch, ordered, 1.0), 0.1) < before
    assert made.training


def test_words_of_the_source_alone_are_given_as_unknown(batch: Batch):
    beyond = replace(batch, source_extended=batch.source_extended.clone(), num_oov=1)
    beyond.source_extended[0, 1] = 31
    found = scores_of(network().eval(), beyond, [[(31, 7)], [(7,)], [(7,)]], 1.0)
    assert torch.isfinite(found).all()
    assert UNK < 31


def test_a_batch_of_some_examples_has_their_phrases():
    from nutgraf.model.records import Phrases

    source = padded([[7, 8], [9], [10, 11]])
    where = torch.tensor([0, 2])
    batch = Batch(source, source, source == PAD, Phrases(where, where * 0, where * 0 + 1, torch.tensor([0.25, 0.5])))
    found = batch.select(torch.tensor([2, 2, 1]))
    assert found.source.tolist() == [[10, 11], [10, 11], [9, PAD]]
    assert (found.phrases.example.tolist(), found.phrases.score.tolist()) == ([0, 1], [0.5, 0.5])


def test_what_cannot_be_is_said(batch: Batch):
    with pytest.raises(PresetError, match="3 groups"):
        small(num_beam_groups=3)
    objective = Brio(small(max_length=50))
    with pytest.raises(ValueError, match="judge_by"):
        objective(network(), batch, Trace())
    objective.judge_by(lambda summary, reference: 0.0)
    with pytest.raises(PresetError, match="28 would do"):
        objective(network(), batch, Trace())
