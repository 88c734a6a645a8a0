"""Words that reports use for the same thing, so that "17 were hurt" meets "14 people were injured"."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from itertools import chain
from pathlib import Path

from nutgraf.text.document import Document
from nutgraf.text.language import stemmer


@cache
def alike(language: str) -> tuple[Mapping[str, str], frozenset[str]]:
    """Return for the stem of each word that has others like it one stem that stands for all, and those words."""
    told = tomllib.loads(Path(__file__).with_name("alike.toml").read_text(encoding="utf-8"))
    stem = stemmer(language)
    lines = [line.split() for line in told.get(language, "").splitlines() if line]
    return {stem(word): stem(line[0]) for line in lines for word in line}, frozenset(chain.from_iterable(lines))


class Terms(dict[str, str]):
    """The term of each lowercased word of a document, words that are alike being one; "" for one that tells nothing.

    A function word tells something if it is one of those that are alike: "it took two hours", "it lasted two hours".
    """

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document, self._stem = document, stemmer(document.language)
        self._alike, self._words = alike(document.language)

    def __missing__(self, word: str) -> str:
        (found,) = self._document.terms_of([[word]])
        term = found[0] if found else self._stem(word) if word in self._words else ""
        self[word] = self._alike.get(term, term)
        return self[word]
