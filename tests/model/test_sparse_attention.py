"""Highlighting without a matrix of all words by all words: against that matrix, where numbers are at their worst."""

import math

import pytest

torch = pytest.importorskip("torch")

from nutgraf.model.attention import AttentionContext, attentions, highlight  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.ops.sparse_attention import (  # noqa: E402
    LIMITS,
    attend_biased,
    attend_biased_densely,
    blocks_of,
    dense,
)
from nutgraf.model.records import Phrases  # noqa: E402

BATCH, HEADS, LENGTH, WIDTH = 2, 5, 17, 3
CHOSEN = torch.tensor([1, 4])


def phrases(*given):
    """Places (example, start, end, score)."""
    example, start, end, score = zip(*given, strict=True)
    return Phrases(torch.tensor(example), torch.tensor(start), torch.tensor(end), torch.tensor(score))


PLACES = phrases((0, 0, 2, 0.5), (0, 1, 4, 0.7), (0, 4, 6, 0.2), (1, 3, 8, 0.4), (1, 5, 6, 0.9), (0, 9, 17, 0.3))


def by_places(places, length, overlap):
    """H, place by place."""
    matrix = torch.zeros(BATCH, length, length)
    for example, start, end, score in zip(places.example, places.start, places.end, places.score, strict=True):
        cells = matrix[example, start:end, start:end]
        cells.copy_(cells + score if overlap == "sum" else cells.clamp_min(score))
    return matrix


def projections(scale=1.0, precision=torch.float32):
    """Queries, keys and values as a fused projection leaves them: side by side in memory."""
    torch.manual_seed(2)
    whole = (scale * torch.randn(BATCH, LENGTH, 3, HEADS, WIDTH)).to(precision)
    return [one.transpose(1, 2).detach().requires_grad_() for one in whole.unbind(2)]


def plain(query, key, value, mask, score, bias):
    """The formula, in double precision. bias: for each chosen head, a function of the scores of H."""
    scores = query.double() @ key.double().mT / math.sqrt(WIDTH)
    added = torch.where(score[:, None] > 0, bias.double(), 0)
    scores = scores.index_add(1, CHOSEN, added)
    if mask is not None:
        scores = scores.masked_fill(mask[:, None, None, :], -math.inf)
    return scores.softmax(-1) @ value.double()


def compare(query, key, value, mask, weight, shift, tolerance):
    """Values and gradients of both ways, for B = weight · H + shift."""
    blocks = blocks_of(PLACES, LENGTH, "max", mask)
    score = dense(blocks, BATCH, LENGTH)
    scales = torch.tensor([[weight], [-weight / 2]]), torch.tensor([[shift], [shift + 1]])
    found = []
    for way in ("fast", "plain"):
        w, b = (one.clone().requires_grad_() for one in scales)
        given = [query, key, value, w, b]
        if way == "fast":
            biases = [w[..., None] * block.score[:, None] + b[..., None] for block in blocks]
            out = attend_biased(query, key, value, mask, CHOSEN, blocks, biases)
        else:
            out = plain(query, key, value, mask, score, w[..., None] * score[:, None] + b[..., None])
        torch.manual_seed(4)
        wanted = torch.randn(BATCH, LENGTH, HEADS, WIDTH).transpose(1, 2)
        gradients = torch.autograd.grad(out, given, wanted.to(out.dtype))
        found.append([one.double() for one in (out, *gradients)])
    for fast, exact in zip(*found, strict=True):
        assert (fast - exact).abs().max() <= tolerance * max(1, exact.abs().max())


@pytest.mark.parametrize("overlap", ["max", "sum"])
def test_the_blocks_are_the_matrix(overlap):
    blocks = blocks_of(PLACES, LENGTH, overlap, None)
    assert torch.allclose(dense(blocks, BATCH, LENGTH), by_places(PLACES, LENGTH, overlap))
    words = [
        (example, place)
        for block in blocks
        for example, row in zip(block.example.tolist(), block.position.tolist(), strict=True)
        for place in set(row)
    ]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("overlap", ["max", "sum"])
def test_phrases_of_any_length(overlap):
    longest = LIMITS[1] + 5
    places = phrases(
        (0, 0, longest, 0.2), (0, 3, 5, 0.4), (1, 1, LIMITS[0] + 2, 0.3), (1, 90, 91, 0.6), (1, 85, 87, 0.1)
    )
    blocks = blocks_of(places, 97, overlap, None)
    assert [block.score.shape[0] for block in blocks] == [2, 1, 1]
    assert torch.allclose(dense(blocks, BATCH, 97), by_places(places, 97, overlap))


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(("weight", "shift"), [(1.0, 0.0), (3.0, -1.0), (-2.0, 0.5), (20.0, 5.0)])
def test_values_and_gradients_are_those_of_the_plain_formula(weight, shift, masked):
    mask = torch.arange(LENGTH) >= torch.tensor([[LENGTH], [13]]) if masked else None
    compare(*projections(), mask, weight, shift, 2e-6)


