"""Thinking Machines: 186 essays on machines that think, each with one summary.

It is the second set of MLS (Sarkhel et al. 2020), which splits it 25/10/65.

We know of no release. Reads JSON lines with `text` and `summary`, or two folders of text files beside each other,
`essays/NAME.txt` (or `documents/`) and `summaries/NAME.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nutgraf.datasets import Row
from nutgraf.datasets._low_resource import LowResource
from nutgraf.runtime.lines import whole_text

ESSAYS = ("essays", "documents")


class ThinkingMachines(LowResource):
    """An essay and its summary."""

    def reads(self, path: Path) -> bool:
        """Return True if a file holds essays, judging by its name."""
        return _is_essay(path) or super().reads(path)

    def entries(self, path: Path) -> Iterator[Row]:
        """Yield one row per essay; see `LowResource`."""
        if not _is_essay(path):
            yield from super().entries(path)
            return
        summary = whole_text(path.parent.parent / "summaries" / path.name).strip()
        yield Row(path, 1, {"id": path.stem, "text": whole_text(path).strip(), "summary": summary}, "essay")


def _is_essay(path: Path) -> bool:
    return path.suffix == ".txt" and path.parent.name in ESSAYS
