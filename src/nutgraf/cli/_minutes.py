"""Minutes of documents for the command line, in this process or in others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nutgraf.errors import NutgrafError
from nutgraf.text.language import doubts_of

if TYPE_CHECKING:
    from nutgraf.meetings.records import Minutes
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
        return [self.shown(self.found(one)) for one in documents]

    def found(self, document: Document) -> Minutes:
        """Return the minutes of a document."""
        from nutgraf.meetings.find import find_minutes

        return find_minutes(document)

    def shown(self, found: Minutes) -> Shown:
        """Return minutes as they will be printed."""
        from nutgraf.meetings.records import as_markdown

        text = as_markdown(found) if self.markdown else str(found)
        return Shown(found.document.name, text, found.to_json(), found.notices)
