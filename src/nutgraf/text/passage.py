"""A sentence of a source, as it is shown beside what stands on it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a source.

    Attributes:
        source: Index of the source.
        start: First character in that source's text.
        end: Character after the last one.
        text: The sentence on one line.
    """

    source: int
    start: int
    end: int
    text: str
