"""Xu et al. 2020, Self-Attention Guided Copy Mechanism for Abstractive Summarization: the equations, by hand."""

import math

import pytest

torch = pytest.importorskip("torch")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from nutgraf.decoding.search import Config as Search  # noqa: E402
from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.model.decoder import DecoderContext, decoders  # noqa: E402
from nutgraf.model.head import HeadContext, heads  # noqa: E402
from nutgraf.model.layers import FeedForward, Size  # noqa: E402
from nutgraf.model.ops import centrality  # noqa: E402
from nutgraf.model.ops.centrality import indegree, outdegree  # noqa: E402
from nutgraf.model.records import Batch, DecoderOutput, EncoderOutput, Phrases, SelfAttentionGraph, Trace  # noqa: E402
from nutgraf.model.seq2seq import Config, Seq2Seq  # noqa: E402
from nutgraf.presets import configure  # noqa: E402
from nutgraf.systems import read_preset as read  # noqa: E402
from nutgraf.training.objectives import objectives  # noqa: E402
from nutgraf.training.objectives.guidance import divergence  # noqa: E402

A = [[0.9, 0.1], [0.6, 0.4]]
"""The first word looks at itself, the second rather at the first."""

MEASURES = {
    "outdegree": outdegree,
    "indegree-1": indegree,
    "indegree-2": lambda graph: indegree(graph, 2),
    "lazy": lambda graph: indegree(graph, 3, 0.85),
}

every = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)


def graph_of(*heads, mask=None):
    """One source whose heads attend as these matrices say."""
    weights = torch.tensor(heads, dtype=torch.double)
    words = weights.shape[-1]
    key = math.sqrt(words) * torch.eye(words, dtype=torch.double).expand_as(weights)
    return SelfAttentionGraph(weights.log()[None], key[None], mask)


def random_graph(batch=2, heads=3, words=7, width=5, seed=3):
    """Without padding, in double precision."""
    generator = torch.Generator().manual_seed(seed)
    query, key = (2 * torch.randn(batch, heads, words, width, generator=generator, dtype=torch.double) for _ in "qk")
    return SelfAttentionGraph(query, key, None)


def dense(graph, steps, damping=1.0):
    """The formulas with all weights at once; 0 steps: the outdegree."""
    scores = graph.query @ graph.key.mT / math.sqrt(graph.query.shape[-1])
    there = torch.ones(scores.shape[0], scores.shape[-1], dtype=scores.dtype)
    if graph.key_padding_mask is not None:
        scores = scores.masked_fill(graph.key_padding_mask[:, None, None], -math.inf)
        there = there.masked_fill(graph.key_padding_mask, 0)
    paid = scores.softmax(-1).mean(1) * there[:, :, None]
    got = paid.sum(1)
    found = there / there.sum(-1, keepdim=True)
    if not steps:
        return got / there.sum(-1, keepdim=True)
    transition = (paid / got.masked_fill(there == 0, 1)[:, None]).mT
    for step in range(steps):
        share = damping if step else 1.0
        found = share * (found[:, None] @ transition).squeeze(1) + (1 - share) * found
    return found


def test_eq_16_the_outdegree_is_what_a_word_gets():
    assert outdegree(graph_of(A))[0].tolist() == pytest.approx([0.75, 0.25])


def test_eq_14_the_indegree_is_what_a_word_pays_and_to_whom():
    """T = [[0.6, 0.4], [0.2, 0.8]], and its columns' means are the scores."""
    assert indegree(graph_of(A))[0].tolist() == pytest.approx([0.4, 0.6], abs=1e-5)


def test_eq_15_and_again():
    assert indegree(graph_of(A), 2)[0].tolist() == pytest.approx([0.36, 0.64], abs=1e-5)
    assert indegree(graph_of(A), 3)[0].tolist() == pytest.approx([0.344, 0.656], abs=1e-5)


def test_a_lazy_walk_keeps_a_part_of_where_it_was():
    assert indegree(graph_of(A), 2, 0.85)[0].tolist() == pytest.approx([0.366, 0.634], abs=1e-5)
    assert indegree(graph_of(A), 1, 0.85).tolist() == indegree(graph_of(A)).tolist(), "the first step is whole"


