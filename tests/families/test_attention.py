"""The contract of attention, over every file in the folder."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from members import every_example

torch = pytest.importorskip("torch")

from nutgraf.model.attention import AttentionContext, attentions  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.ops.attention import softmax_weights  # noqa: E402
from nutgraf.model.records import Phrases  # noqa: E402

BATCH, LENGTH, HEADS, WIDTH = 3, 11, 4, 20

every = every_example(attentions)

places = st.lists(
    st.tuples(st.integers(0, BATCH - 1), st.integers(0, LENGTH), st.integers(0, 6), st.floats(0.01, 3.0)), max_size=9
)


def phrases_of(found):
    """Places (example, start, words, score), cut where the source ends."""
    if not found:
        return Phrases.none()
    example, start, words, score = zip(*found, strict=True)
    end = [min(LENGTH, first + count) for first, count in zip(start, words, strict=True)]
    return Phrases(torch.tensor(example), torch.tensor(start), torch.tensor(end), torch.tensor(score))


SOME = phrases_of([(0, 1, 3, 0.4), (0, 2, 3, 0.9), (0, 8, 2, 0.3), (2, 0, 2, 0.5), (2, 0, 5, 0.2)])


def make(choice, number=0, of=2):
    torch.manual_seed(7)
    return attentions.build(choice, AttentionContext(Size(13, WIDTH, HEADS, 0.0), number, of))


def inputs(lengths=(LENGTH, 7, 9)):
    """States, and a mask where the sources are shorter than the longest."""
    torch.manual_seed(8)
    mask = torch.arange(LENGTH) >= torch.tensor(lengths)[:, None]
    return torch.randn(BATCH, LENGTH, WIDTH), mask if mask.any() else None


@every
@given(found=places)
@settings(max_examples=15)
def test_each_row_sums_to_one_and_padding_gets_nothing(choice, found):
    states, mask = inputs()
    weights = make(choice).weights(states, mask, phrases_of(found))
    assert weights.shape == (BATCH, HEADS, LENGTH, LENGTH)
    assert torch.allclose(weights.sum(-1), torch.ones(BATCH, HEADS, LENGTH), atol=1e-5)
    assert weights.min() >= 0
    assert weights.transpose(1, 3)[mask].count_nonzero() == 0


@every
def test_gradients_reach_every_parameter(choice):
    states, mask = inputs()
    part = make(choice)
    part(states, mask, SOME).square().sum().backward()
    assert [name for name, one in part.named_parameters() if one.grad is None or not one.grad.any()] == []


@every
def test_phrases_change_nothing_unless_they_are_heeded(choice):
    states, mask = inputs()
    part = make(choice)
    same = torch.equal(part(states, mask, SOME), part(states, mask, Phrases.none()))
    assert same != part.heeds_phrases


@every
def test_the_graph_is_there_if_it_is_promised(choice):
    part = make(choice)
    graph = part.graph(*inputs(), SOME)
    assert (graph is not None) == part.provides_graph
    if graph is not None:
        weights = softmax_weights(graph.query, graph.key, graph.key_padding_mask)
        assert torch.allclose(weights, part.weights(*inputs(), SOME), atol=1e-6)


@every
def test_what_padding_holds_changes_nothing(choice):
    states, mask = inputs()
    part = make(choice)
    before = part(states, mask, SOME)
    after = part(states.masked_fill(mask[..., None], 3.0), mask, SOME)
    assert torch.allclose(before[~mask], after[~mask], atol=1e-6)


@every
def test_a_source_that_is_all_padding_gets_zeros_and_disturbs_no_other(choice):
    """Its states neither change anything nor get a gradient, by the fast way or by the plain formula."""
    states, mask = inputs()
    empty = mask.clone().index_fill_(0, torch.tensor([1]), True)
    states.requires_grad_()
    part = make(choice)
    weights, attended = part.weights(states, empty, SOME), part(states, empty, SOME)
    assert weights[1].count_nonzero() == 0
    assert torch.equal(attended[1], part(torch.randn_like(states), empty, SOME)[1])
    assert torch.allclose(weights[[0, 2]], part.weights(states, mask, SOME)[[0, 2]])
    assert torch.allclose(attended[[0, 2]], part(states, mask, SOME)[[0, 2]], atol=1e-6)
    for found in (weights, attended):
        (gradient,) = torch.autograd.grad(found.square().sum(), states, retain_graph=True)
        assert gradient[[0, 2]].isfinite().all()
        assert gradient[1].count_nonzero() == 0
    (weights.square().sum() + attended.square().sum()).backward()
    assert all(one.grad.isfinite().all() for one in part.parameters() if one.grad is not None)


@every
def test_a_source_alone_is_read_as_among_others(choice):
    states, mask = inputs()
    part = make(choice)
    together = part(states, mask, SOME)[2, :9]
    alone = part(states[2:, :9], None, SOME.select(torch.tensor([2])))[0]
    assert torch.allclose(together, alone, atol=1e-6)
