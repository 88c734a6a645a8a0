"""The contract of decoders, over every file in the folder."""

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from nutgraf.model.coverage import Config as Coverage  # noqa: E402
from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.records import EncoderOutput  # noqa: E402

BATCH, STEPS, SOURCE, SHORT, WIDTH, HEADS = 3, 5, 7, 4, 22, 2

FORMS = [
    *(
        (
            "transformer",
            {"num_layers": 2, "ffn_dim": 13, "norm": norm, "activation": activation, "copy_attention": pointing},
        )
        for norm, activation in (("pre", "relu"), ("post", "gelu"))
        for pointing in ("first", "mean", "summed")
    ),
    *(
        (
            "convolutional",
            {
                "num_layers": 2,
                "channels": 13,
                "kernel_size": kernel,
                "output_dim": 17,
                "copy_attention": pointing,
                **told,
            },
        )
        for kernel, pointing, told in ((3, "last", {}), (2, "mean", {"length_unit": 5.0}))
    ),
    ("recurrent", {"hidden_size": 19, "attention_dim": 13}),
    ("recurrent", {"hidden_size": 19, "attention_dim": 13, "length_unit": 5.0}),
    *(
        (
            "lstm_transformer",
            {"num_layers": 2, "ffn_dim": 13, "norm": norm, "lstm": lstm, "position_embedding": positions},
        )
        for norm, lstm, positions in (
            ("post", "before", "sinusoidal"),
            ("pre", "within", "none"),
            ("pre", "alone", "none"),
        )
    ),
    *(
        (kind, {"num_layers": 2, "ffn_dim": 13, "copy_attention": "mean", "coverage": Coverage(way, heads == "each")})
        for kind, way, heads in (
            ("transformer", "exact", "mean"),
            ("lstm_transformer", "exact", "each"),
            ("transformer", "one_pass", "mean"),
            ("transformer", "one_pass", "each"),
            ("lstm_transformer", "loss_only", "mean"),
        )
    ),
]

every = pytest.mark.parametrize(
    ("kind", "options"), FORMS, ids=lambda one: one if isinstance(one, str) else "-".join(map(str, one.values()))
)


def make(kind, options):
    """Coverage, where there is some, weighs something already."""
    torch.manual_seed(3)
    options = dict(options)
    decoder = decoders.make(
        kind, DecoderContext(Size(23, WIDTH, HEADS, 0.0), WIDTH, options.pop("coverage", None)), **options
    )
    for name, parameter in decoder.named_parameters():
        if name == "coverage.weight":
            torch.nn.init.normal_(parameter)
    return decoder


def embedded():
    torch.manual_seed(5)
    return torch.randn(BATCH, STEPS, WIDTH)


def memory():
    """The second source has SHORT words; each text has a desired length."""
    torch.manual_seed(6)
    mask = torch.arange(SOURCE) >= torch.tensor([[SOURCE], [SHORT], [SOURCE]])
    states, length = torch.randn(BATCH, SOURCE, WIDTH), torch.tensor([4, 6, 5])
    return EncoderOutput(states, mask, torch.full((BATCH, SOURCE), 4), desired_length=length)


def test_every_member_is_tried():
    assert {kind for kind, _ in FORMS} == set(decoders.names())


@every
def test_shapes(kind, options):
    decoder = make(kind, options)
    decoded = decoder(embedded(), memory(), True)
    assert decoded.hidden_states.shape == (BATCH, STEPS, decoder.hidden_size)
    assert decoded.inputs.shape == decoded.context.shape == (BATCH, STEPS, WIDTH)
    assert decoded.copy_features.shape == (BATCH, STEPS, decoder.copy_features_dim)
    assert decoded.cross_attention.shape == (BATCH, STEPS, SOURCE)


@every
def test_attention_over_the_source_sums_to_one_and_not_over_its_padding(kind, options):
    attention = make(kind, options)(embedded(), memory(), True).cross_attention
    assert torch.allclose(attention.sum(-1), torch.ones(BATCH, STEPS))
    assert not attention[1, :, SHORT:].any()


@every
def test_attention_is_told_only_if_wanted(kind, options):
    decoder = make(kind, options)
    with_it, without = (decoder(embedded(), memory(), weights) for weights in (True, False))
    assert without.cross_attention is None
    assert torch.equal(with_it.hidden_states, without.hidden_states)


@every
@pytest.mark.parametrize("at", range(1, STEPS))
def test_later_words_change_nothing_earlier(kind, options, at):
    decoder, given = make(kind, options), embedded()
    other = given.clone()
    other[:, at:] *= -1
    found, expected = (decoder(one, memory(), True) for one in (other, given))
    assert torch.allclose(found.hidden_states[:, :at], expected.hidden_states[:, :at], atol=1e-6)
    assert torch.allclose(found.cross_attention[:, :at], expected.cross_attention[:, :at], atol=1e-6)
    assert not torch.allclose(found.hidden_states[:, at], expected.hidden_states[:, at], atol=1e-3)


@every
def test_what_stands_in_the_sources_padding_changes_nothing(kind, options):
    decoder, given = make(kind, options), memory()
    states = given.encoder_hidden_states.clone()
    states[1, SHORT:] = 100.0
    other = replace(given, encoder_hidden_states=states)
    assert torch.allclose(
        decoder(embedded(), other, True).hidden_states, decoder(embedded(), given, True).hidden_states, atol=1e-6
    )


@every
def test_gradients_reach_every_parameter(kind, options):
    decoder = make(kind, options)
    decoded = decoder(embedded(), memory(), True)
    (decoded.hidden_states.pow(3).sum() + decoded.cross_attention.pow(2).sum()).backward()
    for name, parameter in decoder.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name


@every
@pytest.mark.parametrize("beams", [1, 2])
def test_step_by_step_is_all_at_once(kind, options, beams):
    decoder, given, source = make(kind, options).eval(), embedded(), memory()
    at_once = decoder(given, source, True)
    state = decoder.start(source, beams)
    for step in range(STEPS):
        here = given[:, step, None].expand(-1, beams, -1)
        found = decoder.step(here, source, state, True)
        for beam in range(beams):
            assert torch.allclose(found.hidden_states[:, beam], at_once.hidden_states[:, step], atol=1e-5)
            assert torch.allclose(found.context[:, beam], at_once.context[:, step], atol=1e-5)
            assert torch.allclose(found.cross_attention[:, beam], at_once.cross_attention[:, step], atol=1e-5)


@every
def test_a_hypothesis_goes_on_from_its_parent_and_documents_leave(kind, options):
    """Two hypotheses begin differently; after the first step both go on from the second. The document in the middle
    leaves."""
    decoder, source = make(kind, options).eval(), memory()
    torch.manual_seed(9)
    first, then = torch.randn(BATCH, 2, WIDTH), torch.randn(BATCH, 2, WIDTH)
    state = decoder.start(source, 2)
    decoder.step(first, source, state, True)
    state.reorder(torch.ones(BATCH, 2, dtype=torch.long))
    stay = torch.tensor([0, 2])
    state.keep(stay)
    found = decoder.step(then[stay], source.keep(stay), state, True)
    for beam in range(2):
        path = torch.stack([first[:, 1], then[:, beam]], 1)
        expected = decoder(path, source, True).hidden_states[stay, 1]
        assert torch.allclose(found.hidden_states[:, beam], expected, atol=1e-5)
