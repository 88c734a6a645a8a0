"""Tasks: what a network that classifies spans reads of an example, and which they are. One file, one task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from nutgraf.datasets import Dataset, Drop, Row, set_of
from nutgraf.presets.family import Family, Member
from nutgraf.presets.ranges import PositiveInt
from nutgraf.tokenizers import Tokenizer

Stretches = Sequence[tuple[int, int, int]]
"""A span as stretches of rows: the row, the first position and the position behind the last one."""

NO_LABEL = -1
"""Label of an item of which nothing is learned."""


@dataclass(frozen=True, eq=False)
class SpanExample:
    """A document as a network reads it that classifies spans; see `model/span_classifier.py`.

    Attributes:
        rows: Rows of tokens, each between BOS and EOS.
        spans: For each item its spans.
        labels: Class of each item; `NO_LABEL` for one of which nothing is learned.
        weights: Weight of each label; () for 1.
        shares: Probability of the second class, where labels are not certain; () where they are.
        gains: How good each item is, for objectives that rank them; () where nobody knows.
        features: Numbers of each item.
        id: Id of the example.
        origin: Name of the set that it is from.
        cut: True if something of it was cut.
        references: Summaries that people wrote, each as its sentences.
        texts: Texts of the items, where validation needs them.
    """

    rows: Sequence[Sequence[int]]
    spans: Sequence[Sequence[Stretches]]
    labels: Sequence[int]
    weights: Sequence[float] = ()
    shares: Sequence[float] = ()
    gains: Sequence[float] = ()
    features: Sequence[Sequence[float]] = ()
    id: str = ""
    origin: str = ""
    cut: bool = False
    references: Sequence[Sequence[str]] = field(default_factory=tuple)
    texts: Sequence[str] = ()


@dataclass(frozen=True)
class TaskConfig:
    """Options of every task."""

    most: PositiveInt | None = None
    """Most examples of one set in each split, the first ones, so that a large set does not drown the others; absent:
    all."""


class Task(Member, ABC):
    """Makes examples of the rows of a data set; made with its `Config`."""

    config: TaskConfig

    dataset: ClassVar[str] = ""
    """Kind of the data set that it reads; "" for any with summaries."""

    spans: ClassVar[int]
    """Spans of an item."""

    classes: ClassVar[tuple[str, ...]]
    """Names of the classes; of two, the network has the probability of the second."""

    @property
    def features(self) -> int:
        """Number of features of an item."""
        return 0

    @property
    @abstractmethod
    def longest(self) -> int:
        """Most tokens of a row."""

    def origin(self, row: Row) -> str:
        """Return the name of the set that a row is from. Raises InputError."""
        return set_of(row.file)

    @abstractmethod
    def texts(self, row: Row, dataset: Dataset) -> Iterable[str]:
        """Return the texts of a row that a tokenizer is trained on. Raises InputError."""

    @abstractmethod
    def examples(self, row: Row, dataset: Dataset, tokenizer: Tokenizer, drop: Drop) -> Iterator[SpanExample]:
        """Yield the examples of a row, or call `drop` with the reason why there is none. Raises InputError."""

    @property
    def outputs(self) -> int:
        """Number of scores of the network: one for two classes."""
        return 1 if len(self.classes) == 2 else len(self.classes)


tasks: Family[Task] = Family(__name__, Task)
