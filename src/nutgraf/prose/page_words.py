"""Words of sentences about their own page, publication, meeting or call, or that speak to the reader.

A word alone proves nothing, since any of these may be a subject ("the meeting ended in a fight"); `junk_odds.py` weighs
which share of the words of a sentence they are. They stand in `page_words.toml`, by language.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

from nutgraf.text.clean import with_plain_apostrophes

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt")
"""Languages of the words."""

_NO_REQUESTS = ("assez", "chez", "nez")


class PageWords:
    """The words of one language.

    Args:
        about: What sentences about their page are about; a word with an asterisk stands for all that begin with it.
        inviting: Words that an invitation or a request begins with.
        you: Words for the reader.
    """

    def __init__(self, about: str, inviting: str, you: str) -> None:
        words = about.split()
        self._words = frozenset(word for word in words if not word.endswith("*"))
        self._stems = tuple(word[:-1] for word in words if word.endswith("*"))
        self._inviting = frozenset(inviting.split())
        self._you = frozenset(you.split())
        self._known: dict[str, bool] = {}

    def share(self, words: Sequence[str], stop_words: Collection[str]) -> float:
        """Share of page words among those of a sentence that are page words or no stop words; one word more counts."""
        about = [self._has(word) for word in words]
        content = sum([one or word not in stop_words for one, word in zip(about, words, strict=True)])
        return sum(about) / (content + 1)

    def addresses(self, words: Sequence[str]) -> bool:
        """Return True if a sentence speaks to the reader."""
        return not self._you.isdisjoint(words)

    def invites(self, words: Sequence[str]) -> bool:
        """Return True if a sentence begins like an invitation or a request."""
        if not words:
            return False
        first = words[0]
        polite = first.endswith("en") and words[1:2] == ["sie"]  # German
        polite = polite or (first.endswith("ez") and first not in _NO_REQUESTS)  # French
        return polite or first in self._inviting

    def _has(self, word: str) -> bool:
        if word not in self._known:
            plain = with_plain_apostrophes(word)
            if "'" in plain[1:3] and plain not in self._words:
                plain = plain.partition("'")[2]  # French and Italian: "l'abonnement"
            self._known[word] = plain in self._words or plain.startswith(self._stems)
        return self._known[word]


@cache
def page_words(language: str) -> PageWords:
    """The words of one of `LANGUAGES`, read when they are first asked for."""
    return PageWords(**_written()[language])


@cache
def _written() -> dict[str, dict[str, str]]:
    import tomllib

    return tomllib.loads(Path(__file__).with_name("page_words.toml").read_text(encoding="utf-8"))