def test_heads_count_by_their_mean_probability():
    heads = [[0.9, 0.1], [0.8, 0.2]], [[0.9, 0.1], [0.4, 0.6]]
    assert outdegree(graph_of(*heads))[0].tolist() == pytest.approx([0.75, 0.25])
    assert indegree(graph_of(*heads))[0].tolist() == pytest.approx([0.4, 0.6], abs=1e-5)


@every
def test_where_all_look_at_all_alike_all_are_equal(measure):
    uniform = graph_of([[0.2] * 5] * 5)
    assert measure(uniform)[0].tolist() == pytest.approx([0.2] * 5, abs=1e-5)


@pytest.mark.parametrize("little", [1e-3, 1e-9, 1e-20])
def test_where_all_look_at_one_word_however_little_the_others_get_is_shared_out(little):
    """Every column of T has the same parts, 2 : 1 : 1 for the second word and 1 : 2 : 1 for the third, however small.

    The first word gets nearly one from each: a third each. Its own share is (1/3 + 2/4 + 1/4) / 3 = 13/36, and so on.
    """
    rows = [
        [1 - 3 * little, 2 * little, little],
        [1 - 3 * little, little, 2 * little],
        [1 - 2 * little, little, little],
    ]
    assert indegree(graph_of(rows))[0].tolist() == pytest.approx([13 / 36, 13 / 36, 10 / 36], abs=little + 1e-12)


@pytest.mark.parametrize("precision", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
@every
def test_where_all_look_at_one_word_alone_scores_are_a_distribution_in_any_precision(measure, precision):
    """A score of 900 beside zeros: the others' share is e⁻⁹⁰⁰, which is 0 in every precision here.

    The first word's third is shared out alike, since all look at it alike, and so are those of the unseen two.
    """
    query, key = torch.full((1, 1, 4, 1), 30.0), torch.tensor([30.0, 0, 0, 30.0])[None, None, :, None]
    mask = torch.tensor([[False, False, False, True]])
    scores = measure(SelfAttentionGraph(query.to(precision), key.to(precision), mask))
    expected = [1, 0, 0, 0] if measure is outdegree else [1 / 3, 1 / 3, 1 / 3, 0]
    assert scores[0].tolist() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("steepness", [1.0, 30.0, 80.0, 300.0])
@every
def test_scores_are_a_distribution_and_gradients_finite_however_steep_attention_is(measure, steepness):
    query = torch.ones(1, 2, 7, 1, requires_grad=True)
    key = torch.linspace(0, steepness, 7)[None, None, :, None].repeat(1, 2, 1, 1).requires_grad_()
    scores = measure(SelfAttentionGraph(query, key, None))
    assert scores.sum().item() == pytest.approx(1.0, abs=1e-5)
    scores[0, 0].backward()
    assert torch.isfinite(query.grad).all()
    assert torch.isfinite(key.grad).all()


@every
def test_scores_sum_to_one_and_padding_has_none_and_says_nothing(measure):
    plain = random_graph()
    expected = measure(plain)
    assert expected.sum(-1).tolist() == pytest.approx([1.0] * 2, abs=1e-5)
    there = torch.tensor([1, 3, 4, 5, 8, 9, 10])
    padded = [torch.full((2, 3, 11, 5), 7.0, dtype=torch.double) for _ in "qk"]
    for wide, one in zip(padded, (plain.query, plain.key), strict=True):
        wide[:, :, there] = one
    mask = torch.ones(2, 11, dtype=torch.bool).index_fill(1, there, False)
    found = measure(SelfAttentionGraph(*padded, mask))
    assert (expected > 0).all()
    assert torch.allclose(found[:, there], expected, atol=1e-12)
    assert not found.masked_fill(~mask, 0).any()


@every
def test_a_source_that_is_all_padding_has_no_scores_and_no_gradient(measure):
    graph = random_graph()
    query, key = graph.query.requires_grad_(), graph.key.requires_grad_()
    scores = measure(SelfAttentionGraph(query, key, torch.tensor([[False] * 7, [True] * 7])))
    assert scores.sum(-1).tolist() == pytest.approx([1.0, 0.0])
    assert scores[1].count_nonzero() == 0
    for gradient in torch.autograd.grad(scores.square().sum(), (query, key)):
        assert gradient[0].isfinite().all()
        assert gradient[0].any()
        assert gradient[1].count_nonzero() == 0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(list(MEASURES)), st.permutations(range(7)))
