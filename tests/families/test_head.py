"""The contract of heads, over every file in the folder."""

from dataclasses import replace

import pytest
from members import every_example

torch = pytest.importorskip("torch")

from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.head import HeadContext, heads  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, UNK, Batch, DecoderOutput, EncoderOutput, Phrases, SelfAttentionGraph  # noqa: E402

WORDS, WIDTH, EXTRA = 11, 7, 2
SIZE = Size(WORDS, WIDTH, 1, 0.0)
SOURCE = torch.tensor([[5, 7, 5, 9, 1], [4, 1, 1, PAD, PAD]])
EXTENDED = torch.tensor([[5, 7, 5, 9, WORDS], [4, WORDS, WORDS + 1, PAD, PAD]])
# Known and in the source twice, unknown and in the source, known and elsewhere; the second target is shorter.
TARGET = torch.tensor([[BOS, 5, WORDS, 8, EOS], [BOS, WORDS + 1, EOS, PAD, PAD]])

every = every_example(heads)


def make(choice):
    torch.manual_seed(3)
    decoder = decoders.make("transformer", DecoderContext(SIZE, WIDTH, None))
    return heads.build(choice, HeadContext(SIZE, decoder, WIDTH))


def batch():
    within = TARGET.masked_fill(TARGET >= WORDS, UNK)
    return Batch(SOURCE, EXTENDED, SOURCE == PAD, Phrases.none(), EXTRA, within, TARGET)


def decoded(head, padding=SOURCE == PAD):
    """Decoder states for all steps of the targets, with what the head has made of the sources."""
    torch.manual_seed(4)
    states, inputs, context = (torch.randn(2, 4, WIDTH, requires_grad=True) for _ in range(3))
    scores = torch.randn(2, 4, SOURCE.shape[1]).masked_fill((SOURCE == PAD)[:, None], -torch.inf)
    state = head.start(encoder_output(padding), 1) if head.carries_state else None
    return DecoderOutput(states, inputs, context, scores.softmax(-1), head_state=state)


def step(one, at):
    """What the decoder hands over in search at a step, with one hypothesis a document."""
    here = slice(at, at + 1)
    parts = {name: getattr(one, name)[:, here] for name in ("hidden_states", "inputs", "context", "cross_attention")}
    return replace(one, **parts)


def encoder_output(padding=SOURCE == PAD):
    torch.manual_seed(5)
    query, key = torch.randn(2, 2, 1, SOURCE.shape[1], WIDTH)
    graph = SelfAttentionGraph(query, key, padding)
    return EncoderOutput(torch.randn(2, SOURCE.shape[1], WIDTH), padding, EXTENDED, EXTRA, graph=graph)


def log_probs_of(head, last):
    """`log_probs` at a step, [batch, extended], after all steps before it."""
    whole, source = decoded(head), encoder_output()
    for at in range(last + 1):
        log_probs = head.distribution(step(whole, at), source, TARGET[:, None, 1 : at + 1]).log_probs
    return log_probs[:, 0]


@every
def test_probabilities_sum_to_one_and_padding_is_never_said(choice):
    for at in range(4):
        log_probs = log_probs_of(make(choice), at)
        assert log_probs.shape == (2, WORDS + EXTRA)
        assert torch.allclose(log_probs.exp().sum(-1), torch.ones(2), atol=1e-6)
        assert (log_probs[:, PAD] == -torch.inf).all()


@every
def test_they_sum_to_one_without_unknown_words_too(choice):
    head = make(choice)
    known = EncoderOutput(torch.zeros(2, 5, WIDTH), SOURCE == PAD, SOURCE, 0)
    log_probs = head.distribution(step(decoded(head), 0), known, TARGET[:, None, :0]).log_probs
    assert log_probs.shape == (2, 1, WORDS)
    assert torch.allclose(log_probs.exp().sum(-1), torch.ones(2, 1), atol=1e-6)


@every
def test_in_training_a_wanted_word_is_as_likely_as_in_search(choice):
    """A word that the head cannot say counts as UNK."""
    head = make(choice)
    found = head.likelihood(decoded(head), batch()).target_log_probs
    for at in range(4):
        log_probs = log_probs_of(head, at)
        wanted = TARGET[:, at + 1]
        if not head.needs_attention:
            wanted = wanted.masked_fill(wanted >= WORDS, UNK)
        expected = log_probs.gather(1, wanted[:, None]).squeeze(1).masked_fill(wanted == PAD, 0)
        assert torch.allclose(found[:, at], expected, atol=1e-5)


