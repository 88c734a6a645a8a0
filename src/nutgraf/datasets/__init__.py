"""Data sets: files on disk become examples. One file, one corpus's conventions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nutgraf.datasets._rows import Row, rows
from nutgraf.datasets._splits import SPLITS, TEXTLESS, Part, Splits, by_name, deal, files_in, split_by_text, split_named
from nutgraf.errors import InputError
from nutgraf.presets.family import Family
from nutgraf.text.document import Document

Drop = Callable[[str], None]
"""Told why an example is passed over."""


def ignore(why: str) -> None:
    """A Drop that does not listen."""


@dataclass(frozen=True)
class Record:
    """One example of a data set: an input and what people wrote of it.

    references: one or several summaries, each as its sentences. headline, query: where the corpus has them.
    """

    id: str
    document: Document
    references: tuple[tuple[str, ...], ...]
    headline: str = ""
    query: str = ""


@dataclass(frozen=True)
class Masking:
    """How spans of a text are hidden, for a network to write them (Song et al. 2019, *MASS*).

    block: pieces of which one span is hidden. share: of a block, how much that is; the paper has a half, the authors'
    code for summarization 0.15 unless told otherwise. keep, replace: of the hidden pieces, how many the network sees
    nevertheless, and how many are other pieces, drawn at random; the others are masked. passes: how often a text is
    taken, each time with other spans hidden. seed: what all of this follows from, together with the text.
    """

    block: int = 64
    share: float = 0.5
    keep: float = 0.1
    replace: float = 0.1
    passes: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.block < 2 or self.passes < 1 or self.seed < 0:
            raise ValueError("block is at least 2, passes at least 1, seed at least 0")
        if not 0 < self.share <= 1 or self.keep < 0 or self.replace < 0 or self.keep + self.replace > 1:
            raise ValueError("share is above 0 and at most 1; keep and replace are at least 0 and together at most 1")


class Dataset(ABC):
    """Reads one corpus in the forms in which people have it."""

    masking: Masking | None = None
    """How spans of its texts are hidden for a network to write, where it learns these instead of summaries."""

    @abstractmethod
    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """The example that stands in a row; None, after `drop` was told why, for one that is passed over. Raises
        InputError naming the place of what cannot be read."""

    def rows(self, path: Path) -> Iterator[Row]:
        """What stands in a file, in its order, lazily; here JSON lines, a JSON list, CSV, TSV, Parquet or Arrow. Raises
        InputError naming file and line for what cannot be read."""
        return rows(path)

    def read(self, path: Path, drop: Drop = ignore) -> Iterator[Record]:
        """The examples of a file, in its order, lazily. Raises InputError naming file and line."""
        return self._records(self.rows(path), drop)

    def reads(self, path: Path) -> bool:
        """Whether a file holds examples (and not, say, the summaries of another file), as far as its name tells."""
        return any(suffix in (".json", ".jsonl", ".ndjson", ".parquet", ".arrow") for suffix in path.suffixes)

    def split_of(self, path: Path) -> str | None:
        """The split that a file's name tells."""
        return split_named(path)

    def splits(self, path: Path) -> Splits:
        """Which files are training, validation and test data: those of a folder, by their names. A file alone is dealt
        out, 90/5/5, by a hash of its texts. Raises InputError."""
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
        """What stands in the files of one split, lazily, without what belongs to another. Raises InputError."""
        for file in part.files:
            for row in self.rows(file):
                if part.keys is None or any(part.has(one.document.text) for one in self._records([row], ignore)):
                    yield row

    def examples(self, part: Part, drop: Drop = ignore) -> Iterator[Record]:
        """The examples of one split, lazily. Raises InputError."""
        return self._records(self.rows_of(part), drop)

    def _records(self, found: Iterable[Row], drop: Drop) -> Iterator[Record]:
        for row in found:
            record = self.record(row, drop)
            if record is not None:
                yield record

    def _dealt(self, path: Path) -> Splits:
        return deal(path, (record.document.text for record in self.read(path)))


datasets: Family[Dataset] = Family(__name__, Dataset)

__all__ = [
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
    "ignore",
    "split_by_text",
]
