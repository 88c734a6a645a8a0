"""Where a document says what a sentence leans on.

It is the nearest earlier sentence that has it. Durrett et al. 2016 ask a coreference system; we take the sentence
before, unless that one has "he" or "it" itself: then what it needs is what this one needs, too. For a noun with an
article it is the sentence that introduced it or, if none did, the last one that said it. Headings are passed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nutgraf.prose.dependence.cues import Cue, Cues, Reading, names_somebody
from nutgraf.prose.dependence.structure import begins_paragraph, ends
from nutgraf.prose.dependence.units import units
from nutgraf.text.document import Document

NOWHERE = -1
"""Instead of the index of a sentence, if there is none."""

MOST_SAID = 3
"""Maximum number of sentences with a noun of which it is not clear which one is meant; other nouns are the subject."""

HEADINGS = 4
"""Maximum number of headings in a row that are passed over on the way to the sentence before them."""

PRONOUNS = frozenset({"person", "pronoun", "possessive", "subjectless"})
"""Kinds of cue that stand for what an earlier sentence names."""


class Antecedents:
    """Finds what the sentences of a document need, asked in their order.

    Args:
        document: The text.
        readings: What the words of each sentence say.
        cues: The words of its language, if there are any.
    """

    def __init__(self, document: Document, readings: Sequence[Reading], cues: Cues | None) -> None:
        self._document, self._readings, self._cues = document, readings, cues
        self._before = _predecessors(document)
        self._lists = {index: unit.start for unit in units(document) for index in unit}
        self._nouns = {reading.cue.noun for reading in readings if reading.cue and reading.cue.noun}
        said = (noun for words in document.words for noun in self._nouns.intersection(words))
        self._counts = Counter(said) if self._nouns else Counter[str]()
        self._introduced: dict[str, int] = {}
        self._said: dict[str, int] = {}
        self._found: list[int] = []

    def next(self, cue: Cue | None) -> int:
        """Return what the next sentence needs by a cue; `NOWHERE` if it needs nothing, or what no sentence says."""
        index = len(self._found)
        if self._before[index] == NOWHERE:
            self._introduced.clear()
            self._said.clear()
        self._found.append(self._find(index, cue) if cue else NOWHERE)
        if self._nouns and self._cues:
            self._remember(index, self._cues)
        return self._found[index]

    def _find(self, index: int, cue: Cue) -> int:
        before = self._before[index]
        if cue.kind == "item":
            return self._lists[index]
        if cue.noun:
            return self._of_noun(cue, before)
        if cue.kind in PRONOUNS and before != NOWHERE:
            return self._of_pronoun(cue, before)
        return before

    def _of_noun(self, cue: Cue, before: int) -> int:
        introduced = self._introduced.get(cue.noun, NOWHERE)
        if introduced != NOWHERE or cue.kind == "given":
            return introduced
        if self._counts[cue.noun] > MOST_SAID:
            return NOWHERE
        return self._said.get(cue.noun, NOWHERE if before in self._lists else before)

    def _of_pronoun(self, cue: Cue, before: int) -> int:
        """Return the sentence that names what a pronoun stands for: not one that only has the same pronoun."""
        other = self._readings[before].cue
        if other is None or other.kind not in PRONOUNS or self._found[before] == NOWHERE or self._cues is None:
            return before
        same = cue.words.lower() == other.words.lower() or (cue.kind != "pronoun" and other.kind != "pronoun")
        named = not same or names_somebody(self._document.printed[before], self._cues)
        return before if named else self._found[before]

    def _remember(self, index: int, cues: Cues) -> None:
        printed = self._document.printed[index]
        self._introduced.update(dict.fromkeys(self._nouns & cues.introduced(printed), index))
        if ends(printed):
            self._said.update(dict.fromkeys(self._nouns.intersection(self._document.words[index]), index))


def _predecessors(document: Document) -> list[int]:
    """For each sentence, the one before it that is no heading, in the same document."""
    begun = [*begins_paragraph(document), True]
    parts = [document.part_of(sentence.start) for sentence in document.sentences]
    found: list[int] = []
    for index in range(len(parts)):
        before = index - 1
        while before > 0 and index - before < HEADINGS and begun[before] and begun[before + 1]:
            if ends(document.printed[before]):
                break
            before -= 1
        found.append(before if before >= 0 and parts[before] == parts[index] else NOWHERE)
    return found
