"""Tables of text with commas or tabs between the cells and names in the first line; fields as `jsonl` has them, or as
they are said to be called."""

from __future__ import annotations

from pathlib import Path

from nutgraf.datasets._generic import Config, Generic
from nutgraf.datasets._rows import DELIMITERS

__all__ = ["Config", "Csv"]


class Csv(Generic):
    """Tables of text, one example a row: .csv or .tsv, compressed or not."""

    def reads(self, path: Path) -> bool:
        """Whether a file's name says that it is a table of text."""
        return any(suffix in DELIMITERS for suffix in path.suffixes)
