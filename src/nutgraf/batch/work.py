"""The work on documents, in any process: they are read, summarized, and written as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.batch.settings import Settings
from nutgraf.batch.sources import Item, dataset_of
from nutgraf.datasets import Row
from nutgraf.errors import BudgetError, InputError, NutgrafError, TaskError
from nutgraf.runtime.lines import parse_object
from nutgraf.systems import System, load_with
from nutgraf.text.clean import encodable
from nutgraf.text.document import Document, distinct, join
from nutgraf.text.formats import formatted, headline
from nutgraf.text.summary import Summary, SummarySentence, origin_to_json

EMPTY = "The system wrote nothing."
"""Reason why a summary is empty, where no error says it."""


class Made(NamedTuple):
    """The result of a document.

    Attributes:
        position: Its number among all documents.
        id: Its id.
        place: Where it stands.
        line: Its summary as a line of JSON; None if it has none.
        reason: Reason why it has none, or why its summary is empty; "" for a summary with text.
    """

    position: int
    id: str
    place: str
    line: str | None = None
    reason: str = ""


class About(NamedTuple):
    """Facts about a system that are needed before the work; see the properties of `System`."""

    signature: str
    at_once: int
    processes: int | None


class Work:
    """Summarizes documents as the settings ask."""

    def __init__(self, settings: Settings) -> None:
        """Load the system. Raises NutgrafError if it is not right."""
        self.settings = settings
        self.system: System = load_with(settings.system, settings.overrides, settings.trust, settings.compute)
        language = {} if settings.request.language is None else {"language": settings.request.language}
        self.dataset = dataset_of(settings.kind, {**language, **settings.dataset})

    def about(self) -> About:
        """Return what is to be known of the system."""
        return About(self.system.signature, self.system.at_once, self.system.processes)

    def summarize(self, items: Sequence[Item]) -> list[Made]:
        """Return the result of each item."""
        read = [self._read(item) for item in items]
        documents = [document for _, document in read if isinstance(document, Document)]
        made = iter(self.system.many(documents, self.settings.request))
        results = []
        for item, (name, document) in zip(items, read, strict=True):
            found = next(made) if isinstance(document, Document) else document
            if isinstance(found, Summary):
                reason = "" if found.sentences else EMPTY
                results.append(_made(item, name, _dumped(self._record(name, found)), reason))
            elif isinstance(found, BudgetError) and isinstance(document, Document):
                reason = str(found)
                notices = [*document.notices, reason]
                results.append(_made(item, name, _dumped(_record_of(name, notices=notices)), reason))
            else:
                results.append(_made(item, name, None, str(found)))
        return results

    def _read(self, item: Item) -> tuple[str, Document | NutgrafError]:
        """Return the id of a document with the document, or the error in its place."""
        name, content = item.name, item.content
        try:
            if content is None:
                raise InputError(item.problem)
            if isinstance(content, Path | bytes):
                return name, join(distinct(self._documents(item.name, content)))
            row = _row(item, content)
            name = self.dataset.id_of(row)
            reasons = list[str]()
            record = self.dataset.record(row, reasons.append)
            if record is None:
                raise InputError(f"{item.place}: the data set leaves it out: {', '.join(reasons)}.")
            return record.id, record.document
        except NutgrafError as error:
            return name, error

    def _documents(self, name: str, content: Path | bytes) -> list[Document]:
        from nutgraf.readers.reading import read, read_data

        language, reader = self.settings.request.language, self.settings.reader
        if isinstance(content, bytes):
            return read_data(content, name, language, reader)
        return read(content, language, reader)

    def _record(self, name: str, summary: Summary) -> dict[str, Any]:
        """Return a summary as it is kept."""
        summary = headline(summary) if self.settings.format == "headline" else summary
        return _record_of(name, formatted(summary, self.settings.format), summary.sentences, summary.notices)


def _record_of(
    name: str, text: str = "", sentences: Sequence[SummarySentence] = (), notices: Iterable[str] = ()
) -> dict[str, Any]:
    """Return what is kept of a document that could be read; its summary may be empty."""
    return {
        "id": name,
        "summary": text,
        "sentences": [sentence.text for sentence in sentences],
        "origins": [[origin_to_json(origin) for origin in sentence.origins] for sentence in sentences],
        "flags": [[asdict(flag) for flag in sentence.flags] for sentence in sentences],
        "notices": list(notices),
    }


def failed(item: Item, error: TaskError, settings: Settings) -> Made:
    """Return the result of a document whose task failed, under the id that stands in its line if it has one."""
    reason, name = f"{str(error)[:1].upper()}{str(error)[1:]}.", item.name
    if isinstance(item.content, str | Mapping):
        with suppress(InputError):
            name = dataset_of(settings.kind, settings.dataset).id_of(_row(item, item.content))
    return _made(item, name, None, reason)


def _row(item: Item, content: str | Mapping[str, Any]) -> Row:
    """Return the row of an item. Raises InputError if its line is no JSON object."""
    entry = parse_object(content, item.place) if isinstance(content, str) else dict(content)
    return Row(Path(item.file), item.number, entry, item.unit, name=item.name)


def dead_letter(made: Made) -> str:
    """Return the line of a document that has no summary."""
    return _dumped({"id": made.id, "place": made.place, "reason": made.reason})


def _made(item: Item, name: str, line: str | None, reason: str) -> Made:
    return Made(item.position, encodable(name), encodable(item.place), line, encodable(reason))


def _dumped(record: Mapping[str, Any]) -> str:
    """Return a record as a line of JSON that UTF-8 can encode."""
    return encodable(json.dumps(record, ensure_ascii=False))
