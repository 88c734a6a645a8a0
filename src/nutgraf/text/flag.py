"""Flag: characters of a summary that its sources do not bear out, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that the sources do not bear out.

    Attributes:
        kind: Name of the detector: "numbers", "dates", "names", "quotations".
        start: First character; of the summary that was checked, or of the sentence if a `SummarySentence` has the flag.
        end: Character after the last one.
        text: The characters.
        reason: Why it was flagged, a sentence for the reader.
    """

    kind: str
    start: int
    end: int
    text: str
    reason: str
