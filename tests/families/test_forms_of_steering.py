"""The contract of the forms of steering, over every file in the folder."""

from __future__ import annotations

from typing import Any

import pytest
from members import every_example

torch = pytest.importorskip("torch")

from nutgraf.steering import Marks, Span, Where, Window, forms  # noqa: E402

MARKS = Marks([[Span(1, 3, 0.5), Span(2, 5, 1.0)], []])
ROWS, KEYS, HEADS = 6, 7, 2

every = every_example(forms)


def share_of(marked: Any) -> Any:
    """Of attention that falls on other things nearly always."""
    return 0.1 * marked.mean(2, keepdim=True).expand(-1, HEADS, ROWS, -1)


def dense(choice: Any, first: int = 0) -> Any:
    bias = forms.build(choice).bias(MARKS, Window(first, ROWS, first, KEYS), share_of)
    return None if bias is None else (bias.rows @ bias.columns.mT).expand(2, -1, ROWS, KEYS)


@every
def test_its_options_say_where_it_acts(choice: Any) -> None:
    assert isinstance(choice.config, Where)
    assert forms.find(choice.kind).places


@every
def test_only_marked_keys_get_a_bias(choice: Any) -> None:
    found = dense(choice)
    assert found[0, :, 2, 1:5].ne(0).any()
    assert not found[0, :, :, [0, 5, 6]].any()
    assert not found[1].any()
    assert found.isfinite().all()


@every
def test_a_window_is_a_part_of_the_whole(choice: Any) -> None:
    whole, part = dense(choice), dense(choice, first=2)
    if not forms.find(choice.kind).depends_on_attention:
        torch.testing.assert_close(part[:, :, :4, :5], whole[:, :, 2:, 2:])


@every
def test_beyond_the_input_there_is_nothing(choice: Any) -> None:
    found = dense(choice, first=MARKS.length)
    assert found is None or not found.any()
