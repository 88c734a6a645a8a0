"""What the words of a sentence say about its dependence where they stand within it, behind its beginning.

A pronoun leans on another sentence if nothing before it in its own can be what it stands for. A demonstrative leans
wherever it stands, unless its noun was said before in the same sentence ("a pump, and this pump"). A noun with a
definite article leans if an earlier sentence has introduced it ("a pump"), and nothing behind it says which one it is.
"""

from __future__ import annotations

import re
from itertools import pairwise

from nutgraf.prose.dependence.cues import TOKEN, Cue, Cues
from nutgraf.prose.dependence.definite import is_noun
from nutgraf.prose.dependence.structure import CLOSING, ENDS

MOST_THIN = 6
"""Number of words of a sentence that, without a name, a number or somebody who speaks, says too little by itself."""

MOST_BARE = 1
"""Number of words before a pronoun that have no article and still are no noun, in languages with articles throughout."""


def pointer(text: str, at: int, cues: Cues) -> Cue | None:
    """Return the first word behind a place that points out of a sentence.

    Args:
        text: The sentence, with a small letter at the place.
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
    opened = "?" not in tokens and (tokens[0] in lists["openers"] or tokens[0] in lists["clauses"])
    content = nouns = 0
    bounded = False
    for place, (token, following) in enumerate(pairwise([*tokens, "."])):
        if not place:
            pass  # a cue at the beginning, or none
        elif token in lists["pointing"] and is_noun(following, cues):
            if following not in tokens[:place] and not _is_known(tokens, place + 2, cues):
                return Cue("pointer", f"{token} {following}")
        elif token in lists["pointers"] and not _is_name(following, cues) and (not bounded or content <= MOST_BARE) and tokens[place - 1] != "—":
            return Cue("pronoun", token)
        elif token in lists["finals"] and not bounded and place + 3 >= len(tokens) and not _is_name(following, cues):
            return Cue("pronoun", token)
        elif token in lists["pronouns"] and not opened and not nouns and content <= MOST_BARE * cues.noun_first:
            return Cue("pronoun", token)
        if not token[0].isalnum() or token in lists["boundaries"]:
            bounded = True
        elif token in lists["articles"] or token in lists["indefinite"] or token[0].isdigit():
            nouns += 1
        elif token[0].isupper() and place:
            nouns += 1
        elif token not in cues.function_words and not cues.is_verb(token):
            content += 1
    return None


def is_thin(text: str, at: int, cues: Cues) -> bool:
    """Return True if a sentence is short, begins with a function word, and names neither somebody nor a time."""
    words = [token for token in TOKEN.findall(text, at) if token[0].isalnum()]
    opening = cues.opening(text, at)
    if opening is not None and opening[0].kind == "stands":
        return False
    if not 1 < len(words) <= MOST_THIN or words[0] not in cues.function_words or not text.rstrip(CLOSING).endswith(ENDS):
        return False
    lists = cues.lists
    known = lists["speakers"] | lists["time"] | lists["work"] | lists["unique"]
    if "?" not in text and words[0] in lists["indefinite"] & lists["articles"] | lists["boundaries"]:
        return False
    named = any(word[0].isupper() for word in words[1:]) and not cues.nouns_have_capitals
    speaks = any(word in known or word[0].isdigit() or word.endswith(tuple(lists["speaking"])) for word in words)
    return not (named or speaks)


def _is_name(token: str, cues: Cues) -> bool:
    return token[0].isupper() or token in cues.lists["time"] or token in cues.lists["work"]


def _is_known(tokens: list[str], place: int, cues: Cues) -> bool:
    """Return True if what follows a noun says which one is meant, or that it is a time ("this academic year")."""
    following = [token for token in tokens[place : place + 2] if token != ","]
    return bool(following) and (
        following[0] in cues.lists["relative"] or (following[0][0].isalpha() and _is_name(following[0].lower(), cues))
    )
