"""Cues of dependence within a sentence, behind its beginning.

A pronoun leans on another sentence if nothing before it in its own can be what it stands for. A demonstrative leans
wherever it stands, unless its noun was said before in the same sentence ("a pump, and this pump"). A noun with a
definite article leans if an earlier sentence has introduced it ("a pump"), and nothing behind it says which one it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from nutgraf.prose.dependence.cues import WORD, Cue, Cues
from nutgraf.prose.dependence.definite import is_noun
from nutgraf.prose.dependence.structure import CLOSING, ENDS

MOST_THIN = 7
"""Number of words of a sentence that, without a name, a number or somebody who speaks, says too little by itself."""

DASHES = frozenset(("—", "–", "--"))
"""Marks behind which a demonstrative takes up what stands before them."""

MOST_BARE = 1
"""Number of words without an article that may be no noun, where nouns have one nearly everywhere."""

MOST_BEHIND = 3
"""Number of words and marks behind a pronoun that ends a sentence, that one included."""


def pointer(text: str, at: int, tokens: Sequence[str], cues: Cues) -> Cue | None:
    """Return the first word behind the beginning of a sentence that points out of it.

    Args:
        text: The sentence, with a small letter at its beginning.
        at: Where it begins, behind its connectives.
        tokens: Its words and marks from there.
        cues: The words of its language.
    """
    if not cues.within.isdisjoint(map(str.lower, tokens)) and (adverb := _adverb(text, at, cues)):
        return adverb
    lists = cues.lists
    if added := _added(text, at, cues):
        return added
    if cues.pointing.isdisjoint(tokens[1:]):
        return None
    opened = (tokens[0] in lists["openers"] or tokens[0] in lists["clauses"]) and "?" not in tokens
    nameless = not opened and tokens[0] not in lists["articles"]
    for place, token in enumerate(tokens):
        if not place or token not in cues.pointing or tokens[place - 1] in DASHES:
            continue
        before, behind = tokens[:place], tokens[place + 1 :]
        if token in lists["pronouns"]:
            nameless = nameless and _names_nothing(before, cues)
            if nameless:
                return Cue("pronoun", token)
        elif token in lists["pointing"] and _points(before, behind, cues):
            return Cue("pointer", f"{token} {behind[0]}")
        elif _stands_for_clause(token, before, behind, cues):
            return Cue("pronoun", token)
    return None


def nobody(tokens: Sequence[str], cues: Cues) -> Cue | None:
    """Return the first pronoun for a person before which a sentence names none: "The report says he left".

    Only in languages that have pronouns for people alone, and know the nouns of people. The sentence begins with a
    function word: another one may be a name. In the phrase or clause that opens it, a pronoun may go before its name.
    """
    lists = cues.lists
    if not lists["people"] or lists["persons"].isdisjoint(tokens[1:]) or tokens[0] not in cues.function_words:
        return None
    opened = tokens[0] in lists["openers"] or tokens[0] in lists["clauses"]
    for token in tokens:
        if token in lists["persons"]:
            return None if opened else Cue("person", token)
        if token[0].isupper() or cues.is_person(token):
            return None
        opened = opened and token != ","
    return None


def _adverb(text: str, at: int, cues: Cues) -> Cue | None:
    """Return an adverb of the first clause that counts from what was said before."""
    begins = WORD.search(text, at)
    for word in WORD.finditer(text, at):
        if word.group().lower() in cues.within and (found := cues.opening(text, word.start(), ("within",))):
            bounded = begins and cues.boundary.search(text, begins.end(), word.start())
            return None if bounded else Cue("adverb", found[0].words)
    return None


def _added(text: str, at: int, cues: Cues) -> Cue | None:
    """Return the word by which the first clause adds to what was said before: "Anna also sings"."""
    words = list(WORD.finditer(text, at))
    for place, word in enumerate(words[1:], 1):
        following = words[place + 1].group() if place + 1 < len(words) else ""
        if word.group() in cues.lists["adding"] or (not following and word.group() in cues.lists["added"]):
            bounded = cues.boundary.search(text, words[0].end(), word.start())
            named = following in cues.lists["naming"]
            return None if bounded or named else Cue("inside", word.group())
    return None


def _names_nothing(before: Sequence[str], cues: Cues) -> bool:
    """Return True if no noun stands before a word."""
    lists = cues.lists
    known = any(token in lists["articles"] or token in lists["indefinite"] or token[0].isdigit() for token in before)
    named = any(token[0].isupper() for token in before[1:])
    return not known and not named and _bare(before, cues) <= MOST_BARE * cues.noun_first


def _bare(before: Sequence[str], cues: Cues) -> int:
    """Return the number of words that may be nouns without an article."""
    words = (token for token in before if token[0].isalpha() and token not in cues.lists["boundaries"])
    return sum(token not in cues.function_words and not cues.is_verb(token) for token in words)


def _points(before: Sequence[str], behind: Sequence[str], cues: Cues) -> bool:
    """Return True if a demonstrative is that of a noun that is not said before, nor told which one it is."""
    if not behind or not is_noun(behind[0], cues) or behind[0] in before:
        return False
    following = [token for token in behind[1:3] if token != ","][:1]
    return not any(token in cues.lists["relative"] or _is_time(token.lower(), cues) for token in following)


def _stands_for_clause(token: str, before: Sequence[str], behind: Sequence[str], cues: Cues) -> bool:
    """Return True if a word such as "ciò", or "that" at the end, stands for what is said in another sentence."""
    following, lists = behind[0] if behind else ".", cues.lists
    alone = following in cues.behind_pronouns or not following[0].isalnum()
    stands = token in lists["pointers"] or (token in lists["pointing"] and alone)
    if not stands and not (token in lists["finals"] and len(behind) < MOST_BEHIND):
        return False
    if following[0].isupper() or _is_time(following, cues):
        return False
    bounded = any(not one[0].isalnum() or one in lists["boundaries"] for one in before)
    return not bounded or (stands and _bare(before, cues) <= MOST_BARE)


def initial_verb(tokens: Sequence[str], cues: Cues) -> Iterator[Cue]:
    """Yield the first word if by its ending and by what follows it is a verb, whose subject is not said then."""
    endings, lists = tuple(cues.lists["initial_endings"]), cues.lists
    if not endings or len(tokens) < MOST_BEHIND or tokens[0] in cues.function_words or cues.is_part(tokens[0]):
        return
    other = tokens[0].endswith(tuple(lists["not_initial"])) or tokens[0] in lists["unique"] | lists["time"]
    if tokens[0].endswith(endings) and not other and tokens[1] in lists["articles"] | lists["openers"]:
        yield Cue("initial", tokens[0], tokens[0])


def thin(text: str, at: int, tokens: Sequence[str], cues: Cues) -> Iterator[Cue]:
    """Yield a cue if a sentence says too little: a short one with neither a name nor a time, or one of "only" some."""
    if _excludes(tokens, cues) or (len(tokens) <= 2 * MOST_THIN and _is_thin(text, at, tokens, cues)):
        yield Cue("thin", "")


def _excludes(words: Sequence[str], cues: Cues) -> bool:
    """Return True if a sentence tells what has happened to only some of several, who are not named then."""
    lists = cues.lists
    if len(words) < MOST_BEHIND or words[0] not in lists["exclusive"]:
        return False
    return words[1] not in lists["openers"] and words[1] not in lists["time"] and any(map(cues.is_past, words[1:]))


def _is_thin(text: str, at: int, tokens: Sequence[str], cues: Cues) -> bool:
    words, lists = [token for token in tokens if token[0].isalnum()], cues.lists
    if not 1 < len(words) <= MOST_THIN or words[0] not in cues.function_words:
        return False
    if not text.rstrip(CLOSING).endswith(ENDS):
        return False
    if "?" not in text and (words[0] in lists["articles"] or words[0] in lists["boundaries"]):
        return False
    opening = cues.opening(text, at)
    if opening is not None and opening[0].kind == "stands":
        return False
    if words[0] in lists["fragments"] and not any(map(cues.is_verb, words)) and lists["speakers"].isdisjoint(words):
        return len(words) < MOST_THIN
    pairs = pairwise(words)  # where nouns have capitals, that behind a verb may be a name
    named = any(word[0].isupper() and (not cues.nouns_have_capitals or cues.is_verb(last)) for last, word in pairs)
    speaks = any(
        word in cues.particular or word[0].isdigit() or word.endswith(tuple(lists["speaking"])) for word in words
    )
    return not (named or speaks)


def _is_time(token: str, cues: Cues) -> bool:
    return token in cues.lists["time"] or token in cues.lists["work"]
