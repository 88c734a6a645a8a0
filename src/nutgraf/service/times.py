"""Times of a request, which its answer has in the header `Server-Timing`."""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass
class Times:
    """Times of a request, in seconds.

    Attributes:
        began: When it came, by the monotonic clock.
        queue: Time in the queue; None if it was never there, or its answer began before.
        work: Time with a worker process, with others where they were worked on together; None likewise.
    """

    began: float = field(default_factory=time.monotonic)
    queue: float | None = None
    work: float | None = None

    def header(self) -> str:
        """Return the header: what is known, and the time since the request came."""
        told = {"queue": self.queue, "work": self.work, "total": time.monotonic() - self.began}
        return ", ".join(f"{name};dur={1000 * one:.1f}" for name, one in told.items() if one is not None)


OF_REQUEST: ContextVar[Times] = ContextVar("times")
"""Times of the request that is being answered."""
