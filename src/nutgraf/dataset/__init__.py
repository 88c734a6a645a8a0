"""Data sets: files on disk become examples. One file, one corpus's conventions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nutgraf.dataset._splits import SPLITS, Splits, find_splits
from nutgraf.presets.family import Family
from nutgraf.text.document import Document


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


class Dataset(ABC):
    """Reads one corpus in the forms in which people have it."""

    def reads(self, path: Path) -> bool:
        """Whether a file of a folder holds examples of this corpus, as far as its name tells."""
        return any(suffix in (".json", ".jsonl") for suffix in path.suffixes)

    def splits(self, path: Path) -> Splits:
        """The files of each split: those of a folder. Raises InputError."""
        return find_splits(path, self.reads)

    @abstractmethod
    def read(self, path: Path) -> Iterator[Record]:
        """Examples in file order, lazily. Raises InputError naming file and line for what cannot be read."""


__all__ = ["SPLITS", "Dataset", "Record", "Splits", "datasets", "find_splits"]

datasets: Family[Dataset] = Family(__name__, Dataset)
