"""Forms by hand on four words, marks that make no sense, and a bias of low rank in its two ways."""

from __future__ import annotations

import math

import pytest

torch = pytest.importorskip("torch")

from nutgraf.model.ops.low_rank_bias import LowRankBias, as_mask, widened  # noqa: E402
from nutgraf.steering import Marks, Span, Window, forms  # noqa: E402

WHOLE = Window(0, 5, 0, 5)


def even(marked):
    return marked.mean(2, keepdim=True).expand(-1, 1, 5, -1)


def dense(kind, spans, **options):
    bias = forms.make(kind, **options).bias(Marks([spans]), WHOLE, even)
    return (bias.rows @ bias.columns.mT).expand(1, 1, 5, 5)[0, 0]


class TestColumn:
    def test_the_greater_weight_counts_where_spans_overlap(self):
        assert dense("column", [Span(1, 3, 0.5), Span(2, 4, 0.25)], strength=2.0)[3].tolist() == [0, 1, 1, 0.5, 0]

    def test_a_strength_of_ln_2_doubles_the_odds(self):
        odds = dense("column", [Span(0, 1)], strength=math.log(2))[0].softmax(-1)
        assert odds.tolist() == pytest.approx([2 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6])

    def test_a_negative_weight_dims(self):
        assert dense("column", [Span(4, 5, -1.0)])[0].tolist() == [0, 0, 0, 0, -1]


class TestBlock:
    """The example of card 10-kpat: spans (1, 2 words, 0.6) and (2, 2 words, 0.3)."""

    SPANS = (Span(1, 3, 0.6), Span(2, 4, 0.3))

    @pytest.mark.parametrize(("overlap", "middle"), [("max", 0.6), ("sum", 0.9)])
    def test_the_highlighting_matrix(self, overlap, middle):
        expected = torch.zeros(5, 5)
        expected[1, 1] = expected[1, 2] = expected[2, 1] = 0.6
        expected[2, 3] = expected[3, 2] = expected[3, 3] = 0.3
        expected[2, 2] = middle
        torch.testing.assert_close(dense("block", self.SPANS, overlap=overlap), expected)

    def test_its_rank_is_the_number_of_spans_where_none_overlap(self):
        bias = forms.make("block").bias(Marks([[Span(0, 2), Span(3, 5)]]), WHOLE, even)
        assert bias.rows.shape[-1] == 2


class TestShare:
    def test_the_bias_reaches_the_share(self):
        """One word of five has 1/5; its odds of 1/4 become 1, those of a half."""
        bias = dense("share", [Span(2, 3)], share=0.5)
        assert bias[0, 2].item() == pytest.approx(math.log(4))
        assert bias[0].softmax(-1)[2].item() == pytest.approx(0.5)

    def test_who_has_more_keeps_it(self):
        assert not dense("share", [Span(1, 4)], share=0.5).any()


@pytest.mark.parametrize("span", [Span(3, 3), Span(-1, 2), Span(0, 1, math.nan)])
def test_a_span_without_words_or_weight_is_refused(span):
    with pytest.raises(ValueError, match="span begins"):
        Marks([[span]])


def test_eq_a_bias_in_the_mask_is_a_bias_in_the_product():
    """Four heads share two keys; one dimension more gives what the mask gives, and both what the formula says."""
    torch.manual_seed(0)
    query, key, value = torch.randn(2, 4, 3, 5), torch.randn(2, 2, 7, 5), torch.randn(2, 2, 7, 5)
    bias = LowRankBias(torch.randn(2, 4, 3, 2), torch.randn(2, 1, 7, 2))
    seen = torch.ones(3, 7, dtype=torch.bool).tril(2)[None, None]
    both = [one.repeat_interleave(2, 1) for one in (key, value)]
    expected = (query @ both[0].mT * 0.3 + bias.rows @ bias.columns.mT).masked_fill(~seen, -math.inf).softmax(
        -1
    ) @ both[1]
    attend = torch.nn.functional.scaled_dot_product_attention
    mask = as_mask(bias, seen, query.dtype)
    torch.testing.assert_close(attend(query, *both, mask, scale=0.3), expected)
    q, k, v = widened(query, key, value, bias, 0.3)
    assert (q.shape[-1], v.shape[-1]) == (13, 13)
    torch.testing.assert_close(attend(q, k, v, seen, scale=0.3, enable_gqa=True)[..., :5], expected)
