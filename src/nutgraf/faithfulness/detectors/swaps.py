"""Swaps: what a sentence that follows a source sentence nearly word for word has in the place of something else.

Words, numbers and names of the two sentences are aligned, where any number may stand for any other and any name for any
other. A number or a name that differs from the one in its place, or a word whose opposite stands there, is a swap
unless another sentence of the sources says it, too; so are the two sides of a comparison that are exchanged, and the
figures of two things in any words. Swaps of names and numbers are the corruptions that FactCC is trained on (Kryściński
et al. 2020, *Evaluating the Factual Consistency of Abstractive Text Summarization*, Sec. 3.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from nutgraf.faithfulness.comparisons import crossed, turned
from nutgraf.faithfulness.dates import dates_of
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.exchanged import Figures, exchanged
from nutgraf.faithfulness.opposites import base_stem, opposites
from nutgraf.faithfulness.quantities import quantities
from nutgraf.faithfulness.quantity import Quantity
from nutgraf.faithfulness.roles import roles
from nutgraf.faithfulness.shares import is_rest
from nutgraf.faithfulness.sources import Claim, Sources, letters
from nutgraf.presets.ranges import PositiveInt, Share
from nutgraf.text.dictionary import is_common
from nutgraf.text.document import Sentence
from nutgraf.text.tokenize import Span, is_word, token_spans

NUMBER, NAME = "#", "@"
"""Keys of items that may stand for any other of their kind."""

BESIDE = 2
"""Items before and after one that must be the same in both sentences."""

SAME_LETTERS = 4
"""Letters with which two forms of a name begin: Norway, Norwegian."""

_ALL = frozenset({"all", "every"})
_JOINING = frozenset("and or nor versus vs".split())
"""Words between names whose order may change."""


@dataclass(frozen=True)
class Config:
    """Swaps."""

    least_shared: Share = 0.75
    """Share of the words that must stand in the source sentence in the same order."""

    least_words: PositiveInt = 4
    """Fewest words that must do so."""

    least_elsewhere: Share = 0.4
    """Share of the sentence's weight from which another sentence of the sources with the same name or number bears it
    out."""


class Swaps(Detector):
    """Flags numbers, names and opposites in the place of others."""

    config: Config

    def lacks(self, language: str) -> str:
        """Return "swaps" for other languages than English; see `Detector`."""
        return "" if language == "en" else "swaps"

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield what stands in the place of something else; see `Detector`."""
        document = sources.document
        if document.language != "en" or letters(claim.sentence) in sources.letters:
            return
        if (figures := _exchanged_figures(claim, sources)) is not None:
            spans, index = figures
            shown = document.show(document.sentences[index])
            for span in spans:
                yield span, f"The source has these two figures the other way round: “{shown}”"
            return
        own = items(claim.text, claim.start, claim.end)
        if (other_way := _other_way_round(own, claim, sources)) is not None:
            sides, index = other_way
            shown = document.show(document.sentences[index])
            for one in sides:
                yield one.span, f"The source says this the other way round: “{shown}”"
            return
        for index in claim.evidence:
            sentence = document.sentences[index]
            theirs = items(document.text, sentence.start, sentence.end)
            if (place := turned(_words(own), _words(theirs), document.stop_words)) is not None:
                yield own[place].span, f"The source compares these the other way round: “{document.show(sentence)}”"
                return
            if (moved := _crossed(claim, sentence, sources)) is not None:
                yield moved, f"The source has this word in the other half of the sentence: “{document.show(sentence)}”"
                return
            pairs = self._aligned(own, theirs)
            if pairs is None:
                continue
            for one, other in pairs:
                if _differ(one, other, sources) and not self._is_elsewhere(one, index, claim, sources):
                    yield one.span, f"The source has “{other.shown}” in this place: “{document.show(sentence)}”"
            return

    def _aligned(self, own: Sequence[Item], theirs: Sequence[Item]) -> list[tuple[Item, Item]] | None:
        """Return items in the same place, or None for sentences that are not nearly the same.

        The words beside them are the same, too: in "Waze was bought by Google" no name stands in the place of another.
        """
        keys = [one.key for one in own], [one.key for one in theirs]
        blocks = SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks()
        shared = sum(block.size for block in blocks)
        if shared < max(self.config.least_words, self.config.least_shared * len(own)):
            return None
        places = {block.a + at: block.b + at for block in blocks for at in range(block.size)}
        found = ((one, _place(at, places, len(own), theirs)) for at, one in enumerate(own))
        return [
            (one, theirs[place]) for one, place in found if place is not None and not _is_listed(one, theirs, place)
        ]

    def _is_elsewhere(self, item: Item, place: int, claim: Claim, sources: Sources) -> bool:
        """Return True if another sentence has the number or name, and much of what the rest of the claim says."""
        document = sources.document
        named = {document.stem(word.lower()) for word in item.text.split()}
        rest = [term for term in claim.terms if term not in named]
        if item.quantity is not None:
            sentence = document.sentences[place]
            own = replace(item.quantity, start=item.span[0] - claim.start)
            if is_rest(own, claim, document.text[sentence.start : sentence.end], sources):
                return True
            same = [one.start for one in sources.quantity_index.covered_by(item.quantity)]
            others = {sources.sentence_at(offset) for offset in same}
        else:
            others = sources.sentences_with(named) if item.key == NAME else set()
        return any(
            sources.share(rest, document.terms[index]) >= self.config.least_elsewhere for index in others - {place}
        )


