"""Windows of whole sentences, in which a network reads a document."""

import numpy as np

from nutgraf.extractive.windows import MARKS, windows


def test_windows_hold_whole_sentences() -> None:
    rows, spans = windows([[5, 6], [7, 8, 9], [], [10]], 7)
    assert rows == [[5, 6, 7, 8, 9], [10]]
    assert spans == [[[(0, 1, 3)]], [[(0, 3, 6)]], [[]], [[(1, 1, 2)]]]
    assert windows([], 7) == ([], [])


def test_each_window_holds_as_many_as_fit() -> None:
    sizes = np.random.default_rng(0).integers(1, 129, 500).tolist()
    rows, spans = windows([[number] * size for number, size in enumerate(sizes)], 256)
    assert [one for row in rows for one in row] == [number for number, size in enumerate(sizes) for _ in range(size)]
    assert all(
        rows[row][first - 1 : last - 1] == [number] * sizes[number]
        for number, [[(row, first, last)]] in enumerate(spans)
    )
    firsts = [sizes[row[0]] for row in rows]
    assert all(len(row) + MARKS <= 256 for row in rows)
    assert all(len(row) + first + MARKS > 256 for row, first in zip(rows, firsts[1:], strict=False))
