"""What is true of the two attentions that ship: both are multi-head attention, and without phrases both are plain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from members import name_of  # noqa: E402
from test_attention import BATCH, LENGTH, inputs, make, phrases_of, places  # noqa: E402

from nutgraf.model.attention import attentions  # noqa: E402
from nutgraf.model.records import Phrases  # noqa: E402

SHIPPED = [choice for kind in ("dot_product", "highlight") for choice in attentions.examples(kind)]

every = pytest.mark.parametrize("choice", SHIPPED, ids=name_of)


@every
@given(found=places, whole=st.booleans())
@settings(max_examples=15)
def test_the_fast_way_is_the_plain_formula(choice, found, whole):
    states, mask = inputs((LENGTH,) * BATCH if whole else (LENGTH, 7, 9))
    part, phrases = make(choice), phrases_of(found)
    states.requires_grad_()
    fast = part(states, mask, phrases)
    value = part.multi_head.project(states)[2]
    plain = part.multi_head.merge(part.weights(states, mask, phrases) @ value)
    assert torch.allclose(fast, plain, atol=1e-5)
    wanted = torch.randn_like(plain)
    given = [states, *part.parameters()]
    by_fast, by_plain = (torch.autograd.grad(one, given, wanted, allow_unused=True) for one in (fast, plain))
    for one, other in zip(by_fast, by_plain, strict=True):
        assert (one is None) == (other is None)
        assert one is None or torch.allclose(one, other, rtol=1e-5, atol=2e-5)


@every
@pytest.mark.parametrize("number", [0, 1])
def test_without_phrases_it_is_plain_attention_to_the_last_bit(choice, number):
    states, mask = inputs()
    part, plain = make(choice, number), make(attentions.choose("dot_product"))
    plain.load_state_dict(part.state_dict(), strict=False)
    empty = phrases_of([(1, 3, 0, 0.5)])
    for phrases in (Phrases.none(), empty):
        assert torch.equal(part(states, mask, phrases), plain(states, mask, phrases))
        assert torch.equal(part.weights(states, mask, phrases), plain.weights(states, mask, phrases))
