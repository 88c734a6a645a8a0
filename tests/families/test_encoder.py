"""The contract of encoders, over every file in the folder."""

import pytest
from members import every_example

torch = pytest.importorskip("torch")

from nutgraf.model.encoder import encoders  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from sources import encode, padded  # noqa: E402

BATCH, LENGTH, WIDTH, HEADS = 2, 11, 14, 2
SHORT = 7

every = every_example(encoders)


def make(choice, dropout=0.0):
    torch.manual_seed(3)
    return encoders.build(choice, Size(23, WIDTH, HEADS, dropout))


def embedded():
    torch.manual_seed(5)
    return torch.randn(BATCH, LENGTH, WIDTH)


def short(length=LENGTH):
    """The mask where the second source has SHORT words."""
    return torch.arange(length) >= torch.tensor([[length], [SHORT]])


@every
def test_each_word_has_a_state(choice):
    encoder = make(choice)
    states = encode(encoder, embedded(), short()).encoder_hidden_states
    assert states.shape == (BATCH, LENGTH, encoder.hidden_size)


@every
def test_a_mask_of_nothing_is_no_mask(choice):
    encoder = make(choice)
    assert torch.allclose(
        encode(encoder, embedded(), short() & False).encoder_hidden_states,
        encode(encoder, embedded(), None).encoder_hidden_states,
        atol=1e-6,
    )


@every
def test_what_stands_in_the_padding_changes_nothing(choice):
    encoder, given = make(choice), embedded()
    other = given.clone()
    other[1, SHORT:] = 100.0
    found, expected = (encode(encoder, one, short()).encoder_hidden_states for one in (other, given))
    assert torch.allclose(found[0], expected[0], atol=1e-6)
    assert torch.allclose(found[1, :SHORT], expected[1, :SHORT], atol=1e-6)


@every
def test_padding_or_not_is_the_same(choice):
    encoder, given = make(choice), embedded()
    alone = encode(encoder, given[1:, :SHORT], None).encoder_hidden_states
    assert torch.allclose(encode(encoder, given, short()).encoder_hidden_states[1:, :SHORT], alone, atol=1e-5)


@every
def test_sources_do_not_see_each_other(choice):
    encoder, given = make(choice), embedded()
    assert torch.allclose(
        encode(encoder, given, None).encoder_hidden_states[:1],
        encode(encoder, given[:1], None).encoder_hidden_states,
        atol=1e-6,
    )


@every
def test_gradients_reach_every_parameter_and_every_word(choice):
    encoder, given = make(choice), embedded().requires_grad_()
    encode(encoder, given, short()).encoder_hidden_states.pow(3).sum().backward()
    for name, parameter in encoder.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name
    assert given.grad[0].abs().sum(-1).all()
    assert given.grad[1, :SHORT].abs().sum(-1).all()


@every
def test_weights_are_told_for_each_layer(choice):
    encoder = make(choice)
    found = encoder.weights(embedded(), padded(embedded(), short()))
    assert not found or len(found) == choice.config.num_layers
    for weights in found:
        assert weights.shape == (BATCH, HEADS, LENGTH, LENGTH)
        assert torch.allclose(weights.sum(-1), torch.ones(BATCH, HEADS, LENGTH), atol=1e-5)


@every
def test_the_same_seed_drops_the_same(choice):
    encoder, given = make(choice, dropout=0.3), embedded()
    found = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        found.append(encode(encoder, given, None).encoder_hidden_states)
    assert torch.equal(found[0], found[1])
    assert not torch.allclose(found[0], found[2])
