"""Fabbri et al. 2019 (Hi-MAP): learned marginal relevance in the copy attention, by hand and by plain formulas."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402

from nutgraf.model.decoder import Decoder, DecoderContext, decoders  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.records import EncoderOutput  # noqa: E402
from plain_decoder import assert_same_gradients, plain_decoder  # noqa: E402

WIDTH, HIDDEN, SENTENCE, ATTENTION = 6, 5, 3, 7
SENTENCES = [0, 0, 0, 1, 1, 2, 2]


def make(**options: object) -> Decoder:
    torch.manual_seed(3)
    sizes = {"hidden_size": HIDDEN, "attention_dim": ATTENTION, "sentence_hidden_size": SENTENCE}
    decoder = decoders.make("hi_map", DecoderContext(Size(23, 4, 1, 0.0), WIDTH), **{**sizes, **options})
    return decoder.double()


def recurrent(like: Decoder) -> Decoder:
    """The pointer-generator's decoder with the same weights."""
    context = DecoderContext(Size(23, 4, 1, 0.0), WIDTH)
    decoder = decoders.make("recurrent", context, hidden_size=HIDDEN, attention_dim=ATTENTION).double()
    decoder.load_state_dict({name: like.state_dict()[name] for name in decoder.state_dict()})
    return decoder


def source(sentences: list[int] | None = None, seed: int = 5) -> EncoderOutput:
    """One source of seven words in three sentences."""
    torch.manual_seed(seed)
    numbers = torch.tensor([SENTENCES if sentences is None else sentences])
    states, mask = torch.randn(1, 7, WIDTH, dtype=torch.double), torch.zeros(1, 7, dtype=torch.bool)
    final = (torch.randn(1, WIDTH).double(), torch.randn(1, WIDTH).double())
    return EncoderOutput(states, mask, torch.full((1, 7), 4), final_state=final, sentences=numbers)


def words(steps: int = 3) -> Tensor:
    torch.manual_seed(6)
    return torch.randn(1, steps, 4, dtype=torch.double)


class Given(nn.Module):
    """Sentence vectors (2, 0), (0, 1) and (1, 1), whatever the sentences are."""

    def forward(self, vectors: Tensor, padding: Tensor) -> tuple[Tensor, None]:
        return torch.tensor([[[2.0, 0.0], [0.0, 1.0], [1.0, 1.0]]], dtype=vectors.dtype), None


def test_mmr_is_relevance_less_the_largest_likeness_to_another_sentence() -> None:
    """Identities for W₁ and W₂: likeness 0, 2 and 1 between the pairs, so redundancy 2, 1, 2. The state (3, 1) gives
    relevance 6, 1, 4; with λ = 1/2 that is 2, 0, 1, and with λ = 3/4 it is 4, 1/2, 5/2."""
    for weight, expected in [(0.5, [2.0, 0.0, 1.0]), (0.75, [4.0, 0.5, 2.5])]:
        decoder = make(hidden_size=2, sentence_hidden_size=1, relevance_weight=weight)
        decoder.sentence_lstm = Given()
        with torch.no_grad():
            decoder.relevance_proj.weight.copy_(torch.eye(2))
            decoder.redundancy_proj.weight.copy_(torch.eye(2))
        guide = decoder.start(source(), 1).guide
        hidden = torch.tensor([[[3.0, 1.0]]], dtype=torch.double)
        change = decoder.change((torch.zeros_like(hidden), hidden), guide)
        assert change.scale is None
        assert change.bias.tolist() == [[[expected[number] for number in SENTENCES]]]


def test_attention_is_multiplied_by_the_softmax_of_mmr_and_sums_to_one() -> None:
    """At the first step both decoders are in the same state, so a′ can be computed from a and the MMR scores."""
    decoder, seen = make(), source()
    plain = recurrent(decoder)(words(1), seen, True).cross_attention[0, 0]
    found = decoder(words(1), seen, True)
    guide = decoder.start(seen, 1).guide
    scores = decoder.change(tuple(found.recurrent_state.split(HIDDEN, -1)), guide).bias[0, 0]
    mmr = torch.stack([scores[0], scores[3], scores[5]]).softmax(-1)
    product = plain * mmr[torch.tensor(SENTENCES)]
    assert torch.allclose(found.cross_attention[0, 0], product / product.sum())
    assert not torch.allclose(found.cross_attention[0, 0], plain)


def test_steps_and_gradients_are_those_of_plain_formulas() -> None:
    decoder, seen = make(relevance_weight=0.3), source()
    states = seen.encoder_hidden_states.requires_grad_()
    found = decoder(words(), seen, True)
    vectors, _ = decoder.sentence_lstm.lstm(states[0, [2, 4, 6]][None])
    h, likeness = vectors[0], decoder.redundancy_proj.weight

    def attend(scores: Tensor, cell: Tensor, hidden: Tensor) -> Tensor:
        relevance = torch.stack([one @ decoder.relevance_proj.weight @ hidden for one in h])
        redundancy = [max(h[j] @ likeness @ h[i] for i in range(3) if i != j) for j in range(3)]
        mmr = (0.3 * relevance - 0.7 * torch.stack(redundancy)).softmax(-1)
        product = scores.softmax(-1) * mmr[torch.tensor(SENTENCES)]
        return product / product.sum()

    plain = plain_decoder(decoder, words()[0], states[0], tuple(one[0] for one in seen.final_state), attend)
    assert_same_gradients(decoder, states, [found.hidden_states[0], found.cross_attention[0]], list(plain))


def test_one_sentence_is_redundant_to_none_and_changes_nothing() -> None:
    decoder, seen = make(), source([0] * 7)
    assert not decoder.start(seen, 1).guide.redundancy.any()
    found, plain = (one(words(), seen, True) for one in (decoder, recurrent(decoder)))
    assert torch.allclose(found.cross_attention, plain.cross_attention)


def test_the_released_code_has_no_effect_and_no_gradient() -> None:
    """The same numbers as the decoder without MMR, to the last bit, and nothing is learned of MMR."""
    decoder = make(released_code=True)
    found, plain = (one(words(), source(), True) for one in (decoder, recurrent(decoder)))
    assert torch.equal(found.hidden_states, plain.hidden_states)
    assert torch.equal(found.cross_attention, plain.cross_attention)
    found.hidden_states.pow(3).sum().backward()
    without = {name.split(".")[0] for name, one in decoder.named_parameters() if one.grad is None}
    assert without == {"sentence_lstm", "relevance_proj", "redundancy_proj"}
