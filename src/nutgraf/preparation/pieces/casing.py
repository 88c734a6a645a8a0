"""Restores the case of a corpus in lower case from the words of other texts.

A network that learned from words in lower case would not know the language that it meets.

A word has the form that it most often has elsewhere, away from the beginning of sentences: behind the word before it,
before the word behind it, or anywhere. A word that nobody has written is a name, unless the dictionary has it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from nutgraf.text.dictionary import is_common
from nutgraf.text.tokenize import token_spans

BESIDE, ALONE = 3.0, 0.02
"""Weight of a word's form beside its neighbor, and anywhere."""

_STARTS = frozenset('.!?:“”"‘•*|-–—')
_ENDS = frozenset(".!?")
_OPENING = frozenset("\"'“‘(")

MOST_CAPITALS = 0.4
"""Share of capitals from which on a text is a heading or a table, whose words tell nothing."""


class Casing:
    """Forms of words in texts that have case."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._forms: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
        for text in texts:
            self.learn(text)

    def learn(self, text: str) -> None:
        """Count the forms of the words of a text."""
        words = [text[start:end] for start, end in token_spans(text)]
        letters = [word for word in words if word[0].isalpha()]
        if not letters or sum(word[0].isupper() for word in letters) > MOST_CAPITALS * len(letters):
            return
        for before, word, behind in zip([".", *words], words, [*words[1:], "."], strict=False):
            if word[0].isalpha() and before[-1] not in _STARTS:
                lower = word.lower()
                for key in (("", lower, ""), (before.lower(), lower, ""), ("", lower, behind.lower())):
                    self._forms[key][word] += 1

    def __call__(self, words: Sequence[str]) -> list[str]:
        """Return the words of sentences in their case; the first of each sentence has a capital."""
        found, starts = list[str](), True
        for before, word, behind in zip(["", *words], words, [*words[1:], ""], strict=False):
            if not word[0].isalpha():
                starts = word in _ENDS or (starts and word in _OPENING)
                found.append(word)
                continue
            form = self._form(before, word, behind)
            found.append(form[0].upper() + form[1:] if starts else form)
            starts = False
        return found

    def _form(self, before: str, word: str, behind: str) -> str:
        scores: Counter[str] = Counter()
        for key, weight in ((("", word, ""), ALONE), ((before, word, ""), BESIDE), (("", word, behind), BESIDE)):
            for form, count in self._forms[key].items() if key in self._forms else ():
                scores[form] += weight * count  # type: ignore[assignment]
        if scores:
            return max(scores, key=lambda form: scores[form])
        return word if len(word) < 3 or "-" in word or is_common(word) else word.capitalize()
