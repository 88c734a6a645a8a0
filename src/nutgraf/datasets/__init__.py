"""Data sets: files become examples. Each file knows the formats and conventions of one corpus."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar

from nutgraf.datasets._rows import JSON, Row, id_of, rows
from nutgraf.datasets._splits import (
    SPLITS,
    TEXTLESS,
    Part,
    Splits,
    by_name,
    deal,
    files_in,
    set_of,
    split_named,
)
from nutgraf.errors import InputError
from nutgraf.presets.family import Family, Member
from nutgraf.presets.ranges import NonNegativeFloat, NonNegativeInt, PositiveInt, PositiveShare, Range
from nutgraf.text.document import Document

Drop = Callable[[str], None]
"""Receives the reason why an example is skipped."""


def ignore(why: str) -> None:
    """Ignore the reason."""


@dataclass(frozen=True)
class Record:
    """An example of a data set.

    Attributes:
        id: Its id, or the number of its row.
        document: The input.
        references: Summaries that people wrote, each as a list of sentences.
        headline: Its headline, where the corpus has one.
        query: The question that the summary answers, where the corpus has one.
        candidates: Summaries that a network wrote, for a re-ranker to choose from.
    """

    id: str
    document: Document
    references: tuple[tuple[str, ...], ...]
    headline: str = ""
    query: str = ""
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True)
class Masking:
    """Masking of spans that a network learns to write (Song et al. 2019, *MASS*)."""

    block_size: Annotated[int, Range(ge=2)] = 64
    """Number of tokens in a block, in which one span is masked."""

    masked_share: PositiveShare = 0.5
    """Share of a block that is masked; 0.5 in Song et al. 2019, 0.15 by default in their code for summarization."""

    keep_share: NonNegativeFloat = 0.1
    """Share of the masked tokens that stay visible."""

    random_share: NonNegativeFloat = 0.1
    """Share of the masked tokens that are replaced by random tokens."""

    passes: PositiveInt = 1
    """Number of examples made of each text, each with other spans masked."""

    seed: NonNegativeInt = 0
    """Seed of the masking; a text and a seed always give the same spans."""

    def __post_init__(self) -> None:
        if self.keep_share + self.random_share > 1:
            raise ValueError("keep_share and random_share must be together at most 1")


class Dataset(Member, ABC):
    """Reads a corpus in the formats in which it is distributed."""

    suffixes: ClassVar[tuple[str, ...]] = (*JSON, ".parquet", ".arrow")
    """Suffixes of files that hold examples."""

    masking: Masking | None = None
    """Masking of spans, for a data set of which a network learns masked spans instead of summaries."""

    @abstractmethod
    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row, or return None after calling `drop` if it is skipped.

        Raises:
            InputError: If the row cannot be read; the message names its place.
        """

    def id_columns(self) -> tuple[str, ...]:
        """Return the columns that may hold an id, of which the first one that is filled counts."""
        return ("id",)

    def id_of(self, row: Row) -> str:
        """Return the id of a row, or what the row is called without one.

        Raises:
            InputError: If the row cannot be read, or its id is neither a text nor a whole number.
        """
        found = (id_of(row.entry, column, row.where) for column in self.id_columns())
        return next(filter(None, found), row.name or str(row.number))

    def section_class(self, name: str) -> str | None:
        """Return the class of sections that a section's name stands for; None where the corpus has no such classes.

        A preparation counts how many examples have a section of each class.
        """
        return None

    def variant(self, record: Record) -> str:
        """Return the variant of the corpus that an example is from; "" for a corpus that has only one.

        Figures of different variants do not compare, so a table of an evaluation names them.
        """
        return ""

    def rows(self, path: Path) -> Iterator[Row]:
        """Yield the rows of a file: by default JSON lines, a JSON list, CSV, TSV, Parquet or Arrow.

        A row that cannot be read raises InputError when its entry is asked for.

        Raises:
            InputError: If the file as a whole cannot be read.
        """
        return rows(path)

    def read(self, path: Path, drop: Drop = ignore) -> Iterator[Record]:
        """Yield the examples of a file.

        Raises:
            InputError: If the file cannot be read; the message names file and line.
        """
        return self._records(self.rows(path), drop)

    def reads(self, path: Path) -> bool:
        """Return True if a file's name says that it holds examples, and not the summaries of another file."""
        return any(suffix in self.suffixes for suffix in path.suffixes)

    def split_of(self, path: Path) -> str | None:
        """Return the split that a file's name indicates."""
        return split_named(path)

    def splits(self, path: Path) -> Splits:
        """Return the splits of a folder or a file.

        Raises:
            InputError: If there are none.
        """
        if not path.exists():
            raise InputError(f"There is no {path}; name a corpus's folder or its file.")
        if path.is_file():
            return self._dealt(path)
        files = files_in(path)
        readable = [file for file in files if self.reads(file)]
        found = by_name(readable, lambda file: self.split_of(file.relative_to(path)))
        if found:
            return found
        if len(readable) == 1:
            return self._dealt(readable[0])
        there = ", ".join(file.name for file in files[:5]) or "nothing"
        raise InputError(
            f"No file in {path} is called after its split (train.jsonl, validation.jsonl.xz, test.jsonl, say); "
            f"it holds {there}."
        )

    def rows_of(self, part: Part) -> Iterator[Row]:
        """Yield the rows of one split, without rows of other splits.

        Raises:
            InputError: If a file cannot be read.
        """
        for file in part.files:
            for row in self.rows(file):
                if part.keys is None or any(part.has(one.document.text) for one in self._records([row], ignore)):
                    yield row

    def examples(self, part: Part, drop: Drop = ignore) -> Iterator[Record]:
        """Yield the examples of one split.

        Raises:
            InputError: If a file cannot be read.
        """
        return self._records(self.rows_of(part), drop)

    def _records(self, found: Iterable[Row], drop: Drop) -> Iterator[Record]:
        for row in found:
            record = self.record(row, drop)
            if record is not None:
                yield record

    def _dealt(self, path: Path) -> Splits:
        dropped = Counter[str]()
        texts = (record.document.text for record in self.read(path, lambda why: dropped.update([why])))
        try:
            found = deal(path, texts)
        except InputError as error:
            reasons = ", ".join(f"{count:,} × {why}" for why, count in sorted(dropped.items()))
            raise InputError(f"{error} Examples left out: {reasons}.") if reasons else error from error
        # Those that are skipped belong to no split; the training data tell of them.
        return found | {"train": replace(found["train"], missing=dropped)}


