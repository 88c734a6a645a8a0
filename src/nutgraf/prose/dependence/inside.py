"""What the words of a sentence say about its dependence where they stand within it, behind its beginning.

A pronoun leans on another sentence if nothing before it in its own can be what it stands for. A demonstrative leans
wherever it stands, unless its noun was said before in the same sentence ("a pump, and this pump"). A noun with a
definite article leans if an earlier sentence has introduced it ("a pump"), and nothing behind it says which one it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from nutgraf.prose.dependence.cues import TOKEN, Cue, Cues
from nutgraf.prose.dependence.definite import is_noun
from nutgraf.prose.dependence.structure import CLOSING, ENDS

MOST_THIN = 7
"""Number of words of a sentence that, without a name, a number or somebody who speaks, says too little by itself."""

MOST_BARE = 1
"""Number of words without an article that may be no noun, where nouns have one nearly everywhere."""

MOST_BEHIND = 3
"""Number of words and marks behind a pronoun that ends a sentence, that one included."""


def pointer(text: str, at: int, cues: Cues) -> Cue | None:
    """Return the first word behind the beginning of a sentence that points out of it.

    Args:
        text: The sentence, with a small letter at its beginning.
        at: Where it begins, behind its connectives.
        cues: The words of its language.
    """
    tokens = [match.group() for match in TOKEN.finditer(text, at)]
    if not tokens:
        return None
    later = cues.later.search(text, at)
    if later and not cues.boundary.search(text, at + len(tokens[0]), later.start()):
        return Cue("adverb", later.group())
    lists = cues.lists
    opened = "?" not in tokens and tokens[0] in lists["openers"] | lists["clauses"]
    before = _Before(0, 0, False)
    for place, token in enumerate(tokens):
        behind = tokens[place + 1 :]
        if place and token in lists["pointing"] and _points(tokens[:place], behind, cues):
            return Cue("pointer", f"{token} {behind[0]}")
        if place and (_stands_for_clause(token, tokens[place - 1], behind, before, cues)):
            return Cue("pronoun", token)
        if place and token in lists["pronouns"] and not opened and before.names_nothing(cues):
            return Cue("pronoun", token)
        before = before.and_then(token, place, cues)
    return None


class _Before(NamedTuple):
    """What stands in a sentence before a word: its nouns, other words that may be one, and the end of a clause."""

    nouns: int
    content: int
    bounded: bool

    def names_nothing(self, cues: Cues) -> bool:
        return not self.nouns and self.content <= MOST_BARE * cues.noun_first

    def and_then(self, token: str, place: int, cues: Cues) -> _Before:
        lists = cues.lists
        if not token[0].isalnum() or token in lists["boundaries"]:
            return self._replace(bounded=True)
        if token in lists["articles"] or token in lists["indefinite"]:
            return self._replace(nouns=self.nouns + 1)
        if token[0].isdigit() or (token[0].isupper() and place):
            return self._replace(nouns=self.nouns + 1)
        bare = token not in cues.function_words and not cues.is_verb(token)
        return self._replace(content=self.content + bare)


def _points(before: list[str], behind: list[str], cues: Cues) -> bool:
    """Return True if a demonstrative is that of a noun that is not said before, nor told which one it is."""
    if not behind or not is_noun(behind[0], cues) or behind[0] in before:
        return False
    following = [token for token in behind[1:3] if token != ","][:1]
    return not any(token in cues.lists["relative"] or _is_time(token.lower(), cues) for token in following)


def _stands_for_clause(token: str, last: str, behind: list[str], before: _Before, cues: Cues) -> bool:
    """Return True if a word such as "ciò", or "that" at the end, stands for what is said in another sentence."""
    following = behind[0] if behind else "."
    if following[0].isupper() or _is_time(following, cues):
        return False
    if token in cues.lists["pointers"]:
        return last != "—" and (not before.bounded or before.content <= MOST_BARE)
    return token in cues.lists["finals"] and not before.bounded and len(behind) < MOST_BEHIND


def thin(text: str, at: int, cues: Cues) -> Iterator[Cue]:
    """Yield a cue if a sentence is short, begins with a function word, and names neither somebody nor a time."""
    if _is_thin(text, at, cues):
        yield Cue("thin", "")


def _is_thin(text: str, at: int, cues: Cues) -> bool:
    words = [token for token in TOKEN.findall(text, at) if token[0].isalnum()]
    opening = cues.opening(text, at)
    if opening is not None and opening[0].kind == "stands":
        return False
    if (
        not 1 < len(words) <= MOST_THIN
        or words[0] not in cues.function_words
        or not text.rstrip(CLOSING).endswith(ENDS)
    ):
        return False
    lists = cues.lists
    known = lists["speakers"] | lists["time"] | lists["work"] | lists["unique"]
    if "?" not in text and words[0] in lists["articles"] | lists["boundaries"]:
        return False
    pairs = pairwise(words)  # where nouns have capitals, that behind a verb may be a name
    named = any(word[0].isupper() and (not cues.nouns_have_capitals or cues.is_verb(last)) for last, word in pairs)
    speaks = any(word in known or word[0].isdigit() or word.endswith(tuple(lists["speaking"])) for word in words)
    return not (named or speaks)


def _is_time(token: str, cues: Cues) -> bool:
    return token in cues.lists["time"] or token in cues.lists["work"]
