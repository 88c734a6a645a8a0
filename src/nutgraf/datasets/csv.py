"""Tables with commas or tabs between the cells and column names in the first line; see `jsonl` for the columns."""

from __future__ import annotations

from nutgraf.datasets._generic import Config, Generic
from nutgraf.datasets._rows import DELIMITERS

__all__ = ["Config", "Csv"]


class Csv(Generic):
    """CSV or TSV, one example per row, compressed or not."""

    suffixes = tuple(DELIMITERS)
