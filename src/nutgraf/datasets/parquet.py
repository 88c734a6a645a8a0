"""Parquet and Arrow, as Hugging Face exports and keeps data sets; fields as `jsonl` has them, or as they are said to be
called. Needs `pip install 'nutgraf[parquet]'`."""

from __future__ import annotations

from pathlib import Path

from nutgraf.datasets._generic import Config, Generic
from nutgraf.datasets._rows import COLUMNAR

__all__ = ["Config", "Parquet"]


class Parquet(Generic):
    """Tables by column, one example a row: .parquet or .arrow; needs the extra `parquet`."""

    def reads(self, path: Path) -> bool:
        """Whether a file's name says that it is columnar."""
        return path.suffix in COLUMNAR
