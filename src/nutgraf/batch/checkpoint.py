"""The state of a batch on disk: results that are in no shard yet, shards that are written, and all ids so far.

One SQLite file, which takes each result at once and survives a kill at any moment. A result leaves it when its shard is
written, so it stays small; only a hash of each id stays, by which a second document of the same id is recognized.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nutgraf.batch.work import Made
from nutgraf.errors import OutputError

CHECKPOINT = "checkpoint.sqlite"

_TABLES = """
CREATE TABLE IF NOT EXISTS done (position INTEGER PRIMARY KEY, id TEXT, place TEXT, line TEXT, reason TEXT);
CREATE TABLE IF NOT EXISTS ids (hash BLOB PRIMARY KEY, position INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sources (source INTEGER PRIMARY KEY, documents INTEGER, whole INTEGER);
CREATE TABLE IF NOT EXISTS shards (
    number INTEGER PRIMARY KEY, summaries INTEGER, dead_letters INTEGER, empty INTEGER, summary_bytes INTEGER,
    letter_bytes INTEGER
);
"""

_PRAGMAS = ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = NORMAL")
"""One process holds the file, so that it needs no memory shared with others and may lie on a network's file system."""

REPEATED = "a document before it has the same id"
"""Reason why a document has no summary."""


class Checkpoint:
    """The state of a batch in a folder that nobody else writes into.

    Attributes:
        shards: Number of shards that are written.
        summaries: Number of summaries in them.
        dead_letters: Number of dead letters in them.
        empty: Number of empty summaries in them.
    """

    def __init__(self, folder: Path) -> None:
        """Open the state, or begin one. Raises OutputError if it cannot be read or written."""
        self._path = folder / CHECKPOINT
        with self._reported():
            self._database = sqlite3.connect(self._path, isolation_level=None)
            for pragma in _PRAGMAS:
                self._database.execute(f"PRAGMA {pragma}")
            self._database.executescript(_TABLES)
        self._count()

    def add(self, results: Iterable[Made]) -> None:
        """Keep results, at once and all together."""
        with self._transaction():
            self._database.executemany("INSERT OR REPLACE INTO done VALUES (?, ?, ?, ?, ?)", results)

    def is_done(self, position: int) -> bool:
        """Return True if there is a result at a position that is in no shard yet."""
        return self._first("SELECT 1 FROM done WHERE position = ?", position) is not None

    def counts(self, shard_size: int) -> dict[int, int]:
        """Return the number of results that are in no shard yet, by the number of the shard in which they will be."""
        query = "SELECT position / ?, COUNT(*) FROM done GROUP BY 1"
        with self._reported():
            return dict(self._database.execute(query, (shard_size,)))

    def waiting(self) -> tuple[int, int]:
        """Return the number of results that are in no shard yet, and how many of them are no summaries."""
        found = self._first("SELECT COUNT(*), TOTAL(line IS NULL) FROM done")
        return int(found[0]), int(found[1])

    def known(self) -> dict[int, int]:
        """Return the number of documents of each source that was read."""
        with self._reported():
            return dict(self._database.execute("SELECT source, documents FROM sources"))

    def read(self, source: int, documents: int, whole: bool) -> None:
        """Keep the number of documents of a source that was read, and if that was to its end."""
        with self._reported():
            self._database.execute("INSERT OR REPLACE INTO sources VALUES (?, ?, ?)", (source, documents, whole))

    def damaged(self) -> int:
        """Return the number of sources that were not read to their end, since they are damaged."""
        return int(self._first("SELECT COUNT(*) FROM sources WHERE NOT whole")[0])

    @contextmanager
    def shard(self, first: int, size: int, sizes: Callable[[], tuple[int, int]]) -> Iterator[list[Made]]:
        """Yield the results of the next shard; they leave the state once they are written.

        Of documents with the same id the first one keeps it; the others become dead letters.
        """
        query = "SELECT * FROM done WHERE position BETWEEN ? AND ? ORDER BY position"
        within = (first, first + size - 1)
        with self._transaction():
            found = [Made(*row) for row in self._database.execute(query, within)]
            results = [made if self._claims(made) else made._replace(line=None, reason=REPEATED) for made in found]
            yield results
            letters = sum(made.line is None for made in results)
            empty = sum(made.line is not None and bool(made.reason) for made in results)
            self._database.execute("DELETE FROM done WHERE position BETWEEN ? AND ?", within)
            shard = (self.shards, size - letters, letters, empty, *sizes())
            self._database.execute("INSERT INTO shards VALUES (?, ?, ?, ?, ?, ?)", shard)
        self._count()

    def written(self) -> list[tuple[int, int]]:
        """Return the sizes of the two files of each shard that is written, summaries and dead letters."""
        with self._reported():
            return list(self._database.execute("SELECT summary_bytes, letter_bytes FROM shards ORDER BY number"))

    def forget(self, shard: int, first: int) -> None:
        """Forget a shard, whose first document is at position `first`, and those after it: they are made again."""
        with self._transaction():
            self._database.execute("DELETE FROM shards WHERE number >= ?", (shard,))
            self._database.execute("DELETE FROM ids WHERE position >= ?", (first,))
        self._count()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _count(self) -> None:
        query = "SELECT COUNT(*), TOTAL(summaries), TOTAL(dead_letters), TOTAL(empty) FROM shards"
        self.shards, self.summaries, self.dead_letters, self.empty = map(int, self._first(query))

    def _first(self, query: str, *values: int) -> Any:
        """Return the first row that a query finds."""
        with self._reported():
            return self._database.execute(query, values).fetchone()

    def _claims(self, made: Made) -> bool:
        """Return True if a document is the first one of its id, and keep that."""
        key = hashlib.blake2b(made.id.encode(), digest_size=16).digest()
        claim = self._database.execute("INSERT OR IGNORE INTO ids VALUES (?, ?)", (key, made.position))
        return claim.rowcount == 1

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._reported():
            self._database.execute("BEGIN")
            try:
                yield
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise OutputError(f"{self._path} cannot be read or written: {error}.") from error
