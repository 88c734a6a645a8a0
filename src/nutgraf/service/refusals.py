"""Documents of a request that cannot be read: which ones, and why, so that a page says it where they were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nutgraf.errors import InputError


@dataclass(frozen=True)
class Refusal:
    """A document that cannot be read.

    Attributes:
        document: Its number in the request, from 0.
        why: The reader's sentence.
        lasting: False if it may be read when it is tried again, such as a page that did not answer.
    """

    document: int
    why: str
    lasting: bool = True


class LeftOut(str):
    """A notice about a document that was left out."""

    refusal: Refusal

    @classmethod
    def of(cls, refusal: Refusal) -> LeftOut:
        """Return the notice about a document."""
        notice = cls(f"A document was left out: {refusal.why}")
        notice.refusal = refusal
        return notice


class Unreadable(InputError):
    """None of the documents of a request can be read."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        """Say why the first of them cannot."""
        several = f"None of the {len(refusals):,} documents can be read. The first of them: "
        super().__init__((several if len(refusals) > 1 else "") + refusals[0].why)
        self.refusals = tuple(refusals)

    def __reduce__(self) -> tuple[type[Unreadable], tuple[tuple[Refusal, ...]]]:
        """Pickle the refusals: by default only the message would reach another process."""
        return Unreadable, (self.refusals,)