def test_words_in_another_order_have_the_same_scores(seed, name, order):
    graph, order = random_graph(seed=seed), torch.tensor(order)
    turned = SelfAttentionGraph(graph.query[:, :, order], graph.key[:, :, order], None)
    found, expected = MEASURES[name](turned), MEASURES[name](graph)
    assert torch.allclose(found, expected[:, order], atol=1e-12)
    assert (expected >= 0).all()


@pytest.mark.parametrize("cells", [centrality.CELLS, 60, 1])
@pytest.mark.parametrize("kept", [centrality.KEPT, 5])
@pytest.mark.parametrize("padded", [False, True])
def test_by_blocks_of_queries_scores_and_gradients_are_the_dense_ones(monkeypatch, cells, kept, padded):
    monkeypatch.setattr(centrality, "CELLS", cells)
    monkeypatch.setattr(centrality, "KEPT", kept)
    graph = random_graph(batch=3)
    mask = torch.tensor([[0] * 7, [0, 0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 1, 0, 0]], dtype=torch.bool) if padded else None
    given_ = [one.requires_grad_() for one in (graph.query, graph.key)]
    graph = SelfAttentionGraph(*given_, mask)
    weighed = torch.randn(3, 7, dtype=torch.double, generator=torch.Generator().manual_seed(5))
    for steps, damping in ((0, 1.0), (1, 1.0), (2, 1.0), (3, 0.85)):
        found = indegree(graph, steps, damping) if steps else outdegree(graph)
        expected = dense(graph, steps, damping)
        assert torch.allclose(found, expected, atol=1e-12)
        pairs = zip(*(torch.autograd.grad((one * weighed).sum(), given_) for one in (found, expected)), strict=True)
        assert all(torch.allclose(one, other, atol=1e-12) for one, other in pairs)


@every
def test_half_precision_is_computed_in_single(measure):
    graph = random_graph()
    half = SelfAttentionGraph(graph.query.bfloat16(), graph.key.bfloat16(), None)
    with torch.autocast("cpu", torch.bfloat16):
        found = measure(half)
    assert found.dtype == torch.float32
    assert torch.allclose(
        found.double(), measure(SelfAttentionGraph(half.query.double(), half.key.double(), None)), atol=1e-6
    )


MASS = {
    "d_model": 12,
    "num_heads": 4,
    "dropout": 0.0,
    "tie_word_embeddings": True,
    "embedding": {"position_embedding": "learned", "norm": True},
    "encoder": {"kind": "transformer", "num_layers": 2, "ffn_dim": 7, "norm": "post", "activation": "gelu"},
    "decoder": {
        "kind": "transformer", "num_layers": 2, "ffn_dim": 7, "norm": "post", "activation": "gelu",
        "copy_attention": "mean",
    },
}  # fmt: skip


def network(head, **changes):
    """Two layers, four heads of width three, 17 words."""
    torch.manual_seed(5)
    return Seq2Seq(configure(Config, {**MASS, "head": head, **changes}, "model"), 17)


def guided(strength=0.0, **options):
    """A network whose w_p has such numbers."""
    made = network({"kind": "guided", **options})
    if made.head.centrality_weight is not None:
        generator = torch.Generator().manual_seed(13)
        made.head.centrality_weight.data.copy_(strength * torch.randn(12, generator=generator))
    return made


def batch():
    """Two sources of seven words, the second with two of padding, and their targets, the second one the shorter."""
    generator = torch.Generator().manual_seed(11)
    source = torch.randint(4, 17, (2, 7), generator=generator)
    source[1, 5:] = 0
    target = torch.cat([torch.full((2, 1), 2), torch.randint(4, 17, (2, 3), generator=generator)], 1)
    target[1, 3] = 0
    return Batch(source, source, source == 0, Phrases.none(), 0, target, target)


