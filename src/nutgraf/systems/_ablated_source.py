"""Networks of ours that read a source with some sentences left out, and are given a summary to write."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np

from nutgraf.faithfulness.ablation import Array, Masks, Reader
from nutgraf.preparation import EncodedSource, Preparation
from nutgraf.preparation.source import EncodedTarget
from nutgraf.text.document import Document

LEAST = -20.0
"""Log probability of a token at least; a word that only the source has cannot be written without it."""

Scores = Callable[[Sequence[EncodedSource], EncodedTarget], Array]
"""Takes sources and a target; returns the log probability of each of the target's tokens, [sources, tokens]."""


class GivenSummary:
    """A summary that a network is given to write.

    Attributes:
        tokens: Number of tokens of each of its sentences; fewer where the network writes no text so long.
    """

    def __init__(self, preparation: Preparation, source: EncodedSource, texts: Sequence[str]) -> None:
        """Divide a summary into tokens."""
        self._preparation, self._source = preparation, source
        self.target = preparation.target(texts, source)
        ends = accumulate((len(preparation.tokenizer.encode(text).ids) for text in texts), initial=0)
        self._ends = [min(end, self.target.length) for end in ends]
        self.tokens = [end - start for start, end in pairwise(self._ends)]

    def reader(self, document: Document, scores: Scores, rows: int) -> Reader:
        """Return a network that reads sentences of the source."""
        read = self._source.document
        assert read is not None
        starts = [sentence.start for sentence in document.sentences]
        indices = tuple(bisect_right(starts, sentence.start) - 1 for sentence in read.sentences)

        def log_probs(masks: Masks) -> Array:
            tokens = np.maximum(scores([self._without(mask) for mask in masks], self.target), LEAST)
            return np.stack([tokens[:, start:end].sum(1) for start, end in pairwise(self._ends)], axis=1)

        return Reader(indices, log_probs, rows)

    def _without(self, mask: Sequence[bool]) -> EncodedSource:
        """Return the source with some of its sentences; unknown words keep their ids."""
        whole = self._source
        if whole.document is None or all(mask):
            return whole
        kept = tuple(one for one, keep in zip(whole.document.sentences, mask, strict=True) if keep)
        made = self._preparation.source(replace(whole.document, sentences=kept), whole.phrases)
        known, numbers = len(self._preparation.tokenizer), {word: rank for rank, word in enumerate(whole.unknown)}
        ids = [known + numbers.get(word, rank) for rank, word in enumerate(made.unknown)]
        extended = [ids[one - known] if one >= known else one for one in made.extended.tolist()]
        return replace(made, extended=np.array(extended, dtype=np.int64), unknown=whole.unknown)
