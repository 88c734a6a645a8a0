"""Liu et al. 2021, Highlight-Transformer: what differs from KPAT."""

import math

import pytest

torch = pytest.importorskip("torch")

from nutgraf.model.attention import AttentionContext, attentions  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.ops.sparse_attention import blocks_of, dense  # noqa: E402
from nutgraf.model.records import Phrases  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402

TWO = Phrases(torch.tensor([0, 0]), torch.tensor([1, 2]), torch.tensor([3, 4]), torch.tensor([0.6, 0.3]))
"""Five words; a phrase of the words 1 and 2, one of the words 2 and 3."""


def attention(**options):
    """Three heads of width five."""
    torch.manual_seed(3)
    given = {"scale": "brightness", "overlap": "sum", "highlighted_heads": 1.0, **options}
    return attentions.make("highlight", AttentionContext(Size(7, 15, 3, 0.0), 0, 1), **given)


def test_scores_of_phrases_that_overlap_are_summed():
    matrix = dense(blocks_of(TWO, 5, "sum", None), 1, 5)[0]
    expected = [0, 0, 0, 0, 0, 0, 0.6, 0.6, 0, 0, 0, 0.6, 0.9, 0.3, 0, 0, 0, 0.3, 0.3, 0, 0, 0, 0, 0, 0]
    assert matrix.flatten().tolist() == pytest.approx(expected)


def test_eq_2_brightness_multiplies_the_scores():
    part = attention(brightness=2.0)
    with torch.no_grad():
        part.multi_head.qkv_proj.weight.zero_()
    odds = torch.tensor([1.0, math.exp(1.2), math.exp(1.8), math.exp(0.6), 1.0])
    row = part.weights(torch.randn(1, 5, 15), None, TWO)[0, 2, 2]
    assert row.tolist() == pytest.approx((odds / odds.sum()).tolist())


def test_brightness_falls_after_each_epoch_and_stays_with_the_weights():
    part = attention()
    assert part.scale.alpha.item() == 5.0
    for epoch, alpha in enumerate([5.0, 4.5, 4.05, 3.645]):
        part.scale.advance(epoch)
        assert part.scale.alpha.item() == pytest.approx(alpha)
    assert list(part.parameters()) == list(part.multi_head.parameters())
    other = attention()
    other.load_state_dict(part.state_dict())
    assert other.scale.alpha.item() == pytest.approx(3.645)


def test_no_brightness_is_no_highlight_in_the_weighted_form_but_not_in_the_additive_one():
    states = torch.randn(1, 5, 15)
    weighted, additive = (attention(brightness=0.0, structure=one) for one in ("weighted", "additive"))
    plain = weighted(states, None, Phrases.none())
    assert torch.allclose(weighted(states, None, TWO), plain, atol=1e-6)
    assert not torch.allclose(additive(states, None, TWO), plain, atol=1e-2)
    before = additive.weights(states, None, Phrases.none())[0, :, 2]
    thirds = torch.tensor([0, 1 / 3, 1 / 3, 1 / 3, 0])
    assert torch.allclose(additive.weights(states, None, TWO)[0, :, 2], (before + thirds) / 2)


def test_presets():
    section = read("highlight_transformer").section("model.encoder.attention")
    assert (section["structure"], section["scale"], section["overlap"]) == ("weighted", "brightness", "sum")
    assert (section["brightness"], section["brightness_decay"]) == (5.0, 0.9)
    assert read("highlight_transformer_additive").section("model.encoder.attention") == {
        **section,
        "structure": "additive",
    }
    phrases = {"kind": "tfidf", "top": 10, "ngram_range": [2, 3], "merge_variants": False}
    assert read("highlight_transformer").section("keyphrases") == phrases
