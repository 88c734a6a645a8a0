"""The contract of the objectives, over every file in the folder."""

import pytest
from members import members

pytest.importorskip("torch")

import torch

from nutgraf.model.records import Batch, Phrases, Trace
from nutgraf.training.events import enter_phase
from nutgraf.training.objectives import objectives


@pytest.mark.parametrize("kind", members(objectives))
def test_an_objective_is_a_sum_over_wanted_words_times_its_weight(kind):
    words = torch.tensor([[2, 5, 7, 3], [2, 9, 3, 0]])
    batch = Batch(words, words, words == 0, Phrases.none(), 0, words, words)
    log_probs = -torch.rand(2, 3, generator=torch.Generator().manual_seed(1)) - 0.1
    log_probs.requires_grad_()
    trace = Trace(
        target_log_probs=log_probs,
        mean_log_probs=log_probs * 2,
        p_copy=log_probs.exp(),
        cross_attention=(log_probs[..., None] * torch.arange(4)).softmax(-1),
        centrality=torch.tensor([[0.4, 0.3, 0.2, 0.1], [0.25, 0.7, 0.05, 0.0]]),
    )
    loss = objectives.make(kind, weight=1.0)(None, batch, trace)
    assert loss.shape == ()
    assert torch.isfinite(loss)
    (gradient,) = torch.autograd.grad(loss, log_probs, retain_graph=True)
    assert gradient[1, 2] == 0, "padding has no say"
    assert objectives.make(kind, weight=3.0)(None, batch, trace).item() == pytest.approx(3 * loss.item())


@pytest.mark.parametrize("kind", members(objectives))
def test_an_objective_that_was_never_told_is_in_the_second_phase(kind):
    words = torch.tensor([[2, 5, 7, 3]])
    batch = Batch(words, words, words == 0, Phrases.none(), 0, words, words)
    shares = torch.rand(1, 3, 4, generator=torch.Generator().manual_seed(2)).softmax(-1)
    trace = Trace(
        target_log_probs=-torch.rand(1, 3),
        mean_log_probs=-torch.rand(1, 3),
        p_copy=torch.full((1, 3), 0.5),
        cross_attention=shares,
        centrality=torch.tensor([[0.1, 0.4, 0.2, 0.3]]),
    )
    entered, never = objectives.make(kind), objectives.make(kind)
    for phase in (1, 2):
        enter_phase([entered], phase)
        assert torch.isfinite(entered(None, batch, trace))
    assert entered(None, batch, trace) == never(None, batch, trace)
