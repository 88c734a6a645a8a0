"""Sources and targets as a Batch."""

from __future__ import annotations

import numpy as np
import pytest

from nutgraf.preparation.source import EncodedSource, EncodedTarget, Place
from nutgraf.preparation.tensors import batch

torch = pytest.importorskip("torch")


def source(*ids: int, places: tuple[Place, ...] = (), unknown: tuple[str, ...] = ()) -> EncodedSource:
    known = np.array([min(number, 1) if number > 20 else number for number in ids], dtype=np.int64)
    return EncodedSource(known, np.array(ids, dtype=np.int64), unknown, places)


def target(*ids: int) -> EncodedTarget:
    return EncodedTarget(np.array(ids), np.array(ids))


def test_the_longest_decides_and_the_rest_is_padding() -> None:
    made = batch([source(7, 21, 5), source(6, 8, 21, 9, 22, unknown=("a", "b"))], [target(2, 7, 3), target(2, 3)])
    assert made.source.tolist() == [[7, 1, 5, 0, 0], [6, 8, 1, 9, 1]]
    assert made.source_extended.tolist() == [[7, 21, 5, 0, 0], [6, 8, 21, 9, 22]]
    assert made.key_padding_mask.tolist() == [[False] * 3 + [True] * 2, [False] * 5]
    assert made.target is not None
    assert made.target.tolist() == [[2, 7, 3], [2, 3, 0]]
    assert made.num_oov == 2
    assert made.desired_length is not None
    assert made.desired_length.tolist() == [1, 0]


def test_each_place_knows_its_source() -> None:
    made = batch(
        [
            source(5),
            source(5, 6, 7, places=(Place(0, 2, 0.5), Place(1, 3, 0.25))),
            source(9, places=(Place(0, 1, 1.0),)),
        ]
    )
    assert made.phrases.example.tolist() == [1, 1, 2]
    assert made.phrases.start.tolist() == [0, 1, 0]
    assert made.phrases.end.tolist() == [2, 3, 1]
    assert made.phrases.score.tolist() == [0.5, 0.25, 1.0]
    assert made.target is None


def test_no_phrase_anywhere() -> None:
    made = batch([source(5, 6)])
    assert len(made.phrases) == 0
    assert made.phrases.score.dtype == torch.float32


@pytest.mark.parametrize("count", [0, 2])
def test_as_many_targets_as_sources(count: int) -> None:
    with pytest.raises(ValueError, match="many targets"):
        batch([source(5)] * (1 if count else 0), [target(2, 3)] * count)
