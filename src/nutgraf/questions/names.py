"""Names of people and places in a sentence, by capitals and by the words around them."""

from __future__ import annotations

import re
from collections.abc import Set

from nutgraf.questions.wordlists import WordLists
from nutgraf.text.document import Document, kept
from nutgraf.text.tokenize import Span

_RUN = re.compile(
    r"(?:[^\W\d_a-zß-ÿ][\w'’.-]*)(?:\s(?:(?:de|del|della|di|du|la|von|van|zu|der|den|y|da|dos)\s){0,2}[^\W\d_a-zß-ÿ][\w'’-]*)*"
)
"""Words with a capital that follow one another, small words of names between them."""

_WORD = re.compile(r"[^\W\d_]+")

REACH = 25
"""Characters before a place within which its preposition stands."""


class Names:
    """Finds the names that a question asks for in sentences of one language."""

    def __init__(self, lists: WordLists | None, question: str, capitalized: Set[str] = frozenset()) -> None:
        self._lists, self._capitalized = lists, capitalized
        self._asked = frozenset(word.lower() for word in _WORD.findall(question))
        self._naming = lists is not None and lists.answers["naming"].search(question) is not None
        self._nouns_have_capitals = lists is not None and "herr" in lists.titles

    def people(self, printed: str) -> list[Span]:
        """Places of what may name a person whom the question does not name, or say what the person does."""
        if self._lists is None:
            return []
        lists, found = self._lists, list[Span]()
        for match in _RUN.finditer(printed):
            words = [word.lower() for word in _WORD.findall(match.group())]
            fresh = [word for word in words if word not in self._asked and word not in lists.not_names]
            titled = any(word in lists.titles for word in words)
            opens = match.start() == 0 or printed[: match.start()].rstrip()[-1:] in '.:!?„“"«(–—-'
            sure = not opens or not self._capitalized.isdisjoint(fresh)
            enough = len(fresh) >= 2 or titled or (not self._nouns_have_capitals and sure)
            if fresh and enough and not match.group().isupper():
                found.append(match.span())
        for match in _WORD.finditer("" if self._naming else printed):
            if match.group().lower() in lists.roles and match.group().lower() not in self._asked:
                found.append(match.span())
        return sorted(found)

    def places(self, printed: str, nouns: list[Span]) -> list[Span]:
        """Places of nouns and names behind a preposition that tells where."""
        if self._lists is None:
            return nouns
        found = [span for span in nouns if self._is_led(printed, span[0])]
        for match in _RUN.finditer(printed):
            words = [word.lower() for word in _WORD.findall(match.group())]
            fresh = [word for word in words if word not in self._asked and word not in self._lists.not_names]
            if fresh and self._is_led(printed, match.start()) and not self._nouns_have_capitals:
                found.append(match.span())
        return sorted(set(found))

    def _is_led(self, printed: str, start: int) -> bool:
        before = _WORD.findall(printed[max(0, start - REACH) : start].lower())
        return self._lists is not None and not self._lists.prepositions.isdisjoint(before)


@kept
def capitalized(document: Document) -> frozenset[str]:
    """Words, in lower case, that have a capital inside sentences and never stand in lower case."""
    inside, lower = set[str](), set[str]()
    for printed in document.printed:
        first = True
        for word in _WORD.findall(printed):
            if word == word.lower():
                lower.add(word)
            elif not first:
                inside.add(word.lower())
            first = False
    return frozenset(inside - lower)
