"""What the words of a sentence say about its dependence where they stand within it, behind its beginning.

A pronoun leans on another sentence if nothing before it in its own can be what it stands for. A demonstrative leans
wherever it stands, unless its noun was said before in the same sentence ("a pump, and this pump"). A noun with a
definite article leans if an earlier sentence has introduced it ("a pump"), and nothing behind it says which one it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from nutgraf.prose.dependence.cues import TOKEN, Cue, Cues
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
        if token in lists["pointing"] and _is_noun(following, cues):
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
    if "?" not in text and (words[0] in lists["indefinite"] or words[0] in lists["boundaries"]):
        return False
    named = any(word[0].isupper() for word in words[1:]) and not cues.nouns_have_capitals
    speaks = any(word in known or word[0].isdigit() or word.endswith(tuple(lists["speaking"])) for word in words)
    return not (named or speaks)


def _is_noun(token: str, cues: Cues) -> bool:
    lists = cues.lists
    if token in lists["time"] or token in lists["work"] or token in cues.function_words or not token.isalpha():
        return False
    return token[0].islower() or cues.nouns_have_capitals


def _is_name(token: str, cues: Cues) -> bool:
    return token[0].isupper() or token in cues.lists["time"] or token in cues.lists["work"]


def _is_known(tokens: list[str], place: int, cues: Cues) -> bool:
    """Return True if what follows a noun says which one is meant, or that it is a time ("this academic year")."""
    following = [token for token in tokens[place : place + 2] if token != ","]
    return bool(following) and (
        following[0] in cues.lists["relative"] or (following[0][0].isalpha() and _is_name(following[0].lower(), cues))
    )


def definite_nouns(text: str, at: int, cues: Cues) -> Iterator[Cue]:
    """Yield the nouns with a definite article and nothing behind them that says which one is meant.

    The first noun of a sentence may stand alone if it is part of something; others, if they were introduced before.
    """
    tokens = [*(match.group() for match in TOKEN.finditer(text, at)), "."]
    for place, token in enumerate(tokens):
        if token in cues.lists["definite"]:
            noun, behind = _noun(tokens, place + 1, cues)
            if noun and noun not in tokens[:place] and not _specifies(tokens[behind : behind + 2], cues):
                of_several = tokens[place + 1] in cues.lists["ordinals"] or tokens[behind] in cues.lists["ordinals"]
                first = not place or (place == 1 and tokens[0] in cues.lists["openers"])
                part = first and (of_several or (tokens[place + 1] == noun and cues.is_part(noun)))
                yield Cue("definite" if part else "given" if place else "described", f"{token} {noun}", noun.lower())


def _noun(tokens: list[str], place: int, cues: Cues) -> tuple[str, int]:
    """Return the noun behind an article, "" if there is none, and the place behind it."""
    end = place
    while end < len(tokens) and _is_noun(tokens[end], cues) and not (end > place and cues.is_verb(tokens[end])):
        end += 1
        if cues.noun_first or tokens[end - 1][0].isupper() or not cues.may_be_adjective(tokens[end - 1]):
            break
    noun = tokens[end - 1] if end > place else ""
    known = len(noun) > 2 and noun[0].isupper() is cues.nouns_have_capitals and not noun.isupper()
    return (noun if known else ""), end


def _specifies(following: list[str], cues: Cues) -> bool:
    """Return True if what follows a noun says which one is meant."""
    if not following:
        return False
    first, second = (*following, ".")[:2]
    if first == ",":
        return second in cues.lists["relative"]
    if first in cues.lists["openers"] and second[0].isupper() and not cues.nouns_have_capitals:
        return True
    return first in cues.lists["relative"] or first in cues.lists["of"] or first[0].isupper()
