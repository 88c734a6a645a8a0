"""Every form, in tiny random models of many architectures, equals the formula as it is written."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from plain_attention import block, column, reference, share, share_as_published  # noqa: E402
from tiny_architectures import CROSS_ONLY, DECODERS, ENCODER_DECODERS, tiny  # noqa: E402

from nutgraf.steering import Span, forms  # noqa: E402
from nutgraf.steering.steered import Steering  # noqa: E402

LENGTH, TARGET = 13, 5
SPANS = [[Span(2, 5, 1.0), Span(4, 8, 0.5), Span(10, 12, 0.75)], [Span(6, 9, 0.6), Span(1, 2, 0.3)]]
LATER = [[Span(start + 1, end + 1, weight) for start, end, weight in row] for row in SPANS]


def steering(name: str, kind: str, **options: Any) -> Steering:
    return Steering(tiny(name), forms.make(kind, **options))


def inputs(name: str) -> dict[str, Any]:
    """Two rows, of which the second is shorter: padded on the right, or a prompt on the left."""
    torch.manual_seed(3)
    ids = torch.randint(5, 90, (2, LENGTH))
    mask = torch.ones_like(ids)
    padding = slice(0, 1) if name in DECODERS else slice(LENGTH - 3, LENGTH)
    ids[1, padding], mask[1, padding] = 0, 0
    found = {"input_ids": ids, "attention_mask": mask}
    return found if name in DECODERS else {**found, "decoder_input_ids": ids[:, 2 : 2 + TARGET]}


@torch.no_grad()
def logits(name: str) -> Any:
    """The logits that depend on no row of padding."""
    found = tiny(name)(**inputs(name)).logits
    return found[:, 1:] if name in DECODERS else found


def places(name: str) -> tuple[str, ...]:
    return ("prompt",) if name in DECODERS else ("cross",) if name in CROSS_ONLY else ("encoder", "cross")


CASES = [(name, place) for name in [*ENCODER_DECODERS, *DECODERS, *CROSS_ONLY] for place in places(name)]
every = pytest.mark.parametrize(("name", "place"), CASES)


def compare(name: str, place: str, kind: str, right: Any, wrong: Any, **options: Any) -> None:
    untouched = logits(name)
    steered = steering(name, kind, places=(place,), **options)
    with steered.marking(SPANS):
        found = logits(name)
    steered.detach()
    with reference(tiny(name), place, LENGTH, right):
        expected = logits(name)
    with reference(tiny(name), place, LENGTH, wrong):
        refused = logits(name)
    size = max(1, float(expected.abs().max()))
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5 * size)
    assert (found - untouched).abs().max() > 1e-3 * size
    assert (found - refused).abs().max() > 1e-3 * size


@every
def test_column(name: str, place: str) -> None:
    compare(name, place, "column", column(SPANS, 2.0), column(LATER, 2.0), strength=2.0)


@every
def test_share(name: str, place: str) -> None:
    compare(name, place, "share", share(SPANS, 0.7), share_as_published(SPANS, 0.7), share=0.7)


@pytest.mark.parametrize("overlap", ["max", "sum"])
@pytest.mark.parametrize(("name", "place"), [case for case in CASES if case[1] != "cross"])
def test_block(name: str, place: str, overlap: str) -> None:
    right, wrong = (max, sum) if overlap == "max" else (sum, max)
    compare(name, place, "block", block(SPANS, 4.0, right), block(SPANS, 4.0, wrong), strength=4.0, overlap=overlap)
