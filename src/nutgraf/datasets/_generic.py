"""Examples of any corpus, with the names of their fields."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.datasets import Dataset, Drop, Record, Row, ignore
from nutgraf.datasets._references import references_of
from nutgraf.datasets._rows import field
from nutgraf.text.json_document import document_from_json
from nutgraf.text.tokenize import sentence_spans


@dataclass(frozen=True)
class Config:
    """language: of the texts, an ISO 639-1 code; nothing where it is to be recognized in each.

    text, summary, name: the fields that hold the input, what people wrote of it, and what it is called. Without them
    the input is `documents`, `sections`, `text`, `document`, `article`, `body` or `content`; the summary is
    `summaries`, `summary_sents` or `summary`; the name is `id`.
    """

    language: str | None = None
    text: str = ""
    summary: str = ""
    name: str = "id"


class Generic(Dataset):
    """What the generic data sets have in common: they differ in the files of a folder that they read."""

    def __init__(self, config: Config) -> None:
        self.config = config

    def record(self, row: Row, drop: Drop = ignore) -> Record:
        """See Dataset."""
        name = str(row.entry.get(self.config.name, row.number))
        given, written = row.entry, row.entry
        if self.config.text:
            text = field(row, self.config.text)
            several = isinstance(text, list)
            given = {"documents" if several and _are_texts(text) else "sections" if several else "text": text}
        if self.config.summary:
            written = {"summary": field(row, self.config.summary)}
        document = document_from_json(given, name, row.where, self.config.language)

        def split(text: str) -> tuple[str, ...]:
            return tuple(text[start:end] for start, end in sentence_spans(text, document.language))

        return Record(
            id=name,
            document=document,
            references=references_of(written, row.where, split),
            headline=str(row.entry.get("headline") or ""),
            query=str(row.entry.get("query") or ""),
        )


def _are_texts(values: list[object]) -> bool:
    return all(isinstance(value, str) for value in values)
