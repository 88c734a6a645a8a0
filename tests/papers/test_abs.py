"""Rush, Chopra and Weston 2015, A Neural Attention Model for Abstractive Sentence Summarization (ABS, ABS+): the
equations, by hand and as plain formulas."""

import math

import pytest

torch = pytest.importorskip("torch")

from nutgraf.decoding.processors import Hypotheses, Limits, SearchContext, processors  # noqa: E402
from nutgraf.decoding.processors.extractive_tuning import features  # noqa: E402
from nutgraf.decoding.search import Config, search  # noqa: E402
from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.coverage import Config as Coverage  # noqa: E402
from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.encoder import encoders  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.records import BOS, EncoderOutput  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from sources import encode  # noqa: E402
from toy_examples import WORDS, Toy, network  # noqa: E402

ABS = {
    "num_heads": 1,
    "d_model": 6,
    "share_embeddings": False,
    "embedding": {"position_embedding": "none", "scale": False},
    "encoder": {"kind": "local_average", "radius": 1},
    "decoder": {"kind": "nnlm", "context_size": 2, "hidden_size": 5},
    "head": {"kind": "generator"},
}


def sigmoid(number):
    return 1 / (1 + math.exp(-number))


def test_values_are_means_of_neighbourhoods():
    """The words 1, 2, 6 and Q = 1: (0 + 1 + 2) / 3, (1 + 2 + 6) / 3, (2 + 6 + 0) / 3."""
    encoder = encoders.make("local_average", Size(23, 1, 1, 0.0), radius=1)
    found = encode(encoder, torch.tensor([[[1.0], [2.0], [6.0]]]))
    assert found.encoder_hidden_states.flatten().tolist() == [1, 2, 6]
    assert found.values.flatten().tolist() == pytest.approx([1, 3, 8 / 3])


def test_the_language_model_by_hand():
    """C = 2, all weights 1. E gives BOS 0.5 and the next word 1, G gives them 0.25 and −1; BOS stands twice before.

    h = tanh(0.5 + 0.5), then tanh(0.5 + 1); the source's words are 1 and 2, so that the second gets σ of the query:
    0.25 + 0.25, then 0.25 − 1; the values are 10 and 20.
    """
    decoder = decoders.make("nnlm", DecoderContext(Size(23, 2, 1, 0.0), 1), context_size=2, hidden_size=1)
    with torch.no_grad():
        for name, one in decoder.named_parameters():
            one.fill_(0.0 if name.endswith("bias") else 1.0)
    source = EncoderOutput(
        torch.tensor([[[1.0], [2.0]]]),
        torch.tensor([[False, False]]),
        torch.tensor([[4, 5]]),
        values=torch.tensor([[[10.0], [20.0]]]),
    )
    decoded = decoder(torch.tensor([[[0.5, 0.25], [1.0, -1.0]]]), source, True)
    shares = [sigmoid(0.5), sigmoid(-0.75)]
    assert decoded.cross_attention[0, :, 1].tolist() == pytest.approx(shares)
    expected = [[math.tanh(1), 10 + 10 * shares[0]], [math.tanh(1.5), 10 + 10 * shares[1]]]
    assert decoded.hidden_states[0].tolist() == [pytest.approx(one, rel=1e-5) for one in expected]


def plain(made, batch):
    """The log probabilities of the labels, word by word as the paper writes them."""
    source, target = made.source_embedding.word_embeddings.weight, made.target_embedding.word_embeddings.weight
    decoder, vocab, size = made.decoder, made.head.vocab_proj, made.decoder.context_size
    rows = []
    for words, wanted, labels in zip(batch.source, batch.decoder_input, batch.labels, strict=True):
        x = source[words[words != 0]]
        n = len(x)
        smooth = torch.stack([sum(x[j] for j in (i - 1, i, i + 1) if 0 <= j < n) / 3 for i in range(n)])
        row = []
        for t, label in enumerate(labels):
            last = [int(wanted[max(0, k)]) for k in range(t - size + 1, t + 1)]
            e = torch.cat([target[word][:3] for word in last])
            g = torch.cat([target[word][3:] for word in last])
            p = torch.exp(x @ decoder.query_proj.weight @ g)
            encoded = decoder.context_proj.weight @ ((p / p.sum()) @ smooth)
            h = torch.tanh(decoder.hidden_proj.weight @ e + decoder.hidden_proj.bias)
            scores = torch.exp(vocab.weight @ torch.cat([h, encoded]) + vocab.bias)[1:]
            row.append((scores[label - 1] / scores.sum()).log() if label else torch.zeros((), dtype=scores.dtype))
        rows.append(torch.stack(row))
    return torch.stack(rows)


def test_the_network_is_the_plain_formula_and_so_are_its_gradients():
    made, batch = network(**ABS).double(), Toy(3).batch([0, 1, 2])
    assert batch.key_padding_mask.any()
    found, expected = made(batch).target_log_probs, plain(made, batch)
    assert torch.allclose(found, expected)
    assert int(batch.decoder_input[0, 0]) == BOS
    weights = dict(made.named_parameters())
    gradients = [torch.autograd.grad(one.sum(), list(weights.values())) for one in (found, expected)]
    for name, one, other in zip(weights, *gradients, strict=True):
        assert torch.allclose(one, other, atol=1e-12), name


