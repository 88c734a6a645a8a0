"""Nallapati et al. 2016 (words-lvt2k-temp-att): temporal attention and the large-vocabulary trick, by hand and as plain
formulas."""

import math

import pytest

torch = pytest.importorskip("torch")

from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.coverage import Config as Coverage  # noqa: E402
from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.head import HeadContext, heads  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.records import BOS, EOS, PAD, UNK, Batch, DecoderOutput, EncoderOutput, Phrases  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.model.temporal import accumulated, temporal_scores  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402

BATCH, STEPS, SOURCE, SHORT, WORDS = 2, 5, 7, 3, 12


def test_temporal_attention_by_hand():
    """Exponentiated scores (1, 2), (3, 4), (8, 6): divided by nothing, by (1, 2), by (4, 6)."""
    scores = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [8.0, 6.0]]]).log()
    expected = torch.tensor([[[1 / 3, 2 / 3], [3 / 5, 2 / 5], [2 / 3, 1 / 3]]])
    assert torch.allclose(temporal_scores(scores).softmax(-1), expected)
    past = None
    for step in range(3):
        here = scores[:, step : step + 1]
        found = (here if past is None else here - past).softmax(-1)
        assert torch.allclose(found, expected[:, step : step + 1])
        past = accumulated(past, here)
    assert torch.allclose(past.exp(), torch.tensor([[[12.0, 12.0]]]))


def test_scores_too_large_for_an_exponential_are_no_trouble():
    scores = torch.tensor([[[900.0, 900 + math.log(2)], [900 + math.log(3), 900 + math.log(4)]]], requires_grad=True)
    weights = temporal_scores(scores).softmax(-1)
    assert weights[0, 1].tolist() == pytest.approx([3 / 5, 2 / 5], abs=1e-4)
    weights[0, 1, 0].backward()
    assert scores.grad.isfinite().all()


def decoder_and_sources():
    torch.manual_seed(2)
    decoder = decoders.make(
        "gru",
        DecoderContext(Size(23, 5, 1, 0.0), 6),
        hidden_size=4,
        attention_dim=3,
        maxout_pool_size=1,
        temporal_attention=True,
    )
    decoder.double()
    mask = torch.arange(SOURCE) >= torch.tensor([[SOURCE], [SHORT]])
    states = torch.randn(BATCH, SOURCE, 6, dtype=torch.double, requires_grad=True)
    return decoder, states, EncoderOutput(states, mask, torch.full((BATCH, SOURCE), 4))


def plain(decoder, states, mask, embedded):
    """The decoder's equations, one word of one example at a time: states that words are read from, and attention."""
    attention, cell = decoder.cross_attention, decoder.gru
    outputs, weights = [], []
    for source, hidden_places, words in zip(states, mask, embedded, strict=True):
        h = source[~hidden_places]
        s = torch.tanh(decoder.hidden_init(h.mean(0)))
        context, total = torch.zeros_like(h[0]), None
        for x in words:
            s = cell(torch.cat([x, context])[None], s[None])[0]
            e = torch.tanh(attention.key_proj(h) + attention.query_proj(s)) @ attention.score_weight
            raised = e.exp() if total is None else e.exp() / total
            total = e.exp() if total is None else total + e.exp()
            a = raised / raised.sum()
            context = a @ h
            outputs.append(decoder.readout(torch.cat([x, context, s])))
            weights.append(torch.cat([a, a.new_zeros(SOURCE - len(a))]))
    return torch.stack(outputs).view(BATCH, STEPS, -1), torch.stack(weights).view(BATCH, STEPS, -1)


def test_the_decoder_is_the_plain_formula_and_so_are_its_gradients():
    decoder, states, source = decoder_and_sources()
    embedded = torch.randn(BATCH, STEPS, 5, dtype=torch.double)
    decoded = decoder(embedded, source, True)
    outputs, weights = plain(decoder, states, source.key_padding_mask, embedded)
    assert torch.allclose(decoded.hidden_states, outputs)
    assert torch.allclose(decoded.cross_attention, weights)
    given = [states, *decoder.parameters()]
    found, expected = (
        torch.autograd.grad(one.pow(3).sum() + other.pow(2).sum(), given)
        for one, other in ((decoded.hidden_states, decoded.cross_attention), (outputs, weights))
    )
    for one, other in zip(found, expected, strict=True):
        assert torch.allclose(one, other, atol=1e-10)


def test_a_hypothesis_remembers_what_its_own_parent_attended_to():
    decoder, _, source = decoder_and_sources()
    first, then = torch.randn(2, BATCH, 2, 5, dtype=torch.double)
    with torch.no_grad():
        state = decoder.start(source, 2)
        decoder.step(first, source, state, True)
        state.reorder(torch.tensor([[1, 0], [1, 1]]))
        found = decoder.step(then, source, state, True).cross_attention
        for document, parents in enumerate(([1, 0], [1, 1])):
            for beam, parent in enumerate(parents):
                path = torch.stack([first[document, parent], then[document, beam]]).expand(BATCH, -1, -1)
                expected = decoder(path, source, True).cross_attention[document, 1]
                assert torch.allclose(found[document, beam], expected)


