"""Words of a sentence as corruptions and paraphrases see them, in cased and in lower-cased text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from nutgraf.text.dictionary import english_tag, is_common

WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
NUMBER = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])(?![.,]\d)")
TITLES = frozenset("mr mrs ms dr sir judge president prime minister senator rep sen gov".split())
SMALL = frozenset(
    "a an the of in on at to for by with from as and or but not no is are was were be been being has have had do does "
    "did will would can could may might shall should must it its this that these those he she they we i you his her "
    "their our my your him them us me who which what when where while there here than then so if also after before "
    "about into over under up down out more most other some any all such only own same very just".split()
)
"""Words that say little; two sentences are not about the same because they share them."""


SHORT = 5
"""Letters of words that mean too many things to have synonyms."""


class Span(NamedTuple):
    """A stretch of a sentence."""

    start: int
    end: int
    text: str


@cache
def changes() -> Mapping[str, Any]:
    """The lists of `changes.toml`."""
    return tomllib.loads(files(__package__).joinpath("changes.toml").read_text(encoding="utf-8"))


@cache
def antonyms() -> Mapping[str, tuple[str, ...]]:
    """The antonyms of words, in both directions."""
    found: dict[str, tuple[str, ...]] = {}
    for line in files(__package__).joinpath("antonyms.txt").read_text(encoding="utf-8").split("\n"):
        for one, other in (line.split(), line.split()[::-1]) if line.strip() else ():
            found[one] = (*found.get(one, ()), other)
    return found


@cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """The synonyms of words in WordNet."""
    lines = files("nutgraf.text.wordnet").joinpath("synonyms.txt").read_text(encoding="utf-8").split("\n")
    groups = [line.split() for line in lines if line.strip()]
    counts: dict[str, int] = {}
    for word in (word for group in groups for word in group):
        counts[word] = counts.get(word, 0) + 1
    return {
        word: tuple(other for other in group if other != word)
        for group in groups
        for word in group
        if counts[word] == 1 and len(group) > 1 and len(word) > SHORT
    }


@lru_cache(maxsize=1 << 17)
def tag(word: str) -> str:
    """The most frequent tag of a word in lower case; "NNP" for one that no dictionary has."""
    found = english_tag(word)
    if found is None:
        return "NN" if is_common(word) else "NNP"
    return found


@lru_cache(maxsize=1 << 17)
def is_name(word: str) -> bool:
    """Return True for a word that is a name in whatever case."""
    low = word.lower()
    return low.isalpha() and len(low) > 2 and low not in _dated() and not is_common(low)


@cache
def _dated() -> frozenset[str]:
    return frozenset(word for row in changes()["calendar"] for word in row)


def names(text: str) -> Iterator[Span]:
    """Yield the runs of names in a text."""
    run: list[re.Match[str]] = []
    before = ""
    for match in [*WORD.finditer(text), None]:
        capital = match is not None and match.group()[0].isupper() and before[-1:].isalnum()
        named = match is not None and match.group().lower() not in SMALL | TITLES and match.group().isalpha()
        if match and named and match.group().lower() not in _dated() and (capital or is_name(match.group())):
            if run and text[run[-1].end() : match.start()] != " ":
                yield _run(text, run)
                run = []
            run.append(match)
        elif run:
            yield _run(text, run)
            run = []
        before = text[: match.end()] if match else ""
        before = before[-1:] if match else ""


def _run(text: str, run: list[re.Match[str]]) -> Span:
    return Span(run[0].start(), run[-1].end(), text[run[0].start() : run[-1].end()])


def stems(text: str) -> set[str]:
    """The content words of a text, by their first letters; figures whole."""
    found = (match.group().lower() for match in WORD.finditer(text))
    return {word if word[0].isdigit() else word[:5] for word in found if word not in SMALL and len(word) > 1}


def replaced(text: str, old: str, new: str) -> str:
    """Replace words wherever they stand, whatever their case; what replaces a capital begins with one."""
    return _turned(text, {old.lower(): new})


def exchanged(text: str, old: str, new: str) -> str:
    """Exchange words wherever they stand, as `replaced` replaces them."""
    return _turned(text, {old.lower(): new, new.lower(): old})


def _turned(text: str, turns: Mapping[str, str]) -> str:
    wanted = rf"(?<!\w)(?:{'|'.join(map(re.escape, turns))})(?!\w)"
    return re.sub(wanted, lambda found: like(turns[found.group().lower()], found.group()), text, flags=re.IGNORECASE)


def like(word: str, other: str) -> str:
    """Return a word with a capital if another one has it."""
    return word[:1].upper() + word[1:] if other[:1].isupper() else word
