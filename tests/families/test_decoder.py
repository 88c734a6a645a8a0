"""The contract of decoders, over every file in the folder."""

from dataclasses import replace

import pytest
from members import examples, name_of

torch = pytest.importorskip("torch")

from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.coverage import Config as Coverage  # noqa: E402
from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.records import EncoderOutput  # noqa: E402

BATCH, STEPS, SOURCE, SHORT, WIDTH, HEADS = 3, 5, 7, 4, 22, 2

COVERAGE = [
    Coverage("exact", False),
    Coverage("exact", True),
    Coverage("one_pass", False),
    Coverage("one_pass", True),
    Coverage("loss_only", False),
]


def make(choice, coverage=None):
    """Coverage, where there is some, weighs something already."""
    torch.manual_seed(3)
    decoder = decoders.build(choice, DecoderContext(Size(23, WIDTH, HEADS, 0.0), WIDTH, coverage))
    for name, parameter in decoder.named_parameters():
        if name == "coverage.weight":
            torch.nn.init.normal_(parameter)
    return decoder


def cases():
    """Yield every example without coverage, and the first one of each kind with each sort of coverage that it takes."""
    covered = set()
    for choice in examples(decoders):
        yield pytest.param(choice, None, id=name_of(choice))
        for coverage in COVERAGE if choice.kind not in covered else ():
            try:
                make(choice, coverage)
            except PresetError:
                continue
            way = f"{coverage.mode}-{'each' if coverage.per_head else 'mean'}"
            yield pytest.param(choice, coverage, id=f"{name_of(choice)}-{way}")
        covered.add(choice.kind)


every = pytest.mark.parametrize(("choice", "coverage"), [*cases()])


def embedded():
    torch.manual_seed(5)
    return torch.randn(BATCH, STEPS, WIDTH)


def encoder_output():
    """The second source has SHORT words; each text has a desired length, sentences and sections."""
    torch.manual_seed(6)
    mask = torch.arange(SOURCE) >= torch.tensor([[SOURCE], [SHORT], [SOURCE]])
    states, length = torch.randn(BATCH, SOURCE, WIDTH), torch.tensor([4, 6, 5])
    sentences = torch.tensor([[0, 0, 1, 1, 1, 2, 3], [0, 1, 1, 2, 0, 0, 0], [0, 0, 0, 0, 0, 1, 1]])
    sections = torch.tensor([[0, 0, 1, 1, 1, 2, 2], [0, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1, 1]])
    words = torch.full((BATCH, SOURCE), 4)
    return EncoderOutput(states, mask, words, desired_length=length, sentences=sentences, sections=sections)


@every
def test_shapes(choice, coverage):
    decoder = make(choice, coverage)
    decoded = decoder(embedded(), encoder_output(), True)
    assert decoded.hidden_states.shape == (BATCH, STEPS, decoder.hidden_size)
    assert decoded.inputs.shape == decoded.context.shape == (BATCH, STEPS, WIDTH)
    assert decoded.copy_features.shape == (BATCH, STEPS, decoder.copy_features_dim)
    assert decoded.cross_attention.shape == (BATCH, STEPS, SOURCE)


@every
def test_attention_over_the_source_sums_to_one_and_not_over_its_padding(choice, coverage):
    attention = make(choice, coverage)(embedded(), encoder_output(), True).cross_attention
    assert torch.allclose(attention.sum(-1), torch.ones(BATCH, STEPS))
    assert not attention[1, :, SHORT:].any()


@every
def test_attention_is_told_only_if_wanted(choice, coverage):
    decoder = make(choice, coverage)
    with_it, without = (decoder(embedded(), encoder_output(), weights) for weights in (True, False))
    assert without.cross_attention is None
    assert torch.equal(with_it.hidden_states, without.hidden_states)


