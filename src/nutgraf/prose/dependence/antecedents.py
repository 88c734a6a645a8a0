"""Where a document says what a sentence leans on.

It is the nearest earlier sentence that has it. Durrett et al. 2016 ask a coreference system; we take the sentence
before, unless that one has "he" or "it" itself: then what it needs is what this one needs, too. For a noun with an
article it is the sentence that introduced it or, if none did, the last one that said it. Headings are passed over.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from itertools import islice

from nutgraf.prose.dependence.cues import Cue, Cues
from nutgraf.prose.dependence.names import is_within
from nutgraf.prose.dependence.occurrences import occurrences
from nutgraf.prose.dependence.openings import names_somebody
from nutgraf.prose.dependence.structure import begins_paragraph, ends, letter, quotations
from nutgraf.prose.dependence.units import units
from nutgraf.text.document import Document
from nutgraf.text.transcript import is_filler

NOWHERE = -1
"""Instead of the index of a sentence, if there is none."""

MOST_SAID = 3
"""Maximum number of sentences with a noun of which it is not clear which one is meant; other nouns are the subject."""

AROUND = 32
"""Number of sentences before and behind one that tell what the text is about there."""

REACH = 16
"""Number of sentences back to the one that has introduced a noun."""

NEAR = 6
"""Number of sentences back to the one that says the same noun."""

SHORTEST_STEM, LONGEST_ENDING = 4, 2
"""Number of letters by which a noun is recognized, and of those at its end that do not count."""

HEADINGS = 4
"""Maximum number of headings and interjections in a row that are passed over on the way to the sentence before them."""

LONGEST_FILLER = 4
"""Maximum number of words of an interjection or a back-channel."""

PRONOUNS = frozenset({"person", "pronoun", "possessive", "subjectless"})
"""Kinds of cue that stand for what an earlier sentence names."""


class Antecedents:
    """Finds what sentences of a document need.

    Args:
        document: The text.
        cue_of: Returns what a sentence leans by.
        cues: The words of its language, if there are any.
    """

    def __init__(self, document: Document, cue_of: Callable[[int], Cue | None], cues: Cues | None) -> None:
        self._document, self._cue_of, self._cues = document, cue_of, cues
        self._any_capital = cues is not None and bool(cues.lists["articles"])
        self._lists = {index: unit.start for unit in units(document) for index in unit}
        quoted = quotations(document).items()
        self._quotations = {index: first for last, first in quoted for index in range(first, last + 1)}
        self._of_pronouns: dict[int, int] = {}

    def of(self, index: int) -> int:
        """Return what a sentence needs by its cue; `NOWHERE` if it needs nothing, or what no sentence says."""
        cue = self._cue_of(index)
        if cue is None:
            return NOWHERE
        if cue.kind == "item":
            return self._lists[index]
        if cue.kind == "quoted":
            return self._quotations[index]
        if cue.kind == "series":
            return self._earlier_one(index, cue.noun) if cue.noun else self._first_item(index)
        return self._of_pronoun(index) if cue.kind in PRONOUNS else self._before(index)

    def _before(self, index: int) -> int:
        """Return the sentence before one that is no heading and not empty, in the same document."""
        before = index - 1
        while before > 0 and index - before < HEADINGS and (self._is_heading(before) or self._is_filler(before)):
            before -= 1
        return before if before >= self._first(index) else NOWHERE

    def _is_heading(self, index: int) -> bool:
        alone = begins_paragraph(self._document, index) and begins_paragraph(self._document, index + 1)
        return alone and not ends(self._document.printed[index])

    def _is_filler(self, index: int) -> bool:
        words = self._document.words_of(index)
        return len(words) <= LONGEST_FILLER and is_filler(words, self._document.stop_words)

    def _first(self, index: int) -> int:
        """Return the first sentence of the document that a sentence belongs to."""
        parts, sentences = self._document.parts, self._document.sentences
        if len(parts) < 2:
            return 0
        start = parts[self._document.part_of(sentences[index].start)].start
        return bisect_left(sentences, start, key=lambda sentence: sentence.start)

    def of_weak(self, index: int, cue: Cue) -> int:
        """Return what a sentence may need by a cue that is none if no earlier sentence has what it may stand for."""
        if cue.kind == "thin":
            return self._before(index)
        if cue.kind == "initial":
            return NOWHERE if self._is_name(index, cue.noun) else self._before(index)
        said, first = occurrences(self._document), max(self._first(index), index - REACH)
        earlier = list(said.of(cue.noun, range(index - 1, first - 1, -1)))
        introduced = next((one for one in earlier if self._introduces(one, cue)), NOWHERE)
        if introduced != NOWHERE or cue.kind in ("given", "described") or self._is_subject(index, cue.noun):
            return introduced
        before = self._before(index)
        if cue.kind in ("repeated", "present"):
            repeated = self._repeated(index, cue.noun)
            return before if repeated == NOWHERE and cue.kind == "present" and self._is_particular(before) else repeated
        said_last = next((one for one in earlier if ends(self._document.printed[one])), NOWHERE)
        return before if said_last == NOWHERE and before not in self._lists else said_last

    def _is_particular(self, index: int) -> bool:
        """Return True if a sentence tells of somebody, or of what has happened, and not what holds in general."""
        if index == NOWHERE or self._cues is None or index in self._lists:
            return False
        past = any(map(self._cues.is_past, self._document.words_of(index)))
        return past or names_somebody(self._document.printed[index], self._cues)

    def _is_name(self, index: int, word: str) -> bool:
        """Return True if a word has a capital within a sentence near one."""
        near = range(max(0, index - AROUND), min(len(self._document.sentences), index + AROUND))
        found, name = occurrences(self._document).of(word, near), word.capitalize()
        return any(is_within(self._document.printed[one], name) for one in found)

    def _is_subject(self, index: int, noun: str) -> bool:
        """Return True if many sentences near one have a noun, so that the text is about it."""
        near = range(max(0, index - AROUND), min(len(self._document.sentences), index + AROUND))
        found = occurrences(self._document).of(noun, near)
        return sum(1 for _ in islice(found, MOST_SAID + 1)) > MOST_SAID

    def _introduces(self, index: int, cue: Cue) -> bool:
        printed = self._document.printed[index]
        if self._cues is None:
            return False
        described = cue.kind == "described" and cue.noun in self._cues.described(printed)
        return (
            described
            or cue.noun in self._cues.introduced(printed)
            or (cue.kind != "given" and cue.is_bare and self._cues.modifies(printed, cue.noun))
        )

    def _first_item(self, index: int) -> int:
        """Return the first item of a list with letters; the sentence before if there is none near."""
        near = range(index - 1, max(self._first(index), index - REACH) - 1, -1)
        return next((one for one in near if letter(self._document.printed[one]) == "a"), self._before(index))

    def _earlier_one(self, index: int, noun: str) -> int:
        """Return the sentence before one that says its noun or, if none does, a number: the first of a series."""
        repeated = self._repeated(index, noun, REACH)
        if repeated != NOWHERE or self._cues is None:
            return repeated
        numbers = self._cues.lists["firsts"] | self._cues.lists["later"]
        near = range(index - 1, max(self._first(index), index - REACH) - 1, -1)
        return next((one for one in near if not numbers.isdisjoint(self._document.words_of(one))), NOWHERE)

    def _repeated(self, index: int, noun: str, reach: int = NEAR) -> int:
        """Return the sentence near one that says a noun, and not a name, in any form; `NOWHERE` if there is none."""
        stem = noun[: max(SHORTEST_STEM, len(noun) - LONGEST_ENDING)]
        said = re.compile(rf"\b[{stem[0]}{stem[0].upper() if self._any_capital else ''}]{stem[1:]}\w{{0,4}}\b")
        first = max(self._first(index), index - reach)
        near = range(index - 1, first - 1, -1)
        return next((one for one in near if said.search(self._document.printed[one])), NOWHERE)

    def _of_pronoun(self, index: int) -> int:
        """Return the sentence that names what a pronoun stands for: not one that only has the same pronoun."""
        chain = [index]
        while (before := self._before(chain[-1])) != NOWHERE and self._only_repeats(chain[-1], before):
            if before in self._of_pronouns:
                before = self._of_pronouns[before]
                break
            chain.append(before)
        if before == NOWHERE and len(chain) > 1:
            before = chain.pop()
        self._of_pronouns.update(dict.fromkeys(chain, before))
        return before

    def _only_repeats(self, index: int, before: int) -> bool:
        cue, other = self._cue_of(index), self._cue_of(before)
        if cue is None or other is None or other.kind not in PRONOUNS or self._cues is None:
            return False
        same = cue.words.lower() == other.words.lower() or (cue.kind != "pronoun" and other.kind != "pronoun")
        return same and not names_somebody(self._document.printed[before], self._cues)
