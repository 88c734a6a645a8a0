"""Detectors of what sources do not bear out; each file implements one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.presets.family import Family, Member
from nutgraf.text.tokenize import Span

Finding = tuple[Span, str]
"""Characters of the summary, and why they were flagged: a sentence for the reader."""


class Detector(Member, ABC):
    """Finds places of a claim that the sources contradict or do not have."""

    @abstractmethod
    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield what is flagged in a claim, in any order.

        Args:
            claim: A sentence of the summary.
            sources: The sources.
        """

    def lacks(self, language: str) -> str:
        """Return what is not looked for in sources of a language, as the object of a sentence; "" if nothing."""
        return ""


detectors: Family[Detector] = Family(__name__, Detector)