@dataclass(frozen=True, slots=True)
class Item:
    """A word, a number with its scale, or a name of one or several words; a number is shown with its unit."""

    key: str
    text: str
    span: Span
    quantity: Quantity | None = None
    unit: str = ""

    @property
    def shown(self) -> str:
        """Return the text for the reader."""
        return self.text + self.unit


def items(text: str, start: int, end: int) -> list[Item]:
    """Return the words, numbers and names of a sentence in order; the figures of a date are words."""
    sentence = text[start:end]
    told = [span for _, span in dates_of(sentence)]
    numbers = {
        start + one.start: one
        for one in quantities(sentence, hedged=False)
        if not one.fraction and not any(first <= one.start < last for first, last in told)
    }
    found: list[Item] = []
    number_end = start
    for first, last in token_spans(text, start, end):
        word = text[first:last]
        quantity = numbers.get(first)
        if first < number_end or (quantity is None and not is_word(word)):
            continue
        if quantity is not None:
            number_end = start + quantity.end
            unit = text[number_end : start + quantity.unit_end]
            found.append(Item(NUMBER, text[first:number_end], (first, number_end), quantity, unit))
        elif word[0].isupper() and not (first == start and is_common(word)) and word.lower() not in ("i", "the", "a"):
            before = found[-1] if found else None
            if before and before.key == NAME and text[before.span[1] : first] in (" ", ". "):
                found[-1] = Item(NAME, text[before.span[0] : last], (before.span[0], last))
            else:
                found.append(Item(NAME, word, (first, last)))
        else:
            found.append(Item(word.lower(), word, (first, last)))
    return found


def _words(found: Sequence[Item]) -> list[str]:
    return [one.text.lower() for one in found]


def _crossed(claim: Claim, sentence: Sentence, sources: Sources) -> Span | None:
    """Return where a word stands that has changed sides around "not" or "but"."""
    document = sources.document
    own = list(token_spans(claim.text, claim.start, claim.end))
    theirs = token_spans(document.text, sentence.start, sentence.end)
    written = [claim.text[slice(*span)].lower() for span in own]
    place = crossed(written, [document.text[slice(*span)].lower() for span in theirs], document.stop_words)
    return None if place is None else own[place]


