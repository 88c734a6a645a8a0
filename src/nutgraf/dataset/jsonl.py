"""JSON lines: one example a line, compressed or not.

An object has `documents`, `sections` or a `text`, and of the following what there is: `id`, `summary`, `summaries`
(several references), `summary_sents` (one reference as its sentences), `headline`, `query`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nutgraf.dataset import Dataset, Record
from nutgraf.dataset._references import references_of
from nutgraf.text.forms import document_of
from nutgraf.text.lines import read_lines
from nutgraf.text.tokenize import sentence_spans


@dataclass(frozen=True)
class Config:
    """language: of the texts, an ISO 639-1 code; nothing where it is to be recognized in each."""

    language: str | None = None


class Jsonl(Dataset):
    """Examples of any corpus in this form."""

    def __init__(self, config: Config) -> None:
        self.config = config

    def read(self, path: Path) -> Iterator[Record]:
        """Examples in file order, lazily. Raises InputError naming file and line."""
        for number, entry in read_lines(path):
            where, name = f"{path}, line {number}", str(entry.get("id", number))
            document = document_of(entry, name, where, self.config.language)

            def split(text: str, language: str = document.language) -> tuple[str, ...]:
                return tuple(text[start:end] for start, end in sentence_spans(text, language))

            yield Record(
                id=name,
                document=document,
                references=references_of(entry, where, split),
                headline=str(entry.get("headline") or ""),
                query=str(entry.get("query") or ""),
            )
