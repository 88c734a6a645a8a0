"""Evidence in each sentence of a document for an answer to a question.

A sentence may answer a question if it has the question's words, or words that may stand for them, and what the question
asks for near them: a number, a name, a date. Words count by their rarity in the text, so that what the whole text is
about tells nothing. Words that are missing may stand beside the sentence, in a heading above it, or at the beginning.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nutgraf.prose import judgements
from nutgraf.prose.dependence.structure import ends, is_question
from nutgraf.prose.quality import JUNK
from nutgraf.questions.headings import LONGEST_HEADING, headings
from nutgraf.questions.names import Names, capitalized
from nutgraf.questions.question import LIGHT, Question
from nutgraf.questions.related import likeness, normalizer, stand_ins
from nutgraf.questions.wordlists import word_lists
from nutgraf.text.document import Document, kept
from nutgraf.text.language import elision
from nutgraf.text.tokenize import Span

MOST_CANDIDATES = 300
"""Sentences that are looked at closely: those that have most of the question's words."""

ABSENT = 0.6
"""Rarity of a word that the text does not have: as often as not it says the same in another word."""

REACH = 3
"""Sentences on each side of a candidate in which its missing words may stand."""

NEAR = 40.0
"""Characters between a word of the question and what is asked for over which nearness falls to 1/e."""

_WORD = re.compile(r"[^\W_]+(?:['’‐‑-][^\W_]+)*")

_BESIDE = re.compile(r"[\s-]*(?:\w+\s+)?")
"""At most one word between a number and what is counted."""

FIGURES, NAMES = frozenset({"number", "date"}), frozenset({"person", "place"})
"""Kinds whose answers have figures or names; those of others are only hinted at by a cue."""

Features = dict[str, float]
"""Features of a sentence that are not zero, by name."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A word of the question: its weight by rarity, and how well each sentence has it."""

    weight: float
    strengths: Mapping[int, float]
    forms: Mapping[str, float]


