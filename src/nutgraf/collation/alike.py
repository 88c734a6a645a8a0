"""Words that reports use for the same thing, so that "17 were hurt" meets "14 people were injured"."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from nutgraf.text.document import Document
from nutgraf.text.language import stemmer


@cache
def alike(language: str) -> Mapping[str, str]:
    """Return for the stem of each word that has others like it one stem that stands for all of them."""
    told = tomllib.loads(Path(__file__).with_name("alike.toml").read_text(encoding="utf-8"))
    stem = stemmer(language)
    groups = [[stem(word) for word in line.split()] for line in told.get(language, "").splitlines() if line]
    return {one: group[0] for group in groups for one in group}


class Terms(dict[str, str]):
    """The term of each lowercased word of a document, words that are alike being one; "" for one that tells nothing."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document, self._alike = document, alike(document.language)

    def __missing__(self, word: str) -> str:
        (found,) = self._document.terms_of([[word]])
        self[word] = self._alike.get(found[0], found[0]) if found else ""
        return self[word]
