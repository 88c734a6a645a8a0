"""Cues of dependence in the words of a sentence, by kinds; one idea for all languages.

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
    series         a later one of several: "The third reason …"; the others are named in what it needs
    definite       a noun that tells of what something is a part, or which is named before: "The plot …", "The victim …"
    given          a noun that an earlier sentence has introduced: "A ferry …", and then "The ferry …"
    described      the same, or one of which an earlier sentence says which one is meant: "The mayor of Hull …"
    bare           another noun with an article, in the past, and nothing that says which one is meant
    present        the same in the present, which may be said of all of its kind
    repeated       a noun that was named before, with something beside it or, in Russian, at the beginning
    subjectless    a verb whose subject is not said, in languages that allow it: "Nació en 1950."
    answer         "Yes, …", "Because …"
    initial        an Italian verb that is known by its ending and by what follows it
    pointer        a demonstrative within the sentence: "… a map of these lakes"
    thin           a short sentence without a name, a number or a time: "Nobody was hurt."
    within         adverbs and references that stand further behind, too: "… two years later", "… mentioned above"

The words are in a file for each language, `en.toml` and so on. A line there is the first word of an opening, or several
with a bar between them, and then a regular expression for what follows. The first letter of the sentence is taken as
a small one, a space is any white space, and `{name}` stands for any of the words listed under that name. Lists without
a line of their own are read by rules: `pointing` has demonstratives that stand before a noun, `pointers` those that are
pronouns, `finals` those that are pronouns at the end of a sentence, `pronouns` those of the third person, `speakers`
the first and second person, `relative` and `of` what stands behind a noun and says which one is meant, `people` and
`person_endings` nouns of people (`no_people`: words that only end so), `later` and `firsts` numbers of a series
(`unnumbered`: nouns that have a second one without a first), `adding` words such as "also", `added` those at the
end (`naming`: what stands behind them in "also called"), and `agreement` the ending that either a noun or its verb has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.text.stop_words import STOP_WORDS

LANGUAGES = frozenset("de en es fr it nl pt ru".split())
"""Languages that have words."""

KINDS = (
    "stands", "connective", "adverb", "person", "pronoun", "demonstrative", "possessive", "other", "subjectless",
    "answer",
)  # fmt: skip
"""Kinds of openings but `cut`, `definite` and `within`, in the order in which they are looked for."""

SEEN = 240
"""Number of characters at the beginning of a sentence that are looked at."""

SHORTEST_VERB = 3
"""Number of letters that a verb that is known by its ending is longer than."""

ACCENT = "\u0301"
"""The stress of a word, as Russian encyclopedias mark that of names."""

_SPACE = r"\s+"
CAPITAL = "[A-ZÀ-ÖØ-ÞА-ЯЁ]"
WORD = re.compile(r"[^\W\d_]+")
PART = re.compile(r"[^\W_]+|[,;:—]")
TOKEN = re.compile(r"[^\W_]+(?:-[^\W_]+)*|--|[.,;:—–()?!]")


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

    @property
    def is_bare(self) -> bool:
        """True if a noun has nothing beside it but its article."""
        return len(self.words.split()) == 2


class _Lists(dict[str, frozenset[str]]):
    """Lists by their names; one that a language does not have is empty."""

    def __missing__(self, name: str) -> frozenset[str]:
        return frozenset()


@dataclass(frozen=True)
class Cues:
    """The words of a language, as they are written in its file."""

    written: dict[str, Any]
    function_words: frozenset[str] = frozenset()

    @cached_property
    def lists(self) -> dict[str, frozenset[str]]:
        """The words of each list."""
        return _Lists({name: frozenset(words.split()) for name, words in self.written["words"].items()})

    @property
    def verb_second(self) -> bool:
        """True if the verb is the second part of a sentence: where the first one is not the subject, this follows."""
        return bool(self.written.get("verb_second"))

    @property
    def noun_first(self) -> bool:
        """True if adjectives stand behind the noun, which has an article nearly everywhere, as in Romance languages."""
        return bool(self.written.get("noun_first"))

    @property
    def nouns_have_capitals(self) -> bool:
        """True if all nouns are written with a capital, not only names."""
        return bool(self.written.get("nouns_have_capitals"))

    @cached_property
    def _alternatives(self) -> dict[str, str]:
        found = {name: f"(?:{'|'.join(words.split())})" for name, words in self.written["words"].items()}
        return {**found, "capital": CAPITAL}

    @cached_property
    def _openings(self) -> dict[str, list[tuple[str, str | re.Pattern[str]]]]:
        """For each first word, the kinds of openings and what follows it; compiled when first needed."""
        table: dict[str, list[tuple[str, str | re.Pattern[str]]]] = {}
        for kind in ("cut", *KINDS, "definite", "within"):
            for line in self.written["openings"].get(kind, "").strip().splitlines():
                name, head, rest = _LINE.fullmatch(line.strip()).groups()  # type: ignore[union-attr]
                for word in self.lists[name] if name else head.split("|"):
                    table.setdefault(word.lower(), []).append((kind, rest))
        return table

    @cached_property
    def behind_pronouns(self) -> frozenset[str]:
        """Function words behind a demonstrative that is no article then: "this was", but not "those who"."""
        return self.function_words - self.lists["relative"] - self.lists["of"]

    @cached_property
    def particular(self) -> frozenset[str]:
        """Words that make a short sentence say something: who speaks, a time, what everybody knows."""
        return frozenset().union(*(self.lists[name] for name in ("speakers", "time", "work", "unique")))

    @cached_property
    def within(self) -> frozenset[str]:
        """First words of what counts from something that was said before wherever it stands in the first clause."""
        return frozenset(word for word, known in self._openings.items() if any(kind == "within" for kind, _ in known))

    def _is_finite(self, text: str, word: re.Match[str]) -> bool:
        """Return True if a word is by its ending a verb, with no subject behind it."""
        following = PART.search(text, word.end())
        if not word.group().endswith(self._endings) or len(word.group()) <= SHORTEST_VERB:
            return False
        if not self.lists["articles"]:
            return (
                len(word.group()) > SHORTEST_VERB + 1
                and following is not None
                and following.group() in self.lists["openers"]
            )
        return following is None or (following.group()[0].islower() and following.group().isalpha())

    def is_verb(self, word: str) -> bool:
        """Return True if a word is a finite verb, of those that are listed or by its ending."""
        if word in self.lists["verb"] or word in self.lists["past"]:
            return True
        return len(word) > SHORTEST_VERB and word.islower() and word.endswith(self._verb_endings + self._endings)

    @cached_property
    def _verb_endings(self) -> tuple[str, ...]:
        return tuple(self.lists["verb_endings"])

    def is_past(self, word: str) -> bool:
        """Return True if a word is a verb in the past, of those that are listed or by its ending."""
        return word in self.lists["past"] or word.endswith(tuple(self.lists["past_endings"]))

    def is_part(self, noun: str) -> bool:
        """Return True if a noun tells of what something is a part, such as a title or a roof."""
        return noun in self.lists["noun"] or noun.lower() in self.lists["noun"]

    def is_person(self, word: str) -> bool:
        """Return True if a noun is that of a person, of those that are listed or by its ending."""
        lists = self.lists
        by_ending = len(word) > SHORTEST_VERB + 1 and word.endswith(tuple(lists["person_endings"]))
        return word in lists["people"] or (by_ending and word not in lists["no_people"])

    def may_be_adjective(self, word: str) -> bool:
        """Return True if a word that stands before a noun may be an adjective, or the first part of a compound."""
        endings = tuple(self.lists["adjective_endings"])
        return not endings or word.endswith(endings)

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
    def pointing(self) -> frozenset[str]:
        """Words that point to what was said before, wherever they stand."""
        return frozenset().union(*(self.lists[name] for name in ("pointing", "pointers", "finals", "pronouns")))

    @cached_property
    def boundary(self) -> re.Pattern[str]:
        """Where a clause ends."""
        return re.compile(rf"[,;:()–—]|\b(?:{'|'.join(self.lists['boundaries'])})\b")

    @cached_property
    def inside(self) -> re.Pattern[str]:
        """A connective that is not at the beginning: between commas or, where these are not used, before any comma."""
        words = f"(?P<words>{self.written['inside']})"
        if not self.verb_second:
            return re.compile(rf"[^,;:.–—]*, {words}[,.]")
        return re.compile(rf"(?:(?! (?:{self.written['coordinating']}) )[^,;:.–—])* {words}\b")

    @cached_property
    def _introducing(self) -> re.Pattern[str]:
        indefinite = "|".join(self.lists["indefinite"])
        return re.compile(rf"\b(?:{indefinite})\s+(?=(\w+)(?:[\s-]+(\w+))?(?:[\s-]+(\w+))?)", re.IGNORECASE)

    def introduced(self, printed: str) -> set[str]:
        """Nouns that a sentence introduces by an indefinite article or a number, and words beside them."""
        found = self._introducing.findall(printed) if self.lists["indefinite"] else ()
        near = 2 if self.noun_first else 3
        return {word.lower() for words in found for word in words[:near] if word}

    @cached_property
    def _described(self) -> re.Pattern[str]:
        of, articles = "|".join(self.lists["of"] | self.lists["relative"]), "|".join(self.lists["articles"])
        place = rf"(?:{'|'.join(self.lists['openers'])}) (?:(?:{articles}) )?{CAPITAL}"
        return re.compile(rf"\b(\w+)(?=,? (?:{of})\b| {place})")

    def described(self, printed: str) -> set[str]:
        """Nouns of which a sentence says which one is meant, in small letters."""
        return set(map(str.lower, self._described.findall(printed)))

    def modifies(self, printed: str, noun: str) -> bool:
        """Return True if a sentence has a noun with a word before it that says which one is meant: "a tax measure".

        Not where adjectives stand behind their nouns, where there are no articles, or where nouns are written like
        names: those of places and regions may have an article, too.
        """
        if self.noun_first or self.nouns_have_capitals or not self.lists["articles"] or noun in self.lists["unique"]:
            return False
        before = re.findall(rf"\b(\w+)[ -]{re.escape(noun)}\b", printed, re.IGNORECASE)
        return any(word.isalpha() and self._says_which(word) for word in before)

    def _says_which(self, word: str) -> bool:
        small, lists = word.lower(), self.lists
        others = (lists[name] for name in ("articles", "openers", "pronouns", "ordinals", "later"))
        return small not in self.function_words.union(*others) and not self.is_verb(word)

    def opening(self, text: str, at: int, kinds: Sequence[str] = KINDS) -> tuple[Cue, int] | None:
        """Return the first opening of some kinds that begins at a place, and where it ends."""
        word = WORD.match(text, at)
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
    return Cues(tomllib.loads(written), STOP_WORDS[language])
