"""Limits of a request and of the queue."""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.errors import InputError


@dataclass(frozen=True)
class Limits:
    """Limits of a request and of the queue.

    Attributes:
        bytes: Size of the body of a request, all its files together.
        total_bytes: Size of all bodies together that are read, wait or are worked on; None for 8 times `bytes`.
        documents: Number of documents of a request.
        words: Number of words of all documents of a request together.
        highlights: Number of highlights.
        seconds: Time for the work on a request, without the time in the queue.
        memory: Memory of a worker process in bytes.
        queue: Number of requests that may wait; those that are being worked on do not wait.

    Raises:
        InputError: If a limit is not above 0, or `total_bytes` has no room for one body.
    """

    bytes: int = 32 << 20
    total_bytes: int | None = None
    documents: int = 200
    words: int = 2_000_000
    highlights: int = 200
    seconds: float = 60.0
    memory: int = 2 << 30
    queue: int = 64

    def __post_init__(self) -> None:
        least = dict.fromkeys(("bytes", "documents", "words", "highlights", "queue"), 1.0)
        for name, bound in {**least, "total_bytes": self.bytes, "seconds": 0.1, "memory": 1 << 28}.items():
            value = getattr(self, name)
            if value is not None and value < bound:
                raise InputError(f"A limit of the service does not fit: {name} = {value} is below {bound:,}.")

    @property
    def held_bytes(self) -> int:
        """Size of all bodies together that are held at the same time."""
        return 8 * self.bytes if self.total_bytes is None else self.total_bytes
