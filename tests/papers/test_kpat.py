"""Liu et al., Key Phrase Aware Transformer for Abstractive Summarization, Sec. 5.2: the equations, by hand."""

import math

import pytest

torch = pytest.importorskip("torch")

from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.attention import AttentionContext, attentions  # noqa: E402
from nutgraf.model.layers import Size  # noqa: E402
from nutgraf.model.ops.sparse_attention import blocks_of, dense  # noqa: E402
from nutgraf.model.records import Batch, Phrases  # noqa: E402
from nutgraf.model.seq2seq import Config, Seq2Seq  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402

NONE = Phrases.none()


def places(*given):
    """Phrases from (example, start, end, score)."""
    example, start, end, score = zip(*given, strict=True)
    return Phrases(torch.tensor(example), torch.tensor(start), torch.tensor(end), torch.tensor(score))


TWO = places((0, 1, 3, 0.6), (0, 2, 4, 0.3))
"""Five words; a phrase of the words 1 and 2, one of the words 2 and 3."""


def highlighting(phrases=TWO, length=5, overlap="max", batch=1, mask=None):
    return dense(blocks_of(phrases, length, overlap, mask), batch, length)


def attention(number=0, of=1, count=5, **options):
    """The attention of one layer, five heads of width six."""
    torch.manual_seed(3)
    return attentions.make("highlight", AttentionContext(Size(7, 6 * count, count, 0.0), number, of), **options)


def still(part):
    """Without a difference between words: all scores QKᵀ are zero."""
    with torch.no_grad():
        part.multi_head.qkv_proj.weight[: 2 * part.multi_head.size.d_model] = 0
        part.multi_head.qkv_proj.bias[: 2 * part.multi_head.size.d_model] = 0
    return part


def test_the_matrix_of_two_phrases_that_overlap():
    assert highlighting()[0].tolist() == pytest.approx(
        torch.tensor(
            [
                [0.0, 0.0, 0.0, 0.0, 0.0],
                [0.0, 0.6, 0.6, 0.0, 0.0],
                [0.0, 0.6, 0.6, 0.3, 0.0],
                [0.0, 0.0, 0.3, 0.3, 0.0],
                [0.0, 0.0, 0.0, 0.0, 0.0],
            ]
        ).numpy()
    )


def test_the_same_phrase_at_two_places_has_two_blocks_and_no_link():
    matrix = highlighting(places((0, 0, 2, 0.5), (0, 2, 4, 0.5)))[0]
    assert matrix[:2, :2].tolist() == matrix[2:4, 2:4].tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert matrix[:2, 2:].count_nonzero() == matrix[2:, :2].count_nonzero() == 0


def test_a_source_knows_nothing_of_the_phrases_of_another():
    matrix = highlighting(places((1, 0, 2, 0.5), (0, 4, 5, 0.25)), batch=3)
    assert matrix[0].nonzero().tolist() == [[4, 4]]
    assert matrix[1].nonzero().tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert matrix[2].count_nonzero() == 0


def test_padding_belongs_to_no_phrase():
    mask = torch.tensor([[False, False, True, True, True]])
    assert highlighting(mask=mask)[0].nonzero().tolist() == [[1, 1]]


def test_a_place_without_words_is_none():
    assert blocks_of(places((0, 2, 2, 0.5)), 5, "max", None) == []


def test_eq_5a_adding_a_bias_of_ln_2_doubles_the_odds():
    part = still(attention(scale="none", highlighted_heads=1.0, highlighted_layers=1.0))
    row = part.weights(torch.randn(1, 5, 30), None, places((0, 1, 3, math.log(2))))[0, 4, 1]
    assert row.tolist() == pytest.approx([1 / 7, 2 / 7, 2 / 7, 1 / 7, 1 / 7])


def test_eq_5c_the_scale_is_learned_and_leaves_uncovered_cells_alone():
    part = still(attention(highlighted_heads=[2], highlighted_layers=1.0))
    states = torch.randn(1, 5, 30)
    assert part.scale.weight.tolist() == [1.0]
    assert part.scale.bias.tolist() == [0.0]
    with torch.no_grad():
        part.scale.weight.fill_(2.0)
        part.scale.bias.fill_(-0.5)
    rows = part.weights(states, None, TWO)[0, 2]
    odds = torch.tensor([1.0, math.exp(0.7), math.exp(0.7), math.exp(0.1), 1.0])
    assert rows[2].tolist() == pytest.approx((odds / odds.sum()).tolist())
    assert rows[0].tolist() == rows[4].tolist() == pytest.approx([0.2] * 5)


