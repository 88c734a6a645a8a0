"""Truecasing: restores the case of words that a network wrote in lower case.

A capital at the beginning of a sentence may belong to the sentence or to the word. The other occurrences in the source
decide; if there are none, a word that an English dictionary has in lower case is lowercased, and a name keeps its
capital.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cached_property

from nutgraf.text.dictionary import is_common, is_english
from nutgraf.text.document import Document
from nutgraf.text.tokenize import Span, is_word, token_spans

_I = re.compile(r"i(?:['’](?:m|ve|ll|d))?")


class Truecaser:
    """Restores the case of words as it is in the source."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def __call__(self, word: str, span: Span | None = None) -> str:
        """Return the word in its case.

        Args:
            word: The word.
            span: Characters of the source that it was copied from, if any.
        """
        if self._document.language == "en" and _I.fullmatch(word):
            return _capitalized(word)
        if span is not None and self._has_case:
            standing = self._document.text[span[0] : span[1]]
            if standing.lower() == word.lower() and not self._may_be_the_sentences(span[0]):
                return standing
        inside = self._inside.get(word.lower())
        if inside:
            return inside.most_common(1)[0][0]
        if word != word.lower():
            return word
        return self._alone(word, self._first.get(word))

    def _alone(self, word: str, first: str | None) -> str:
        """Case of a word that occurs only at the beginning of sentences, or nowhere."""
        if self._document.language != "en" or not word[:1].isalpha() or is_common(word):
            return word
        if first is not None:
            return first
        return next((form for form in (_capitalized(word), word.upper()) if is_english(form)), word)

    def _may_be_the_sentences(self, start: int) -> bool:
        return start in self._starts or start in self._shouted

    @cached_property
    def _has_case(self) -> bool:
        """False for corpora in lower case, which tell nothing about case."""
        return any(character.isupper() for character in self._document.text)

    @cached_property
    def _inside(self) -> dict[str, Counter[str]]:
        """Forms within sentences, keyed by the lowercased word."""
        return self._forms[0]

    @cached_property
    def _first(self) -> dict[str, str]:
        """Forms at the beginning of sentences, keyed by the lowercased word."""
        return self._forms[1]

    @cached_property
    def _starts(self) -> frozenset[int]:
        return self._forms[2]

    @cached_property
    def _shouted(self) -> frozenset[int]:
        """Start positions of words in sentences without a lower-case letter, mostly headings."""
        return self._forms[3]

    @cached_property
    def _forms(self) -> tuple[dict[str, Counter[str]], dict[str, str], frozenset[int], frozenset[int]]:
        text = self._document.text
        inside: defaultdict[str, Counter[str]] = defaultdict(Counter)
        first: dict[str, str] = {}
        starts: set[int] = set()
        shouted: set[int] = set()
        for sentence in self._document.sentences if self._has_case else ():
            spans = token_spans(text, sentence.start, sentence.end)
            words = [(start, text[start:end]) for start, end in spans if is_word(text[start:end])]
            if not any(character.islower() for character in text[sentence.start : sentence.end]):
                shouted.update(start for start, _ in words)
                continue
            begins = True
            for start, word in words:
                if begins:
                    starts.add(start)
                    first.setdefault(word.lower(), word)
                else:
                    inside[word.lower()][word] += 1
                begins = _opens(text, start + len(word))
        return inside, first, frozenset(starts), frozenset(shouted)


def capitalize(word: str) -> str:
    """Capitalize the first letter; a word with capitals further on ("iPhone") is not changed."""
    return word if word != word.lower() else _capitalized(word)


def _capitalized(word: str) -> str:
    return word[:1].upper() + word[1:] if len(word[:1].upper()) == 1 else word


def _opens(text: str, end: int) -> bool:
    """Return True if the next word begins a quotation or follows a colon, where it may have a capital."""
    between = text[end : end + 3].lstrip()
    return between[:1] == ":" or between[:1] in ('"', "“") or between[:2] in (',"', ", “", ",“")
