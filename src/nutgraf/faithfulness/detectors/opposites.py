"""Opposites: a word where the source says the opposite of the same: "before food" for "after food".

A sentence need not follow the source word for word, as it must for `swaps`: what stands next to the word is also next
to its opposite in a source sentence that says much of the rest, and nowhere in the sources next to the word. So it is
with what nobody did where the source counts who did it, and the reverse.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, product

from nutgraf.faithfulness.company import BE, Words
from nutgraf.faithfulness.comparisons import THAN, degrees
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.negators import denies
from nutgraf.faithfulness.nobody import NOBODY, contradict, counted
from nutgraf.faithfulness.opposites import allies, decisive, opposites
from nutgraf.faithfulness.sources import Claim, Sources, letters
from nutgraf.presets.ranges import Share

_UNCOMPARED = frozenset(
    "will must shall may might could first second last next leave leaves leaving left earlier later all every some "
    "most several few man men woman women north northern south southern east eastern west western".split()
)
"""Words whose opposites stand beside the same words without a contradiction: a first leg, and a second one."""

LEAST_ELSEWHERE = 0.25
"""Share of the weight of the other words that another sentence must have to tell the same."""

_EXCEPT = frozenset({"except", "excluding", "apart", "unless"})
"""Words that take something out of what is said: open except on Mondays, closed on Mondays."""

_AFTER_VERBS = frozenset({"up", "down"})
"""Words that mean a direction behind a form of "be" or a figure, and anything behind another verb: "give up"."""

DENIED = 5
"""Words before and after a word among which one may deny it."""


@dataclass(frozen=True)
class Config:
    """Opposites."""

    least_shared: Share = 0.3
    """Share of the weight of the other words of the sentence, or of the clause, that the source sentence must have."""

    least_shared_between: Share = 0.15
    """The same where the words both before and after the opposites are the same."""

    least_shared_apart: Share = 0.55
    """The same for outcomes ("convicted", "acquitted") that stand beside other words."""


class Opposites(Detector):
    """Flags a word next to words that have its opposite next to them in the source, and nowhere this word."""

    config: Config

    def lacks(self, language: str) -> str:
        """Return "opposites" for other languages than English; see `Detector`."""
        return "" if language == "en" else "opposites"

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield words of which the source has the opposite; see `Detector`."""
        document = sources.document
        if document.language != "en" or letters(claim.sentence) in sources.sentences:
            return
        own = Words.of(claim.text, claim.start, claim.end)
        flagged: set[int] = set()
        for index in claim.evidence:
            sentence = document.sentences[index]
            theirs = Words.of(document.text, sentence.start, sentence.end)
            for place, at, least in self._contradictions(own, theirs, index, claim, sources):
                if place not in flagged and _alike(place, own, index, claim, sources) >= least:
                    flagged.add(place)
                    shown = document.show(sentence)
                    yield own.spans[place], f"The source has “{theirs.written[at]}” in this place: “{shown}”"

    def _contradictions(
        self, own: Words, theirs: Words, index: int, claim: Claim, sources: Sources
    ) -> Iterator[tuple[int, int, float]]:
        """Yield the places of two words, and how much of the rest the sentences must share for a contradiction."""
        config = self.config
        for place, at, sides in _opposed(own, theirs, sources):
            yield place, at, config.least_shared if sides < 2 else config.least_shared_between
        yield from ((place, at, config.least_shared) for place, at in _of_nobody(own, theirs, index, sources))
        for place, at in _decided(own, theirs):
            if not _is_told_elsewhere(own, place, index, claim, sources):
                yield place, at, config.least_shared_apart


def _alike(place: int, own: Words, index: int, claim: Claim, sources: Sources) -> float:
    """Return the share of the other words of a claim, or of the clause around a word, that a source sentence has."""
    document = sources.document
    stem = document.stem(own.written[place])
    clause = [term for term in chain(*document.terms_of([own.clause(place)])) if term != stem]
    rest = [term for term in claim.terms if term != stem]
    return max(sources.share(one, document.terms[index]) for one in ([rest, clause] if clause else [rest]))


def _decided(own: Words, theirs: Words) -> Iterator[tuple[int, int]]:
    """Yield the places of two opposite outcomes."""
    for place in _opposable(own):
        stem = own.stems[place]
        if stem in decisive() and {stem, *allies()[stem]}.isdisjoint(theirs.stems):
            against = opposites()[stem] & decisive()
            yield from ((place, at) for at in _opposable(theirs) if theirs.stems[at] in against)


def _is_told_elsewhere(own: Words, place: int, index: int, claim: Claim, sources: Sources) -> bool:
    """Return True if another sentence of the sources has a word, or one that says the same, and some of the rest."""
    document = sources.document
    said = {own.stems[place], *allies()[own.stems[place]]}
    rest = [term for term in claim.terms if term != document.stem(own.written[place])]
    return any(
        sources.share(rest, document.terms[other]) >= LEAST_ELSEWHERE
        for other in sources.sentences_with_base(said) - {index}
    )


def _opposed(own: Words, theirs: Words, sources: Sources) -> Iterator[tuple[int, int, int]]:
    """Yield the places of words and of their opposites, neither denied, and on how many sides they have the same."""
    small = sources.document.stop_words
    for place in _opposable(own):
        stem = own.stems[place]
        if allies()[stem].union([stem]).isdisjoint(theirs.stems):
            near = own.company(place, small)
            for at in _opposable(theirs):
                shared = near & theirs.company(at, small) if theirs.stems[at] in opposites()[stem] else ()
                if shared and not any(_is_said(stem, one, sources) for _, one in shared):
                    yield place, at, len({side for side, _ in shared})


def _opposable(words: Words) -> Iterator[int]:
    """Places of words that have an opposite; what is compared with "than" may change sides, as may two events."""
    written = words.written
    uncompared = _UNCOMPARED | degrees(written) if THAN in written else _UNCOMPARED
    for at, stem in enumerate(words.stems):
        between_events = written[at] in ("before", "after") and "".join(written[at + 1 : at + 2]).endswith("ing")
        near = written[max(0, at - DENIED) : at + DENIED]
        denied = stem in opposites() and (denies(near) or not _EXCEPT.isdisjoint(near))
        phrasal = written[at] in _AFTER_VERBS and not (at and (written[at - 1] in BE or written[at - 1][-1:].isdigit()))
        if stem in opposites() and written[at] not in uncompared and not (between_events or denied or phrasal):
            yield at


def _is_said(stem: str, near: str, sources: Sources) -> bool:
    """Return True if a sentence of the sources has the word, or one that says the same, and the one beside it."""
    holders = sources.opposable
    return any(near in holders[one] for one in {stem, *allies()[stem]} & holders.keys())


def _of_nobody(own: Words, theirs: Words, index: int, sources: Sources) -> Iterator[tuple[int, int]]:
    """Yield the places of what counts nobody and of what counts somebody, of the same."""
    if NOBODY.isdisjoint(own.written) and NOBODY.isdisjoint(theirs.written):
        return
    small = sources.document.stop_words
    for one, other in product(counted(own.written, small), counted(theirs.written, small)):
        if contradict(one, other):
            done = (one if one.nobody else other).stems
            if not _is_said_of_nobody(one.nobody, done, index, sources):
                yield one.place, other.place


def _is_said_of_nobody(nobody: bool, stems: tuple[str, ...], place: int, sources: Sources) -> bool:
    """Return True if another sentence of the sources denies this, or, where it was done, one does not deny it."""
    return any(
        sources.base_stems[index].issuperset(stems) and sources.denied[index] == nobody
        for index in sources.sentences_with_base(stems[:1]) - {place}
    )