def test_eq_7_each_row_is_the_mean_of_two_distributions():
    part = still(attention(structure="additive", highlighted_heads=1.0, highlighted_layers=1.0))
    rows = part.weights(torch.randn(1, 5, 30), None, TWO)[0, 3]
    within = torch.tensor([0.0, 0.365, 0.365, 0.270, 0.0])
    assert rows[2].tolist() == pytest.approx((0.1 + within / 2).tolist(), abs=5e-4)
    assert rows[0].tolist() == pytest.approx([0.2] * 5)


def test_eq_7_scores_do_not_matter_where_phrases_do_not_overlap():
    part = attention(structure="additive")
    states = torch.randn(1, 5, 30)
    low, high = (part(states, None, places((0, 1, 3, score))) for score in (0.01, 0.99))
    assert torch.equal(low, high)


def test_without_self_attention_phrases_are_all_there_is():
    part = attention(structure="alone", highlighted_heads=[1])
    weights = part.weights(torch.randn(1, 5, 30), None, TWO)[0]
    assert weights[1, 2].tolist() == pytest.approx([0.0, 0.365, 0.365, 0.270, 0.0], abs=5e-4)
    assert weights[1, 0].tolist() == [0.0] * 5
    assert weights[0].sum(-1).tolist() == pytest.approx([1.0] * 5)
    assert part.weights(torch.randn(1, 5, 30), None, NONE)[0, 1].count_nonzero() == 0
    states = torch.randn(2, 5, 30)
    assert torch.allclose(part(states, None, TWO)[1], part(states[1:], None, NONE)[0], atol=1e-6)


@pytest.mark.parametrize("structure", ["weighted", "additive"])
def test_eq_8_some_heads_highlight_and_the_others_are_plain(structure):
    part = attention(structure=structure, highlighted_heads=[1, 4])
    states = torch.randn(2, 5, 30)
    lit, plain = part.weights(states, None, TWO), part.weights(states, None, NONE)
    assert [not torch.equal(lit[0, head], plain[0, head]) for head in range(5)] == [False, True, False, False, True]
    assert torch.equal(lit[1], plain[1])


@pytest.mark.parametrize(
    ("heads", "count", "chosen"), [(0.25, 8, [0, 1]), (1.0, 3, [0, 1, 2]), (0.01, 3, [0]), (0.5, 3, [0, 1])]
)
def test_a_share_of_the_heads_is_the_first_ones(heads, count, chosen):
    assert attention(count=count, highlighted_heads=heads).chosen.tolist() == chosen


@pytest.mark.parametrize(("layers", "lit"), [(0.5, [0, 1]), ([3], [3]), (1.0, [0, 1, 2, 3])])
def test_layers_that_do_not_highlight_are_plain(layers, lit):
    parts = [attention(number, 4, highlighted_layers=layers) for number in range(4)]
    assert [number for number, part in enumerate(parts) if len(part.chosen)] == lit
    assert [number for number, part in enumerate(parts) if list(part.scale.parameters())] == lit


@pytest.mark.parametrize(
    "options", [{"highlighted_heads": [5]}, {"highlighted_heads": [1, 1]}, {"highlighted_layers": [-1]}]
)
def test_a_head_or_layer_that_is_not_there(options):
    with pytest.raises(PresetError, match="named once"):
        attention(**options)


@pytest.mark.parametrize(
    "options", [{"highlighted_heads": 2.0}, {"highlighted_layers": 0.0}, {"dropout": 1.0}, {"brightness": -1.0}]
)
def test_options_that_mean_nothing(options):
    with pytest.raises(PresetError, match=f"attention.highlight.*{next(iter(options))}"):
        attention(**options)


def network(attention):
    """Two layers, four heads of width three, 17 words, copying."""
    torch.manual_seed(5)
    options = {
        "d_model": 12,
        "num_heads": 4,
        "dropout": 0.0,
        "encoder": {"kind": "transformer", "num_layers": 2, "ffn_dim": 7, "attention": attention},
        "decoder": {"kind": "transformer", "num_layers": 2, "ffn_dim": 7},
        "head": {"kind": "pointer"},
    }
    return Seq2Seq(configure(Config, options, "model"), 17)


def batch(phrases, order=(0, 1)):
    """Two sources of seven words, the second with two of padding, and their targets."""
    generator = torch.Generator().manual_seed(11)
    source = torch.randint(4, 17, (2, 7), generator=generator)
    source[1, 5:] = 0
    target = torch.cat([torch.full((2, 1), 2), torch.randint(4, 17, (2, 3), generator=generator)], 1)
    order = torch.tensor(order)
    source, target = source[order], target[order]
    return Batch(source, source, source == 0, phrases.select(order), 0, target, target)


PHRASES = places((0, 1, 4, 0.6), (0, 3, 5, 0.4), (1, 0, 2, 0.7))


