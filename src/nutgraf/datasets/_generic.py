"""Examples of any corpus, given the names of its columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from nutgraf.datasets import Dataset, Drop, Record, Row, ignore
from nutgraf.datasets._references import references_of
from nutgraf.datasets._rows import field
from nutgraf.text.json_document import document_from_json
from nutgraf.text.tokenize import sentence_texts


@dataclass(frozen=True)
class Config:
    """A corpus of your own."""

    language: str | None = None
    """Language of the texts as an ISO 639-1 code; by default it is recognized in each text."""

    text_column: str = ""
    """Column of the input; by default `documents`, `sections`, `text`, `document`, `article`, `body` or `content`."""

    summary_column: str = ""
    """Column of the summary; by default `summaries`, `summary_sents` or `summary`."""

    id_column: str = "id"
    """Column of the id."""


class Generic(Dataset):
    """Base of the generic data sets, which differ in the files of a folder that they read."""

    config: Config

    def id_columns(self) -> tuple[str, ...]:
        """Return the column that the options name."""
        return (self.config.id_column,)

    def record(self, row: Row, drop: Drop = ignore) -> Record:
        """Make the example of a row; see `Dataset`."""
        name = self.id_of(row)
        given, written = row.entry, row.entry
        if self.config.text_column:
            text = field(row, self.config.text_column)
            several = isinstance(text, list)
            texts = several and all(isinstance(one, str) for one in text)
            given = {"documents" if texts else "sections" if several else "text": text}
        if self.config.summary_column:
            written = {"summary": field(row, self.config.summary_column)}
        document = document_from_json(given, name, row.where, self.config.language)
        split = partial(sentence_texts, language=document.language)
        return Record(
            id=name,
            document=document,
            references=references_of(written, row.where, split),
            headline=str(row.entry.get("headline") or ""),
            query=str(row.entry.get("query") or ""),
        )
