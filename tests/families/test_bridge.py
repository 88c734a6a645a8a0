"""The contract of bridges, over every file in the folder."""

from dataclasses import replace

import pytest
from members import every_example

torch = pytest.importorskip("torch")

from nutgraf.model.bridge import bridges  # noqa: E402
from nutgraf.model.records import EncoderOutput  # noqa: E402

BATCH, SOURCE, SHORT, WIDTH = 2, 7, 3, 11

every = every_example(bridges)


def make(choice):
    torch.manual_seed(3)
    return bridges.build(choice, WIDTH)


def encoder_output(length=SOURCE, first=0):
    """The second source has SHORT words."""
    torch.manual_seed(6)
    mask = torch.arange(SOURCE) >= torch.tensor([[SOURCE], [SHORT]])
    whole = EncoderOutput(torch.randn(BATCH, SOURCE, WIDTH), mask, torch.full((BATCH, SOURCE), 4))
    rest = slice(first, None), slice(length)
    return replace(
        whole,
        encoder_hidden_states=whole.encoder_hidden_states[rest],
        key_padding_mask=mask[rest],
        source_extended=whole.source_extended[rest],
    )


@every
def test_states_keep_their_shape_and_a_gate_lies_between_0_and_1(choice):
    given = encoder_output()
    found = make(choice)(given)
    assert found.encoder_hidden_states.shape == given.encoder_hidden_states.shape
    assert found.key_padding_mask is given.key_padding_mask
    if found.gate is not None:
        assert found.gate.shape == (BATCH, SOURCE)
        assert ((found.gate >= 0) & (found.gate <= 1)).all()


@every
def test_what_stands_in_the_padding_changes_nothing(choice):
    bridge, given = make(choice), encoder_output()
    states = given.encoder_hidden_states.clone()
    states[1, SHORT:] = 100.0
    found, expected = (bridge(one) for one in (replace(given, encoder_hidden_states=states), given))
    assert torch.allclose(found.encoder_hidden_states[1, :SHORT], expected.encoder_hidden_states[1, :SHORT], atol=1e-6)
    assert (found.gate is None) == (expected.gate is None)
    if found.gate is not None:
        assert torch.allclose(found.gate[1, :SHORT], expected.gate[1, :SHORT], atol=1e-6)


@every
def test_padding_or_not_is_the_same(choice):
    bridge = make(choice)
    alone = bridge(encoder_output(SHORT, first=1))
    assert torch.allclose(
        bridge(encoder_output()).encoder_hidden_states[1:, :SHORT], alone.encoder_hidden_states, atol=1e-6
    )


@every
def test_gradients_reach_every_parameter_and_every_word(choice):
    bridge, given = make(choice), encoder_output()
    given.encoder_hidden_states.requires_grad_()
    bridge(given).encoder_hidden_states[~given.key_padding_mask].pow(3).sum().backward()
    for name, parameter in bridge.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name
    assert given.encoder_hidden_states.grad[~given.key_padding_mask].abs().sum(-1).all()
