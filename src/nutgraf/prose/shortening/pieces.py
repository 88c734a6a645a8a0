"""Pieces that grammar lets go: stretches of a sentence without which it is still a sentence, and still true.

Three facts of English find most of them. No comma stands between a subject and its verb, so what two commas enclose
between the two is inserted. What follows a comma behind a whole clause, and cannot be one itself, hangs on it: relative
and participial clauses, appositions, phrases with a preposition. What precedes a comma before a whole clause, and
cannot be one, does so, too. Brackets and dashes enclose asides in every language that has them.

Knight and Marcu 2002 and Clarke and Lapata 2008 delete subtrees of a parse, or single words under constraints; here a
piece is one that punctuation or closed classes bound on both sides, which a lexicon is enough to see.

A piece never goes if the rest would say something else: with a condition, an exception, a contrast, a negation or a
hedge in it, or if it is who says something that the text itself does not vouch for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from nutgraf.prose.shortening.words import SURE, Words
from nutgraf.text.late import Late

Kind = Literal[
    "bracket", "dashes", "dash", "inserted", "relative", "participle", "apposition", "tail", "clause", "leading",
    "opening", "connective", "filler", "attribution", "occasion", "time", "age", "dateline", "phrase", "place",
]  # fmt: skip
"""Kinds of pieces."""

KINDS: tuple[Kind, ...] = get_args(Kind)

LEAST_LEFT = 4
"""Minimum number of words of a shortened sentence."""

MOST_WORDS = 120
"""Words and marks of a sentence from which on it has no pieces: it is a list, or no sentence."""

_BRACKETS = Late(
    r"(?:(?<=[^\s(])\s+|(?<=[^\s(])(?=[（【]))(?:\([^()]*\)|\[[^][]*\]|（[^（）]*）)(?=[\s.,;:!?。，；：！？]|$|(?<=[）】]))"
)
_DASHES = Late(
    r"\s*(?:\s(?:-(?=\s[^\W\d])|-{2,3}|–)\s|—|\s—\s)(?P<inside>[^-–—]+(?:(?<=\w)[-–](?=\w)[^-–—]+)*)"
    r"(?:\s(?:-(?=\s[^\W\d])|-{2,3}|–)\s|\s?—\s?)"
)
_DATELINE = re.compile(
    r"(?:[A-Z][\w.'’-]*(?:,? [A-Z][\w.'’-]*){0,4},? )?\((?:[A-Z][\w. ]{1,25})\)"
    r"(?:(?: ?[-–—]{1,2}|:) (?=[\w“\"'‘])| (?=[A-Z“\"'‘]))"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a sentence that can be left out.

    Attributes:
        start: Its first character.
        end: The character behind it.
        kind: What it is.
    """

    start: int
    end: int
    kind: Kind


def pieces(text: str, language: str = "en") -> list[Piece]:
    """Return the pieces that a sentence can do without, in order; some lie in others.

    In other languages than English they are what brackets and pairs of dashes enclose.

    Args:
        text: The sentence, as it is printed or as it stands in its document.
        language: ISO 639-1 code.

    >>> [text[one.start : one.end] for text in ["Ann, who is 9, won the prize (a book)."] for one in pieces(text)]
    [', who is 9,', ' (a book)']
    """
    if language != "en":
        return [one for one in _by_marks(text) if not _has_mark_inside(text, one)]
    if text.count(" ") > MOST_WORDS:
        return []
    words = Words(text)
    found = {(one.start, one.end): one for one in _English(words).all() if one.end > one.start}
    return sorted(found.values(), key=lambda one: (one.start, one.end))


def _by_marks(text: str, start: int = 0) -> Iterator[Piece]:
    for found in _BRACKETS.finditer(text):
        yield Piece(found.start(), found.end(), "bracket")
    dashes = list(_DASHES.finditer(text, start))
    if len(dashes) == 1:
        yield Piece(dashes[0].start(), dashes[0].end() - (text[dashes[0].end() - 1] == " "), "dashes")


def _has_mark_inside(text: str, piece: Piece) -> bool:
    """Return True if a piece has a number, a condition or the like in it, as far as that is known of any language."""
    return text[piece.start : piece.end].count('"') % 2 == 1


