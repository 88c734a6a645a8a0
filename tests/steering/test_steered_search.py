"""Steered search: without effect at strength 0, and the same with caches, beams, batches and padding as without."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tiny_architectures import CROSS_ONLY, DECODERS, ENCODER_DECODERS, WINDOW, tiny  # noqa: E402

from nutgraf.steering import Span, forms  # noqa: E402
from nutgraf.steering.steered import Steering  # noqa: E402

LENGTH, NEW = 2 * WINDOW + 1, WINDOW + 1
SPANS = [[Span(2, 5, 1.0), Span(4, 8, 0.5), Span(9, 12, 1.0)], [Span(5, 9, 1.0)]]
ODD = [[Span(1, 4)], [Span(6, 10)]]
FORMS = {"column": {"strength": 3.0}, "block": {"strength": 3.0}, "share": {"share": 0.8}}
NOTHING = {"column": {"strength": 0.0}, "block": {"strength": 0.0}, "share": {"share": 0.0}}

NAMES = [*ENCODER_DECODERS, *DECODERS, *CROSS_ONLY]
SOME = ["Bart", "T5", "Llama", "Mistral", "Gemma2"]
every = pytest.mark.parametrize("name", NAMES)
some = pytest.mark.parametrize("name", SOME)
every_form = pytest.mark.parametrize("kind", FORMS)
pairs = pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name in NAMES for kind in FORMS if kind == "column" or name in SOME]
)


def attached(name: str, kind: str, **options: Any) -> Steering:
    if kind == "block" and name in CROSS_ONLY:
        pytest.skip("its encoder cannot be reached")
    return Steering(tiny(name), forms.make(kind, **options))


def rows(name: str) -> dict[str, Any]:
    """Inputs of which the second is shorter by 3."""
    torch.manual_seed(3)
    ids = torch.randint(5, 90, (2, LENGTH))
    mask = torch.ones_like(ids)
    padding = slice(0, 3) if name in DECODERS else slice(LENGTH - 3, LENGTH)
    ids[1, padding], mask[1, padding] = 0, 0
    return {"input_ids": ids, "attention_mask": mask}


def written(name: str, given: dict[str, Any], **options: Any) -> tuple[Any, Any]:
    """The tokens, and the logits (or scores) that they were chosen by."""
    done = tiny(name).generate(
        **given,
        max_new_tokens=NEW,
        min_new_tokens=NEW,
        return_dict_in_generate=True,
        output_logits=True,
        **{"do_sample": False, **options},
    )
    return done.sequences, torch.stack(done.logits, 1)


def close(one: Any, other: Any) -> None:
    size = max(1, float(other.abs().max()))
    torch.testing.assert_close(one, other, rtol=0, atol=2e-5 * size)


@every
def test_without_strength_every_bit_is_as_it_was(name: str) -> None:
    beams = {"num_beams": 3 if name in SOME else 1}
    expected = written(name, rows(name), **beams)
    for kind, nothing in NOTHING.items():
        if kind == "block" and name in CROSS_ONLY:
            continue
        steering = attached(name, kind, **nothing)
        with steering.marking(SPANS):
            found = written(name, rows(name), **beams)
        outside = written(name, rows(name), **beams)
        steering.detach()
        for one in (outside, found):
            assert all(torch.equal(*pair) for pair in zip(one, expected, strict=True)), kind


@pairs
def test_a_cache_changes_nothing(name: str, kind: str) -> None:
    steering = attached(name, kind, **FORMS[kind])
    plain = written(name, rows(name))[1]
    with steering.marking(SPANS):
        (tokens, cached), (again, whole) = (written(name, rows(name), use_cache=cache) for cache in (True, False))
    assert torch.equal(tokens, again)
    close(cached, whole)
    assert (cached - plain).abs().max() > 1e-3


@pairs
def test_padding_and_neighbours_change_nothing(name: str, kind: str) -> None:
    steering = attached(name, kind, **FORMS[kind])
    together = rows(name)
    with steering.marking(SPANS):
        tokens, logits = written(name, together)
    for row, mask in enumerate(together["attention_mask"].bool()):
        alone = {key: value[row : row + 1, mask] for key, value in together.items()}
        first = 3 if row and name in DECODERS else 0
        spans = [[span._replace(start=span.start - first, end=span.end - first) for span in SPANS[row]]]
        with steering.marking(spans):
            own, expected = written(name, alone)
        assert torch.equal(own[0, -NEW:], tokens[row, -NEW:])
        close(logits[row], expected[0])


@some
@every_form
def test_a_search_with_beams_steers_each_row_by_its_own_marks(name: str, kind: str) -> None:
    steering = attached(name, kind, **FORMS[kind])
    given = {key: value[:1] for key, value in rows(name).items()}
    both = {key: value.repeat(2, 1) for key, value in given.items()}
    with steering.marking(ODD):
        together, logits = written(name, both, num_beams=3, num_return_sequences=2)
    for row in range(2):
        with steering.marking(ODD[row : row + 1]):
            alone, _ = written(name, given, num_beams=3, num_return_sequences=2)
        assert torch.equal(alone, together[2 * row : 2 * row + 2])
    assert (logits[0] - logits[3]).abs().max() > 1e-3


@some
def test_samples_are_steered(name: str) -> None:
    given = rows(name)
    steering = attached(name, "column", strength=2.0)
    found = []
    for cache in (True, False):
        torch.manual_seed(1)
        with steering.marking(SPANS):
            found.append(written(name, given, do_sample=True, num_return_sequences=2, use_cache=cache))
    assert torch.equal(found[0][0], found[1][0])
    close(found[0][1], found[1][1])


@some
@every_form
def test_a_static_cache_changes_nothing(name: str, kind: str) -> None:
    steering = attached(name, kind, **FORMS[kind])
    with steering.marking(SPANS):
        (tokens, logits), (again, static) = (
            written(name, rows(name), **options) for options in ({}, {"cache_implementation": "static"})
        )
    assert torch.equal(tokens, again)
    close(static, logits)


@some
@every_form
def test_dimensions_do_what_the_mask_does(name: str, kind: str) -> None:
    tokens, logits = [], []
    for way in ("mask", "dimensions"):
        steering = Steering(tiny(name), forms.make(kind, **FORMS[kind]), way)
        with steering.marking(SPANS):
            found = written(name, rows(name))
        tokens.append(found[0])
        logits.append(found[1])
    assert torch.equal(*tokens)
    close(*logits)
