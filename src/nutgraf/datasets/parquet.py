"""Parquet and Arrow, as Hugging Face exports and stores data sets.

See `jsonl` for the columns. Needs `pip install 'nutgraf[parquet]'`.
"""

from __future__ import annotations

from pathlib import Path

from nutgraf.datasets._columnar import COLUMNAR
from nutgraf.datasets._generic import Config, Generic

__all__ = ["Config", "Parquet"]


class Parquet(Generic):
    """Parquet or Arrow, one example per row; needs the extra `parquet`."""

    def reads(self, path: Path) -> bool:
        """Return True for Parquet and Arrow files."""
        return path.suffix in COLUMNAR
