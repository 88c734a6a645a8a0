"""Highlights: phrases that a person wants to see more of.

The same words steer every system. Where sentences are rated, a sentence gets 1 + Σ weight times its attention, the sum
being over the highlighted phrases that it carries: the words' counterpart of raising attention inside a network.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nutgraf.text.document import Document, Phrase
from nutgraf.text.highlights import find_phrases


@dataclass(frozen=True)
class Steering:
    """Highlights of a person, found in a document.

    Attributes:
        phrases: Highlights that occur; their score is their weight.
        emphasis: A factor for each sentence; None if nothing is highlighted.
        notices: A sentence for each highlight that does not occur.
        oracle: A summary that a person wrote. Its key phrases replace the document's own where a system highlights any,
            which only shows the effect of perfect guidance.
    """

    phrases: tuple[Phrase, ...] = ()
    emphasis: npt.NDArray[np.float64] | None = None
    notices: tuple[str, ...] = ()
    oracle: tuple[str, ...] | None = None

    @property
    def plain(self) -> bool:
        """True if there are no highlights and no oracle."""
        return not self.phrases and not self.notices and self.emphasis is None and self.oracle is None


def steer(document: Document, highlights: Iterable[str] | Mapping[str, float]) -> Steering:
    """Find the highlights of a document. Raises InputError for a weight that is no number above 0."""
    lines = (
        [f"{text}:{weight}" for text, weight in highlights.items()] if isinstance(highlights, Mapping) else highlights
    )
    lines = [lines] if isinstance(lines, str) else list(lines)
    if not lines:
        return Steering()
    found, notices = find_phrases(document, lines)
    if not found:
        return Steering(notices=tuple(notices))
    starts = np.array([sentence.start for sentence in document.sentences])
    emphasis = np.ones(len(starts))
    for phrase in found:
        carriers = {int(np.searchsorted(starts, start, side="right")) - 1 for start, _ in phrase.spans}
        emphasis[sorted(carriers)] += phrase.score
    return Steering(tuple(found), emphasis, tuple(notices))
