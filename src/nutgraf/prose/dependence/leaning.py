"""The record of how a sentence leans on others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Leaning:
    """Dependence of a sentence on others.

    Attributes:
        needs: Indices of the earlier sentences that must be in a summary before this one, nearest first. Empty if only
            a connective is at fault, or if the document does not have what is needed.
        connective: Characters at the beginning of the printed sentence that may be left out, so that the rest, with a
            capital, is free of the connective; 0 for none.
        reason: Why it leans, in a few words for a reader.
        unmet: True if it leans on something that no earlier sentence gives.
        bounds: Indices of the earlier sentences that should not stand in a summary without this one, since it reverses
            them, or is an exception to them, or tells who said them.
        others: Indices of other earlier sentences, any of which does in the place of the nearest that it needs, since
            they name the same person.
    """

    needs: tuple[int, ...] = ()
    connective: int = 0
    reason: str = ""
    unmet: bool = False
    bounds: tuple[int, ...] = ()
    others: tuple[int, ...] = ()

    @property
    def leans(self) -> bool:
        """True if the sentence, as it is printed, does not stand alone."""
        return bool(self.needs or self.connective or self.unmet)