def copying():
    return network({"kind": "pointer", "p_copy_input": "context_state_input"})


@pytest.mark.parametrize(
    "options",
    [
        {"centrality": "outdegree"},
        {"centrality": "indegree", "iterations": 2},
        {"centrality": "indegree", "guide_keys": "times_length"},
        {"guide_keys": "none"},
    ],
)
def test_without_w_p_and_lambda_it_is_mass_with_copying_to_the_last_bit(options):
    plain, led = copying(), guided(**options)
    new = led.load_state_dict(plain.state_dict(), strict=False)
    assert new.unexpected_keys == []
    assert set(new.missing_keys) <= {"head.centrality_weight"}
    losses = []
    for one in (plain, led):
        trace = one(batch())
        losses.append(objectives.make("likelihood", label_smoothing=0.1)(None, batch(), trace))
        if one is led:
            losses[-1] = losses[-1] + objectives.make("guidance", weight=0.0)(None, batch(), trace)
        losses[-1].backward()
    assert torch.equal(*losses)
    others = dict(led.named_parameters())
    assert all(torch.equal(one.grad, others[name].grad) for name, one in plain.named_parameters())


def test_eq_17_centrality_is_added_to_the_keys_of_the_attention_that_copies():
    """(W_s s)ᵀ (W_h h + w_p · score) is one score more for each place and head: (W_s s)ᵀ w_p, times centrality."""
    led = guided(strength=3.0)
    memory = led.encode(batch())
    embedded = led.target_embedding(batch().decoder_input)
    found = led.decoder(embedded, memory, True).cross_attention
    assert torch.allclose(memory.guided_keys, memory.centrality[..., None] * led.head.centrality_weight)

    layers = led.decoder.layers
    query = {}
    original = layers[-1].query
    layers[-1].query = lambda states: query.setdefault("is", original(states))
    led.decoder(embedded, memory, True)
    key, _ = layers[-1].cross_attention.project_key_value(memory.encoder_hidden_states)
    strength = led.head.centrality_weight.view(4, 3)
    extra = torch.einsum("bhtd,hd->bht", query["is"], strength)[..., None] * memory.centrality[:, None, None]
    scores = (query["is"] @ key.mT + extra) / math.sqrt(3)
    expected = scores.masked_fill(memory.key_padding_mask[:, None, None], -math.inf).softmax(-1).mean(1)
    assert torch.allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize(("guide", "factor"), [("score", 1), ("times_length", 2)])
def test_eq_17_on_two_words(guide, factor):
    """Keys of zeros, centrality (0.75, 0.25), w_p = (2 ln 3, 7) and a query (√2, 0), divided by √2: the scores are
    1.5 ln 3 and 0.5 ln 3, three to one. Times the length, which is two, they are 3 ln 3 and ln 3, nine to one."""
    torch.manual_seed(3)
    size = Size(7, 2, 1, 0.0)
    decoder = decoders.make(
        "transformer", DecoderContext(size, 2, None), num_layers=1, ffn_dim=3, copy_attention="mean"
    )
    head = heads.make("guided", HeadContext(size, decoder, 2), guide_keys=guide)
    head.centrality_weight.data.copy_(torch.tensor([2 * math.log(3), 7.0]))
    there = torch.zeros(1, 2, dtype=torch.bool)
    memory = head.prepare(EncoderOutput(torch.zeros(1, 2, 2), there, torch.tensor([[4, 5]]), graph=graph_of(A)))
    layer = decoder.layers[0]
    layer.query = lambda states: torch.tensor([[[[math.sqrt(2), 0.0]]]])
    found = decoder(torch.ones(1, 1, 2), memory, True).cross_attention
    odds = 3**factor
    assert found.flatten().tolist() == pytest.approx([odds / (odds + 1), 1 / (odds + 1)])


