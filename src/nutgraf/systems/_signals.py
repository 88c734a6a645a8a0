"""Signals of a network for the words of its source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nutgraf.preparation import EncodedSource
from nutgraf.text.document import Document
from nutgraf.text.summary import SourceSignals, origin_of
from nutgraf.text.vectors import Array
from nutgraf.tokenizers import SEP_ID, Tokenizer

if TYPE_CHECKING:
    from torch import Tensor

    from nutgraf.model.records import Trace


APART = -1
"""The word of a position between two documents."""


def signals_of(
    trace: Trace, source: EncodedSource, document: Document, tokenizer: Tokenizer, ends: Sequence[int]
) -> SourceSignals | None:
    """Return the signals in the trace of one example; None if it has none.

    ends: how many pieces are written at the end of each sentence of the summary; those beyond the trace were cut.
    """
    centrality, gate, attention = (_numbers(part) for part in (trace.centrality, trace.gate, trace.cross_attention))
    if centrality is None and gate is None and attention is None:
        return None
    words = words_of(source, tokenizer)
    looked = None if attention is None else np.stack([attention[:end].sum(0) for end in ends or [0]])
    return SourceSignals(
        places=tuple(origin_of(document, start, end) for start, end in _spans(words, source)),
        centrality=None if centrality is None else sums(words, centrality),
        gate=None if gate is None else sums(words, gate) / sums(words, np.ones_like(gate)),
        coverage=None if looked is None else np.stack([sums(words, row) for row in looked]),
    )


def words_of(source: EncodedSource, tokenizer: Tokenizer) -> list[int]:
    """For each position the number of its word; several pieces may be of one."""
    begins = tokenizer.begins_word
    words: list[int] = []
    last = -1
    for number in source.extended.tolist():
        last += bool(number != SEP_ID and (number >= len(begins) or begins[number]))
        words.append(APART if number == SEP_ID else last)
    return words


def sums(words: Sequence[int], values: Array) -> Array:
    """Over the positions of each word."""
    inside = np.array(words) != APART
    return np.bincount(np.array(words)[inside], weights=values[inside]).astype(np.float64)


def _spans(words: Sequence[int], source: EncodedSource) -> list[tuple[int, int]]:
    """Return the span of each word: from the start of its first token to the end of its last."""
    found: dict[int, tuple[int, int]] = {}
    for word, (start, end) in zip(words, source.spans.tolist(), strict=True):
        if word != APART:
            found[word] = (found.get(word, (start, end))[0], end)
    return list(found.values())


def _numbers(part: Tensor | None) -> Array | None:
    """Return the numbers of the only example."""
    return None if part is None else part[0].double().cpu().numpy()