@pytest.mark.parametrize("structure", ["weighted", "additive"])
@pytest.mark.parametrize("scale", ["block_linear", "brightness", "none"])
def test_without_phrases_it_is_the_copy_transformer_to_the_last_bit(structure, scale):
    plain = network({"kind": "dot_product"})
    lit = network({"kind": "highlight", "structure": structure, "scale": scale})
    new = lit.load_state_dict(plain.state_dict(), strict=False)
    assert new.unexpected_keys == []
    assert {name.rsplit(".", 1)[0] for name in new.missing_keys} <= {"encoder.layers.0.self_attention.scale"}
    given = batch(NONE)
    plain_loss, lit_loss = (one(given).target_log_probs.sum() for one in (plain, lit))
    plain_loss.backward()
    lit_loss.backward()
    assert torch.equal(plain_loss, lit_loss)
    others = dict(lit.named_parameters())
    assert all(torch.equal(one.grad, others[name].grad) for name, one in plain.named_parameters())


def test_the_only_new_weights_are_w_and_beta_of_each_head_that_highlights():
    plain, lit = (
        network({"kind": "dot_product"}),
        network({"kind": "highlight", "highlighted_heads": 0.5, "highlighted_layers": 1.0}),
    )
    new = {name: list(one.shape) for name, one in lit.state_dict().items() if name not in plain.state_dict()}
    assert new == {
        f"encoder.layers.{layer}.self_attention.scale.{one}": [2] for layer in (0, 1) for one in ("weight", "bias")
    }
    additive = network({"kind": "highlight", "structure": "additive", "highlighted_heads": 0.5})
    assert set(additive.state_dict()) - set(plain.state_dict()) == {"encoder.layers.0.self_attention.scale.weight"}


def test_a_source_without_phrases_is_read_as_by_the_copy_transformer():
    plain, lit = network({"kind": "dot_product"}), network({"kind": "highlight", "highlighted_heads": 1.0})
    lit.load_state_dict(plain.state_dict(), strict=False)
    given = batch(places((0, 1, 4, 0.6)))
    before, after = plain.encode(given).encoder_hidden_states, lit.encode(given).encoder_hidden_states
    assert torch.equal(before[1], after[1])
    assert not torch.equal(before[0], after[0])


@pytest.mark.parametrize("structure", ["weighted", "additive"])
def test_the_loss_reaches_the_scale(structure):
    lit = network({"kind": "highlight", "structure": structure, "highlighted_heads": 0.5})
    lit(batch(PHRASES)).target_log_probs.sum().backward()
    for part in lit.encoder.layers[0].self_attention.scale.parameters():
        assert part.grad.abs().min() > 0


def test_in_the_additive_form_the_loss_reaches_w_through_overlaps_alone():
    lit = network({"kind": "highlight", "structure": "additive"})
    lit(batch(places((0, 1, 4, 0.6), (1, 0, 2, 0.7)))).target_log_probs.sum().backward()
    assert lit.encoder.layers[0].self_attention.scale.weight.grad.tolist() == pytest.approx([0.0], abs=1e-7)


@pytest.mark.parametrize("structure", ["weighted", "additive", "alone"])
def test_examples_in_another_order_come_out_in_that_order(structure):
    lit = network({"kind": "highlight", "structure": structure, "highlighted_heads": 1.0})
    there = lit.encode(batch(PHRASES)).encoder_hidden_states
    back = lit.encode(batch(PHRASES, order=(1, 0))).encoder_hidden_states
    assert torch.allclose(there, back[[1, 0]], atol=1e-6)


def test_dropout_of_weights_is_an_option_and_acts_in_training_alone():
    part = attention(dropout=0.5, highlighted_heads=1.0)
    states = torch.randn(1, 5, 30)
    assert not torch.equal(part(states, None, TWO), part(states, None, TWO))
    part.eval()
    assert torch.equal(part(states, None, TWO), attention(highlighted_heads=1.0)(states, None, TWO))


def test_presets():
    weighted, additive = (read(name).section("model.encoder.attention") for name in ("kpat", "kpat_additive"))
    assert weighted == {
        "kind": "highlight",
        "structure": "weighted",
        "scale": "block_linear",
        "overlap": "max",
        "highlighted_heads": 0.25,
        "highlighted_layers": 0.5,
    }
    assert additive == {**weighted, "structure": "additive"}
    assert read("kpat").section("keyphrases") == {
        "kind": "position_rank",
        "top": 20,
        "ngram_range": [2, 3],
        "tagger": "textblob",
        "merge_variants": False,
    }


def test_on_pubmed_sections_share_a_thousand_words_and_ten_phrases_are_highlighted():
    config, news = (read(name).config for name in ("kpat_pubmed", "kpat"))
    assert config.model == news.model
    assert (config.dataset.kind, config.truncation.kind, config.truncation.source) == ("pubmed", "sections", 1000)
    assert (config.keyphrases.config.top, news.keyphrases.config.top) == (10, 20)
