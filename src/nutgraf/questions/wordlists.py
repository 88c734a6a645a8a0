"""Words of questions and of answers in a language: how a question asks for a number, and how numbers are written."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

Kind = Literal["number", "person", "date", "place", "reason", "way", "yes_no", "list", "thing"]
"""What a question asks for."""

KINDS: tuple[Kind, ...] = get_args(Kind)

LANGUAGES = ("de", "en", "es", "fr")
"""Languages whose questions are understood by their kind."""

_FIGURES = r"\d+(?:[.,\u00a0\u202f]\d+)*"


class Ask(NamedTuple):
    """A kind of question, with the unit of the number that it asks for, and words that an answer may have.

    Attributes:
        kind: What is asked for.
        unit: Unit of a number.
        words: By what the kind is known.
        implied: Words that the question does not say, but means: "cost" of "how much is it".
    """

    kind: Kind
    unit: str
    words: re.Pattern[str]
    implied: tuple[str, ...] = ()


class WordLists(NamedTuple):
    """The lists of a language.

    Attributes:
        asks: Kinds of questions, in the order in which they are tried.
        answers: How what is asked for is written, by kind or unit.
        light: Words that say little about what is asked.
        titles: Words before the name of a person.
        roles: Words for a person by what he or she does.
        not_names: Words that have a capital though they name nobody.
        prepositions: Words before a place.
        same: Words that may stand for each word, from a file of their own, a line for those that stand for one another.
    """

    asks: tuple[Ask, ...]
    answers: Mapping[str, re.Pattern[str]]
    light: frozenset[str]
    titles: frozenset[str]
    roles: frozenset[str]
    not_names: frozenset[str]
    prepositions: frozenset[str]
    same: Mapping[str, frozenset[str]]


@cache
def word_lists(language: str) -> WordLists | None:
    """Return the lists of a language, read when they are first asked for; None for one without lists."""
    if language not in LANGUAGES:
        return None
    found = tomllib.loads(Path(__file__).with_name(f"{language}.toml").read_text(encoding="utf-8"))
    answers = found["answers"]
    counted = sorted(answers.pop("numbers").split(), key=len, reverse=True)
    number = rf"(?:{_FIGURES}|\b(?:{'|'.join(counted)})\b)"
    patterns = {name: _compiled(pattern.replace("<number>", number)) for name, pattern in answers.items()}
    cased = {name: frozenset(words.split()) for name, words in found["cased"].items()}
    asks = tuple(
        Ask(one["kind"], one.get("unit", ""), _compiled(one["words"]), tuple(one.get("implied", "").split()))
        for one in found["asks"]
    )
    return WordLists(
        asks=asks,
        answers=patterns,
        light=frozenset(found["light"].split()),
        same=_same(Path(__file__).with_name(f"{language}.txt").read_text(encoding="utf-8")),
        **cased,
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _same(lines: str) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in lines.splitlines():
        words = line.split()
        for word in words:
            found[word].update(words)
    return {word: frozenset(others - {word}) for word, others in found.items()}
