"""The contract of the objectives, over every file in the folder."""

from dataclasses import replace

import pytest
from members import every_example

pytest.importorskip("torch")

import torch

from nutgraf.model.records import Batch, Phrases, Trace
from nutgraf.model.span_classifier import SpanBatch
from nutgraf.training.events import enter_phase
from nutgraf.training.objectives import objectives
from toy_examples import network


def loss_of(objective, batch, trace):
    """The loss, with the same draws each time, for objectives that draw."""
    objective.judge_by(lambda summary, reference: len(set(summary) & set(reference)) / 7)
    torch.manual_seed(4)
    return objective(network(), batch, trace)


def batch_of(choice, words, counts):
    """Words; where an objective ranks, they are labels of items, with their gains."""
    if choice.kind != "listwise":
        return Batch(words, words, words == 0, Phrases.none(), 0, words, words)
    gains = torch.rand(len(words), words.shape[1] - 1, generator=torch.Generator().manual_seed(3))
    nothing = torch.zeros(len(words), 4, dtype=torch.long)
    return SpanBatch(
        source=words, source_extended=words, key_padding_mask=words == 0, phrases=Phrases.none(),
        target=words, target_extended=words, stretches=nothing, counts=torch.tensor(counts), gains=gains,
        origins=torch.zeros(len(words), dtype=torch.long),
    )  # fmt: skip


def weighted(choice, weight):
    return objectives.build(replace(choice, config=replace(choice.config, weight=weight)))


@every_example(objectives)
def test_an_objective_is_a_sum_over_wanted_words_times_its_weight(choice):
    batch = batch_of(choice, torch.tensor([[2, 5, 7, 3], [2, 9, 3, 0]]), [3, 2])
    log_probs = -torch.rand(2, 3, generator=torch.Generator().manual_seed(1)) - 0.1
    log_probs.requires_grad_()
    trace = Trace(
        target_log_probs=log_probs,
        mean_log_probs=log_probs * 2,
        p_copy=log_probs.exp(),
        cross_attention=(log_probs[..., None] * torch.arange(4)).softmax(-1),
        centrality=torch.tensor([[0.4, 0.3, 0.2, 0.1], [0.25, 0.7, 0.05, 0.0]]),
        action_log_probs=log_probs * 3,
        candidate_scores=torch.tensor([[0.1, 0.5, 0.7], [0.4, 0.3, -torch.inf]], requires_grad=True),
    )
    loss = loss_of(weighted(choice, 1.0), batch, trace)
    assert loss.shape == ()
    assert torch.isfinite(loss)
    (gradient,) = torch.autograd.grad(loss, log_probs, allow_unused=True, materialize_grads=True)
    assert gradient[1, 2] == 0, "padding has no say"
    assert loss_of(weighted(choice, 3.0), batch, trace).item() == pytest.approx(3 * loss.item())


@every_example(objectives)
def test_an_objective_that_was_never_told_is_in_the_second_phase(choice):
    batch = batch_of(choice, torch.tensor([[2, 5, 7, 3]]), [3])
    shares = torch.rand(1, 3, 4, generator=torch.Generator().manual_seed(2)).softmax(-1)
    trace = Trace(
        target_log_probs=-torch.rand(1, 3),
        mean_log_probs=-torch.rand(1, 3),
        p_copy=torch.full((1, 3), 0.5),
        cross_attention=shares,
        centrality=torch.tensor([[0.1, 0.4, 0.2, 0.3]]),
        action_log_probs=-torch.rand(1, 3),
        candidate_scores=torch.tensor([[0.1, 0.5, 0.7]]),
    )
    entered, never = objectives.build(choice), objectives.build(choice)
    for phase in (1, 2):
        enter_phase([entered], phase)
        assert torch.isfinite(loss_of(entered, batch, trace))
    assert loss_of(entered, batch, trace) == loss_of(never, batch, trace)
