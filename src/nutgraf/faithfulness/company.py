"""The words of a sentence, and the content words next to each of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from nutgraf.faithfulness.opposites import base_stem
from nutgraf.text.tokenize import Span, is_word, token_spans

REACH = 3
"""Words before and after a word among which the content word next to it is looked for."""

BE = frozenset("is are was were be been being".split())
"""Forms of "be"."""
_AUXILIARIES = BE | frozenset("has have had will would can could should may might must to also then a an the".split())
"""What may stand between a word and the content word before it."""

_PAUSES = frozenset(',;:()"“”')


@dataclass(frozen=True)
class Words:
    """The words of a sentence, and the marks at which a reader pauses.

    Attributes:
        written: Words in lower case, "" for a mark.
        stems: Their stems, those of irregular verbs of their base.
        spans: Their characters.
    """

    written: Sequence[str]
    stems: Sequence[str]
    spans: Sequence[Span]

    @classmethod
    def of(cls, text: str, start: int, end: int) -> Words:
        """Read the sentence between two characters of a text."""
        told = [(text[first:last].lower(), (first, last)) for first, last in token_spans(text, start, end)]
        kept = [(word, span) for word, span in told if word in _PAUSES or is_word(word)]
        written = ["" if word in _PAUSES else word for word, _ in kept]
        return cls(written, [base_stem(word) for word in written], [span for _, span in kept])

    def company(self, place: int, small: Collection[str]) -> set[tuple[str, str]]:
        """Return the stems of the content words next to a word, each with the side on which it stands.

        The subject of a passive stands on both sides, so that "the plan was rejected" is like "rejected the plan".

        Args:
            place: Place of the word.
            small: Stop words.
        """
        after = self._run(range(place + 1, min(len(self.written), place + 1 + REACH)), small, small)
        before = self._run(range(place - 1, max(-1, place - 1 - REACH), -1), small, _AUXILIARIES)
        passive = before and not BE.isdisjoint(self.written[max(before) + 1 : place])
        sides = [("after", after), ("before", before), *([("after", before)] if passive else [])]
        return {(side, self.stems[at]) for side, run in sides for at in run}

    def clause(self, place: int) -> Sequence[str]:
        """Return the words around a word, in lower case, up to the marks before and after it."""
        start = max((at + 1 for at in range(place) if not self.written[at]), default=0)
        end = next((at for at in range(place, len(self.written)) if not self.written[at]), len(self.written))
        return self.written[start:end]

    def _run(self, places: Iterable[int], small: Collection[str], between: Collection[str]) -> list[int]:
        """Return the places of the first run of content words; only some words may stand before it."""
        found: list[int] = []
        for at in places:
            if self.written[at] and self.written[at] not in small:
                found.append(at)
            elif found or self.written[at] not in between:
                break
        return found
