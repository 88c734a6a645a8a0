"""Cohan et al. 2018 (DAA): sections and their words, by hand and by plain formulas."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.decoder import Decoder, DecoderContext, decoders  # noqa: E402
from nutgraf.model.encoder import encoders  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.ops.additive_attention import changed, masked_softmax  # noqa: E402
from nutgraf.model.records import Batch, EncoderOutput, Phrases  # noqa: E402
from plain_decoder import assert_same_gradients, plain_decoder  # noqa: E402

WIDTH, HIDDEN, ATTENTION = 6, 5, 7
SECTIONS = [0, 0, 0, 1, 1, 2, 2]
SIZE = Size(23, 4, 1, 0.0)


def make(combine: str = "logits") -> Decoder:
    torch.manual_seed(3)
    context = DecoderContext(SIZE, WIDTH)
    options = {"hidden_size": HIDDEN, "attention_dim": ATTENTION, "combine": combine}
    return decoders.make("daa", context, **options).double()


def source() -> EncoderOutput:
    """One source of seven words in three sections."""
    torch.manual_seed(5)
    states, mask = torch.randn(1, 7, WIDTH, dtype=torch.double), torch.zeros(1, 7, dtype=torch.bool)
    return EncoderOutput(states, mask, torch.full((1, 7), 4), sections=torch.tensor([SECTIONS]))


def words() -> Tensor:
    torch.manual_seed(6)
    return torch.randn(1, 3, 4, dtype=torch.double)


def batch(sections: Tensor | None, mask: Tensor) -> Batch:
    ids = torch.full(mask.shape, 4)
    return Batch(ids, ids, mask, Phrases.none(), sections=sections)


def test_the_encoder_carries_both_states_from_section_to_section() -> None:
    """Each section is read by torch's LSTM alone: from its first word, and from its last."""
    torch.manual_seed(4)
    encoder = encoders.make("daa", SIZE, hidden_size=3).double()
    given = torch.randn(2, 7, 4, dtype=torch.double)
    numbers = torch.tensor([SECTIONS, [0, 1, 1, 1, 1, 0, 0]])
    mask = torch.arange(7) >= torch.tensor([[7], [5]])
    found = encoder(given, batch(numbers, mask)).encoder_hidden_states
    for row, stretches in enumerate([[(0, 3), (3, 5), (5, 7)], [(0, 1), (1, 5)]]):
        forward, backward = None, None
        for start, end in stretches:
            there, forward = encoder.forward_lstm(given[row : row + 1, start:end], forward)
            back, backward = encoder.backward_lstm(given[row : row + 1, start:end].flip(1), backward)
            assert torch.allclose(found[row, start:end], torch.cat([there, back.flip(1)], -1)[0])


def test_a_text_without_sections_is_read_as_by_the_recurrent_encoder() -> None:
    torch.manual_seed(4)
    ours, theirs = (encoders.make(kind, SIZE, hidden_size=3) for kind in ("daa", "recurrent"))
    layer = theirs.layers[0]
    for name, one in ours.forward_lstm.named_parameters():
        getattr(layer, name).data.copy_(one)
        getattr(layer, f"{name}_reverse").data.copy_(ours.backward_lstm.get_parameter(name))
    given, mask = torch.randn(2, 7, 4), torch.arange(7) >= torch.tensor([[7], [5]])
    found, expected = (one(given, batch(None, mask)).encoder_hidden_states for one in (ours, theirs))
    assert torch.allclose(found[~mask], expected[~mask], atol=1e-6)


def test_beta_multiplies_logits_and_turns_around_where_they_are_negative() -> None:
    """Logits 0, 0 | −2, −1 and β = 0.75, 0.25: softmax of 0, 0, −0.5, −0.25. With β the other way round it is that of
    0, 0, −1.5, −0.75: the second section has the larger β, and less attention than before."""
    logits, shares = torch.tensor([[[0.0, 0.0, -2.0, -1.0]]]), []
    for beta, products in [((0.75, 0.25), (0, 0, -0.5, -0.25)), ((0.25, 0.75), (0, 0, -1.5, -0.75))]:
        scale = torch.tensor([[[beta[0], beta[0], beta[1], beta[1]]]])
        found = masked_softmax(changed(logits, scale, None), None)[0, 0]
        total = sum(math.exp(one) for one in products)
        assert found.tolist() == pytest.approx([math.exp(one) / total for one in products])
        shares.append(found[2:].sum())
    assert shares[1] < shares[0]


@pytest.mark.parametrize("combine", ["logits", "probabilities"])
def test_steps_and_gradients_are_those_of_plain_formulas(combine: str) -> None:
    decoder, seen = make(combine), source()
    states = seen.encoder_hidden_states.requires_grad_()
    found = decoder(words(), seen, True)
    ends = [(0, 2), (3, 4), (5, 6)]
    vectors = [torch.cat([states[0, last, :3], states[0, first, 3:]]) for first, last in ends]
    sections = torch.relu(torch.stack([decoder.section_init(one) for one in vectors]))
    h, (hidden_end, cell_end) = decoder.section_lstm.lstm(sections[None])
    final = torch.cat([*cell_end[:, 0]]), torch.cat([*hidden_end[:, 0]])

    def attend(scores: Tensor, cell: Tensor, hidden: Tensor) -> Tensor:
        query = decoder.section_query_proj(torch.cat([cell, hidden]))
        compared = [decoder.section_score(torch.tanh(decoder.section_key_proj(one) + query)) for one in h[0]]
        beta = torch.cat(compared).softmax(-1)[torch.tensor(SECTIONS)]
        if combine == "logits":
            return (beta * scores).softmax(-1)
        product = beta * scores.softmax(-1)
        return product / product.sum()

    plain = plain_decoder(decoder, words()[0], states[0], final, attend)
    assert_same_gradients(decoder, states, [found.hidden_states[0], found.cross_attention[0]], list(plain))


def test_an_odd_width_of_states_is_refused() -> None:
    with pytest.raises(PresetError, match="width"):
        decoders.make("daa", DecoderContext(SIZE, 13), hidden_size=HIDDEN)
