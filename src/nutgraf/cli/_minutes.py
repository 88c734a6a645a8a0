"""Minutes of documents for the command line, in this process or in others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nutgraf.errors import NutgrafError
from nutgraf.text.language import doubts_of

if TYPE_CHECKING:
    from nutgraf.text.document import Document


@dataclass(frozen=True)
class Shown:
    """Minutes as they will be printed."""

    name: str
    minutes: str
    json: dict[str, Any]
    notices: tuple[str, ...]

    def text(self, output: str | None) -> str:
        """Return the lists."""
        return self.minutes


@dataclass(frozen=True)
class Minuting:
    """Finds the minutes of documents as the options say."""

    language: str | None
    reader: str | None
    fetch: bool
    markdown: bool

    @property
    def at_once(self) -> int:
        """Processes share the documents."""
        return 1

    def warnings(self, document: Document) -> list[str]:
        """Return a notice on a language that the text may not have."""
        return doubts_of(self.language, document.text)

    def work(self, documents: Sequence[Document]) -> list[Shown | NutgrafError]:
        """Return the minutes of each document."""
        return [self.shown(one) for one in documents]

    def shown(self, document: Document) -> Shown:
        """Return the minutes of a document as they will be printed."""
        from nutgraf.meetings.find import find_minutes
        from nutgraf.meetings.records import as_markdown

        found = find_minutes(document)
        text = as_markdown(found) if self.markdown else str(found)
        return Shown(document.name, text, found.to_json(), found.notices)