@every
@pytest.mark.parametrize("at", range(1, STEPS))
def test_later_words_change_nothing_earlier(choice, coverage, at):
    decoder, given = make(choice, coverage), embedded()
    other = given.clone()
    other[:, at:] *= -1
    found, expected = (decoder(one, encoder_output(), True) for one in (other, given))
    assert torch.allclose(found.hidden_states[:, :at], expected.hidden_states[:, :at], atol=1e-6)
    assert torch.allclose(found.cross_attention[:, :at], expected.cross_attention[:, :at], atol=1e-6)
    assert not torch.allclose(found.hidden_states[:, at], expected.hidden_states[:, at], atol=1e-3)


@every
def test_what_stands_in_the_sources_padding_changes_nothing(choice, coverage):
    decoder, given = make(choice, coverage), encoder_output()
    states = given.encoder_hidden_states.clone()
    states[1, SHORT:] = 100.0
    other = replace(given, encoder_hidden_states=states)
    assert torch.allclose(
        decoder(embedded(), other, True).hidden_states, decoder(embedded(), given, True).hidden_states, atol=1e-6
    )


@every
def test_a_source_that_is_all_padding_gets_zeros_and_disturbs_no_other(choice, coverage):
    """In training and in search: nothing is copied from it, nothing of it comes into the context."""
    decoder, given = make(choice, coverage), encoder_output()
    states = given.encoder_hidden_states.requires_grad_()
    mask = given.key_padding_mask.index_fill(0, torch.tensor([1]), True)
    empty = replace(given, key_padding_mask=mask)
    found, expected = (decoder(embedded(), one, True) for one in (empty, given))
    assert found.cross_attention[1].count_nonzero() == 0
    for name in ("hidden_states", "cross_attention", "context"):
        assert torch.allclose(getattr(found, name)[[0, 2]], getattr(expected, name)[[0, 2]], atol=1e-6)
    (found.hidden_states.pow(3).sum() + found.cross_attention.pow(2).sum()).backward()
    assert states.grad.isfinite().all()
    assert states.grad[1].count_nonzero() == 0
    assert all(one.grad.isfinite().all() for one in decoder.parameters() if one.grad is not None)
    with torch.no_grad():
        decoder.eval()
        after = decoder.step(embedded()[:, :1], empty, decoder.start(empty, 1), True)
    assert after.cross_attention[1].count_nonzero() == 0
    assert torch.allclose(after.hidden_states, decoder(embedded()[:, :1], empty, True).hidden_states, atol=1e-5)


@every
def test_coverage_changes_the_attention_unless_it_is_for_the_loss_only(choice, coverage):
    """Its parameters are drawn at random, the others are those of the same decoder without it."""
    if coverage is None:
        return
    plain, covering = make(choice), make(choice, coverage)
    own = covering.state_dict().keys() - plain.state_dict().keys()
    for name in sorted(own):
        torch.nn.init.normal_(covering.get_parameter(name))
    covering.load_state_dict(plain.state_dict(), strict=False)
    found, expected = (one(embedded(), encoder_output(), True).cross_attention for one in (covering, plain))
    assert torch.allclose(found, expected, atol=1e-5) == (coverage.mode == "loss_only")


@every
def test_gradients_reach_every_parameter(choice, coverage):
    decoder = make(choice, coverage)
    decoded = decoder(embedded(), encoder_output(), True)
    (decoded.hidden_states.pow(3).sum() + decoded.cross_attention.pow(2).sum()).backward()
    for name, parameter in decoder.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name


@every
@pytest.mark.parametrize("beams", [1, 2])
def test_step_by_step_is_all_at_once(choice, coverage, beams):
    decoder, given, source = make(choice, coverage).eval(), embedded(), encoder_output()
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
def test_a_hypothesis_goes_on_from_its_parent_and_documents_leave(choice, coverage):
    """Two hypotheses begin differently; after the first step both go on from the second. The document in the middle
    leaves."""
    decoder, source = make(choice, coverage).eval(), encoder_output()
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
