"""Where a form acts, what it does to attention, and what is refused."""

from __future__ import annotations

import threading
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tiny_architectures import tiny  # noqa: E402

from nutgraf.errors import PresetError  # noqa: E402
from nutgraf.steering import Span, forms  # noqa: E402
from nutgraf.steering.reach import Unreachable  # noqa: E402
from nutgraf.steering.steered import Steering  # noqa: E402

SPANS = [[Span(2, 4), Span(5, 6)]]
MARKED = [2, 3, 5]
IDS = torch.arange(10, 19)[None]
SUMMARY = torch.arange(20, 24)[None]


def attached(name: str, kind: str = "column", attention: str | None = None, **options: Any) -> Steering:
    return Steering(tiny(name, attention), forms.make(kind, **options))


@torch.no_grad()
def hidden(name: str, attention: str | None = None) -> Any:
    return tiny(name, attention)(IDS, output_hidden_states=True).hidden_states


@pytest.mark.parametrize(("layers", "same"), [((1,), True), ((-1,), True), ((0,), False)])
def test_only_the_chosen_layers_are_steered(layers: tuple[int, ...], same: bool) -> None:
    plain = hidden("Qwen3")
    with attached("Qwen3", strength=3.0, highlighted_layers=layers).marking(SPANS):
        found = hidden("Qwen3")
    assert torch.equal(found[1], plain[1]) is same
    assert not torch.equal(found[2], plain[2])


def test_only_the_chosen_heads_are_steered() -> None:
    steering = attached("Bart", "share", share=0.9, highlighted_heads=(1, -1), places=("cross",))
    effect = steering.effect(SPANS, input_ids=IDS, decoder_input_ids=SUMMARY)
    assert effect.before.keys() == effect.after.keys() == {"cross"}
    first, steered = effect.before["cross"][0], effect.after["cross"][0]
    torch.testing.assert_close(steered[[1, 3]], torch.full((2,), 0.9))
    assert torch.equal(first[[0, 2]], steered[[0, 2]])


def test_shares_of_attention_are_those_of_the_weights() -> None:
    """In a model that computes its weights; the second row is padded."""
    ids, mask = IDS.repeat(2, 1), torch.ones(2, 9, dtype=torch.long)
    mask[1, 7:] = 0
    given = {"input_ids": ids, "attention_mask": mask, "decoder_input_ids": SUMMARY.repeat(2, 1)}
    steering = attached("Bart", strength=1.0)
    found = steering.effect(SPANS * 2, **given).before
    with torch.no_grad():
        model = tiny("Bart", "eager")
        plain = model(**given, output_attentions=True)
    for place, weights in (("encoder", plain.encoder_attentions), ("cross", plain.cross_attentions)):
        for layer, each in enumerate(weights):
            share = each[..., MARKED].sum(-1)
            rows = [share[0], share[1, :, :7] if place == "encoder" else share[1]]
            torch.testing.assert_close(found[place][layer], torch.cat(rows, -1).mean(-1))


def test_a_model_with_plain_attention_is_steered_alike() -> None:
    found = []
    for attention in ("sdpa", "eager"):
        with attached("Llama", attention=attention, strength=2.0).marking(SPANS):
            found.append(hidden("Llama", attention)[-1])
    torch.testing.assert_close(*found, rtol=0, atol=1e-5)


def test_another_thread_is_not_steered() -> None:
    plain, found = hidden("Llama")[-1], []
    with attached("Llama").marking(SPANS):
        thread = threading.Thread(target=lambda: found.append(hidden("Llama")[-1]))
        thread.start()
        thread.join()
        own = hidden("Llama")[-1]
    assert torch.equal(found[0], plain)
    assert not torch.equal(own, plain)


def test_its_own_attention_comes_back() -> None:
    model = tiny("Llama")
    attached("Llama").detach()
    assert model.config._attn_implementation == "sdpa"


def test_a_short_input_leaves_sparse_attention_as_it_is() -> None:
    attached("BigBirdPegasus")
    assert tiny("BigBirdPegasus").get_encoder().attention_type == "block_sparse"


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("LongT5", {"places": ("encoder",)}, "reached"),
        ("Llama", {"places": ("cross",)}, "reached"),
        ("LongT5", {"kind": "block"}, "any place"),
    ],
)
def test_what_cannot_be_reached_is_refused(name: str, options: Any, message: str) -> None:
    with pytest.raises(Unreachable, match=message):
        attached(name, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"highlighted_layers": (2,)}, r"2.*2.*0"),
        ({"highlighted_heads": (-5,)}, r"-5.*4.*-1 back"),
        ({"kind": "block", "places": ("cross",)}, "'cross'"),
    ],
)
def test_what_the_model_lacks_is_refused(options: Any, message: str) -> None:
    with pytest.raises(PresetError, match=message):
        attached("Bart", **options)


@torch.no_grad()
def test_a_highlight_without_effect_is_refused() -> None:
    """What the chosen layer attends to is lost in a projection of zeros."""
    model = tiny("Phi")
    weight = model.model.layers[1].self_attn.dense.weight
    kept = weight.clone()
    weight.zero_()
    try:
        with pytest.raises(Unreachable):
            attached("Phi", highlighted_layers=(1,))
    finally:
        weight.copy_(kept)


@pytest.mark.parametrize(
    ("spans", "message"),
    [([[Span(7, 10)]], r"10.*9 pieces"), ([[], []], r"2 inputs.*1")],
)
def test_marks_that_fit_no_input_are_refused(spans: Any, message: str) -> None:
    with attached("Bart").marking(spans), pytest.raises(ValueError, match=message):
        tiny("Bart")(IDS, decoder_input_ids=SUMMARY)
