"""Judgements in a database: SQLite in the study's folder, or PostgreSQL for teams, through SQLAlchemy.

Nothing is ever changed or removed. A file of answers is stored in one transaction, completely or not at all; what is
there already is left out, and an answer that a judge has corrected stands beside the earlier one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from nutgraf.errors import InputError, OutputError, requires
from nutgraf.judging.records import Judgement
from nutgraf.judging.study import Study

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine, Table

FILE = "judgements.sqlite"

DRIVERS = ("sqlite", "postgresql+psycopg")
"""Kinds of databases that are used; `postgresql` alone is the second."""


class Store:
    """Judgements of studies.

    Args:
        place: Folder of the study, where the database is a file, or the URL of a database.

    Raises:
        OutputError: If the database cannot be opened.
        MissingPackage: If SQLAlchemy, or the driver of PostgreSQL, is not installed.
    """

    def __init__(self, place: str | Path) -> None:
        self._engine, self._shown = _connect(str(place))
        from sqlalchemy.dialects import postgresql, sqlite

        self._table = _table()
        self._insert: Any = (sqlite if self._engine.dialect.name == "sqlite" else postgresql).insert
        with self._problems(), self._engine.begin() as connection:
            from sqlalchemy.schema import CreateTable

            connection.execute(CreateTable(self._table, if_not_exists=True))

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._engine.dispose()

    def add(self, study: Study, judgements: Iterable[Judgement]) -> int:
        """Store judgements in one transaction, and return how many were not there yet: same task, answers and time.

        An answer that equals an earlier one is stored, too: files come in any order, and one between them may follow.
        """
        added = 0
        with self._problems(), self._engine.begin() as connection:
            insert = self._insert(self._table).on_conflict_do_nothing().returning(self._table.c.id)
            for one in judgements:
                added += len(connection.execute(insert.values(**_row(study, one))).all())
        return added

    def judgements(self, study: Study) -> list[Judgement]:
        """Return all judgements of a study in the order in which they were stored.

        All but the latest of a task are marked as superseded; one that leaves questions open counts as earlier than any
        that leaves none.
        """
        from sqlalchemy import select

        table = self._table
        with self._problems(), self._engine.connect() as connection:
            query = select(table).where(table.c.study == study.name).order_by(table.c.id)
            found = [_judgement(study, dict(row._mapping)) for row in connection.execute(query)]
        ranked = sorted(found, key=lambda one: (study.completes(one.task, one.answers), one.at))
        latest = {one.task.key: one for one in ranked}
        return [replace(one, superseded=one is not latest[one.task.key]) for one in found]

    @contextmanager
    def _problems(self) -> Iterator[None]:
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
            raise OutputError(f"The database {self._shown} cannot be used: {reason}") from error


def files_of(folder: str, database: str | None = None) -> list[str]:
    """Return the files of a study, which no result may replace: all in its folder, and those of SQLite.

    Args:
        folder: Folder of the study.
        database: URL of its database; None for the file in the folder.

    Raises:
        InputError: If the URL is none.
    """
    url = _url(database or folder)
    file = url.database if url.drivername == "sqlite" else None
    beside = [f"{file}{end}" for end in ("", "-journal", "-wal", "-shm")] if file else []
    return [*map(str, Path(folder).rglob("*")), *beside]


def _url(place: str) -> URL:
    """Return the address of the database in a folder, or at a URL."""
    with requires("judge", "A database of judgements needs"):
        from sqlalchemy.engine import URL, make_url
        from sqlalchemy.exc import SQLAlchemyError
    if "://" not in place:
        return URL.create("sqlite", database=str(Path(place) / FILE))
    try:
        url = make_url(place)
    except SQLAlchemyError:
        raise InputError("The address of the database does not fit: write postgresql://user@host/name.") from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername=DRIVERS[1])
    if url.drivername not in DRIVERS:
        raise InputError(f"A database is {' or '.join(DRIVERS)}, not {url.drivername!r}.")
    return url


def _connect(place: str) -> tuple[Engine, str]:
    """Return the engine, and its name without a password."""
    url = _url(place)
    from sqlalchemy import create_engine

    shown = url.database if url.drivername == "sqlite" else url.render_as_string(hide_password=True)
    with requires("postgresql", "PostgreSQL needs"):
        return create_engine(url), str(shown)


def _table() -> Table:
    from sqlalchemy import Boolean, Column, Float, Integer, MetaData, String, Table, Text, UniqueConstraint

    return Table(
        "judgements",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("study", String(64), nullable=False, index=False),
        Column("task", Text, nullable=False),
        Column("judge", Text, nullable=False),
        Column("item", Text, nullable=False),
        Column("shown", Text, nullable=False),
        Column("answers", Text, nullable=False),
        Column("seconds", Float),
        Column("at", Text, nullable=False),
        Column("received", Text, nullable=False),
        Column("simulated", Boolean, nullable=False),
        Column("versions", Text, nullable=False),
        Column("digest", String(64), nullable=False),
        UniqueConstraint("study", "digest"),
    )


def _row(study: Study, one: Judgement) -> dict[str, Any]:
    answers = _text(one.answers)
    digest = hashlib.sha256("\0".join((one.task.key, one.at, answers)).encode()).hexdigest()
    return {
        "study": study.name,
        "task": one.task.key,
        "judge": one.task.judge,
        "item": one.task.item,
        "shown": _text(one.task.order),
        "answers": answers,
        "seconds": one.seconds,
        "at": one.at,
        "received": datetime.now(UTC).isoformat(timespec="microseconds"),
        "simulated": one.simulated,
        "versions": _text(one.versions),
        "digest": digest,
    }


def _judgement(study: Study, row: dict[str, Any]) -> Judgement:
    return Judgement(
        task=study.by_key[row["task"]],
        answers=json.loads(row["answers"]),
        at=row["at"],
        seconds=row["seconds"],
        simulated=row["simulated"],
        versions=json.loads(row["versions"]),
    )


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
