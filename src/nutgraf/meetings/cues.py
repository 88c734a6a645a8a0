"""Phrases by which people settle, promise and leave open; `cues.toml` has them by language.

A phrase is found by its first word, so that a text costs as much as it has words, however many phrases there are.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

LANGUAGES = ("de", "en", "es", "fr", "it")
"""Languages with phrases."""

GAP = 3
"""Maximum number of words that "~" stands for."""

INTERJECTIONS = frozenset(
    "okay ok well um uh uhm er oh yeah yes no so and but then now right good fine alright hm hmm mm mhm ah "
    "ja also na und aber gut bon bien alors et mais oui donc eh y pero bueno pues sí vale entonces e ma allora sì bene "
    "ecco great perfect cool super k genau perfekt prima tja parfait voilà enfin vale venga perfecto perfetto".split()
)
"""Words before which an utterance has not yet begun, for phrases that stand at its beginning."""

MOST_INTERJECTIONS = 3
"""Number of them that are passed over."""


class Phrase(NamedTuple):
    """A phrase of a kind.

    Attributes:
        kind: What it shows.
        words: Its words; each may begin or end with an asterisk.
        first: True if it stands at the beginning of an utterance.
        last: True if it stands at its end.
    """

    kind: str
    words: tuple[str, ...]
    first: bool
    last: bool


class Cues:
    """Phrases of a language.

    Args:
        language: One of `LANGUAGES`.
    """

    def __init__(self, language: str) -> None:
        table: dict[str, str] = tomllib.loads(files(__package__).joinpath("cues.toml").read_text("utf-8"))[language]
        self._by_word: dict[str, list[Phrase]] = defaultdict(list)
        self._by_ending: list[Phrase] = []
        self._known: dict[str, tuple[Phrase, ...]] = {}
        for kind, written in table.items():
            for phrase in map(_phrase, [kind] * written.count(",") + [kind], written.split(",")):
                if "*" in phrase.words[0]:
                    self._by_ending.append(phrase)
                else:
                    self._by_word[phrase.words[0]].append(phrase)

    def kinds(self, words: Sequence[str]) -> frozenset[str]:
        """Return what the phrases of an utterance show.

        Args:
            words: Its lowercased words.
        """
        return frozenset(kind for kind, _, _ in self.found(words))

    def found(self, words: Sequence[str]) -> Iterator[tuple[str, int, int]]:
        """Yield the kind of each phrase of an utterance, with the number of its first word and of the one after it."""
        begun = begin(words)
        for at, word in enumerate(words):
            for phrase in self._starting(word):
                if phrase.first and at > begun:
                    continue
                end = _end(phrase.words, words, at)
                if end and not (phrase.last and end < len(words)):
                    yield phrase.kind, at, end

    def _starting(self, word: str) -> tuple[Phrase, ...]:
        if word not in self._known:
            ending = [phrase for phrase in self._by_ending if _fits(phrase.words[0], word)]
            self._known[word] = (*self._by_word.get(word, ()), *ending)
        return self._known[word]


@cache
def cues_of(language: str) -> Cues | None:
    """Phrases of a language; None if there are none."""
    return Cues(language) if language in LANGUAGES else None


def _phrase(kind: str, written: str) -> Phrase:
    text = written.strip()
    return Phrase(kind, tuple(text.strip("^$").split()), text.startswith("^"), text.endswith("$"))


def begin(words: Sequence[str]) -> int:
    """Number of the last word at which a phrase stands at the beginning."""
    return next(
        (at for at, word in enumerate(words[:MOST_INTERJECTIONS]) if word not in INTERJECTIONS),
        len(words[:MOST_INTERJECTIONS]),
    )


def _end(phrase: Sequence[str], words: Sequence[str], at: int) -> int:
    """Number of the word behind a phrase that begins at a word; 0 if it does not."""
    for number, part in enumerate(phrase):
        if part == "~":
            rest = phrase[number + 1 :]
            ends = (_end(rest, words, at + skipped) for skipped in range(GAP + 1))
            return next((end for end in ends if end), 0)
        if at >= len(words) or not _fits(part, words[at]):
            return 0
        at += 1
    return at


def _fits(part: str, word: str) -> bool:
    if "*" not in part:
        return part == word
    first, last = part.split("*", 1)
    return len(word) >= len(first) + len(last) and word.startswith(first) and word.endswith(last)