def _exchanged_figures(claim: Claim, sources: Sources) -> tuple[tuple[Span, Span], int] | None:
    """Return two figures that a source sentence has the other way round, and its index."""
    document = sources.document
    own = Figures.of(claim.text, claim.start, claim.end, document.stop_words)
    for index in claim.evidence if len(own.figures) > 1 else ():
        sentence = document.sentences[index]
        theirs = Figures.of(document.text, sentence.start, sentence.end, document.stop_words)
        if (spans := exchanged(own, theirs)) is not None:
            return spans, index
    return None


def _other_way_round(own: Sequence[Item], claim: Claim, sources: Sources) -> tuple[list[Item], int] | None:
    """Return the names of a claim of which the sources say what it says the other way round, and where they do."""
    document = sources.document
    said = list(_roles(own))
    found: list[tuple[list[Item], int]] = []
    for index in claim.evidence if said else ():
        sentence = document.sentences[index]
        for theirs in _roles(items(document.text, sentence.start, sentence.end)):
            for mine in said:
                if _agree(mine, theirs, sources):
                    return None
                if _agree(mine, theirs[::-1], sources):
                    found.append((sorted((mine[0], mine[2]), key=lambda one: one.span), index))
    return found[0] if found else None


def _agree(one: Sequence[Any], other: Sequence[Any], sources: Sources) -> bool:
    """Return True for the same verb between the same names."""
    return one[1] == other[1] and all(_are_one(one[side].text, other[side].text, sources) for side in (0, 2))


def _roles(found: Sequence[Item]) -> Iterator[tuple[Item, str, Item]]:
    """Who does what to whom in a sentence, by its items."""
    names = {place for place, one in enumerate(found) if one.key == NAME}
    for role in roles([one.text for one in found], names):
        yield found[role.agent], role.verb, found[role.patient]


def _place(at: int, places: Mapping[int, int], length: int, theirs: Sequence[Item]) -> int | None:
    """Return where the source has an item, or another one in its place; None if the items beside it differ."""
    near = [other for other in range(max(0, at - BESIDE), min(length, at + BESIDE + 1)) if other != at]
    if not all(other in places for other in near):
        return None
    found = {at + places[other] - other for other in near} | {places.get(at, at + places[near[0]] - near[0])}
    place = found.pop()
    return None if found or not 0 <= place < len(theirs) else place


def _differ(one: Item, other: Item, sources: Sources) -> bool:
    """Return True for two numbers of other values, names of different things, or opposites.

    What no source has anywhere is left to the rules for numbers and names.
    """
    if one.quantity is not None and other.quantity is not None:
        same = one.quantity.covers(other.quantity) or other.quantity.covers(one.quantity)
        return not same and bool(sources.quantity_index.covered_by(one.quantity))
    if one.key in _ALL and other.quantity is not None:
        return True
    if one.key == other.key == NAME:
        known = any(letters(word) in sources.vocabulary for word in one.text.split())
        return known and not _are_one(one.text, other.text, sources)
    return one.key != other.key and base_stem(other.key) in opposites().get(base_stem(one.key), ())


def _are_one(one: str, other: str, sources: Sources) -> bool:
    """Return True for names that may be those of one thing: in full and in part, in other forms, or as initials.

    "LeBron" and "James" are one name if the sources have "LeBron James".
    """
    first, second = ([letters(word)[:SAME_LETTERS] for word in name.split()] for name in (one, other))
    short, long = sorted((first, second), key=len)
    if short[-1] == long[-1] or set(short) <= set(long):
        return True
    initials = ["".join(word[0] for word in name.split() if word[0].isupper()).lower() for name in (one, other)]
    whole = letters(one), letters(other)
    if whole[0] == initials[1] or whole[1] == initials[0]:
        return True
    return not sources.joined.isdisjoint((whole[0] + whole[1], whole[1] + whole[0]))


def _is_listed(item: Item, theirs: Sequence[Item], place: int) -> bool:
    """Return True for a name that stands beside a place in one list with it; the order of a list may change."""
    for step in (-1, 1):
        at = place + step
        while item.key == NAME and 0 <= at < len(theirs) and theirs[at].key in {NAME, *_JOINING}:
            if letters(item.text) == letters(theirs[at].text):
                return True
            at += step
    return False