class _English:
    """Pieces of an English sentence."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def all(self) -> Iterator[Piece]:
        words = self.words
        if len(words) < LEAST_LEFT or all(words.enclosed):
            return
        dateline = self._dateline()
        if dateline is not None:
            yield dateline
        if words.lower[0] == "and" and words.is_clause(1, words.end) and self._begins(1):
            yield self._piece(0, 1, "connective")
        for one in _by_marks(words.text, dateline.end if dateline else 0):
            start, end = self._indices(one)
            beside = self._is_beside(start, end) if one.kind == "bracket" else self._parts_no_clauses(start, end)
            if end > start and beside and self._goes(start, end, one.kind):
                yield one
        commas = words.commas
        for place, comma in enumerate(commas):
            closing = commas[place + 1] if place + 1 < len(commas) else None
            if closing is not None:
                yield from self._between(comma, closing, commas)
            yield from self._tail(comma)
            if place == 0:
                yield from self._head(comma)
        yield from self._semicolon()
        yield from self._dash()
        yield from self._times()
        yield from self._occasions()
        yield from self._phrases()
        yield from self._places()
        yield from self._and_verbs()
        yield from self._also()
        yield from self._hesitations()
        yield from self._who_said()

    # --- places

    def _indices(self, piece: Piece) -> tuple[int, int]:
        inside = [
            index for index, (start, end) in enumerate(self.words.spans) if start >= piece.start and end <= piece.end
        ]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)

    def _piece(self, start: int, end: int, kind: Kind) -> Piece:
        """Return the words from `start` to `end` with the white space before them, or behind them at the beginning."""
        spans = self.words.spans
        if start == 0:
            return Piece(0, spans[end][0], kind)
        return Piece(spans[start - 1][1], spans[end - 1][1], kind)

    # --- what may go

    def _goes(self, start: int, end: int, kind: Kind) -> bool:
        """Return True if the rest says the same without the words from `start` to `end`."""
        words = self.words
        left = sum(map(words.is_word, range(len(words)))) - sum(map(words.is_word, range(start, end)))
        if left < LEAST_LEFT or words.shut(start, end):
            return False
        if kind not in ("bracket", "dashes", "dash", "clause") and any(map(self._is_dash, range(start, end))):
            return False
        if words.counts_of("conditions", start, end):
            return False
        first = start + (words.lower[start] == ",")
        if (self._is_denied(start, end) and not words.is_in("relatives", first)) or words.lower[first] == "without":
            return False
        if kind in ("bracket", "dashes", "dash"):
            inside = [one for one in range(start, end) if words.is_word(one)]
            if not inside:
                return False
            if (
                kind == "bracket"
                and len(inside) == 1
                and (len(words.lower[inside[0]]) < 2 or words.shown[inside[0]].isupper())
            ):
                return False
            return not words.counts_of("hedges", inside[0], inside[-1] + 1)
        return not words.counts_of("hedges", first, min(first + 2, end))

    def _is_denied(self, start: int, end: int) -> bool:
        """Return True if there is a negation, in whose scope what follows may be."""
        words = self.words
        return bool(words.counts_of("negations", start, end)) or any(
            word.endswith("n't") for word in words.lower[start:end]
        )

    def _verb_at(self, index: int) -> int:
        """Return how sure it is that a finite verb begins at an index, adverbs before it included: 0, MAYBE or SURE."""
        words = self.words
        while index < words.end and words.tag(index).startswith("RB") and words.is_word(index):
            index += 1
        return words.verbs[index] if index < len(words) else 0

    def _says(self, start: int, end: int) -> bool:
        """Return True if a stretch tells who says something."""
        return self.words.counts_of("saying", start, end) > 0

    def _is_beside(self, start: int, end: int) -> bool:
        """Return True if a bracket stands beside what it belongs to, and is no part of the sentence itself.

        It is one where a preposition, a verb or a determiner waits for it ("described in (Bod 1998)"), where somebody
        puts a word into a quotation ("that's not [acceptable]"), says whom a pronoun means, or defines a term.
        """
        words, before = self.words, start - 1
        if before < 0:
            return False
        if words.tag(before).startswith(("IN", "TO", "CC", "DT")) or words.is_in("finite", before):
            return False
        if (
            words.tag(before) in ("VB", "VBP", "VBZ")
            or (before == 0 and words.tag(0) == "VBG")
            or words.is_in("pronouns", before)
        ):
            return False
        if not words.is_word(before) and words.lower[before] not in (")", "]", '"', "”", "’", "'", "%"):
            return False
        inside = words.text[words.spans[start][1] : words.spans[end - 1][0]].strip()
        alone = end - start == 3 and inside.isalpha() and inside.islower()
        quoted = words.lower[start] == "[" and words.enclosed[before] and not inside[:1].isdigit()
        return not (alone and words.tag(start + 1).startswith(("CC", "IN", "TO", "DT"))) and not (
            quoted or inside[:1] in '"“'
        )

    def _parts_no_clauses(self, start: int, end: int) -> bool:
        """Return True if what two dashes enclose does not separate two clauses, nor is the whole clause."""
        words = self.words
        if not any(words.verbs[:start]) and not any(words.verbs[end:]):
            return False
        return not (words.is_clause(0, start) and self._begins(end) and words.is_clause(end, words.end))

    # --- between two commas

    def _between(self, comma: int, closing: int, commas: list[int]) -> Iterator[Piece]:
        words, first = self.words, comma + 1
        if closing - first < 1:
            return
        spoken = self._phrase(first, closing)
        if spoken in words.lists["additive"] or spoken in words.lists["fillers"]:
            kind: Kind = "connective" if spoken in words.lists["additive"] else "filler"
            if self._is_begun_again(comma, closing + 1):
                return
            if self._verb_at(closing + 1) or (kind == "filler" and not words.is_in("finite", comma - 1)):
                yield self._piece(comma, closing + 1, kind)
            return
        if (
            closing - first == 1
            and re.fullmatch(r"\d{1,3}", words.lower[first])
            and words.tag(comma - 1).startswith("NNP")
            and not words.is_name(closing + 1)
        ):
            yield self._piece(comma, closing + 1, "age")
            return
        after = self._verb_at(closing + 1)
        if not after and len(commas) == 2 and self._resumes_with_phrase(comma, closing):
            yield self._piece(comma, closing + 1, "inserted")
            return
        if not after or not self._is_subject(comma) or not self._is_inserted(first, closing):
            return
        later = [one for one in commas if one > closing and self._verb_at(one + 1)]
        if later or (after < SURE and self._participle(closing + 1)):
            return
        behind = closing if self._in_apposition(comma, commas) else closing + 1
        if self._says(first, closing) and not words.is_in("relatives", first):
            if self._may_speak(comma, closing):
                yield self._piece(comma, behind, "attribution")
        elif self._goes(comma, closing, "inserted"):
            yield self._piece(comma, behind, "inserted")

    def _in_apposition(self, comma: int, commas: list[int]) -> bool:
        """Return True if what is before a comma is itself inserted, as in "the mayor, Ann Bell, who is 9, said"."""
        words, before = self.words, [one for one in commas if one < comma]
        if not before or any(words.verbs[before[-1] : comma]):
            return False
        start = before[-2] + 1 if len(before) > 1 else 0
        leads = words.tag(start).startswith(("IN", "RB", "VBG", "TO")) or words.is_in("openers", start)
        return not leads and not any(words.verbs[start : before[-1]]) and not self._deictic(start, before[-1])

    def _resumes_with_phrase(self, comma: int, closing: int) -> bool:
        """Return True for what is inserted in a clause that goes on with a phrase: "a boat, the Ida, in May"."""
        words, first = self.words, comma + 1
        if (
            closing + 1 >= words.end
            or not words.tag(closing + 1).startswith(("IN", "TO"))
            or words.is_in("openers", closing + 1)
        ):
            return False
        if (
            words.is_in("conditions", closing + 1)
            or not words.is_clause(0, comma)
            or self._attributes(closing + 1, words.end)
        ):
            return False
        related = words.is_in("relatives", first) and any(words.verbs[first:closing])
        apposed = self._kind_of_tail(comma, first, closing) == "apposition" and words.tag(first) == "DT"
        return (related or apposed) and self._goes(comma, closing, "inserted")

    def _phrase(self, start: int, end: int) -> str:
        return " ".join(self.words.lower[start:end])

    def _is_subject(self, comma: int) -> bool:
        """Return True if what stands before a comma may be a subject whose verb is not there yet."""
        words = self.words
        start = max((one + 1 for one in words.commas if one < comma), default=0)
        if words.enclosed[comma - 1] and words.lower[comma - 1] not in ")]":
            return False
        if not words.tag(comma - 1).startswith(("NN", "PRP", "CD", ")", "VBG", "JJ")):
            return False
        if (
            words.tag(start).startswith("IN")
            and not words.is_in("openers", start)
            and not any(words.verbs[start:comma])
        ):
            return False
        openers = words.openers(start, comma) + words.counts_of("saying", start, comma)
        return sum(one == SURE for one in words.verbs[start:comma]) <= openers

    def _is_inserted(self, first: int, closing: int) -> bool:
        """Return True if a stretch between commas is an aside, and no item of a list, name of a place or clause."""
        words = self.words
        if words.is_in("relatives", first) or self._is_relative(first, closing):
            return True
        if words.tag(first) == words.tag(first - 2) == "CD":
            return False
        if words.counts_of("joining", first, closing) and any(one < first - 1 for one in words.commas):
            return self._is_ing(first)  # the end of a list: "rye, oats and barley"
        if words.lower[first] in ("and", "or", "but", "nor", "that") or words.is_in("openers", first):
            return False
        if any(one == SURE for one in words.verbs[first:closing]) and not self._says(first, closing):
            return any(words.is_in("relatives", one) for one in range(first, closing))
        if all(words.is_name(one) or not words.is_word(one) for one in range(first, closing)):
            return False
        if self._verb_at(first) and not self._participle(first):
            return False
        return not words.is_name(first) or self._says(first, closing)

    def _is_relative(self, first: int, end: int) -> bool:
        """Return True for "some of whom were", "in which", "of which"."""
        words = self.words
        return (
            any(words.lower[one] in ("which", "whom", "whose") for one in range(first + 1, min(first + 4, end)))
            and not words.verbs[first]
        )

    def _participle(self, index: int) -> bool:
        """Return True if a participle that goes on with what is before begins at an index."""
        words = self.words
        while index < words.end and words.tag(index).startswith("RB") and words.is_word(index):
            index += 1
        if index >= words.end:
            return False
        word = words.lower[index]
        if self._is_ing(index):
            subject = words.verbs[index + 1] == SURE if index + 1 < words.end else False
            return not subject and words.lower[index + 1 : index + 2] not in (["and"], ["or"], [","])
        passive = word in words.lists["participles"] or (
            word.endswith(("ed", "en", "wn")) and words.tag(index).startswith("VB")
        )
        return passive and (
            "by" in words.lower[index + 1 : index + 3]
            or (word in words.lists["participles"] and words.tag(index + 1).startswith(("IN", "TO", "RB", "CD", "NNP")))
        )

    def _is_ing(self, index: int) -> bool:
        words = self.words
        word = words.lower[index]
        return (
            word.endswith("ing")
            and len(word) > 4
            and words.tag(index) in ("VBG", "NN", "JJ", "IN")
            and words.tag(index) != "NNP"
            and word not in words.lists["no_participles"]
            and word not in words.lists["conditional_ing"]
        )

    # --- behind a comma

    def _tail(self, comma: int) -> Iterator[Piece]:
        words, first, end = self.words, comma + 1, self.words.end
        spoken = self._spoken_from
        if spoken is not None and comma < spoken:
            end = spoken
        if first >= end or not words.is_clause(0, comma) or not self._is_after_colon(comma):
            return
        if self._is_between_adjectives(comma) or words.lower[comma - 1] in ("and", "or", "but"):
            return
        before = max((one for one in words.commas if one < comma), default=0)
        if before and words.lower[before - 1] in ("and", "or", "but"):
            return  # "and, more recently, with his budget"
        later = [one + 1 for one in words.commas if comma < one < end]
        if any((self._verb_at(one) and not self._participle(one)) or self._resumes(one) for one in later):
            return
        kind = self._kind_of_tail(comma, first, end)
        if kind is None or not self._goes(comma, end, kind):
            return
        yield self._piece(comma, end, kind)

    @cached_property
    def _spoken_from(self) -> int | None:
        """The last comma, if nothing follows it but who says the rest."""
        words = self.words
        last = words.commas[-1] if words.commas else None
        return last if last is not None and self._attributes(last + 1, words.end) else None

    def _is_between_adjectives(self, comma: int) -> bool:
        """Return True if the noun is still to come: "a large, intimidating-looking gentleman"."""
        words, index = self.words, comma - 1
        while index > 0 and words.tag(index).startswith(("JJ", "RB")) and words.is_word(index):
            index -= 1
        return index < comma - 1 and words.is_in("determiners", index)

    def _is_after_colon(self, comma: int) -> bool:
        """Return True if a comma ends a clause also where only what follows a colon or semicolon counts."""
        marks = [one for one in range(comma) if self.words.lower[one] in (":", ";") and not self.words.enclosed[one]]
        return not marks or self.words.is_clause(marks[-1] + 1, comma)

    def _resumes(self, index: int) -> bool:
        """Return True if what is before a comma may go on behind it: "a report, by Ann Bell, that"."""
        words = self.words
        return words.is_in("complementizers", index) or words.is_in("pronouns", index)

    def _kind_of_tail(self, comma: int, first: int, end: int) -> Kind | None:
        words = self.words
        word = words.lower[first]
        if self._phrase(first, end) in words.lists["additive"]:
            return "connective"
        if words.is_in("relatives", first) or self._is_relative(first, end):
            following = next((one for one in words.commas if one > comma), end)
            return "relative" if any(words.verbs[first : min(following, end)]) or following >= end else None
        if self._attributes(first, end):
            return "attribution" if self._may_speak(first, end, comma) else None
        listed = any(words.lower[one + 1 : one + 2] in (["and"], ["or"]) for one in words.commas if one > comma)
        if self._participle(first):
            items = any(comma < one < end for one in words.commas) and words.counts_of("joining", first, end)
            twin = words.lower[comma - 1].endswith("ing") or listed or items
            return None if twin else "participle"
        if word in ("and", "while") or (word == "as" and not listed):
            return self._clause_tail(comma, first, end)
        if word in ("with", "after", "before", "during", "following", "amid", "since", "including"):
            again = words.lower[:comma].count(word) and word not in ("after", "with", "including")
            resumed = any(words.is_in("determiners", one + 1) for one in words.commas if comma < one < end)
            return None if again or resumed or (listed and word != "including") else "tail"
        if listed or (
            any(words.verbs[first:end]) and not any(words.is_in("relatives", one) for one in range(first, end))
        ):
            return None
        if "and" in words.lower[first:end] or "or" in words.lower[first:end] or self._is_in_verb_phrase(comma):
            return None
        determined = words.is_in("determiners", first) and words.tag(comma - 1).startswith("NN")
        if (
            determined
            and not self._is_repeated_article(comma, first)
            and word not in ("this", "that", "these", "those")
        ):
            return "apposition"
        return None

    def _is_in_verb_phrase(self, comma: int) -> bool:
        """Return True if another comma stands between the first finite verb and this one, as in lists and asides."""
        verb = next((one for one in range(comma) if self.words.verbs[one]), comma)
        return any(verb < one < comma for one in self.words.commas)

    def _is_repeated_article(self, comma: int, first: int) -> bool:
        """Return True if a list may go on: "a cat, a dog"."""
        words = self.words
        back = comma - 1
        while back > 0 and words.tag(back).startswith(("NN", "JJ", "CD", "POS")):
            back -= 1
        return words.lower[back] == words.lower[first]

    def _clause_tail(self, comma: int, first: int, end: int) -> Kind | None:
        """Return the kind of a clause behind a comma that begins with a conjunction."""
        words = self.words
        start = first + 1
        if any(one < comma for one in words.commas) and words.lower[first] == "and":
            return None
        pronoun = words.is_in("pronouns", start) or words.is_in("determiners", start) or words.is_name(start)
        if words.lower[first] == "and" and not pronoun and self._verb_at(start) != SURE:
            return None
        return (
            "clause"
            if words.is_clause(start, end) or (words.lower[first] == "and" and self._verb_at(start) == SURE)
            else None
        )

    def _semicolon(self) -> Iterator[Piece]:
        words = self.words
        places = [one for one in range(words.end) if words.lower[one] == ";" and not words.enclosed[one]]
        if len(places) != 1 or not words.is_clause(0, places[0]) or not words.is_clause(places[0] + 1, words.end):
            return
        if self._goes(places[0], words.end, "clause"):
            yield self._piece(places[0], words.end, "clause")

    def _dash(self) -> Iterator[Piece]:
        """Yield what follows the only dash, behind a clause."""
        words = self.words
        places = [one for one in range(1, words.end) if self._is_dash(one) and words.lower[one] != "-"]
        if len(places) == 1 and words.is_clause(0, places[0]) and self._goes(places[0], words.end, "dash"):
            yield self._piece(places[0], words.end, "dash")

    def _is_dash(self, index: int) -> bool:
        """Return True for a dash between phrases."""
        words = self.words
        if words.lower[index].strip("-–—") or words.enclosed[index]:
            return False
        return words.lower[index] == "—" or words.text[words.spans[index][0] - 1].isspace()

    # --- who says it

    def _attributes(self, first: int, end: int) -> bool:
        """Return True if a stretch says no more than who says the rest: "police said on Monday", "according to her"."""
        words = self.words
        if first >= end:
            return False
        if words.lower[first] == "according":
            return True
        found = [one for one in range(first, end) if words.is_in("saying", one)]
        if not found or words.lower[first] in ("and", "but", "as") or words.is_in("relatives", first):
            return False
        return found[0] - first < 12 and not any(words.verbs[first : found[0]] + words.verbs[found[0] + 1 : end])

    def _may_speak(self, first: int, end: int, comma: int | None = None) -> bool:
        """Return True if the rest may be said without who says it.

        That is a plain report of an office about what it has to do with: no quotation, opinion, accusation or forecast,
        and no pronoun for the speaker.
        """
        words = self.words
        said = [one for one in range(first, end) if words.is_in("saying", one)]
        if any(not words.is_in("neutral", one) for one in said) or not words.counts_of("official", first, end):
            return False
        outside = [*range(first), *range(end, words.end)]
        if any(words.enclosed[first:end]) or any(
            words.enclosed[one] and words.lower[one] in "\"“'‘" for one in outside
        ):
            return False
        rest = [words.lower[one] for one in outside]
        if any(word in words.lists["claims"] or word in words.lists["hedges"] for word in rest):
            return False
        return not any(
            word in ("it", "they", "its", "their", "he", "she", "his", "her", "him", "them") for word in rest
        )

    def _who_said(self) -> Iterator[Piece]:
        """Yield "Police said that" at the beginning, before a clause."""
        words = self.words
        said = next((one for one in range(1, min(8, words.end)) if words.verbs[one]), None)
        if said is None or not words.is_in("neutral", said) or any(one < said for one in words.commas):
            return
        rest = said + 1
        if words.is_in("weekdays", rest):
            rest += 1
        if words.lower[rest : rest + 1] == ["that"]:
            rest += 1
        if (
            rest < words.end
            and (words.is_in("determiners", rest) or words.is_name(rest) or words.tag(rest).startswith("CD"))
            and words.is_clause(rest, words.end)
            and self._goes(0, rest, "attribution")
            and self._may_speak(0, rest)
        ):
            yield self._piece(0, rest, "attribution")

    def _occasions(self) -> Iterator[Piece]:
        """Yield where something was said: "in a statement", "at a news conference on Monday"."""
        words = self.words
        for index in range(1, words.end - 1):
            if words.lower[index] not in ("in", "at", "during") or not words.is_in("determiners", index + 1):
                continue
            said = [one for one in range(max(0, index - 4), index) if words.is_in("saying", one) and words.verbs[one]]
            noun = next(
                (one for one in range(index + 2, min(index + 6, words.end)) if words.is_in("occasions", one)), None
            )
            if not said or noun is None or words.enclosed[index] or any(words.enclosed[said[-1] : index]):
                continue
            behind = words.lower[noun + 1 : noun + 2]
            if (noun + 1 == words.end or behind in ([","], ["that"], ["on"], [":"])) and all(
                words.tag(one).startswith(("NN", "JJ", "DT", "PRP", "POS")) for one in range(index + 1, noun + 1)
            ):
                yield self._piece(index, noun + 1, "occasion")

    # --- before a comma

    def _head(self, comma: int) -> Iterator[Piece]:
        words, rest = self.words, comma + 1
        if rest >= words.end or comma == 0 or any(words.enclosed[:comma]):
            return
        spoken = self._phrase(0, comma)
        if spoken in words.lists["additive"] or spoken in words.lists["fillers"]:
            if words.is_word(rest):
                yield self._piece(0, rest, "connective" if spoken in words.lists["additive"] else "filler")
            return
        if not self._begins(rest) or not words.is_clause(rest, words.end) or words.lower[rest + 1 : rest + 2] == [","]:
            return
        pronoun = (
            words.is_in("pronouns", rest) or words.tag(rest) == "PRP$" or words.lower[rest] in ("this", "these", "that")
        )
        verb = next((one for one in range(rest, words.end) if words.verbs[one]), words.end)
        if sum(rest < one < verb for one in words.commas) == 1:
            return
        named = any(words.tag(one).startswith("NN") for one in range(comma)) and not self._deictic(0, comma)
        if self._attributes(0, comma):
            if words.lower[0] == "according" and self._may_speak(0, comma):
                yield self._piece(0, rest, "attribution")
            return
        if not self._goes(0, comma, "leading") or (pronoun and named):
            return
        if sum(map(bool, words.verbs[1:comma])) > words.openers(0, comma):
            return
        if self._deictic(0, comma):
            if self._told(comma, words.end):
                yield self._piece(0, rest, "time")
        elif comma > 1 and (self._is_ing(0) or self._participle(0)) and words.lower[0] != "based":
            yield self._piece(0, rest, "leading")
        elif words.lower[0] in ("after", "during", "following", "amid") and self._told(comma, words.end):
            yield self._piece(0, rest, "opening")

    def _begins(self, index: int) -> bool:
        """Return True if a clause may begin with the word at an index."""
        words = self.words
        return words.tag(index).startswith(("DT", "PRP", "NN", "CD", "EX", "JJ")) and words.is_word(index)

    # --- times

    def _deictic(self, start: int, end: int) -> bool:
        """Return True if a stretch is a time told from the day of publication: "on Tuesday morning", "last week"."""
        words = self.words
        if words.lower[start] == "in":
            return end - start == 2 and words.is_in("months", start + 1)
        rest = [word for word in words.lower[start:end] if word not in ("on", "earlier", "late", "early")]
        lists = words.lists
        if not rest:
            return False
        if rest[0] in lists["weekdays"]:
            return all(word in lists["dayparts"] for word in rest[1:]) and len(rest) < 3
        if rest[0] in lists["near_days"]:
            return all(word in lists["dayparts"] for word in rest[1:])
        return (
            rest[0] in ("last", "this")
            and len(rest) > 1
            and all(
                word in lists["units"] or word in lists["weekdays"] or word in lists["dayparts"] for word in rest[1:]
            )
        )

    def _told(self, start: int, end: int) -> bool:
        """Return True if the words tell of what happened: their first verb is in the past, and no "will" is there."""
        words = self.words
        verbs = [one for one in range(start, end) if words.verbs[one]]
        if not verbs or words.counts_of("future", start, end):
            return False
        word = words.lower[verbs[0]]
        return (
            word in ("was", "were", "had")
            or word.endswith("ed")
            or word in words.lists["past"]
            or words.tag(verbs[0]) in ("VBD", "VBN")
        )

    def _times(self) -> Iterator[Piece]:
        words = self.words
        days = [one for one in range(words.end) if words.is_in("weekdays", one) or words.is_in("near_days", one)]
        days += [one for one in range(1, words.end) if words.is_in("months", one) and words.lower[one - 1] == "in"]
        units = [
            one for one in range(1, words.end) if words.is_in("units", one) and words.lower[one - 1] in ("last", "this")
        ]
        if len(days) + len(units) != 1 or not self._told(0, words.end) or self._is_denied(0, words.end):
            return
        index = (days or units)[0]
        start, end = index, index + 1
        if units:
            start -= 1
        while end < words.end and words.is_in("dayparts", end) and days:
            end += 1
        while start > 0 and words.lower[start - 1] in ("on", "earlier", "late", "early", "last", "this"):
            start -= 1
        if words.is_in("months", index):
            start = index - 1
        if start == 0 or words.enclosed[index] or not self._deictic(start, end):
            return
        if any(
            words.counts_of(name, 0, start) + words.counts_of(name, end, words.end) for name in ("scope", "compared")
        ):
            return
        if self._time_stands_alone(start, end):
            yield self._piece(start, end, "time")

    def _time_stands_alone(self, start: int, end: int) -> bool:
        """Return True if neither what is before a time nor what is behind it needs it: not "from Monday to Friday"."""
        words, before = self.words, start - 1
        bare, named = (
            not words.is_in("time_openers", start),
            words.tag(before).startswith("NNP") and words.is_name(before),
        )
        if bare and (named or not (words.verbs[before] or words.tag(before).startswith(("VB", "NN")))):
            return False
        if words.tag(before).startswith(("IN", "TO", "CC", "DT", "CD")) or words.is_in("finite", before):
            return False
        if not words.is_word(before) or words.is_in("time_links", before):
            return False
        if end < words.end and not words.is_in("time_followers", end):
            return False
        if words.lower[end : end + 1] == ["and"] and words.is_in("weekdays", end + 1):
            return False
        return words.lower[end : end + 1] != ["to"] or words.tags[end + 1 : end + 2] == ["VB"]

    # --- at the end, without a comma

    def _phrases(self) -> Iterator[Piece]:
        """Yield what was before or meanwhile, at the end of a sentence that tells what happened: "after a fire"."""
        words, end = self.words, self.words.end
        if self._spoken_from is not None:
            end = self._spoken_from
        begin = next((one + 1 for one in reversed(words.commas) if one < end), 0)
        for index in range(max(begin, 4), end - 1):
            if not self._opens_phrase(index, end) or words.enclosed[index]:
                continue
            ends = ("NN", "PRP", "VBN", "VBD") if words.lower[index] in ("after", "following") else ("NN", "PRP")
            if not words.tag(index - 1).startswith(ends) or words.is_in("units", index - 1):
                continue
            if words.is_in("finite", index - 1) or words.is_in("durations", index - 1):
                continue
            if any(words.enclosed[one] for one in range(index, end)) or not words.is_clause(begin, index):
                continue
            if words.verbs[index - 1] == SURE or self._is_denied(begin, index):
                continue
            if self._told(begin, index) and not self._is_copula(begin, index) and self._goes(index, end, "phrase"):
                yield self._piece(index, end, "phrase")
                return

    def _opens_phrase(self, index: int, end: int) -> bool:
        """Return True for what tells when, amid what, or why: "after", "because", and "as" before a clause."""
        words = self.words
        if words.lower[index] == "as":
            begins = (
                words.is_in("determiners", index + 1) or words.is_in("pronouns", index + 1) or words.is_name(index + 1)
            )
            return begins and words.is_clause(index + 1, end)
        if words.lower[index] == "because":
            return words.is_clause(index + 1, end) and not words.counts_of("negations", 0, index)
        if words.lower[index] == "when":
            return words.is_clause(index + 1, end)
        return words.lower[index] in ("after", "following", "during", "amid", "while")

    def _places(self) -> Iterator[Piece]:
        """Yield the name of a place at the end of a sentence that tells what happened: "won the race in Leeds"."""
        words, end = self.words, self.words.end if self._spoken_from is None else self._spoken_from
        start = end
        while start > 1 and (words.is_name(start - 1) or words.lower[start - 1] in ("the", "'s", ",", "of")):
            start -= 1
        index = start - 1
        if start == end or index < 4 or words.lower[index] not in ("in", "at", "near", "outside"):
            return
        if any(words.is_in("months", one) or words.is_in("weekdays", one) for one in range(start, end)):
            return
        begin = next((one + 1 for one in reversed(words.commas) if one < index), 0)
        object_before = words.tag(index - 1) in ("NN", "NNS") and not words.is_in("units", index - 1)
        if not object_before or words.enclosed[index] or words.counts_of("scope", 0, index):
            return
        if (
            any(word.endswith("est") for word in words.lower[:index])
            or self._is_copula(0, index)
            or not self._told(0, index)
            or self._is_denied(begin, index)
        ):
            return
        if words.is_clause(0, index) and words.is_clause(begin, index) and self._goes(index, end, "place"):
            yield self._piece(index, end, "place")

    def _and_verbs(self) -> Iterator[Piece]:
        """Yield a second thing that a subject did: "went to Leeds and sold the house"."""
        words, end = self.words, self.words.end if self._spoken_from is None else self._spoken_from
        for index in range(4, end - 2):
            if words.lower[index] != "and" or words.enclosed[index] or words.lower[index - 1] == ",":
                continue
            if not words.tag(index - 1).startswith(("NN", "CD", "PRP")) or not self._verb_at(index + 1):
                continue
            verb = index + 1 if words.verbs[index + 1] else index + 2
            if words.tag(verb) not in ("VBD", "VBN", "VBZ") or not self._told(0, index):
                continue
            behind = words.tag(verb + 1) if verb + 1 < words.end else "IN"
            if words.verbs[verb] < SURE and behind[:2] not in ("IN", "DT", "PR", "TO", "RB", "RP"):
                continue  # "increased uptake and reduced loss"
            if any(one >= index for one in words.commas if one < end) or words.counts_of("openers", 0, index):
                continue
            begin = max((one + 1 for one in words.commas if one < index), default=0)
            paired = any(word in ("between", "both") for word in words.lower[begin:index])
            if paired or self._is_in_verb_phrase(index):
                continue  # "between this and that", "came, saw and left"
            if words.is_clause(0, index) and self._goes(index, end, "clause"):
                yield self._piece(index, end, "clause")
                return

    def _is_copula(self, start: int, end: int) -> bool:
        """Return True if the first finite verb is a form of "be" with no participle behind it."""
        words = self.words
        verb = next((one for one in range(start, end) if words.verbs[one]), start)
        return words.lower[verb] in ("is", "are", "was", "were") and not any(
            words.tag(one) in ("VBN", "VBG", "VBD") for one in range(verb + 1, min(verb + 4, end))
        )

    # --- single words

    def _also(self) -> Iterator[Piece]:
        words = self.words
        for index in range(1, words.end - 1):
            if words.lower[index] == "also" and not words.enclosed[index]:
                before = words.lower[index - 1]
                if before in (
                    "but",
                    "and",
                    "not",
                    "see",
                    "or",
                    ",",
                    "only",
                    "is",
                    "are",
                    "was",
                    "were",
                ) and before not in ("is", "are", "was", "were"):
                    continue
                if not any(word in ("only", "just", "not", "but") for word in words.lower[:index]):
                    yield self._piece(index, index + 1, "connective")

    def _is_begun_again(self, start: int, end: int) -> bool:
        """Return True if somebody begins again behind a filler: "in the same, uh, in the same tool"."""
        return end < self.words.end and self.words.lower[end] in self.words.lower[max(0, start - 3) : start]

    def _hesitations(self) -> Iterator[Piece]:
        """Yield "uh" and its kin with the comma behind them; "um" only beside commas, since it is a word elsewhere."""
        words = self.words
        for index in range(words.end - 1):
            if not words.is_in("hesitations", index) or words.enclosed[index]:
                continue
            start = index - (index > 0 and words.lower[index - 1] == ",")
            end = index + 1 + (words.lower[index + 1] == ",")
            marked = (start < index or index == 0) and end > index + 1
            if start and words.is_in("finite", start - 1):
                continue  # "That is, uh, when"
            if self._is_begun_again(start, end):
                continue
            if end < words.end and (marked or words.lower[index] != "um"):
                yield self._piece(start, end, "filler")

    def _dateline(self) -> Piece | None:
        found = _DATELINE.match(self.words.text)
        if not found or len(self.words.text) <= found.end() + 20 or self.words.is_in("determiners", 0):
            return None
        return Piece(0, found.end(), "dateline")