def test_eq_8_the_switch_hears_the_context_the_state_and_the_piece_before():
    """It is one minus p_gen = σ(−(1 · 0.5 − 2 · 0.25 + 3 · 0.125 + 0.25)), and begins without a bias."""
    head = guided().head
    assert not head.p_copy_proj.bias.any()
    with torch.no_grad():
        head.p_copy_proj.weight.zero_()
        head.p_copy_proj.weight[0, [0, 12, 24]] = torch.tensor([1.0, -2.0, 3.0])
        head.p_copy_proj.bias.fill_(0.25)
    context, states, inputs = (torch.full((1, 1, 12), number) for number in (0.5, 0.25, 0.125))
    decoded = DecoderOutput(states, inputs, context, torch.ones(1, 1, 1))
    source = EncoderOutput(torch.zeros(1, 1, 12), torch.zeros(1, 1, dtype=torch.bool), torch.tensor([[5]]))
    copying = head.distribution(decoded, source, torch.zeros(1, 1, 0, dtype=torch.long)).p_copy.item()
    assert copying == pytest.approx(1 - 1 / (1 + math.exp(1 * 0.5 - 2 * 0.25 + 3 * 0.125 + 0.25)))


def test_the_context_changes_with_it():
    embedded = guided().target_embedding(batch().decoder_input)
    plain, led = (one.decoder(embedded, one.encode(batch()), True) for one in (guided(), guided(strength=3.0)))
    assert not torch.allclose(plain.context, led.context, atol=1e-3)


def test_the_score_may_be_taken_times_the_length_of_the_source():
    small, large = (guided(strength=1.0, guide_keys=how).encode(batch()) for how in ("score", "times_length"))
    assert torch.allclose(large.guided_keys, small.guided_keys * torch.tensor([7.0, 5.0])[:, None, None])
    assert large.guided_keys.div(guided(strength=1.0).head.centrality_weight).mean((1, 2)).tolist() == pytest.approx(
        [1.0, 5 / 7]
    )


@pytest.mark.parametrize("options", [{}, {"centrality": "indegree", "iterations": 3, "guide_keys": "times_length"}])
def test_search_says_what_training_learned_and_all_probabilities_sum_to_one(options):
    led, given_ = guided(strength=2.0, **options).eval(), batch()
    learned = led(given_).target_log_probs
    memory = led.encode(given_)
    state = led.decoder.start(memory, 1)
    for step, there in enumerate([[0, 1], [0, 1], [0]]):  # the second target ends before
        trace = led.step(given_.target[:, None, 1 : step + 1], memory, state)
        assert trace.log_probs.exp().sum(-1).flatten().tolist() == pytest.approx([1.0] * 2, abs=1e-5)
        found = trace.log_probs[:, 0].gather(1, given_.target[:, step + 1, None]).squeeze(1)
        assert torch.allclose(found[there], learned[there, step], atol=1e-5)


@pytest.mark.parametrize(("detach", "reached"), [(False, True), (True, False)])
def test_gradients_flow_through_centrality_into_the_encoder_unless_they_are_stopped(detach, reached):
    led = guided(detach=detach)
    scores = led.encode(batch()).centrality
    last = led.encoder.layers[-1].self_attention.multi_head.qkv_proj.weight
    assert scores.requires_grad == reached
    if reached:
        (scores[:, 0].sum()).backward()
        width = 12
        assert last.grad[: 2 * width].any()
        assert not last.grad[2 * width :].any(), "values have no part in it"


def test_in_half_precision_it_trains_too():
    led = guided(strength=1.0, guide_keys="times_length", centrality="indegree", iterations=2)
    with torch.autocast("cpu", torch.bfloat16):
        trace = led(batch())
    assert trace.centrality.dtype == torch.float32
    loss = objectives.make("likelihood")(None, batch(), trace) + objectives.make("guidance")(None, batch(), trace)
    loss.backward()
    exact = guided(strength=1.0, guide_keys="times_length", centrality="indegree", iterations=2)
    expected = exact(batch())
    assert torch.allclose(trace.centrality, expected.centrality, atol=0.01)
    assert all(torch.isfinite(one.grad).all() for one in led.parameters())
    assert led.head.centrality_weight.grad.any()


