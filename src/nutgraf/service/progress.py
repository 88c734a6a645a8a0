"""Progress of a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Stage = Literal["waiting", "reading", "working", "finishing"]

_BEGINS: dict[Stage, float] = {"waiting": 0.0, "reading": 0.05, "working": 0.4, "finishing": 0.9}
_ENDS: dict[Stage, float] = {"waiting": 0.05, "reading": 0.4, "working": 0.9, "finishing": 1.0}


@dataclass(frozen=True)
class Progress:
    """Progress of a request.

    Attributes:
        stage: "waiting" in the queue, "reading" documents, "working" on what was asked for, or "finishing": putting
            the result into its form.
        done: Number of requests before this one while it waits, number of documents that were read, else 0.
        total: Number of documents of the request.
    """

    stage: Stage
    done: int = 0
    total: int = 1

    @property
    def share(self) -> float:
        """Share that is done, from 0 to 1: a rough guess, which never falls from one stage to the next."""
        begin, end = _BEGINS[self.stage], _ENDS[self.stage]
        within = self.done / max(1, self.total) if self.stage == "reading" else 0.0
        return begin + (end - begin) * min(1.0, within)
