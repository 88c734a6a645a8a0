"""Attention over sentences from kernels. Sarkhel et al. 2020 (MLS), Sec. 3, Eq. 1–6.

Each head's values are brought to a sum of one over the sentences (C_i), weighted and added: A* = Σ_i w_i·C_i, clipped
at zero. As Σ w_i = 1, what is not clipped sums to one already; the paper's factor 1/m cancels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nutgraf.magnifier.kernels import Head, Kernel, Values, Words
from nutgraf.text.document import Document


@dataclass(frozen=True)
class SentenceAttention:
    """Attention over some sentences.

    weights: one a sentence, not negative, their sum is one. shares: for each kernel w_i·C_i, one value a sentence;
    they explain the weights, which are their clipped sum.
    """

    weights: Values
    shares: Mapping[str, Values]


def normalize(values: Values) -> Values:
    """To a sum of one; uniform where nothing is left."""
    total = values.sum()
    if total > 0:
        return np.asarray(values / total)
    return np.full(len(values), 1.0 / max(1, len(values)))


class Heads:
    """The heads that a document's kernels left, and their weights."""

    def __init__(self, kernels: Mapping[str, Kernel], document: Document) -> None:
        self._heads: dict[str, Head] = {name: kernel(document) for name, kernel in kernels.items()}
        self._weights = {name: kernel.weight for name, kernel in kernels.items()}

    def values(self, sentences: Sequence[Words]) -> dict[str, Values]:
        """c_i of every sentence, before any normalization."""
        return {name: head(sentences) for name, head in self._heads.items()}

    def combine(self, values: Mapping[str, Values], emphasis: Values | None = None) -> SentenceAttention:
        """A* of Eq. 6 over the sentences whose heads' values are given.

        emphasis: one factor a sentence; what is highlighted gets so many times the attention.
        """
        shares = {name: self._weights[name] * normalize(value) for name, value in values.items()}
        combined = np.maximum(np.sum(list(shares.values()), axis=0), 0.0)
        if not combined.any():
            combined = np.ones_like(combined)
        return SentenceAttention(normalize(combined if emphasis is None else combined * emphasis), shares)
