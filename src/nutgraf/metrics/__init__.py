"""Metrics. One file, one metric; `_score.py` is shared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from nutgraf.presets.family import Family
from nutgraf.text.document import Document
from nutgraf.text.summary import SummaryWord

Sentences = Sequence[str]
"""A text as its sentences, one string each. What is not split is one 'sentence'."""


@dataclass(frozen=True, slots=True)
class Example:
    """What a metric looks at: a summary, what people wrote instead, and what it summarizes (where it is needed).

    written: of each sentence of the summary the words and marks, with where they come from, if a network wrote it, else
    none; None where nobody knows how the summary came about.
    """

    hypothesis: Sentences
    references: tuple[Sentences, ...] = ()
    source: Document | None = None
    written: Sequence[Sequence[SummaryWord]] | None = None


class Metric(ABC):
    """Scores one example at a time; a table averages over examples, and gives intervals.

    needs: which parts of an example it looks at beside the hypothesis. scale: what tables multiply its values by: 100
    for shares, 1 for distances without an upper bound.
    """

    needs: ClassVar[frozenset[Literal["references", "source"]]] = frozenset({"references"})
    scale: ClassVar[int] = 100

    @property
    @abstractmethod
    def directions(self) -> dict[str, Literal["higher", "lower", "descriptive"]]:
        """The columns this metric gives, in order, and which way is better."""

    @property
    @abstractmethod
    def signature(self) -> str:
        """All that must be known to get the same score again: `rouge|stem:yes|…|v0.1.0`."""

    @abstractmethod
    def __call__(self, example: Example) -> dict[str, float | None]:
        """One unscaled value a column (shares lie between 0 and 1); None where the metric says nothing."""


metrics: Family[Metric] = Family(__name__, Metric)
