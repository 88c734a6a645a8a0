"""Zhou et al. 2017, Selective Encoding for Abstractive Sentence Summarization (SEASS): the equations, by hand. Its gate
is in `test_selective.py`, its attention in `test_pointer_generator.py`."""

import math

import pytest

torch = pytest.importorskip("torch")

from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence  # noqa: E402

from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.encoder import encoders  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.records import EncoderOutput  # noqa: E402
from nutgraf.model.seq2seq import Seq2Seq  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from sources import encode  # noqa: E402

BATCH, SOURCE, SHORT, INPUT, HIDDEN = 2, 7, 5, 11, 3


def sigmoid(number):
    return 1 / (1 + math.exp(-number))


def ones(module):
    """Weights are ones, biases zeros."""
    with torch.no_grad():
        for name, one in module.named_parameters():
            one.fill_(0.0 if "bias" in name else 1.0)
    return module


def test_the_encoder_is_a_gru():
    """One number a state, the words 1 and 2, all weights 1: z = r = σ(x + h), ĥ = tanh(x + r h), torch's z keeps."""
    encoder = ones(encoders.make("gru", Size(23, 1, 1, 0.0), hidden_size=1, bidirectional=False))
    first = (1 - sigmoid(1)) * math.tanh(1)
    gate = sigmoid(2 + first)
    second = (1 - gate) * math.tanh(2 + gate * first) + gate * first
    states = encode(encoder, torch.tensor([[[1.0], [2.0]]])).encoder_hidden_states
    assert states[0, :, 0].tolist() == pytest.approx([first, second])


def test_padding_passes_by_as_if_sequences_were_packed():
    """The sentence's vector is the last forward state and the last backward one, wherever the padding begins."""
    torch.manual_seed(3)
    encoder = encoders.make("gru", Size(23, INPUT, 1, 0.0), hidden_size=HIDDEN)
    given, mask = torch.randn(BATCH, SOURCE, INPUT), torch.arange(SOURCE) >= torch.tensor([[SOURCE], [SHORT]])
    found = encode(encoder, given, mask)
    packed = pack_padded_sequence(given, torch.tensor([SOURCE, SHORT]), batch_first=True)
    states, ends = encoder.layers[0](packed)
    assert torch.allclose(found.encoder_hidden_states, pad_packed_sequence(states, batch_first=True)[0], atol=1e-6)
    for final in found.final_state:
        assert torch.allclose(final, torch.cat([ends[0], ends[1]], -1), atol=1e-6)
    assert torch.allclose(found.final_state[1][1, :HIDDEN], found.encoder_hidden_states[1, SHORT - 1, :HIDDEN])
    assert torch.allclose(found.final_state[1][:, HIDDEN:], found.encoder_hidden_states[:, 0, HIDDEN:])


def test_the_readout_is_the_larger_of_two():
    """One source word, so that the context is its state, 3. All weights 1 but one row of W_r, which is −1:
    s₀ = tanh(3); the word is 0.5; r = (x + c + s, −(x + c + s)), and the maximum is the first."""
    decoder = decoders.make(
        "gru", DecoderContext(Size(23, 1, 1, 0.0), 1), hidden_size=2, attention_dim=2, maxout_pool_size=2
    )
    ones(decoder)
    with torch.no_grad():
        decoder.readout.weight[1] = -1
    source = EncoderOutput(torch.tensor([[[3.0]]]), torch.tensor([[False]]), torch.tensor([[4]]))
    before = math.tanh(3)
    gate = sigmoid(0.5 + 2 * before)  # no context before the first word; both hidden numbers are alike
    state = (1 - gate) * math.tanh(0.5 + gate * 2 * before) + gate * before
    decoded = decoder(torch.tensor([[[0.5]]]), source, True)
    assert decoder.hidden_size == 1
    assert decoded.context.item() == pytest.approx(3)
    assert decoded.hidden_states.item() == pytest.approx(0.5 + 3 + 2 * state, rel=1e-5)
    assert decoded.recurrent_state[0, 0].tolist() == pytest.approx([state, state], rel=1e-5)
    with torch.no_grad():
        decoder.readout.weight.neg_()
    assert decoder(torch.tensor([[[0.5]]]), source, True).hidden_states.item() == pytest.approx(
        0.5 + 3 + 2 * state, rel=1e-5
    )


def test_the_preset_is_the_papers_network():
    """Embeddings of 300, GRUs of 512 in all, a gate that knows the whole sentence, a readout of 512 / 2; no copying."""
    network = Seq2Seq(read("seass").config.model, 29)
    assert network.source_embedding.word_embeddings.weight.shape == (29, 300)
    assert network.source_embedding.word_embeddings is not network.target_embedding.word_embeddings
    assert network.encoder.hidden_size == 512
    assert network.bridge.ngram_conv is None
    assert network.bridge.context_proj.weight.shape == (512, 512)
    assert network.decoder.gru.input_size == 300 + 512
    assert network.head.vocab_proj.weight.shape == (29, 256)
    assert read("seass").config.training.max_steps is None
