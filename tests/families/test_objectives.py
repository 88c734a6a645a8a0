"""The contract of the objectives, over every file in the folder."""

import pytest

pytest.importorskip("torch")

import torch

from nutgraf.model.records import Batch, Phrases, Trace
from nutgraf.training.objectives import objectives


@pytest.mark.parametrize("kind", objectives.names())
def test_an_objective_is_a_sum_over_wanted_words_times_its_weight(kind):
    words = torch.tensor([[2, 5, 7, 3], [2, 9, 3, 0]])
    batch = Batch(words, words, words == 0, Phrases.none(), 0, words, words)
    said = -torch.rand(2, 3, generator=torch.Generator().manual_seed(1)) - 0.1
    said.requires_grad_()
    trace = Trace(target_log_probs=said, smoothing=said * 2, copying=said.exp(), attention=torch.full((2, 3, 4), 0.25))
    loss = objectives.make(kind)(trace, batch)
    assert loss.shape == ()
    assert torch.isfinite(loss)
    (gradient,) = torch.autograd.grad(loss, said, retain_graph=True)
    assert gradient[1, 2] == 0, "padding has no say"
    assert objectives.make(kind, weight=3.0)(trace, batch).item() == pytest.approx(3 * loss.item())
