"""Texts without summaries: plain text files, or the formats of other corpora.

A text file is one running text: its paragraphs are joined up to LENGTH words at a time. A line that cannot be read is a
row of its own, between two texts. JSON lines, CSV, Parquet and
Arrow have one text per row, as in `jsonl`, `csv` and `parquet`; summaries are kept if there are any. Files whose names
indicate no split are split together, 90/5/5, by a hash of the texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from nutgraf.datasets import Row, Splits
from nutgraf.datasets._columnar import COLUMNAR
from nutgraf.datasets._generic import Config, Generic
from nutgraf.datasets._rows import DELIMITERS, JSON
from nutgraf.datasets._splits import by_name, deal, files_in
from nutgraf.runtime.lines import numbered_lines
from nutgraf.text.tokenize import count_words

__all__ = ["Config", "Texts"]

LENGTH = 1000
"""Number of words of a text file that are joined; a paragraph that ends later stays whole."""


class Texts(Generic):
    """Texts of any files, with or without summaries."""

    suffixes = (".txt", *JSON, *DELIMITERS, *COLUMNAR)

    def rows(self, path: Path) -> Iterator[Row]:
        """Yield the rows of a file; see `Dataset`."""
        if ".txt" not in path.suffixes:
            yield from super().rows(path)
            return
        lines: list[str] = []
        first, words = 1, 0
        for number, line, problem in numbered_lines(path):
            if problem is not None or (words >= LENGTH and not line.strip()):
                if words:
                    yield Row(path, first, {"text": "\n".join(lines)})
                lines, first, words = [], number, 0
            if problem is not None:
                yield Row(path, number, problem)
                first += 1
                continue
            lines.append(line)
            words += count_words(line)
        if words:
            yield Row(path, first, {"text": "\n".join(lines)})

    def splits(self, path: Path) -> Splits:
        """Split by the files' names or, if these indicate nothing, all texts together; see `Dataset`."""
        files = [file for file in files_in(path) if self.reads(file)] if path.is_dir() else []
        if len(files) < 2 or by_name(files, lambda file: self.split_of(file.relative_to(path))):
            return super().splits(path)
        parts = deal(path, (record.document.text for file in files for record in self.read(file)))
        return {split: replace(part, files=tuple(files)) for split, part in parts.items()}
