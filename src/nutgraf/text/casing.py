"""The case of words that a network wrote in lower case: as the source has them, as a dictionary of English has them.

A capital at the beginning of a sentence may be the sentence's or the word's. What stands elsewhere in the source
decides; where the word stands nowhere else, a word that the dictionary knows in lower case loses it, a name keeps it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container
from functools import cached_property

from nutgraf.text.document import Document
from nutgraf.text.tokenize import Span, is_word, token_spans

_I = re.compile(r"i(?:['’](?:m|ve|ll|d))?")
_SUFFIXES = ("'s", "’s", "s", "es", "ed", "d", "ing", "ly")


class Casing:
    """How words are written in the sources."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def __call__(self, word: str, span: Span | None = None) -> str:
        """The word in its case. span: the characters that it was copied from, if it was."""
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
        """A word that stands at most at the beginning of sentences."""
        if self._document.language != "en" or not word[:1].isalpha() or _is_common(word):
            return word
        if first is not None:
            return first
        return next((form for form in (_capitalized(word), word.upper()) if form in _dictionary()), word)

    def _may_be_the_sentences(self, start: int) -> bool:
        return start in self._starts or start in self._shouted

    @cached_property
    def _has_case(self) -> bool:
        """Corpora that were written in lower case tell nothing."""
        return any(character.isupper() for character in self._document.text)

    @cached_property
    def _inside(self) -> dict[str, Counter[str]]:
        """Forms within sentences, by the word in lower case."""
        return self._forms[0]

    @cached_property
    def _first(self) -> dict[str, str]:
        """Forms at the beginning of sentences."""
        return self._forms[1]

    @cached_property
    def _starts(self) -> frozenset[int]:
        return self._forms[2]

    @cached_property
    def _shouted(self) -> frozenset[int]:
        """Where words of sentences stand that have no lower-case letter at all: headings, mostly."""
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
    """The word with a capital at its beginning; one that has capitals further on ("iPhone") stays as it is."""
    return word if word != word.lower() else _capitalized(word)


def _capitalized(word: str) -> str:
    return word[:1].upper() + word[1:] if len(word[:1].upper()) == 1 else word


def _opens(text: str, end: int) -> bool:
    """Whether a word after this one begins a quotation or follows a colon: it may have a capital of its own there."""
    between = text[end : end + 3].lstrip()
    return between[:1] == ":" or between[:1] in ('"', "“") or between[:2] in (',"', ", “", ",“")


def _is_common(word: str) -> bool:
    known = _dictionary()
    plain = word.lower().replace("our", "or")  # the lexicon's spelling is American
    return (
        word.lower() in known
        or plain in known
        or any(plain.endswith(end) and _stands(plain[: -len(end)], known) for end in _SUFFIXES)
    )


def _stands(stem: str, known: Container[str]) -> bool:
    return len(stem) > 2 and (stem in known or stem + "e" in known)


def _dictionary() -> Container[str]:
    """English words as the tagger's lexicon writes them."""
    from textblob.en import parser

    lexicon: dict[str, str] = parser.lexicon
    if not lexicon:
        lexicon.load()  # type: ignore[attr-defined]
    return lexicon
