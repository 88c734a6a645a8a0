"""Windows of whole sentences: the rows in which a network reads a document, in training and afterwards."""

from __future__ import annotations

from collections.abc import Sequence

Stretch = tuple[int, int, int]
"""Number of a row, first position in it, and the position behind the last one."""

MARKS = 2
"""[CLS] before a row and [SEP] behind it."""


def windows(sentences: Sequence[Sequence[int]], longest: int) -> tuple[list[list[int]], list[list[list[Stretch]]]]:
    """Return rows of whole sentences, as many in each as fit, and where each sentence is.

    Args:
        sentences: Tokens of each sentence, at most `longest` − 2.
        longest: Most tokens of a row with its two marks, which it does not have yet.

    Returns:
        The rows, and for each sentence one span of one stretch, or of none where it has no tokens; positions count
        the first mark.
    """
    rows: list[list[int]] = []
    spans: list[list[list[Stretch]]] = []
    for ids in sentences:
        if not rows or len(rows[-1]) + len(ids) + MARKS > longest:
            rows.append([])
        start = len(rows[-1]) + 1
        rows[-1] += ids
        spans.append([[(len(rows) - 1, start, start + len(ids))] if ids else []])
    return rows, spans
