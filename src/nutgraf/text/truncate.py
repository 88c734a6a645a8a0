"""Truncation to the first words of a Document, of each of its parts, or of each of its sections.

Liu et al., *Key Phrase Aware Transformer for Abstractive Summarization* (KPAT), Sec. 7.1: 500/S words of each of S
documents (as Fabbri et al. 2019 truncate Multi-News), 1000/S words of each of S sections; what one does not use goes to
the others.

Lengths are counted in words between white space, or in a network's tokens (`Unit`). A truncated Document keeps its text
and all offsets; it has fewer sentences, and the last one of each stretch may be shorter. Each function also reports
what it cut.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from nutgraf.text.document import Document, Sentence
from nutgraf.text.summary import Cut, origin_of
from nutgraf.text.tokenize import Span, count_words, word_ends

_WORD = re.compile(r"\S+")

Truncated = tuple[Document, tuple[Cut, ...]]
"""The truncated Document, and one record with source offsets for each stretch that lost words."""


@dataclass(frozen=True)
class Unit:
    """The unit in which a length is counted.

    Attributes:
        name: Its plural, for messages.
        ends: For a sentence, the ascending character offsets at which its first unit ends, its second one, and so on.
            An offset may repeat the one before it where nothing should be split.
    """

    name: str
    ends: Callable[[Document, Sentence], Sequence[int]]


WORDS = Unit("words", lambda document, sentence: word_ends(document.text, *_of(sentence), document.language))
"""Words as budgets count them: between white space, or characters of a script without spaces."""


def head(document: Document, total: int, unit: Unit = WORDS) -> Truncated:
    """Keep the first `total` units."""
    return _share(document, [(0, len(document.text))], total, unit, f"the first {total} {unit.name}")


def parts(document: Document, total: int = 500, legacy: bool = False, unit: Unit = WORDS) -> Truncated:
    """Keep the first units of each part, `total` in all, and reserve one for each of the S - 1 separators.

    Args:
        document: The Document.
        total: Number of units.
        legacy: Reserve nothing, as the published preparation does; the separators then push the last S - 1 words out of
            a network that reads `total` words. Nothing is reserved either if there are more separators than units.
        unit: The unit.
    """
    stretches = [(part.start, part.end) for part in document.parts]
    filled = len({document.part_of(sentence.start) for sentence in document.sentences})
    separators = 0 if legacy or 2 * filled > total else max(0, filled - 1)
    return _share(document, stretches, total - separators, unit, f"{total} {unit.name} over {filled} documents")


def sections(document: Document, total: int = 1000, unit: Unit = WORDS) -> Truncated:
    """Keep the first units of each section, `total` in all.

    Text between sections counts as a section too; a Document without sections is one section.
    """
    stretches = list(_with_gaps(document))
    return _share(document, stretches, total, unit, f"{total} {unit.name} over {len(stretches)} sections")


def quotas(lengths: Sequence[int], total: int) -> list[int]:
    """Distribute `total` over stretches by water-filling.

    Every unfinished stretch gets the same share of what is left, but at most what the shortest of them still needs;
    that one is then finished, and the rest is distributed again. If less is left than there are unfinished stretches,
    their remainders are all alike, and the first ones get one more each.
    """
    given = [0] * len(lengths)
    left = max(0, total)
    while unfinished := [index for index, length in enumerate(lengths) if given[index] < length]:
        share = min(left // len(unfinished), *(lengths[index] - given[index] for index in unfinished))
        if share == 0:
            for index in unfinished[:left]:
                given[index] += 1
            break
        for index in unfinished:
            given[index] += share
        left -= share * len(unfinished)
    return given


def section_numbers(document: Document) -> list[int]:
    """Return the section that each sentence lies in, counted from 0; text between sections counts as a section too."""
    stretches = list(_with_gaps(document))
    return [_stretch_of(stretches, sentence.start) for sentence in document.sentences]


def _with_gaps(document: Document) -> Iterator[Span]:
    """Sections, and the gaps between them that contain sentences, in order."""
    at = 0
    ends = [*((section.start, section.end) for section in document.sections), (len(document.text),) * 2]
    starts = [sentence.start for sentence in document.sentences]
    for start, end in ends:
        if bisect.bisect_left(starts, at) < bisect.bisect_left(starts, start):
            yield at, start
        if start < end:
            yield start, end
        at = max(at, end)


def _stretch_of(stretches: Sequence[Span], offset: int) -> int:
    return max(0, bisect.bisect_right(stretches, offset, key=lambda stretch: stretch[0]) - 1)


def _lengths(document: Document, stretches: Sequence[Span], total: int, unit: Unit) -> list[int]:
    """Length of each stretch, counted no further than `total`."""
    lengths = [0] * len(stretches)
    for sentence in document.sentences:
        stretch = _stretch_of(stretches, sentence.start)
        if lengths[stretch] < total:
            lengths[stretch] += len(unit.ends(document, sentence))
    return lengths


def _share(document: Document, stretches: Sequence[Span], total: int, unit: Unit, rule: str) -> Truncated:
    """Keep the first units of each stretch, as many as `quotas` gives it."""
    left = quotas(_lengths(document, stretches, total, unit), total)
    kept: list[Sentence] = []
    cuts: dict[tuple[int, int], Cut] = {}
    for sentence in document.sentences:
        stretch = _stretch_of(stretches, sentence.start)
        taken, count = _first(document, sentence, left[stretch], unit)
        left[stretch] -= count
        if taken.end > taken.start:
            kept.append(taken)
        if taken.end < sentence.end:
            left[stretch] = 0
            place = (stretch, document.part_of(sentence.start))
            cuts[place] = _longer(cuts.get(place), _cut(document, taken.end, sentence.end, rule))
    return replace(document, sentences=tuple(kept)), tuple(cuts.values())


def _first(document: Document, sentence: Sentence, count: int, unit: Unit) -> tuple[Sentence, int]:
    """Truncate a sentence to its first `count` units, and return how many it has."""
    if count == 0:
        return Sentence(sentence.start, sentence.start), 0
    ends = unit.ends(document, sentence)
    if len(ends) <= count:
        return sentence, len(ends)
    return Sentence(sentence.start, ends[count - 1]), count


def _of(sentence: Sentence) -> Span:
    return sentence.start, sentence.end


def _cut(document: Document, start: int, end: int, rule: str) -> Cut:
    words = _WORD.search(document.text, start, end)
    origin = origin_of(document, words.start() if words else start, end)
    return Cut(origin.source, origin.start, origin.end, count_words(document.text[start:end], document.language), rule)


def _longer(before: Cut | None, cut: Cut) -> Cut:
    return replace(before, end=cut.end, words=before.words + cut.words) if before else cut
