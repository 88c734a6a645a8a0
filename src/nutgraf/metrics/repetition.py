"""Repetition: share of a summary's trigrams that occurred in it before, 1 − distinct / all.

Counted over the whole summary, across sentence boundaries, so that the figure does not depend on sentence splitting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nutgraf.metrics import Direction, Example, Metric
from nutgraf.metrics._score import sign
from nutgraf.presets.ranges import PositiveInt
from nutgraf.text.tokenize import ngrams, words


@dataclass(frozen=True)
class Config:
    """Repetition."""

    n: PositiveInt = 3
    """Number of words in an n-gram."""


class Repetition(Metric):
    """Share of repeated n-grams, 0 if none is repeated; None for a summary of fewer than n words."""

    needs = frozenset()

    config: Config
    directions: ClassVar[dict[str, Direction]] = {"repetition": "lower"}

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        return sign("repetition", n=self.config.n, lower=True, stem=False)

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        sequence = [word for sentence in example.hypothesis for word in words(sentence)]
        found = ngrams(sequence, self.config.n)
        return {"repetition": 1 - len(set(found)) / len(found) if found else None}