@every
@pytest.mark.parametrize(
    ("written", "kept"),
    [(5, [0, 1, 2, 3, 4]), (7, [0, 1, 2, 4]), (9, [0, 1, 2, 4]), (None, [0, 1, 2, 4])],
    ids=["behind its beginning", "behind another word", "behind itself", "at the start"],
)
def test_a_word_is_copied_from_its_beginning(choice, written, kept):
    """The source is "5 7 5+9 x": place 3 goes on with the word that place 2 begins."""
    head = make(choice)
    inside = torch.zeros(2, 5, dtype=torch.bool)
    inside[0, 3] = True
    text = torch.tensor([[[] if written is None else [written]]] * 2, dtype=torch.long)
    given = encoder_output()
    free, whole = (
        head.distribution(step(decoded(head), 0), output, text)
        for output in (given, replace(given, inside_word=inside))
    )
    assert torch.allclose(whole.log_probs.exp().sum(-1), torch.ones(2, 1), atol=1e-6)
    assert torch.equal(whole.log_probs[1], free.log_probs[1])
    if head.needs_attention:
        expected = torch.zeros(5)
        expected[kept] = free.cross_attention[0, 0, kept] / free.cross_attention[0, 0, kept].sum()
        assert torch.allclose(whole.cross_attention[0, 0], expected, atol=1e-6)


@every
def test_padding_has_no_likelihood_and_no_gradient(choice):
    head = make(choice)
    given = decoded(head)
    trace = head.likelihood(given, batch())
    assert not trace.target_log_probs[1, 2:].any()
    assert not trace.mean_log_probs[1, 2:].any()
    trace.target_log_probs.sum().backward()
    assert not given.hidden_states.grad[1, 2:].any()


@every
def test_nothing_is_copied_from_a_source_that_is_all_padding(choice):
    """Its attention is zero: likelihoods and gradients are finite, and no word gains by it."""
    head, padded = make(choice), SOURCE == PAD
    padded[1] = True
    given = decoded(head, padded)
    attention = given.cross_attention.detach().masked_fill(padded[:, None], 0).requires_grad_()
    empty = replace(given, cross_attention=attention)
    prepared = head.prepare(encoder_output(padded))
    trace = head.likelihood(empty, replace(batch(), key_padding_mask=padded))
    assert trace.target_log_probs.isfinite().all()
    (trace.target_log_probs.sum() + trace.mean_log_probs.sum()).backward()
    for one in (given.hidden_states, attention, *head.parameters()):
        assert one.grad is None or one.grad.isfinite().all()
    search = head.distribution(step(empty, 0), prepared, TARGET[:, None, 1:1])
    assert not search.log_probs.isnan().any()
    assert (search.log_probs[1, :, WORDS:] == -torch.inf).all(), "words that only the source has"
    if prepared.centrality is not None:
        assert prepared.centrality.sum(-1).tolist() == pytest.approx([1.0, 0.0])
        assert prepared.guided_keys is None or prepared.guided_keys[1].count_nonzero() == 0


@every
def test_gradients_reach_every_parameter(choice):
    head = make(choice)
    guide = head.prepare(encoder_output()).guided_keys
    found = head.likelihood(decoded(head), batch()).target_log_probs.sum()
    (found if guide is None else found + guide.sum()).backward()
    for name, parameter in head.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name


@every
def test_smoothing_is_the_mean_of_the_vocabularys_log_probabilities(choice):
    head = make(choice)
    given = decoded(head)
    logits = head.vocab_proj(given.hidden_states)
    logits[..., PAD] = -torch.inf
    expected = logits.log_softmax(-1)[..., PAD + 1 :].mean(-1).masked_fill(batch().labels_mask, 0)
    assert torch.allclose(head.likelihood(given, batch()).mean_log_probs, expected, atol=1e-5)


@every
def test_what_a_head_adds_to_the_memory_is_of_words_and_not_of_padding(choice):
    head = make(choice)
    prepared = head.prepare(encoder_output())
    assert (prepared.centrality is not None) == head.needs_graph
    if prepared.centrality is not None:
        assert torch.allclose(prepared.centrality.sum(-1), torch.ones(2), atol=1e-5)
        assert not prepared.centrality[1, 3:].any()
    if prepared.guided_keys is not None:
        assert prepared.guided_keys.shape == (2, SOURCE.shape[1], WIDTH)
        assert not prepared.guided_keys.any(), "as if there were none, before training"


@every
def test_only_heads_that_copy_say_words_of_the_source_alone(choice):
    head = make(choice)
    log_probs = log_probs_of(head, 0)
    assert head.needs_attention == bool(torch.isfinite(log_probs[0, WORDS]))
    assert log_probs[0, WORDS + 1] == -torch.inf  # no word of the first source


@every
def test_attention_in_half_precision_is_copied_with_too(choice):
    """As search under autocast has it, at a validation."""
    head = make(choice).eval()
    one, half = (step(decoded(head), 0) for _ in range(2))
    half = replace(half, cross_attention=half.cross_attention.bfloat16())
    found, expected = (
        head.distribution(given, encoder_output(), TARGET[:, None, :0]).log_probs.exp() for given in (half, one)
    )
    assert torch.allclose(found, expected, atol=0.02)
