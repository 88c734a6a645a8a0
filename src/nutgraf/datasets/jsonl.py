"""JSON lines: one example a line, compressed or not; also a file that is one JSON list.

An object has `documents`, `sections` or a `text`, and of the following what there is: `id`, `summary`, `summaries`
(several references), `summary_sents` (one reference as its sentences), `headline`, `query`. Other names can be said.
"""

from __future__ import annotations

from pathlib import Path

from nutgraf.datasets._generic import Config, Generic

__all__ = ["Config", "Jsonl"]


class Jsonl(Generic):
    """JSON lines, one example a line, compressed or not; or a JSON list of them."""

    def reads(self, path: Path) -> bool:
        """Whether a file's name says that it is JSON."""
        return any(suffix in (".json", ".jsonl", ".ndjson") for suffix in path.suffixes)
