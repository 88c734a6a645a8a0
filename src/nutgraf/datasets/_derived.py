"""Base of the data sets that are made of another one's texts, whose summaries are not used: for pre-training."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from nutgraf.datasets import Dataset, Drop, Part, Record, Row, Splits, datasets, ignore
from nutgraf.presets.family import Choice
from nutgraf.presets.ranges import NonNegativeInt, PositiveInt, Range
from nutgraf.text.document import Document

TOO_SHORT = "a text of too few sentences"


def check_origin(of: Choice[Dataset]) -> None:
    """Raise ValueError if a data set would be made of one that is itself made of another."""
    if issubclass(datasets.find(of.kind), Delegated):
        raise ValueError("of is a data set with texts of its own")


@dataclass(frozen=True)
class Origin:
    """Where texts come from, and how examples are drawn of them."""

    of: Choice[Dataset] = field(default_factory=lambda: datasets.choose("texts"))
    """Section of the data set whose texts are used."""

    sentences: Annotated[int, Range(ge=3)] = 24
    """Most sentences of an example; of a longer text, so many consecutive ones are drawn."""

    passes: PositiveInt = 1
    """Number of examples drawn of each text."""

    seed: NonNegativeInt = 0
    """Seed of the drawing; a text and a seed always give the same examples."""

    def __post_init__(self) -> None:
        check_origin(self.of)


class Delegated(Dataset):
    """Reads the files of another data set, and divides them as it does."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self._of = datasets.build(config.of)

    def id_columns(self) -> tuple[str, ...]:
        """Return the columns of the other data set."""
        return self._of.id_columns()

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row as the other data set does."""
        return self._of.record(row, drop)

    def rows(self, path: Path) -> Iterator[Row]:
        """Yield the rows of a file; see `Dataset`."""
        return self._of.rows(path)

    def reads(self, path: Path) -> bool:
        """Return True for files of the other data set."""
        return self._of.reads(path)

    def split_of(self, path: Path) -> str | None:
        """Return the split as the other data set does."""
        return self._of.split_of(path)

    def splits(self, path: Path) -> Splits:
        """Return the splits of the other data set."""
        return self._of.splits(path)

    def rows_of(self, part: Part) -> Iterator[Row]:
        """Yield the rows of one split of the other data set."""
        return self._of.rows_of(part)


class Derived(Delegated):
    """A data set whose sources and targets are made of texts."""

    config: Origin

    @abstractmethod
    def derive(self, sentences: Sequence[str], draw: np.random.Generator) -> tuple[list[str], list[str]]:
        """Return the sentences of the source and those of the target."""

    def rows_of(self, part: Part) -> Iterator[Row]:
        """Yield each row of a split as often as examples are drawn of it."""
        for row in super().rows_of(part):
            yield from (row._replace(draw=number) for number in range(self.config.passes))

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make an example of the text of a row; see `Dataset`."""
        record = super().record(row, drop)
        if record is None:
            return None
        if len(record.document.printed) < 3:
            drop(TOO_SHORT)
            return None
        draw = self._generator(record.document.text, row.draw)
        source, target = self.derive(self._stretch(record.document.printed, draw), draw)
        ends = list(accumulate(len(sentence) + 1 for sentence in source))
        spans = [(end - len(sentence) - 1, end - 1) for end, sentence in zip(ends, source, strict=True)]
        of = record.document
        document = Document.of("\n".join(source), of.name, language=of.language, sentences=spans)
        return Record(f"{record.id}-{row.draw}" if row.draw else record.id, document, (tuple(target),))

    def _generator(self, text: str, number: int) -> np.random.Generator:
        digest = hashlib.sha256(text.encode()).digest()
        return np.random.default_rng([self.config.seed, number, int.from_bytes(digest[:8])])

    def _stretch(self, sentences: Sequence[str], draw: np.random.Generator) -> Sequence[str]:
        begin = int(draw.integers(max(0, len(sentences) - self.config.sentences) + 1))
        return sentences[begin : begin + self.config.sentences]