datasets: Family[Dataset] = Family(__name__, Dataset)

GENERIC = ("jsonl", "csv", "parquet")
"""Data sets for files of any origin, in nutgraf's own form or with columns that are named."""

_SAMPLE = 64
"""Rows of a file in which an example is looked for."""


def generic_kind(dataset: Dataset | None, place: Path) -> str | None:
    """Return the generic data set for files that are in another form than that of a paper's corpus.

    Args:
        dataset: Data set of the corpus; None if there is none.
        place: A folder or a file.

    Returns:
        None if `dataset` makes an example of one of the first rows, or no generic data set reads files of such names.
    """
    files = [place] if place.is_file() else files_in(place) if place.is_dir() else []
    first = next((file for file in files if dataset is None or dataset.reads(file) or len(files) == 1), None)
    if dataset is not None and first is not None and _makes_example(dataset, first):
        return None
    readable = files if first is None else [first]
    return next((kind for kind in GENERIC if any(map(datasets.make(kind).reads, readable))), None)


def _makes_example(dataset: Dataset, path: Path) -> bool:
    with suppress(InputError):
        for row in itertools.islice(dataset.rows(path), _SAMPLE):
            with suppress(InputError):
                if dataset.record(row) is not None:
                    return True
    return False


__all__ = [
    "GENERIC",
    "SPLITS",
    "TEXTLESS",
    "Dataset",
    "Drop",
    "Masking",
    "Part",
    "Record",
    "Row",
    "Splits",
    "datasets",
    "generic_kind",
    "ignore",
    "set_of",
]
