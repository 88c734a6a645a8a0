"""JSON lines: one example per line, compressed or not; also a file that is one JSON list.

An object has `documents`, `sections` or a `text`, and optionally `id`, `summary`, `summaries` (several references),
`summary_sents` (one reference as its sentences), `headline` and `query`. Other column names can be set.
"""

from __future__ import annotations

from nutgraf.datasets._generic import Config, Generic
from nutgraf.datasets._rows import JSON

__all__ = ["Config", "Jsonl"]


class Jsonl(Generic):
    """JSON lines, one example per line, compressed or not; or a JSON list."""

    suffixes = JSON