def guidance_arguments(attention, scores, mask=None):
    """What a network would have said whose steps attended so, and a batch of as many steps."""
    attention = torch.tensor(attention)
    target = torch.full((len(attention), 1 + attention.shape[1]), 5)
    if mask is not None:
        target[:, 1:][torch.tensor(mask)] = 0
    source = torch.full((len(attention), attention.shape[2]), 5)
    given_ = Batch(source, source, source == 0, Phrases.none(), 0, target, target)
    return None, given_, Trace(cross_attention=attention, centrality=torch.tensor(scores))


STEPS = [[[0.75, 0.25], [0.25, 0.75]]]
"""In the mean (0.5, 0.5)."""


def test_eq_18_the_loss_is_a_divergence_and_nothing_where_what_is_copied_is_what_is_central():
    guidance = objectives.make("guidance")
    assert guidance(*guidance_arguments(STEPS, [[0.5, 0.5]])).item() == pytest.approx(0.0, abs=1e-7)
    by_hand = 0.5 * math.log(0.5 / 0.9) + 0.5 * math.log(0.5 / 0.1)
    assert guidance(*guidance_arguments(STEPS, [[0.9, 0.1]])).item() == pytest.approx(by_hand)
    assert objectives.make("guidance", weight=2.0)(*guidance_arguments(STEPS, [[0.9, 0.1]])).item() == pytest.approx(
        2 * by_hand
    )


def test_it_may_be_the_other_way_round():
    guidance = objectives.make("guidance", direction="centrality_copying")
    by_hand = 0.9 * math.log(0.9 / 0.5) + 0.1 * math.log(0.1 / 0.5)
    assert guidance(*guidance_arguments(STEPS, [[0.9, 0.1]])).item() == pytest.approx(by_hand)


def test_it_may_take_each_words_highest_step():
    guidance = objectives.make("guidance", over_steps="max")
    assert guidance(*guidance_arguments([[[0.6, 0.4], [0.2, 0.8]]], [[3 / 7, 4 / 7]])).item() == pytest.approx(
        0.0, abs=1e-6
    )


@pytest.mark.parametrize("over_steps", ["mean", "max"])
def test_it_is_a_sum_over_examples_and_padding_steps_are_not_of_them(over_steps):
    guidance = objectives.make("guidance", over_steps=over_steps)
    long = STEPS[0] + [[0.99, 0.01]] * 3
    one = guidance(*guidance_arguments(STEPS, [[0.9, 0.1]])).item()
    two = guidance_arguments([long, long], [[0.9, 0.1], [0.9, 0.1]], [[False, False, True, True, True]] * 2)
    assert guidance(*two).item() == pytest.approx(2 * one)


def test_places_that_nobody_copies_from_or_that_are_not_central_stay_finite():
    p, q = torch.tensor([[1.0, 0.0, 0.0]]), torch.tensor([[0.0, 1.0, 0.0]])
    assert torch.isfinite(divergence(p, q)).all()
    assert divergence(p, p).item() == pytest.approx(0.0, abs=1e-8)
    p.requires_grad_()
    divergence(p, q).sum().backward()
    assert torch.isfinite(p.grad).all()


def test_the_loss_moves_copying_and_centrality_alone():
    led = guided(strength=0.5, centrality="indegree", iterations=2)
    loss = objectives.make("guidance")(led, batch(), led(batch()))
    assert loss.item() > 0
    loss.backward()
    assert led.head.centrality_weight.grad.any()
    assert led.encoder.layers[-1].self_attention.multi_head.qkv_proj.weight.grad.any()
    assert led.head.p_copy_proj.weight.grad is None


