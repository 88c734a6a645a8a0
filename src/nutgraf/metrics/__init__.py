"""Metrics; each file implements one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from nutgraf.presets.family import Family, Member
from nutgraf.text.document import Document
from nutgraf.text.summary import SummaryWord

Direction = Literal["higher", "lower", "descriptive"]
"""The better direction of a column."""

Sentences = Sequence[str]
"""A text as a list of sentences; a text that is not split is one sentence."""


@dataclass(frozen=True, slots=True)
class Example:
    """A summary to be scored.

    Attributes:
        hypothesis: The summary.
        references: Summaries that people wrote.
        source: The document, for metrics that need it.
        written: For each sentence the words that a network wrote, with their origins, empty for a sentence that none
            wrote; None if nothing is known about how the summary was made.
        copied: True if the system that made it only takes sentences of its source, as they stand.
    """

    hypothesis: Sentences
    references: tuple[Sentences, ...] = ()
    source: Document | None = None
    written: Sequence[Sequence[SummaryWord]] | None = None
    copied: bool = False


class Metric(Member, ABC):
    """Scores one example at a time; tables average over examples and add confidence intervals."""

    needs: ClassVar[frozenset[Literal["references", "source"]]] = frozenset({"references"})
    """Fields of an example that the metric reads besides the hypothesis."""

    scale: ClassVar[int] = 100
    """Factor for tables: 100 for shares, 1 for distances without an upper bound."""

    embeds: ClassVar[bool] = False
    """True for a metric that compares embeddings: after its options its constructor takes what reads their model
    (`nutgraf.systems.embedding.read_embedder`)."""

    @property
    @abstractmethod
    def directions(self) -> dict[str, Direction]:
        """Columns of the metric, in order, and which direction is better."""

    @property
    @abstractmethod
    def signature(self) -> str:
        """Everything needed to reproduce a score: `rouge|stem:yes|…|v0.1.0`."""

    @abstractmethod
    def __call__(self, example: Example) -> dict[str, float | None]:
        """Return one unscaled value per column (shares lie between 0 and 1), None where the metric is undefined."""


metrics: Family[Metric] = Family(__name__, Metric)