@pytest.mark.parametrize("weight", [200.0, -200.0])
def test_no_bias_overflows(weight):
    compare(*projections(), None, weight, 0.0, 1e-4)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("shift", [-3.0, -10.0, -90.0])
def test_a_row_that_looked_at_its_phrase_alone_and_must_look_away(shift, masked):
    query, key, value = projections(scale=1.5)
    with torch.no_grad():
        key.copy_(query * 3)
    mask = torch.arange(LENGTH) >= torch.tensor([[LENGTH], [13]]) if masked else None
    compare(query, key, value, mask, 0.5, shift, 1e-4)


def test_a_phrase_that_is_the_whole_source():
    blocks = blocks_of(phrases((0, 0, LENGTH, 0.5)), LENGTH, "max", None)
    query, key, value = projections()
    for shift in (3.0, -30.0):
        biases = [torch.full((1, 2, LENGTH, LENGTH), shift)]
        out = attend_biased(query, key, value, None, CHOSEN, blocks, biases)
        unbiased = torch.nn.functional.scaled_dot_product_attention(query, key, value)
        assert torch.allclose(out, unbiased, atol=1e-5), "what is added to all of a row changes nothing"


def test_derivatives_in_double_precision():
    blocks = blocks_of(PLACES, LENGTH, "max", None)
    given = [one.double().detach().requires_grad_() for one in projections()]
    biases = [torch.randn(len(one.example), 2, *one.score.shape[1:], dtype=torch.double) for one in blocks]
    biases = [(bias * block.covered).requires_grad_() for bias, block in zip(biases, blocks, strict=True)]

    def attended(query, key, value, *biases):
        return attend_biased(query, key, value, None, CHOSEN, blocks, biases)

    assert torch.autograd.gradcheck(attended, (*given, *biases), fast_mode=True)


@pytest.mark.parametrize(("weight", "shift"), [(1.0, 0.0), (4.0, -1.5)])
def test_half_precision_is_as_good_as_plain_attention_in_half_precision(weight, shift):
    compare(*projections(precision=torch.bfloat16), None, weight, shift, 3e-2)


@pytest.mark.parametrize("structure", ["weighted", "additive", "alone"])
def test_mixed_precision_and_a_network_in_half_precision(structure):
    torch.manual_seed(1)
    part = attentions.make(
        "highlight", AttentionContext(Size(7, 15, 5, 0.0), 0, 1), structure=structure, highlighted_heads=1.0
    )
    states = torch.randn(BATCH, LENGTH, 15)
    exact = part(states, None, PLACES)
    with torch.autocast("cpu", torch.bfloat16):
        mixed = part(states, None, PLACES)
    mixed.sum().backward()
    half = part.bfloat16()(states.bfloat16(), None, PLACES)
    for one in (mixed, half):
        assert one.dtype == torch.bfloat16
        assert (one - exact).abs().max() < 0.02


@pytest.mark.parametrize("masked", [False, True])
def test_a_device_without_the_kernel_has_the_same_numbers(masked, monkeypatch):
    torch.manual_seed(1)
    part = attentions.make("highlight", AttentionContext(Size(7, 15, 5, 0.0), 0, 1), highlighted_heads=[0, 3])
    mask = torch.arange(LENGTH) >= torch.tensor([[LENGTH], [13]]) if masked else None
    states = torch.randn(BATCH, LENGTH, 15)
    sparse = part(states, mask, PLACES)
    by_sparse = torch.autograd.grad(sparse.square().sum(), list(part.parameters()))
    monkeypatch.setattr(highlight, "attend_biased", attend_biased_densely)
    densely = part(states, mask, PLACES)
    by_dense = torch.autograd.grad(densely.square().sum(), list(part.parameters()))
    for one, other in zip((sparse, *by_sparse), (densely, *by_dense), strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_what_it_is_given_is_not_changed():
    query, key, value = (one.detach() for one in projections())
    before = [one.clone() for one in (query, key, value)]
    blocks = blocks_of(PLACES, LENGTH, "max", None)
    with torch.inference_mode():
        attend_biased(
            query, key, value, None, CHOSEN, blocks, [block.score[:, None].expand(-1, 2, -1, -1) for block in blocks]
        )
    assert all(torch.equal(one, other) for one, other in zip((query, key, value), before, strict=True))
