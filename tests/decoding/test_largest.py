"""The largest by blocks are the largest."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from nutgraf.decoding.largest import BLOCK, largest  # noqa: E402


@pytest.mark.parametrize("many", [3, 7, BLOCK, 11 * BLOCK, 11 * BLOCK + 5, 23 * BLOCK - 1])
def test_as_topk_finds_them(many: int) -> None:
    values = torch.randn(2, 3, many, generator=torch.Generator().manual_seed(many))
    found, wanted = largest(values, 7), values.topk(min(7, many))
    assert torch.equal(found[0], wanted.values)
    assert torch.equal(found[1], wanted.indices)


def test_those_behind_the_last_whole_block_count() -> None:
    values = torch.zeros(1, 1, 5 * BLOCK + 3)
    values[..., -1], values[..., 700] = 2.0, 1.0
    found, places = largest(values, 2)
    assert found.tolist() == [[[2.0, 1.0]]]
    assert places.tolist() == [[[5 * BLOCK + 2, 700]]]


def test_what_is_forbidden_everywhere_is_still_counted() -> None:
    values = torch.full((1, 1, 9 * BLOCK), -torch.inf)
    values[..., 5] = 0.0
    assert largest(values, 3)[0].tolist() == [[[0.0, -torch.inf, -torch.inf]]]