class Evidence:
    """Evidence of the sentences of a document for an answer to a question."""

    def __init__(self, document: Document, question: Question) -> None:
        self._document, self.question = document, question
        self._lists = word_lists(question.language)
        self._names = Names(self._lists, question.text, capitalized(document))
        self._normal = normalizer(question.language)
        self._index = _index(document)
        self._found: dict[int, list[Span]] = {}
        self._asked = [self._look_up([word], weight) for word, weight in question.words]
        if question.implied:
            self._asked.append(self._look_up(question.implied, LIGHT))
        self._total = sum(one.weight for one in self._asked) or 1.0
        self._headings = headings(document)

    def _look_up(self, words: Sequence[str], light: float) -> _Asked:
        """Find the sentences that have one of some words, or what may stand for it."""
        language, forms = self.question.language, dict[str, float]()
        for word in words:
            for other, strength in stand_ins(word, language).items():
                forms[other] = max(strength, forms.get(other, 0.0))
        if len(words) == 1:
            stem = self._normal(words[0])
            for other in self._index:
                if other not in forms and (strength := likeness(stem, other, language)):
                    forms[other] = strength
        functional = self._document.stop_words  # "in" of "in charge" stands for nothing by itself
        known = {form: strength for form, strength in forms.items() if form in self._index}
        known = {form: strength for form, strength in known.items() if strength == 1.0 or form not in functional}
        strengths: dict[int, float] = {}
        for form, strength in known.items():
            for index in self._index[form]:
                strengths[index] = max(strength, strengths.get(index, 0.0))
        size = len(self._document.sentences)
        if not known:
            return _Asked(light * ABSENT, {}, {})
        rarity = math.log(1 + size / (0.5 + sum(strengths.values()))) / math.log(1 + 2 * size)
        return _Asked(light * rarity, strengths, known)

    @property
    def absent(self) -> float:
        """Share of the question's words, by their weight, that the text does not have."""
        return sum(one.weight for one in self._asked if not one.strengths) / self._total

    @cached_property
    def candidates(self) -> list[int]:
        """Indices of the sentences that have most of the question's words in and around them."""
        scores: dict[int, float] = defaultdict(float)
        size = len(self._document.sentences)
        for one in self._asked:
            for index, strength in one.strengths.items():
                for distance, share in ((0, 1.0), (1, 0.6), (2, 0.3), (-1, 0.3)):
                    if 0 <= index + distance < size:
                        scores[index + distance] += share * strength * one.weight
        if size <= MOST_CANDIDATES:
            return list(range(size))
        return sorted(sorted(scores, key=lambda index: (-scores[index], index))[:MOST_CANDIDATES])

    def features(self, index: int) -> Features:
        """Features of a sentence."""
        printed = self._document.printed[index]
        found = self._coverage(index) | self._shape(index)
        found |= self._fit(index)
        around = found["before"] + found["heading"] + found.get("answers", 0.0)
        if self._lists and self.question.kind in ("yes_no", "reason"):
            name = "yes" if self.question.kind == "yes_no" else "hint"
            if self._lists.answers[name].search(printed):
                found[name] = 0.3 + found["own"] + around
        return {name: value for name, value in found.items() if value}

    def _coverage(self, index: int) -> Features:
        """Shares of the question's words that stand in a sentence, and beyond these around it."""
        own = [one.strengths.get(index, 0.0) for one in self._asked]
        places: dict[str, Sequence[int]] = {
            "before": self._beside(index, -1),
            "after": self._beside(index, 1),
            "around": [
                other for step in range(2, REACH + 1) for by in (-step, step) for other in self._beside(index, by)
            ],
            "opening": range(min(3, len(self._document.sentences))),
        }
        heading = self._headings.above(index)
        found: Features = {"own": self._share(own)}
        best = list(own)
        headed = [
            max((one.forms.get(term, 0.0) for term in self._terms_of(heading)), default=0.0) for one in self._asked
        ]
        for name, strengths in [
            ("heading", headed),
            *((name, [self._best(one, others) for one in self._asked]) for name, others in places.items()),
        ]:
            raised = [max(old, new) for old, new in zip(best, strengths, strict=True)]
            found[name] = self._share(raised) - self._share(best)
            best = raised
        found["missing"] = 1 - self._share(best) - self.absent
        found["answers"] = self._answers(index)
        if is_question(self._headings.section(index)):
            found["answers"] = max(found["answers"], self._share(headed))
        found["below"] = self._share(headed) * self._headings.nearness(index)
        matched = [one.weight for one, strength in zip(self._asked, own, strict=True) if strength]
        found["rarest"] = max(matched, default=0.0)
        found["starts"] = (
            sum(one.weight for one in self._asked if any(place < 20 for place in self._places(index, one)))
            / self._total
        )
        return found

    def _answers(self, index: int) -> float:
        """Share of the question's words in the last question above a sentence, less for one that is farther away."""
        for step in range(1, REACH + 2):
            for other in self._beside(index, -step):
                if self._asks(self._document.printed[other]):
                    return float(0.8 ** (step - 1) * self._share([self._best(one, [other]) for one in self._asked]))
        return 0.0

    def _share(self, strengths: Sequence[float]) -> float:
        return sum(one.weight * strength for one, strength in zip(self._asked, strengths, strict=True)) / self._total

    def _best(self, one: _Asked, others: Sequence[int]) -> float:
        return max((one.strengths.get(other, 0.0) for other in others), default=0.0)

    def _beside(self, index: int, by: int) -> list[int]:
        """The sentence so many places away, if it is in the same document."""
        other, starts = index + by, self._document.sentences
        if not 0 <= other < len(starts):
            return []
        same = self._document.part_of(starts[other].start) == self._document.part_of(starts[index].start)
        return [other] if same else []

    def _terms_of(self, text: str) -> Iterator[str]:
        for word in _WORD.findall(text.lower()):
            yield self._normal(word[elision(self.question.language, word) :])

    def _places(self, index: int, one: _Asked) -> list[int]:
        """Characters at which a word of the question, or what stands for it, begins in a sentence."""
        if index not in one.strengths:
            return []
        text = self._document.printed[index].lower()
        return [
            match.start()
            for match in _WORD.finditer(text)
            if any(term in one.forms for term in self._terms_of(match.group()))
            or any(term in one.forms for part in re.split("[-‐‑]", match.group()) for term in self._terms_of(part))
        ]

    def _shape(self, index: int) -> Features:
        """Features of a sentence that have nothing to do with the question."""
        printed = self._document.printed[index]
        length = len(printed.split())
        return {
            "question": float(self._asks(printed)),
            "colon": float(printed.rstrip().endswith(":")),
            "heading_like": float(not ends(printed) and length <= LONGEST_HEADING),
            "short": float(length < 4),
            "length": math.log(max(1, length)) - 3.0,
            "junk": float(judgements(self._document)[index].quality <= JUNK),
            "early": 1 / (1 + index),
        }

    def _asks(self, printed: str) -> bool:
        """Return True if a sentence is a question, or tells that somebody asked one."""
        return is_question(printed) or bool(self._lists and self._lists.answers["asked"].search(printed))

    def _fit(self, index: int) -> Features:
        """Features of what is asked for in a sentence, and of its distance from the question's words."""
        if self._lists is None:
            return {}
        printed, found, spans = self._document.printed[index], Features(), self._expressions(index)
        form = "figure" if self.question.kind in FIGURES else "name" if self.question.kind in NAMES else "cue"
        if not spans:
            other = form == "figure" and any(character.isdigit() for character in printed)
            return {"other_figure" if other else f"lacks_{form}": 1.0}
        places = [(place, one.weight) for one in self._asked for place in self._places(index, one)]
        nearness = sum(
            weight * max(math.exp(-_distance(place, span) / NEAR) for span in spans) for place, weight in places
        )
        found[f"near_{form}"] = min(1.0, nearness / self._total)
        found[f"fits_{form}"] = 1.0
        if self.question.unit not in ("", "count"):
            found["fits_unit"] = 1.0
        found[f"covered_{form}"] = (found[f"near_{form}"] > 0) * self._share(
            [one.strengths.get(index, 0.0) for one in self._asked]
        )
        if form != "cue":
            found["scarce"] = self._scarcity
        focus = self._focus
        if focus:
            ahead = list(self._places(index, focus))
            counted = any(place >= end and _BESIDE.fullmatch(printed[end:place]) for _, end in spans for place in ahead)
            found["counted"] = float(counted and self.question.kind == "number")
        return found

    @cached_property
    def _scarcity(self) -> float:
        """Rarity of sentences that have what is asked for: 0 if all have it, 1 if one of some has."""
        looked_at = self.candidates
        having = sum(bool(self._expressions(index)) for index in looked_at)
        return math.log(len(looked_at) / max(1, having)) / math.log(1 + len(looked_at))

    @property
    def _focus(self) -> _Asked | None:
        pairs = zip(self.question.words, self._asked, strict=False)
        return next((one for (word, _), one in pairs if word == self.question.focus), None)

    def _expressions(self, index: int) -> list[Span]:
        """Places of what is asked for in a sentence, other than what the question itself says."""
        if index not in self._found:
            self._found[index] = self._look_for(self._document.printed[index])
        return self._found[index]

    def _look_for(self, printed: str) -> list[Span]:
        lists, expected = self._lists, self.question.expected
        assert lists is not None
        if expected == "person":
            return self._names.people(printed)
        pattern = lists.answers.get(expected)
        spans = [match.span() for match in pattern.finditer(printed)] if pattern else []
        if expected == "place":
            spans = self._names.places(printed, spans)
        if expected == "frequency":
            return spans
        asked = self.question.text.lower()
        return [
            (start, end) for start, end in spans if printed[start:end].lower().strip() not in asked or end - start < 2
        ]


def _distance(place: int, span: Span) -> int:
    start, end = span
    return max(0, start - place, place - end)


@kept
def _index(document: Document) -> Mapping[str, Sequence[int]]:
    """Indices of the sentences that have each word, in the form in which words are compared."""
    normal, language = normalizer(document.language), document.language
    known: dict[str, tuple[str, ...]] = {}
    found: dict[str, list[int]] = defaultdict(list)
    for index, words in enumerate(document.words):
        for word in words:
            if word not in known:
                bare = word[elision(language, word) :]
                parts = [part for part in re.split("[-‐‑]", bare) if part]
                known[word] = tuple(dict.fromkeys(map(normal, [bare, *(parts if len(parts) > 1 else [])])))
            for term in known[word]:
                if not found[term] or found[term][-1] != index:
                    found[term].append(index)
    return found