@pytest.mark.parametrize("way", ["attention", "loss", "both"])
@pytest.mark.parametrize("guidance", ["outdegree", "indegree-1", "indegree-2", "indegree-3"])
def test_each_guidance_is_reached_from_mass_copy_and_from_the_preset_by_set(guidance, way):
    kind, _, iterations = guidance.partition("-")
    measure = [f"model.head.centrality={kind}", f"model.head.iterations={iterations or 1}"]
    from_copy = ["model.head.kind=guided", *measure]
    from_copy += ["model.head.guide_keys=none"] if way == "loss" else []
    from_copy += [] if way == "attention" else ["training.objectives.guidance.weight=1.0"]
    ready = (
        measure
        + {
            "attention": ["training.objectives.guidance.weight=0.0"],
            "loss": ["model.head.guide_keys=none"],
            "both": [],
        }[way]
    )
    for name, changes in (("mass_copy", from_copy), ("sagcopy_outdegree", ready)):
        preset = read(name, changes)
        led = network(preset.section("model.head"))
        assert (led.head.centrality_weight is None) == (way == "loss")
        weights = preset.section("training.objectives").get("guidance", {"weight": 0.0})
        assert (weights["weight"] > 0) == (way != "attention")
        found = led.encode(batch()).centrality
        with torch.no_grad():
            graph = led.encoder(led.source_embedding(batch().source), batch(), needs_graph=True).graph
            expected = indegree(graph, int(iterations)) if iterations else outdegree(graph)
        assert torch.allclose(found, expected)


def test_no_guidance_is_mass_copy():
    off = read("sagcopy_outdegree", ["model.head.guide_keys=none", "training.objectives.guidance.weight=0.0"])
    assert network(off.section("model.head")).head.centrality_weight is None
    assert read("mass_copy").section("model.head")["kind"] == "pointer"


def test_presets_differ_in_what_guides():
    out, one, two, three = (read(f"sagcopy_{name}") for name in ("outdegree", "indegree_1", "indegree_2", "indegree_3"))
    for number, preset in enumerate((one, two, three), start=1):
        head = preset.section("model.head")
        assert (head["centrality"], head["iterations"]) == ("indegree", number)
        assert {**preset.section("model"), "head": {}} == {**out.section("model"), "head": {}}
    assert out.section("training.objectives")["likelihood"] == {"label_smoothing": 0.1}
    copying, plain = read("mass_copy"), read("mass")
    assert copying.section("training") == plain.section("training")
    assert out.section("model.decoder") == copying.section("model.decoder")


def test_the_setting_is_that_of_mass():
    for name in ("mass", "mass_copy", "sagcopy_outdegree", "sagcopy_indegree_1"):
        preset = read(name)
        model, training, decoding = (preset.section(part) for part in ("model", "training", "decoding"))
        assert (model["d_model"], model["num_heads"], model["max_positions"], model["dropout"]) == (768, 12, 512, 0.1)
        for part in (model["encoder"], model["decoder"]):
            assert (part["num_layers"], part["ffn_dim"], part["norm"], part["activation"]) == (6, 3072, "post", "gelu")
        assert model["embedding"] == {"position_embedding": "learned", "scale": True, "norm": True}
        assert (model["share_embeddings"], model["tie_word_embeddings"]) == (True, True)
        assert preset.section("tokenizer") == {"kind": "wordpiece", "vocab_size": 30522, "lower": True}
        assert training["optimizer"] == {"kind": "adam", "betas": [0.9, 0.98], "eps": 1e-8}
        assert training["schedule"] == {"kind": "inverse_square_root", "learning_rate": 1e-4, "warmup_steps": 4000}
        assert training["objectives"]["likelihood"] == {"label_smoothing": 0.1}
        assert (training["batch_size"], training["batch_type"], training["gradient_accumulation_steps"]) == (
            4096,
            "tokens",
            8,
        )
        assert "max_grad_norm" not in training
        assert (decoding["beam_size"], decoding["min_length"]) == (5, 50)
        assert decoding["processors"]["repetition"] == {"no_repeat_ngram_size": 3}


def test_hypotheses_are_ranked_by_their_log_probability_per_token_as_by_fairseq():
    """−6 over eight tokens, −0.75 each, is before −4 over five, −0.8; less divided, 13/6 and 10/6, the short one is."""
    for name in ("mass", "mass_copy", "mass_small", "sagcopy_outdegree", "sagcopy_indegree_3"):
        ranking = configure(Search, read(name).section("decoding"), "decoding").ranking
        scores = [ranking.score(torch.tensor(log), torch.tensor(0.0), length) for log, length in ((-6.0, 8), (-4.0, 5))]
        assert [one.item() for one in scores] == pytest.approx([-0.75, -0.8])