def test_features_by_hand():
    """The source is 5 6 7 5 8. After "6 7": 5 ends a bigram and a trigram; 5 and 6 stand before 7. After "… 5": 6 and 8
    end bigrams, "6 5" ends no bigram before them; before the last 5 stand 5, 6 and 7."""
    source, words = torch.tensor([[5, 6, 7, 5, 8, 0]]), (5, 6, 7, 8)
    found = features(source, torch.tensor([[[6, 7], [6, 5]]]))
    assert not found[..., -1].any()

    def with_feature(number, beam):
        return {int(word) for word, has in zip(source[0], found[number, 0, beam], strict=True) if has}

    assert with_feature(0, 0) == set(words)
    assert [with_feature(number, 0) for number in (1, 2, 3)] == [{5}, {5}, {5, 6}]
    assert [with_feature(number, 1) for number in (1, 2, 3)] == [{6, 8}, set(), {5, 6, 7}]


def test_nothing_but_single_words_overlaps_before_the_first_word():
    found = features(torch.tensor([[5, 6, 0]]), torch.zeros(1, 1, 0, dtype=torch.long))
    assert found[0].flatten().tolist() == [True, True, False]
    assert not found[1:].any()


def test_a_word_gets_its_weights_once_however_often_it_occurs():
    """Weights 1, 10, 100, 1000. After 7, in 5 6 7 5 9, the word 5 stands twice before: 1 + 10 + 1000; 6: 1 + 1000."""
    source = torch.tensor([[5, 6, 7, 5, 9]])
    context = SearchContext(source, 9, 11, 0, 9, Limits())
    made = processors.make("extractive_tuning", context, unigram=1.0, bigram=10.0, trigram=100.0, reordered=1000.0)
    scores = torch.zeros(1, 1, 11)
    made(scores, Hypotheses(torch.tensor([[[7]]]), [0], torch.tensor([[False]])))
    expected = {5: 1011, 6: 1001, 7: 1, 9: 1}
    assert scores[0, 0].tolist() == [expected.get(word, 0) for word in range(11)]


def counted(source, summary):
    """How many words of a summary have each feature, by the definitions."""
    places = range(len(source))
    counts = [0, 0, 0, 0]
    for i, word in enumerate(summary):
        before = summary[i - 1] if i else None
        earlier = summary[i - 2] if i > 1 else None
        at = [j for j in places if source[j] == word]
        bigrams = [j for j in at if j and source[j - 1] == before]
        counts[0] += bool(at)
        counts[1] += bool(bigrams)
        counts[2] += any(j > 1 and source[j - 2] == earlier for j in bigrams)
        counts[3] += any(source[k] == before for j in at for k in places if k > j)
    return counts


def test_a_hypothesis_scores_its_log_probability_and_its_weighted_features():
    made, batch = network(**ABS).double().eval(), Toy(3).batch([0, 1, 2])
    weights = {"unigram": 1.5, "bigram": 0.5, "trigram": 0.25, "reordered": 0.75}
    options = {"beam_size": 4, "num_return_sequences": 4, "max_length": 6, "min_length": 6}
    tuned = configure(Config, {**options, "processors": {"extractive_tuning": weights}}, "decoding")
    without = configure(Config, {**options, "processors": {"extractive_tuning": {}}}, "decoding")
    seen = 0
    for row, found in enumerate(search(made, batch, tuned)):
        source = [word for word in batch.source[row].tolist() if word]
        for one in found:
            log_prob = 0.0
            for length in range(len(one.ids) + 1):
                with torch.no_grad():
                    output = made.encode(batch)
                    state = made.start(output, 1)
                    for at in range(length + 1):
                        given = torch.tensor([[one.ids[:at]]] * 3, dtype=torch.long)
                        log_probs = made.step(given, output, state).log_probs[row, 0]
                # At the greatest length nothing but the end is left.
                log_prob += float(log_probs[one.ids[length]]) if length < len(one.ids) else float(log_probs[3])
            counts = counted(source, one.ids)
            seen += counts[1]
            expected = log_prob + sum(w * c for w, c in zip(weights.values(), counts, strict=True))
            assert one.score == pytest.approx(expected)
            assert one.log_prob == pytest.approx(log_prob)
            assert max(one.probabilities) <= 1
    assert seen
    assert [one[0].ids for one in search(made, batch, tuned)] != [one[0].ids for one in search(made, batch, without)]


def test_the_presets_are_the_papers():
    """D = 200 for E and G each, H = 400, C = 5, Q = 2; no word twice, none unknown."""
    config = read("abs").config
    made = Seq2Seq(config.model, WORDS)
    assert made.target_embedding.word_embeddings.weight.shape == (WORDS, 2 * 200)
    assert made.source_embedding.word_embeddings.weight.shape == (WORDS, 400)
    assert made.decoder.hidden_proj.weight.shape == (400, 5 * 200)
    assert made.decoder.query_proj.weight.shape == (400, 5 * 200)
    assert made.encoder.radius == 2
    assert made.bridge is None
    assert config.decoding.unknown == "forbid"
    assert config.decoding.processors["repetition"].config.no_repeat_ngram_size == 1
    plus = read("abs_plus").config
    assert plus.model == config.model
    assert set(plus.decoding.processors) - set(config.decoding.processors) == {"extractive_tuning"}


def test_coverage_is_refused():
    with pytest.raises(PresetError, match="coverage"):
        decoders.make("nnlm", DecoderContext(Size(23, 6, 1, 0.0), 6, Coverage()))
