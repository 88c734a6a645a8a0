"""SimCLS (Liu and Liu 2021), with numbers done by hand; see `model/reranker.py`."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

from nutgraf.decoding.ranking import Hypothesis, by_score  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, Batch, Phrases, Trace  # noqa: E402
from nutgraf.model.reranker import Config, Reranker, separated  # noqa: E402
from nutgraf.preparation.candidates import Candidates  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.training.callbacks.order import Order  # noqa: E402
from nutgraf.training.objectives.margin_ranking import Config as Margins  # noqa: E402
from nutgraf.training.objectives.margin_ranking import MarginRanking  # noqa: E402
from toy_examples import network, padded  # noqa: E402

SOURCES = [[7, 8, 9, 7, 11], [12, 13]]
TARGETS = [[BOS, 7, EOS, BOS, 8, 9, EOS, BOS, 13, EOS], [BOS, 12, 13, EOS, BOS, 7, EOS]]
"""A reference with two candidates, and a reference with one."""


def batch_of(sources=SOURCES, targets=TARGETS) -> Batch:
    source, target = padded(sources), padded(targets)
    return Batch(source, source, source == PAD, Phrases.none(), 0, target, target)


@pytest.fixture
def reranker() -> Reranker:
    torch.manual_seed(3)
    options = {
        "d_model": 10,
        "num_heads": 2,
        "max_positions": 23,
        "temperature": 0.5,
        "encoder": {"kind": "transformer", "num_layers": 1, "ffn_dim": 17},
    }
    return Reranker(configure(Config, options, "model"), 29).eval()


class Known(Reranker):
    """Scores that are known beforehand."""

    def scores(self, batch: Batch):
        return torch.tensor([[0.9, 0.5, 0.75], [0.8, 0.25, -torch.inf]])


def test_summaries_stand_one_after_the_other_in_a_target():
    summaries, document = separated(padded(TARGETS))
    assert summaries.tolist() == [[7, EOS, PAD], [8, 9, EOS], [13, EOS, PAD], [12, 13, EOS], [7, EOS, PAD]]
    assert document.tolist() == [0, 0, 0, 1, 1]


def test_the_score_is_the_cosine_of_two_encodings(reranker: Reranker):
    """Of the first document and its second candidate, each encoded alone."""

    def encoded(ids: list[int]):
        alone = batch_of([ids], [[BOS, EOS]])
        return reranker.encoder(reranker.source_embedding(alone.source), alone).encoder_hidden_states[0].mean(0)

    one, other = encoded(SOURCES[0]), encoded([13, EOS])
    scores = reranker.scores(batch_of())
    assert scores[0, 2].item() == pytest.approx((one @ other / one.norm() / other.norm()).item(), abs=1e-5)
    assert scores[1, 2] == -torch.inf


def test_a_document_has_the_same_scores_beside_others(reranker: Reranker):
    alone = reranker.scores(batch_of(SOURCES[1:], TARGETS[1:]))
    assert torch.allclose(alone[0], reranker.scores(batch_of())[1, :2], atol=1e-5)


def test_the_likelihood_of_an_order_is_that_of_plackett_and_luce(reranker: Reranker):
    """τ = 0.5, so the candidates weigh e¹ and e^1.5; the last one is the next in order for certain."""
    reranker.__class__ = Known
    log_probs = reranker(batch_of()).target_log_probs
    first = 1.0 - math.log(math.e + math.exp(1.5))
    assert log_probs.tolist() == [pytest.approx([0, 0, 0, 0, 0, first, 0, 0, 0], abs=1e-6), pytest.approx([0.0] * 9)]


def test_likelihood_has_a_gradient_where_documents_have_fewer_candidates(reranker: Reranker):
    reranker(batch_of()).target_log_probs.sum().backward()
    assert all(torch.isfinite(one.grad).all() for one in reranker.parameters() if one.grad is not None)


def test_margin_ranking():
    """λ = 0.1. Above the reference (0.5): 0.6, by 0.1. S₂ − S₁ + λ = 0.6 − 0.3 + 0.1 = 0.4; S₃ − S₁ + 2λ = −0.1 + 0.2
    = 0.1; S₃ − S₂ + λ < 0. The second document has one pair, which is parted by more than λ."""
    scores = torch.tensor([[0.5, 0.3, 0.6, 0.2], [0.9, 0.8, 0.5, -torch.inf]], requires_grad=True)
    loss = MarginRanking(Margins(weight=2.0, margin=0.1))(network(), batch_of(), Trace(candidate_scores=scores))
    assert loss.item() == pytest.approx(2 * (0.1 + 0.4 + 0.1), abs=1e-6)
    loss.backward()
    assert scores.grad.tolist() == [[-2, -4, 4, 2], [0, 0, 0, 0]]


def test_a_network_that_writes_has_no_candidates():
    from nutgraf.errors import PresetError

    with pytest.raises(PresetError, match='system = "reranker"'):
        MarginRanking(Margins())(network(), batch_of(), Trace())


def test_candidates_are_ordered_by_rouge_and_equals_are_left_out():
    """ROUGE-1 F with "the red fox ran": 2 of 2 and 4 words: 4/6; 1 of 1: 2/5; 4 of 4: 1; "fox ran" equals "red fox"."""
    texts = ["Red fox.", "Fox!", "The red fox ran.", "Fox ran.", "Red fox."]
    found = Candidates(variants=("1",)).ordered(texts, ["The red fox ran."], "en")
    assert found == ["The red fox ran.", "Red fox.", "Fox!"]
    assert Candidates(count=2, variants=("1",)).ordered(texts, ["The red fox ran."], "en") == ["Red fox.", "Fox!"]


def test_the_share_of_pairs_in_order(reranker: Reranker):
    """Of three pairs among 0.5, 0.75 and 0.6, one is in order."""
    order = Order(None, SimpleNamespace(validator=SimpleNamespace(read=lambda: [batch_of()])))
    reranker.scores = lambda batch: torch.tensor([[0.9, 0.5, 0.75, 0.6], [0.9, 0.3, -torch.inf, -torch.inf]])
    assert order.scores(reranker) == {"order": pytest.approx(1 / 3)}
    assert order.scores(network()) == {}


def test_the_highest_score_is_taken_complete_hypotheses_first():
    found = [Hypothesis((one,), -1.0, -1.0, one != 2, (), (), (), ()) for one in range(4)]
    assert [one.ids[0] for one in by_score(found, [0.25, 0.5, 0.75, 0.5])] == [1, 3, 0, 2]
