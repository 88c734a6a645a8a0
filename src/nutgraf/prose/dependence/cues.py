"""What the words of a sentence say about its dependence, by kinds of cue; one idea for all languages.

A sentence gives itself away at its beginning. There stand the connectives, which Christensen et al. 2013 (*Towards
Coherent Multi-Document Summarization*) take for an edge from the sentence before; and the pronouns, which Durrett et
al. 2016 (*Learning-Based Single-Document Summarization with Compression and Anaphoricity Constraints*) allow in a
summary only together with what they stand for. Kinds, in the order in which they are looked for:

    cut            a connective that can be left out: "However, the ferry left."
    stands         looks like one of those below, but is none: "It is likely that …", "Both the ferry and …"
    connective     a connective that cannot be left out: "Otherwise …"
    adverb         a place, time or way told before: "There …", "Since then …", "Davon …"
    pronoun        "They …", "Celui-ci …"; for people, see `person`
    person         "He …", "She …"
    demonstrative  "This decision …"
    possessive     "Its revenue …"
    other          one of several, or all of them: "The other …", "Both …", "The second …"
    definite       a noun that tells of what something is a part, or which is named before: "The plot …", "The victim …"
    given          a noun that an earlier sentence has introduced: "A ferry …", and then "The ferry …"
    bare           another noun with an article, and nothing that says which one is meant
    subjectless    a verb whose subject is not said, in languages that allow it: "Nació en 1950."
    answer         "Yes, …", "Because …"

Behind a phrase that opens the sentence ("In 2010, he …"), a pronoun is at the beginning, too. It is not if a name
stands before it, and not if what it stands for follows: "Although he was tired, Paul …".

The words are in a file for each language, `en.toml` and so on. A line there is the first word of an opening, or several
with a bar between them, and then a regular expression for what follows. The first letter of the sentence is taken as
a small one, a space is any white space, and `{name}` stands for any of the words listed under that name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

LANGUAGES = frozenset("de en es fr it nl pt ru".split())
"""Languages that have words."""

KINDS = (
    "stands", "connective", "adverb", "person", "pronoun", "demonstrative", "possessive", "other", "subjectless",
    "answer",
)  # fmt: skip
"""Kinds of openings but `cut` and `definite`, in the order in which they are looked for."""

SEEN = 240
"""Number of characters at the beginning of a sentence that are looked at."""

SHORTEST_VERB = 3
"""Number of letters that a verb that is known by its ending is longer than."""

ACCENT = "\u0301"
"""The stress of a word, as Russian encyclopedias mark that of names."""

FAR, NEAR = 14, 5
"""Number of words before which a pronoun stands after a comma, and without one, to be that of an opening phrase."""

_SPACE = r"\s+"
_CAPITAL = "[A-ZÀ-ÖØ-ÞА-ЯЁ]"
_LABEL = re.compile(rf"{_CAPITAL}\w*(?: {_CAPITAL}\w*)?:\s")
_START = re.compile(r"[\s\"“”„«»‹›‘’'(\[¡¿…–—•*·-]*(?:\(?(?:\d{1,3}|[a-z])[.)]\s+)?")
_QUOTATION = re.compile(r"[\"“„«][^\"”“»]*[\"”“»]")
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"[^\W_]+|[,;:—]")
_AFTER_CUT = re.compile(r"[,\s]*")


class Cue(NamedTuple):
    """A cue of a sentence.

    Attributes:
        kind: Its kind.
        words: The words that are the cue.
        noun: The noun of which it is not clear which one is meant, in small letters.
    """

    kind: str
    words: str
    noun: str = ""


class Reading(NamedTuple):
    """What the words of a sentence say about its dependence.

    Attributes:
        cue: What it leans on another sentence by, if it does.
        connective: Characters of a connective that may be left out.
        words: The connective.
    """

    cue: Cue | None = None
    connective: int = 0
    words: str = ""


class _Lists(dict[str, frozenset[str]]):
    """Lists by their names; one that a language does not have is empty."""

    def __missing__(self, name: str) -> frozenset[str]:
        return frozenset()


@dataclass(frozen=True)
class Cues:
    """The words of a language, as they are written in its file."""

    written: dict[str, Any]

    @cached_property
    def lists(self) -> dict[str, frozenset[str]]:
        """The words of each list."""
        return _Lists({name: frozenset(words.split()) for name, words in self.written["words"].items()})

    @property
    def verb_second(self) -> bool:
        """True if the verb is the second part of a sentence: where the first one is not the subject, this follows."""
        return bool(self.written.get("verb_second"))

    @property
    def nouns_have_capitals(self) -> bool:
        """True if all nouns are written with a capital, not only names."""
        return bool(self.written.get("nouns_have_capitals"))

    @cached_property
    def _alternatives(self) -> dict[str, str]:
        found = {name: f"(?:{'|'.join(words.split())})" for name, words in self.written["words"].items()}
        return {**found, "capital": _CAPITAL}

    @cached_property
    def _openings(self) -> dict[str, list[tuple[str, str | re.Pattern[str]]]]:
        """For each first word, the kinds of openings and what follows it; compiled when first needed."""
        table: dict[str, list[tuple[str, str | re.Pattern[str]]]] = {}
        for kind in ("cut", *KINDS, "definite"):
            for line in self.written["openings"].get(kind, "").strip().splitlines():
                name, head, rest = _LINE.fullmatch(line.strip()).groups()  # type: ignore[union-attr]
                for word in self.lists[name] if name else head.split("|"):
                    table.setdefault(word, []).append((kind, rest))
        return table

    def _is_finite(self, text: str, word: re.Match[str]) -> bool:
        """Return True if a word is by its ending a verb, with no subject behind it."""
        following = _TOKEN.search(text, word.end())
        if not word.group().endswith(self._endings) or len(word.group()) <= SHORTEST_VERB:
            return False
        if not self.lists["articles"]:
            return following is not None and following.group() in self.lists["openers"]
        return following is None or (following.group()[0].islower() and following.group().isalpha())

    def is_verb(self, word: str) -> bool:
        """Return True if a word is a finite verb, of those that are listed or by its ending."""
        return word in self.lists["verb"] or (word.endswith(("te", "ten")) and word.islower())

    def is_past(self, word: str) -> bool:
        """Return True if a word is a verb in the past, of those that are listed or by its ending."""
        return word in self.lists["past"] or word.endswith(tuple(self.lists["past_endings"]))

    @cached_property
    def participles(self) -> tuple[str, ...]:
        """Endings of words that open a sentence and have its subject behind a comma: "Born in 1950, he …"."""
        return tuple(self.lists["participles"])

    @cached_property
    def _endings(self) -> tuple[str, ...]:
        return tuple(self.lists["endings"])

    @cached_property
    def objects(self) -> re.Pattern[str]:
        """Pronouns that are objects, and adverbs in their place."""
        return re.compile(_filled(self.written["object"], self._alternatives))

    @cached_property
    def boundary(self) -> re.Pattern[str]:
        """Where a clause ends."""
        return re.compile(rf"[,;:()–—]|\b(?:{'|'.join(self.lists['boundaries'])})\b")

    @cached_property
    def inside(self) -> re.Pattern[str]:
        """A connective that is not at the beginning: between commas or, where these are not used, before any comma."""
        words = f"(?P<words>{self.written['inside']})"
        if not self.verb_second:
            return re.compile(rf"[^,;:.–—]*, {words},")
        return re.compile(rf"(?:(?! (?:{self.written['coordinating']}) )[^,;:.–—])* {words}\b")

    @cached_property
    def _introducing(self) -> re.Pattern[str]:
        indefinite = "|".join(self.lists["indefinite"])
        return re.compile(rf"\b(?:{indefinite})\s+(?=(\w+)(?:[\s-]+(\w+))?(?:[\s-]+(\w+))?)", re.IGNORECASE)

    def introduced(self, printed: str) -> set[str]:
        """Nouns that a sentence introduces by an indefinite article or a number, and the words beside them."""
        return {word.lower() for words in self._introducing.findall(printed) for word in words if word}

    def opening(self, text: str, at: int, kinds: Sequence[str] = KINDS) -> tuple[Cue, int] | None:
        """Return the first opening of some kinds that begins at a place, and where it ends."""
        word = _WORD.match(text, at)
        known = self._openings.get(word.group().lower(), []) if word else []
        if word is None or text[word.end() : word.end() + 1] == ACCENT:
            return None
        for number, (kind, rest) in enumerate(known):
            if kind not in kinds:
                continue
            if isinstance(rest, str):
                rest = re.compile(_expression(rest, self._alternatives))
                known[number] = kind, rest
            found = rest.match(text, word.end())
            if found:
                return Cue(kind, text[at : found.end()].rstrip(" ,")), found.end()
        if self._endings and "subjectless" in kinds and self._is_finite(text, word):
            return Cue("subjectless", word.group()), word.end()
        return None


_LINE = re.compile(r"(?:\{(\w+)\}|([^\W\d_]+(?:\|[^\W\d_]+)*))(.*)")


def _filled(pattern: str, alternatives: dict[str, str]) -> str:
    """Return a pattern with the words of each list in place of its name."""
    return re.sub(r"\{([a-z]+)\}", lambda found: alternatives[found[1]], pattern)


def _expression(rest: str, alternatives: dict[str, str]) -> str:
    rest = _filled(rest, alternatives)
    return rf"(?:{rest.replace(' ', _SPACE)})(?!(?<=\w)\w)"


@cache
def cues_of(language: str) -> Cues | None:
    """The words of a language; None if there are none."""
    if language not in LANGUAGES:
        return None
    import tomllib

    written = Path(__file__).with_name(f"{language}.toml").read_text(encoding="utf-8")
    return Cues(tomllib.loads(written))


def read(printed: str, cues: Cues) -> Reading:
    """Return what the words of a printed sentence say about its dependence."""
    label = _LABEL.match(printed)
    at = _START.match(printed, label.end() if label else 0).end()  # type: ignore[union-attr]
    text = printed[: at + SEEN].replace("’", "'")
    first = text[at : at + 1].lower()
    text = text[:at] + first + text[at + 1 :] if len(first) == 1 else text
    end = _without_connectives(text, at, cues)
    words = text[at:end].rstrip(" ,")
    cue = _cue(text, end, cues) or _speaker(printed, cues)
    if not words:
        return Reading(cue)
    alone = at == 0 and _WORD.search(text, end) is not None
    return Reading(cue, end, words) if alone else Reading(cue or Cue("connective", words))


def names_somebody(printed: str, cues: Cues) -> bool:
    """Return True if a sentence has a name; never where all nouns are written like names."""
    tokens = [match for match, _ in zip(_TOKEN.finditer(printed), range(SEEN // 4), strict=False)]
    return _named(tokens, cues)


def _without_connectives(text: str, at: int, cues: Cues) -> int:
    """Return where a sentence begins behind the connectives that can be left out."""
    for _ in range(2):
        found = cues.opening(text, at, ("cut",))
        if found is None:
            break
        at = _AFTER_CUT.match(text, found[1]).end()  # type: ignore[union-attr]
    return at


def _cue(text: str, at: int, cues: Cues) -> Cue | None:
    found = cues.opening(text, at)
    if found and found[0].kind != "stands":
        return found[0]
    first = _TOKEN.search(text, at)
    if first is None:
        return None
    cue = _behind_opening(text, at, first.group(), cues)
    if cue is None and first.group() not in cues.lists["clauses"]:
        cue = _object(text, at, cues)
    if cue is None and (inside := cues.inside.match(text, at)):
        return Cue("inside", inside["words"])
    return cue or (None if found else _definite(text, at, cues))


def _definite(text: str, at: int, cues: Cues) -> Cue | None:
    """Return a noun with a definite article, and nothing that says which one is meant."""
    found = cues.opening(text, at, ("definite",))
    if found is None:
        return None
    words, end = found[0].words, found[1]
    noun = _WORD.findall(words.removesuffix("'s"))[-1]
    if noun in cues.lists["noun"] or noun.lower() in cues.lists["noun"]:
        return found[0]._replace(noun=noun.lower())
    if noun[0].isupper() is not cues.nouns_have_capitals or noun in cues.lists["unique"]:
        return None
    if noun.isupper() or text[end : end + 1] == "-":
        return None
    article, verb = _WORD.match(words), _WORD.search(text, end)
    past = verb is not None and cues.is_past(verb.group())
    generic = article is not None and article.group() in cues.lists["generic"] and not past
    return Cue("given" if generic else "bare", words, noun.lower())


def _object(text: str, at: int, cues: Cues) -> Cue | None:
    """Return a pronoun that is the object of the first clause, if nothing but its subject stands before it.

    Subject and object of a verb are two: "The council rejected it" tells of something else than the council (principle
    B of Chomsky 1981, *Lectures on Government and Binding*).
    """
    found = cues.objects.search(text, at)
    first = _WORD.match(text, at)
    if found is None or cues.boundary.search(text, first.end() if first else at, found.start()):
        return None
    tokens = [match.group() for match in _TOKEN.finditer(text, at, found.start())]
    return Cue("pronoun", found.group()) if len(tokens) < FAR - NEAR and _phrases(tokens, cues) < 2 else None


def _phrases(tokens: list[str], cues: Cues) -> int:
    """Return how many nouns there are at least: the articles, and the names."""
    capitals = [token[0].isupper() for token in tokens]
    names = sum(second and (cues.nouns_have_capitals or not first) for first, second in pairwise(capitals))
    if cues.nouns_have_capitals:
        return names
    counted = cues.lists["articles"] | cues.lists["indefinite"]
    return names + sum(token in counted or token.isdigit() for token in tokens)


def _speaker(printed: str, cues: Cues) -> Cue | None:
    """Return the pronoun for who says a quotation that is before it: "“…,” he said"."""
    quoted = _QUOTATION.match(printed)
    if quoted is None:
        return None
    tokens = [match.group() for match, _ in zip(_TOKEN.finditer(printed, quoted.end()), range(5), strict=False)]
    words = [token for token in tokens if token.isalpha()]
    for word in words:
        if word[0].isupper():
            return None
        if word in cues.lists["subjects"]:
            return Cue("person", word)
    if words and words[0] in cues.lists["saying"] and cues.lists["articles"].isdisjoint(words[1:3]):
        return Cue("subjectless", words[0])
    return None


def _behind_opening(text: str, at: int, first: str, cues: Cues) -> Cue | None:
    """Return the cue behind a clause or phrase that opens a sentence, such as "In 2010, he …"."""
    phrase = first in cues.lists["openers"] or first.isdigit()
    clause, group = first in cues.lists["clauses"], first in cues.lists["groups"]
    if not (phrase or clause or group or first.endswith(cues.participles)):
        return None
    tokens = [match for match, _ in zip(_TOKEN.finditer(text, at), range(FAR + 1), strict=False)]
    if clause:
        subject = next((token for token in tokens[1:3] if token.group() not in cues.lists["clauses"]), tokens[0])
        if subject.group() in cues.lists["subjects"]:
            return _of_clause(text, tokens, subject, cues)
        if cue := _without_subject(text, tokens, cues):
            return cue
    cue = _of_group(tokens, cues) if group else None
    return cue or _of_phrase(text, tokens, cues, NEAR if phrase else 1)


def _of_clause(text: str, tokens: list[re.Match[str]], subject: re.Match[str], cues: Cues) -> Cue | None:
    """Return the pronoun that is the subject of a clause, unless the main clause behind it names whom it is for."""
    comma = _comma(tokens)
    behind = tokens[comma + 1 : comma + (3 if cues.verb_second else 2)] if comma else []
    return None if any(_names(token.group(), cues) for token in behind) else _pronoun(text, subject, cues)


def _without_subject(text: str, tokens: list[re.Match[str]], cues: Cues) -> Cue | None:
    """Return the verb of the main clause if neither it nor the clause before has a subject."""
    comma = _comma(tokens)
    if not comma or comma + 1 == len(tokens) or any(_names(token.group(), cues) for token in tokens[1:comma]):
        return None
    return _subjectless(text, tokens[comma + 1], cues)


def opens(printed: str, cues: Cues) -> bool:
    """Return True if a sentence begins with a word that is no subject, such as a preposition."""
    first = _TOKEN.search(printed)
    return first is not None and (first.group().lower() in cues.lists["openers"] or first.group().isdigit())


def _names(word: str, cues: Cues) -> bool:
    """Return True if a word is a name, or an article before a noun."""
    return word[0].isupper() or word in cues.lists["articles"] or word in cues.lists["indefinite"]


def _subjectless(text: str, token: re.Match[str], cues: Cues) -> Cue | None:
    found = cues.opening(text, token.start(), ("stands", "subjectless"))
    return found[0] if found and found[0].kind == "subjectless" else None


def _of_phrase(text: str, tokens: list[re.Match[str]], cues: Cues, near: int) -> Cue | None:
    """Return the pronoun, or the verb without a subject, behind a phrase that names nobody.

    Without a comma, it is one of the first words.
    """
    comma = _comma(tokens)
    places = [comma + 1] if comma else []
    for place in [*places, *range(1, comma or (2 * near if cues.verb_second else near))]:
        if place >= len(tokens) or _named(tokens[:place], cues):
            break
        word = tokens[place].group()
        if word in cues.lists["subjects"] and not (cues.verb_second and tokens[place - 1].group()[0].isupper()):
            return _pronoun(text, tokens[place], cues)
        before = tokens[place - 1].group()
        if before == "," or before.isdigit() or before in cues.lists["time"]:
            cue = _subjectless(text, tokens[place], cues)
            if cue:
                return cue
        if before == "," or (cues.nouns_have_capitals and cues.is_verb(before)):
            return _definite(text, tokens[place].start(), cues)
    return None


def _of_group(tokens: list[re.Match[str]], cues: Cues) -> Cue | None:
    """Return the pronoun for somebody behind a subject that is several people: "Police arrested him"."""
    for place, token in enumerate(tokens):
        word = token.group()
        if word in cues.lists["persons"]:
            return Cue("person", word)
        if word in cues.lists["things"]:
            return Cue("pronoun", word)
        if place and (word in cues.lists["articles"] or word[0].isupper()):
            return None
    return None


def _pronoun(text: str, token: re.Match[str], cues: Cues) -> Cue | None:
    found = cues.opening(text, token.start())
    if found:
        return None if found[0].kind == "stands" else found[0]
    return Cue("pronoun", token.group())


def _comma(tokens: list[re.Match[str]]) -> int:
    """Return the place of the first comma, 0 if there is none."""
    return next((place for place, token in enumerate(tokens) if token.group() == ","), 0)


def _named(tokens: list[re.Match[str]], cues: Cues) -> bool:
    """Return True if there is a name that is no place or time: a capital that follows no preposition or article."""
    if cues.nouns_have_capitals:
        return False
    before = True
    for token in tokens[1:]:
        word = token.group()
        if word[0].isupper():
            if not before:
                return True
        else:
            before = word in cues.lists["openers"] or word in cues.lists["articles"] or word.isdigit()
    return False