def test_temporal_attention_takes_the_place_of_coverage():
    with pytest.raises(PresetError, match="coverage"):
        decoders.make("gru", DecoderContext(Size(23, 5, 1, 0.0), 6, Coverage()), temporal_attention=True)


def head_and_batch():
    """Two sources with 5, 9 and 5, 10; of 12 words 8 take part: 4 special ones, these, and 4, the most frequent."""
    torch.manual_seed(3)
    size = Size(WORDS, 6, 1, 0.0)
    decoder = decoders.make("gru", DecoderContext(size, 6), hidden_size=6, maxout_pool_size=1, attention_dim=3)
    head = heads.make("large_vocabulary", HeadContext(size, decoder, 6), num_words=8).double()
    source = torch.tensor([[9, 5, 9, UNK], [10, 5, PAD, PAD]])
    extended = source.masked_fill(source == UNK, WORDS)
    target = torch.tensor([[BOS, 9, 7, WORDS, EOS], [BOS, 9, 4, EOS, PAD]])
    within = target.masked_fill(target >= WORDS, UNK)
    batch = Batch(source, extended, source == PAD, Phrases.none(), 1, within, target)
    states = torch.randn(2, 4, 6, dtype=torch.double)
    return head, batch, DecoderOutput(states, states, states)


def test_in_training_the_words_are_those_of_the_batch():
    """The first label of the second example is the other source's word; 7 and the unknown word are UNK."""
    head, batch, decoded = head_and_batch()
    trace = head.likelihood(decoded, batch)
    words = [PAD, UNK, BOS, EOS, 4, 5, 9, 10]
    logits = head.vocab_proj(decoded.hidden_states)[..., words]
    logits[..., 0] = -torch.inf
    log_probs = logits.log_softmax(-1)
    labels = torch.tensor([[9, UNK, UNK, EOS], [9, 4, EOS, PAD]])
    rows = torch.tensor([[words.index(word) for word in row] for row in labels.tolist()])
    padding = labels == PAD
    expected = log_probs.gather(-1, rows[..., None]).squeeze(-1).masked_fill(padding, 0)
    assert torch.allclose(trace.target_log_probs, expected)
    assert torch.allclose(trace.mean_log_probs, log_probs[..., 1:].mean(-1).masked_fill(padding, 0))
    trace.target_log_probs.sum().backward()
    others = [word for word in range(WORDS) if word not in words]
    assert not head.vocab_proj.weight.grad[others].any()
    assert head.vocab_proj.weight.grad[words[1:]].abs().sum(-1).all()


def test_in_search_they_are_those_of_the_document():
    """5 and 9, or 5 and 10; with the special words these are six, so that 4 and 6 complete them."""
    head, batch, decoded = head_and_batch()
    source = EncoderOutput(torch.zeros(2, 4, 6), batch.key_padding_mask, batch.source_extended, 1)
    log_probs = head.distribution(decoded, source, torch.zeros(2, 4, 0, dtype=torch.long)).log_probs
    assert torch.allclose(log_probs.exp().sum(-1), torch.ones(2, 4, dtype=torch.double))
    for row, own in enumerate((9, 10)):
        said = {word for word, one in enumerate(log_probs[row, 0].tolist()) if one > -math.inf}
        assert said == {UNK, BOS, EOS, 4, 5, 6, own}
    alone = head.distribution(
        DecoderOutput(*[decoded.hidden_states[1:]] * 3),
        source.keep(torch.tensor([1])),
        torch.zeros(1, 4, 0, dtype=torch.long),
    )
    assert torch.allclose(alone.log_probs, log_probs[1:])


def test_sources_with_more_words_than_that_keep_them_all():
    head, batch, decoded = head_and_batch()
    head.num_words = 2
    source = EncoderOutput(torch.zeros(2, 4, 6), batch.key_padding_mask, batch.source_extended, 1)
    log_probs = head.distribution(decoded, source, torch.zeros(2, 4, 0, dtype=torch.long)).log_probs
    assert {word for word, one in enumerate(log_probs[0, 0].tolist()) if one > -math.inf} == {UNK, BOS, EOS, 5, 9}


def test_the_preset_is_the_papers_network():
    config = read("words_lvt2k_temp_att").config
    made = Seq2Seq(config.model, 29)
    assert made.encoder.hidden_size == 2 * 200
    assert made.source_embedding.word_embeddings.weight.shape == (29, 100)
    assert made.decoder.gru.hidden_size == 200
    assert made.decoder.temporal
    assert made.head.num_words == 2000
    assert (config.training.optimizer.kind, config.training.batch_size) == ("adadelta", 50)
    assert (config.truncation.source, config.truncation.target, config.decoding.beam_size) == (800, 100, 5)
