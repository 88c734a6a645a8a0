"""Scheduled sampling: some given words are the network's own."""

import pytest

torch = pytest.importorskip("torch")

from nutgraf.model.records import BOS, EOS, PAD  # noqa: E402
from nutgraf.training.sampling import sampled  # noqa: E402
from tiny_network import build, tiny  # noqa: E402

PRESETS = ("lstm_transformer", "selective", "pointer_generator")


@pytest.fixture(scope="module", params=PRESETS)
def learner(request, tmp_path_factory):
    """A network without training, and what it is to learn."""
    network, batch, _ = build(tmp_path_factory.mktemp(request.param) / "made", tiny(request.param))
    return network, batch


def test_without_a_chance_nothing_changes(learner):
    network, batch = learner
    assert torch.equal(sampled(network, batch, 0.0).target, batch.target)


def test_with_certainty_every_word_is_what_was_likeliest_a_step_before(learner):
    network, batch = learner
    found = sampled(network, batch, 1.0)
    memory = network.encode(batch)
    for example in range(len(batch.target)):
        words = int((~batch.labels_mask[example]).sum())
        one = torch.tensor([example])
        state = network.decoder.start(memory.keep(one), 1)
        for step in range(words - 1):
            # What the decoder is given here are the target's words, not its own.
            embedded = network.target_embedding.at(batch.decoder_input[one, step, None], step)
            decoded = network.decoder.step(embedded, memory.keep(one), state, True)
            scores = network.head.vocab_proj(decoded.hidden_states)[0, 0]
            scores[[PAD, BOS]] = -torch.inf
            assert found.decoder_input[example, step + 1] == scores.argmax()
        assert torch.equal(found.target[example, words:], batch.target[example, words:])


def test_what_is_wanted_stays_and_every_target_begins_with_start(learner):
    network, batch = learner
    found = sampled(network, batch, 1.0)
    assert torch.equal(found.labels, batch.labels)
    assert (found.decoder_input[:, 0] == BOS).all()
    assert (batch.labels == EOS).any()


def test_a_chance_takes_some(learner):
    network, batch = learner
    torch.manual_seed(4)
    changed = (sampled(network, batch, 0.5).decoder_input != batch.decoder_input).sum()
    torch.manual_seed(4)
    assert changed == (sampled(network, batch, 0.5).decoder_input != batch.decoder_input).sum(), "the seed decides"
    assert 0 < changed < (sampled(network, batch, 1.0).decoder_input != batch.decoder_input).sum()