def test_what_is_learned_before_are_halves_of_blocks_of_64():
    hidden = read("mass_pretraining").section("dataset")
    assert tuple(hidden[key] for key in ("block_size", "masked_share", "keep_share", "random_share")) == (
        64,
        0.5,
        0.1,
        0.1,
    )


def test_the_geometry_is_that_of_mass():
    made = network({"kind": "generator"})
    assert made.source_embedding.word_embeddings is made.target_embedding.word_embeddings
    assert made.head.vocab_proj.weight is made.source_embedding.word_embeddings.weight
    assert made.source_embedding.position_embeddings is not made.target_embedding.position_embeddings
    words = torch.tensor([[5, 9]])
    inside = (
        math.sqrt(12) * made.source_embedding.word_embeddings(words) + made.source_embedding.position_embeddings[:2]
    )
    assert torch.allclose(made.source_embedding(words), F.layer_norm(inside, (12,)), atol=1e-5)
    assert isinstance(made.encoder.norm, torch.nn.Identity), "norms stand after each part, so none is left for the end"


def test_gelu():
    part = FeedForward(Size(7, 3, 1, 0.0), 5, "gelu")
    states = torch.randn(2, 3)
    inner = states @ part.linear1.weight.T + part.linear1.bias
    expected = (inner * 0.5 * (1 + torch.erf(inner / math.sqrt(2)))) @ part.linear2.weight.T + part.linear2.bias
    assert torch.allclose(part(states), expected, atol=1e-6)


def test_eq_12_heads_may_copy_by_the_sum_of_their_scores_which_is_one_product_of_full_width():
    torch.manual_seed(3)
    decoder = decoders.make(
        "transformer", DecoderContext(Size(7, 12, 4, 0.0), 12), num_layers=1, ffn_dim=5, copy_attention="summed"
    )
    memory = EncoderOutput(torch.randn(1, 5, 12), torch.zeros(1, 5, dtype=torch.bool), torch.full((1, 5), 4))
    seen = {}
    layer = decoder.layers[0]
    original = layer.query
    layer.query = lambda states: seen.setdefault("query", original(states))
    found = decoder(torch.randn(1, 2, 12), memory, True).cross_attention
    query = seen["query"].transpose(1, 2).flatten(2)
    key = (
        memory.encoder_hidden_states @ layer.cross_attention.qkv_proj.weight[12:24].T
        + layer.cross_attention.qkv_proj.bias[12:24]
    )
    assert torch.allclose(found, (query @ key.mT / math.sqrt(3)).softmax(-1), atol=1e-6)


def test_what_cannot_be_guided_says_so():
    with pytest.raises(PresetError, match="encoder's"):
        network(
            {"kind": "guided"},
            encoder={"kind": "transformer", "num_layers": 1, "ffn_dim": 5, "attention": {"kind": "highlight"}},
        )
    with pytest.raises(PresetError, match="guided"):
        network({"kind": "guided"}, decoder={"kind": "recurrent", "hidden_size": 12, "attention_dim": 5})
    with pytest.raises(PresetError, match=r"model.head.kind = \"guided\""):
        objectives.make("guidance")(None, batch(), copying()(batch()))


@pytest.mark.parametrize("options", [{"iterations": 0}, {"damping": 0.0}, {"damping": 1.5}])
def test_options_that_mean_nothing(options):
    with pytest.raises(PresetError, match=next(iter(options))):
        network({"kind": "guided", **options})


def test_on_gigaword_the_network_is_the_same_and_headlines_may_be_short():
    config, news = (read(name).config for name in ("sagcopy_gigaword", "sagcopy_indegree_1"))
    assert (config.model, config.training) == (news.model, news.training)
    assert (config.dataset.kind, config.decoding.min_length) == ("gigaword", 1)
    assert config.decoding.processors["repetition"].config.no_repeat_ngram_size == 0
