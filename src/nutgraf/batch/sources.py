"""Sources become a stream of documents that nobody has read yet, always in the same order.

JSON lines are handed on as lines and files as their paths: they are parsed where they are summarized, so that whoever
hands them out has little to do, and what is wrong with one concerns no other. Each item has a position, counted from 0
over all sources, by which a batch knows it again.
"""

from __future__ import annotations

import hashlib
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any

from nutgraf.datasets import Dataset, datasets
from nutgraf.errors import InputError
from nutgraf.runtime.files import reading

LINES = (".jsonl", ".ndjson")
TABLES = (".csv", ".tsv", ".parquet", ".arrow")

ESTIMATED_BY = 64
"""Rows by which the number of all rows is estimated."""


@dataclass(frozen=True, slots=True)
class Item:
    """A document that nobody has read yet.

    Attributes:
        position: Number of the document among all, from 0.
        name: Its id, if it does not have one itself.
        place: Where it stands, for messages.
        content: A JSON line, an entry of a table, a file, or the content of one; None if it cannot be read.
        size: Size in characters or bytes, about.
        number: Number of its line or row.
        problem: Reason why it cannot be read.
        file: Name of the file that the line or row is of.
        unit: Name of what is numbered.
        rest: True if it stands for all that comes after it in its file, which cannot be read.
    """

    position: int
    name: str
    place: str
    content: str | Mapping[str, Any] | Path | bytes | None
    size: int
    number: int = 1
    problem: str = ""
    file: str = ""
    unit: str = "line"
    rest: bool = False


class Source(ABC):
    """A file, or a folder of an object store.

    Attributes:
        name: Its name, by which items without an id are called.
        size: Its size in bytes, 0 if it is not known.
    """

    name: str
    size: int = 0

    @abstractmethod
    def items(self, position: int) -> Iterator[Item]:
        """Yield its documents; the first one has this position. What cannot be read is an item with a problem."""

    @abstractmethod
    def identity(self) -> str:
        """Return a text that changes with the content, as far as that can be told at little cost."""

    def share(self, documents: int, size: int) -> float:
        """Return about what share of it is read after so many documents of so many characters."""
        return min(1.0, size / self.size) if self.size else 0.0

    def sample(self, most: int) -> list[Item]:
        """Return a few of its documents: the first ones, or others if they cost no more."""
        return list(islice(self.items(0), most))

    def estimate(self) -> float:
        """Return about how many documents it has, 0 if its size is not known."""
        sample = self.sample(ESTIMATED_BY) if self.size else []
        return self.size * len(sample) / max(1, sum(item.size for item in sample))

    def _row(
        self, position: int, number: int, content: str | Mapping[str, Any] | InputError, size: int, unit: str = "line"
    ) -> Item:
        """Return a line or a row; one that cannot be read has its error for content."""
        problem = str(content) if isinstance(content, InputError) else ""
        given = None if isinstance(content, InputError) else content
        called, where = f"{self.name}:{number}", f"{self.name}, {unit} {number}"
        return Item(position, called, where, given, size, number, problem, self.name, unit)

    def _rest(self, position: int, number: int, error: InputError | str, unit: str = "line") -> Item:
        """Return what stands for everything after a line or a row: a file that is damaged there goes no further."""
        where = f"{self.name}, all after {unit} {number}" if number else self.name
        return Item(position, f"{self.name}:{number + 1}…", where, None, 0, problem=str(error), rest=True)


class File(Source):
    """A file on this machine."""

    def __init__(self, path: str) -> None:
        self.name, self.path = path, Path(path)
        with reading(path):
            found = self.path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{path} is a pipe or a device, which can be read once only; write a file, and name that.")
        self.size = found.st_size

    def identity(self) -> str:
        """Return its name and size."""
        return f"{self.name} {self.size}"


class DocumentFile(File):
    """A file that is one document: text, HTML, PDF and so on."""

    def items(self, position: int) -> Iterator[Item]:
        """Yield the file; see `Source`."""
        yield Item(position, self.name, self.name, self.path, self.size)

    def estimate(self) -> float:
        """Return 1."""
        return 1.0


class Sources:
    """All sources of a batch, in the order in which they were named and, within a folder, of their names.

    Attributes:
        notices: Sentences about files that are none of them.
    """

    def __init__(self, sources: Sequence[Source], notices: Sequence[str] = ()) -> None:
        self._sources, self.notices = sources, tuple(notices)
        self._size = sum(source.size for source in sources)
        self._before, self._now = 0, 0.0

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self._sources)

    def identity(self) -> str:
        """Return a hash that changes with the names, sizes and, as far as it is read, the content of the files."""
        found = hashlib.sha256()
        for source in self._sources:
            found.update(f"{source.identity()}\n".encode("utf-8", "surrogatepass"))
        return found.hexdigest()

    def items(
        self,
        start: int = 0,
        known: Mapping[int, int] | None = None,
        read: Callable[[int, int, bool], None] | None = None,
    ) -> Iterator[Item]:
        """Yield the documents.

        Args:
            start: Position of the first document that is wanted; files that end before it are not opened if their
                number of documents is known.
            known: Number of documents of sources, by the source's number.
            read: Called when a source was read, with its number, its number of documents, and False if it is damaged
                and was not read to its end.
        """
        position, known = 0, known or {}
        for number, source in enumerate(self._sources):
            count = known.get(number)
            if count is None or position + count > start:
                count, characters, whole = 0, 0, True
                for item in source.items(position):
                    count, characters, whole = count + 1, characters + item.size, not item.rest
                    self._now = source.size * source.share(count, characters)
                    if item.position >= start:
                        yield item
                if read is not None:
                    read(number, count, whole)
            position += count
            self._before, self._now = self._before + source.size, 0.0

    @property
    def share(self) -> float:
        """Share of the sources that was handed out, by size; 0 if sizes are not known."""
        return min(1.0, (self._before + self._now) / self._size) if self._size else 0.0

    @property
    def table_size(self) -> float:
        """Size in bytes of the files that have to be read to count their documents, infinite if it is not known."""
        read = [source for source in self._sources if not isinstance(source, DocumentFile)]
        return sum(source.size if isinstance(source, File) else inf for source in read)

    def sample(self, most: int) -> list[Item]:
        """Return a few documents of files that are spread evenly over all files."""
        places = [number * len(self._sources) // min(most, len(self._sources)) for number in range(most)]
        chosen = sorted(set(places[: len(self._sources)]))
        each = -(-most // max(1, len(chosen)))
        return [item for number in chosen for item in self._sources[number].sample(each)][:most]

    def estimate(self) -> int:
        """Return about how many documents there are."""
        return round(sum(source.estimate() for source in self._sources))


def dataset_of(kind: str | None, options: Mapping[str, Any]) -> Dataset:
    """Return the data set that makes documents of rows; the generic one by default."""
    return datasets.build(datasets.choice({**options, "kind": kind or "jsonl"}, "dataset"))
