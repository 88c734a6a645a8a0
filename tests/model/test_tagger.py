"""A tagger: its probabilities, its likelihood, and where it looks for sentences."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from nutgraf.model.encoder import encoders  # noqa: E402
from nutgraf.model.layers import Size, sinusoids  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, SELECTED, UNSELECTED, Batch, Phrases  # noqa: E402
from nutgraf.model.tagger import Config, Tagger  # noqa: E402
from nutgraf.preparation import labels  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.training.objectives import objectives  # noqa: E402
from sources import encode  # noqa: E402
from toy_examples import padded  # noqa: E402

WORDS, WIDTH = 23, 8
LAYER = {"kind": "transformer", "num_layers": 1, "ffn_dim": 11}
OF_TOKENS = {"encoder": {"kind": "recurrent", "hidden_size": 5, "num_layers": 2}}
OF_SENTENCES = {
    "encoder": LAYER,
    "sentence_encoder": {"kind": "inter_sentence", "ffn_dim": 13},
    "interval_segments": True,
}
SOURCES = [[BOS, 7, 8, 9, EOS, BOS, 10, EOS, BOS, 11, 12, EOS], [BOS, 13, 14, EOS]]
LABELS = [[SELECTED if one == BOS else PAD for one in source] for source in SOURCES]


def tagger(**parts) -> Tagger:
    torch.manual_seed(5)
    options = {"d_model": WIDTH, "num_heads": 2, "dropout": 0.0, "max_positions": 29, **parts}
    made = Tagger(configure(Config, options, "model"), WORDS)
    with torch.no_grad():
        for one in made.parameters():
            one.add_(torch.randn_like(one) * 0.3)
    return made.eval()


def batch(sources, marks=None) -> Batch:
    source = padded(sources)
    target = None if marks is None else padded([[BOS, *one] for one in marks])
    return Batch(source, source, source == PAD, Phrases.none(), 0, target, target)


def test_a_label_has_the_probability_of_being_selected_or_not():
    """A bias of ln 3 and no weights: q = 3/4; the second token is not selected, of the third nothing is asked."""
    network = tagger(**OF_TOKENS)
    with torch.no_grad():
        network.score_proj.weight.zero_()
        network.score_proj.bias.fill_(math.log(3))
    given = batch([[7, 8, 9]], [[SELECTED, UNSELECTED, PAD]])
    trace = network(given)
    assert trace.target_log_probs.tolist() == [pytest.approx([math.log(0.75), math.log(0.25), 0.0])]
    assert network.probabilities(given).tolist() == [pytest.approx([0.75] * 3)]
    loss = objectives.make("likelihood")(network, given, trace)
    assert loss.item() == pytest.approx(-math.log(0.75) - math.log(0.25)), "binary cross-entropy, summed"
    smooth = objectives.make("likelihood", label_smoothing=0.5)(network, given, trace)
    half = -(math.log(0.75) + math.log(0.25)) / 2
    assert smooth.item() == pytest.approx(0.5 * loss.item() + 0.5 * 2 * half)


@pytest.mark.parametrize("parts", [OF_TOKENS, OF_SENTENCES], ids=["tokens", "sentences"])
def test_padding_changes_nothing(parts):
    network = tagger(**parts)
    both = network.probabilities(batch(SOURCES))
    for row, source in enumerate(SOURCES):
        alone = network.probabilities(batch([source]))[0]
        assert torch.allclose(both[row, : len(source)], alone, atol=1e-6)
        assert not both[row, len(source) :].any()


@pytest.mark.parametrize("parts", [OF_TOKENS, OF_SENTENCES], ids=["tokens", "sentences"])
def test_gradients_reach_every_parameter(parts):
    network = tagger(**parts)
    (-network(batch(SOURCES, LABELS)).target_log_probs.sum()).backward()
    for name, parameter in network.named_parameters():
        if name != "score_proj.bias":
            assert parameter.grad is not None, name
            assert parameter.grad.any(), name


def test_sentences_are_rated_from_the_states_of_their_first_tokens():
    """The plain way: one source at a time, its BOS picked out by hand, the sentence encoder run on these."""
    network = tagger(**OF_SENTENCES)
    found = network.probabilities(batch(SOURCES))
    for row, source in enumerate(SOURCES):
        given = batch([source])
        states = network.encoder(network.embed_source(given), given).encoder_hidden_states
        starts = [at for at, token in enumerate(source) if token == BOS]
        above = encode(network.sentence_encoder, states[:, starts]).encoder_hidden_states
        expected = network.score_proj(above)[0, :, 0].sigmoid()
        assert torch.allclose(found[row, starts], expected, atol=1e-6)
        assert [at for at, one in enumerate(found[row].tolist()) if one] == starts


def test_every_second_sentence_has_the_second_segment():
    network = tagger(**OF_SENTENCES)
    words = network.source_embedding.word_embeddings(torch.tensor(SOURCES[:1]))
    plain = network.source_embedding.with_positions(words)
    added = (network.embed_source(batch(SOURCES[:1])) - plain)[0]
    second = network.second_segment * network.source_embedding.scale
    for at in range(len(SOURCES[0])):
        assert torch.allclose(added[at], second if 5 <= at <= 7 else torch.zeros(WIDTH), atol=1e-5), at


def test_the_first_layer_over_sentences_is_given_them_with_their_positions():
    """Without weights in its sub-layers, a layer hands on what it is given; then the last norm follows."""
    made = encoders.make("inter_sentence", Size(WORDS, WIDTH, 2, 0.0), num_layers=1, ffn_dim=3)
    with torch.no_grad():
        for one in made.layers.parameters():
            one.zero_()
    given = torch.randn(1, 5, WIDTH)
    expected = torch.nn.functional.layer_norm(given + sinusoids(5, WIDTH), (WIDTH,), eps=1e-6)
    assert torch.allclose(encode(made, given).encoder_hidden_states, expected, atol=1e-5)
    assert "layers.0.self_attention_residual.norm.weight" not in made.state_dict()


def test_the_labels_are_the_same_for_words_and_for_numbers():
    assert (labels.UNSELECTED, labels.SELECTED) == (UNSELECTED, SELECTED)
