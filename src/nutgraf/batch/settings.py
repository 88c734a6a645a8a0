"""Everything that decides the results of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from nutgraf.runtime.hardware import Compute
from nutgraf.text.formats import Format, budget_in
from nutgraf.text.request import Request

FileFormat = Literal["jsonl", "parquet"]
"""Format of the files with summaries."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Request for each document, and how its result is kept.

    Attributes:
        system: Preset, .toml file or trained model.
        overrides: Changes of the preset, "section.key=value".
        trust: Let files name modules outside nutgraf.
        compute: How networks compute.
        request: What is asked of each summary; the length of a headline is one sentence, if no other is given.
        format: Layout of the summaries.
        reader: Reader of the files; None finds it, and reads tables row by row.
        kind: Data set whose rows the files hold; None for the generic one.
        dataset: Options of that data set.
        seconds: Limit of time for a document.
        memory: Limit of memory of a process, in bytes.
        file_format: Format of the files with summaries.
        shard_size: Number of documents in a shard.
    """

    system: str = "adaptive"
    overrides: tuple[str, ...] = ()
    trust: bool = False
    compute: Compute = field(default_factory=partial(Compute, deterministic=True))
    request: Request = field(default_factory=Request)
    format: Format = "paragraph"
    reader: str | None = None
    kind: str | None = None
    dataset: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 600.0
    memory: int = 4 << 30
    file_format: FileFormat = "jsonl"
    shard_size: int = 10_000

    def __post_init__(self) -> None:
        budget = budget_in(self.format, self.request.budget)
        object.__setattr__(self, "request", replace(self.request, budget=budget))

    def compared(self, signature: str) -> dict[str, Any]:
        """Return the settings as a table of plain values, by which a folder is recognized.

        Args:
            signature: Signature of the system, which stands for its preset, its options and its weights.
        """
        return {
            "system": signature,
            "budget": str(self.request.budget),
            "highlights": list(self.request.highlights),
            "query": self.request.query,
            "format": self.format,
            "language": self.request.language,
            "reader": self.reader,
            "kind": self.kind,
            "dataset": dict(self.dataset),
            "seconds": self.seconds,
            "memory": self.memory,
            "file_format": self.file_format,
            "shard_size": self.shard_size,
            **({"edit": self.request.edit} if self.request.edit else {}),
        }
