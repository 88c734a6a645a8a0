"""Nouns of which it is not clear which one is meant: definite ones with nothing that says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nutgraf.prose.dependence.cues import TOKEN, Cue, Cues

LONGEST_NAMELESS = 12
"""Number of words and marks of a sentence without a name in which what something is part of is not said."""

LONGEST_SUBJECT = 5
"""Number of words of a subject such as "the cause of the fire"."""


def definite_nouns(tokens: Sequence[str], cues: Cues) -> Iterator[Cue]:
    """Yield the nouns with a definite article and nothing behind them that says which one is meant.

    The first noun of a sentence may stand alone if it is part of something; others, if they were introduced before.
    """
    if cues.lists["definite"].isdisjoint(tokens):
        return
    tokens = [*tokens, "."]
    if tokens[0] in cues.lists["definite"] and _agrees(tokens[1:4], cues):
        yield Cue("described", f"{tokens[0]} {tokens[1]}", tokens[1])
    for place, token in enumerate(tokens):
        if token in cues.lists["definite"]:
            noun, behind = _noun(tokens, place + 1, cues)
            whole = behind - place <= LONGEST_SUBJECT  # else a verb is among them
            if noun and whole and noun not in tokens[:place] and not specifies(tokens[behind : behind + 2], cues):
                kind = _kind(tokens, place, behind, noun, cues)
                yield Cue(kind, " ".join(tokens[place:behind]), noun.lower())


def later_one(text: str, at: int, cues: Cues) -> Cue | None:
    """Return the noun at the beginning of a sentence that is the second or a later one of several."""
    tokens, lists = [*TOKEN.findall(text, at), "."], cues.lists
    place = int(tokens[0] in lists["articles"] | lists["indefinite"])
    if tokens[place] not in lists["later"] or (not place and lists["articles"]):
        return None
    noun, behind = _noun(tokens, place + 1, cues)
    if not noun or noun in lists["unnumbered"] or specifies(tokens[behind : behind + 2], cues):
        return None
    return Cue("series", " ".join(tokens[:behind]), noun.lower())


def _kind(tokens: Sequence[str], place: int, behind: int, noun: str, cues: Cues) -> str:
    """Return the kind of cue that a noun is: part of something else, if it begins a sentence and is known as such."""
    lists, weak = cues.lists, "given" if place else "described"
    of_several = tokens[place + 1] in lists["ordinals"] or tokens[behind] in lists["ordinals"]
    if tokens[behind] in lists["openers"] or not (of_several or (tokens[place + 1] == noun and cues.is_part(noun))):
        return weak
    if not place or (place == 1 and tokens[0] in lists["openers"]):
        return "definite"
    of = not lists["of"].isdisjoint(tokens[place - 1 : place + 1])
    if place < LONGEST_SUBJECT and tokens[0] in lists["definite"] and of:
        return "definite"
    named = cues.nouns_have_capitals or any(token[0].isupper() for token in tokens[1:])
    return weak if named or of_several or len(tokens) > LONGEST_NAMELESS else "definite"


def subject(text: str, at: int, cues: Cues) -> Cue | None:
    """Return the noun that begins a sentence and is followed by its verb, in Romance languages and in Russian.

    In Russian, which has no articles, what stands at the beginning is what the text is about already. In the others an
    adjective stands behind its noun; where no other verb follows, it is the verb.
    """
    tokens, lists = [*TOKEN.findall(text, at), "."], cues.lists
    articles = bool(lists["articles"])
    place = int(articles)
    if articles and tokens[0] not in lists["definite"] | lists["generic"]:
        return None
    if tokens[place] in lists["before_nouns"] or tokens[place].endswith(tuple(lists["adjective_endings"])):
        place += 1
    noun, following = tokens[place], tokens[place + 1 :]
    if not is_noun(noun, cues) or noun in lists["unique"] or noun[0].isupper():
        return None
    verb = _verb(following, cues)
    if not verb:
        return None
    words = " ".join(tokens[: place + 1])
    if cues.is_part(noun):
        return Cue("definite", words, noun)
    if tokens[0] in lists["generic"] and not cues.is_past(verb):
        return Cue("given", words, noun)
    if not articles:
        return Cue("repeated", words, noun)
    return Cue("bare" if cues.is_past(verb) else "present", words, noun)


def _verb(following: list[str], cues: Cues) -> str:
    """Return the word behind a noun if it is its verb, or begins its predicate; "" if it says which one is meant."""
    lists = cues.lists
    if len(following) < 2 or specifies(following[:2], cues):
        return ""
    first = following[0]
    if cues.is_verb(first):
        return first
    if not lists["articles"]:
        return following[1] if first.endswith("о") and cues.is_verb(following[1]) else ""
    apposition = first == "," and following[1] in lists["relative"]
    if first in lists["openers"] or first in lists["boundaries"] or not (first.isalpha() or apposition):
        return ""
    if first in cues.function_words or first == ",":
        return next(filter(cues.is_verb, following[1:4]), first)
    clause = following[1:]
    ends = (place for place, token in enumerate(clause) if not token[0].isalnum() or token in lists["boundaries"])
    return "" if any(map(cues.is_verb, clause[: next(ends, None)])) else first


def _agrees(words: Sequence[str], cues: Cues) -> bool:
    """Return True if a noun and its verb begin some words, known by the ending that only one of them has.

    "The measure cuts wages" and "the measures cut wages", but not "the tax cuts were".
    """
    endings = tuple(cues.lists["agreement"])
    if not endings or len(words) < 3 or not (is_noun(words[0], cues) and is_noun(words[1], cues)):
        return False
    lists, object_begins = cues.lists, words[2]
    if object_begins in lists["of"] | lists["openers"] - lists["indefinite"] | lists["boundaries"] | lists["be"]:
        return False
    begins = object_begins in cues.function_words or object_begins in lists["indefinite"]
    return words[0].endswith(endings) != words[1].endswith(endings) and (begins or object_begins.endswith(endings))


def _noun(tokens: list[str], place: int, cues: Cues) -> tuple[str, int]:
    """Return the noun behind an article, "" if there is none, and the place behind it."""
    end = place
    while end < len(tokens) and is_noun(tokens[end], cues) and not (end > place and cues.is_verb(tokens[end])):
        end += 1
        if cues.noun_first or tokens[end - 1][0].isupper() or not cues.may_be_adjective(tokens[end - 1]):
            break
    noun = tokens[end - 1] if end > place else ""
    known = len(noun) > 2 and noun[0].isupper() is cues.nouns_have_capitals and not noun.isupper()
    return (noun if known else ""), end


def specifies(following: list[str], cues: Cues) -> bool:
    """Return True if what follows a noun says which one is meant."""
    if not following:
        return False
    first, second = (*following, ".")[:2]
    if first == ",":  # what stands behind a comma tells more of what is known, where not every clause has one
        return second in cues.lists["relative"] and (cues.nouns_have_capitals or not cues.lists["articles"])
    if first in cues.lists["openers"] and second[0].isupper() and not cues.nouns_have_capitals:
        return True
    return first in cues.lists["relative"] or first in cues.lists["of"] or first[0].isupper()


def is_noun(token: str, cues: Cues) -> bool:
    """Return True if a word may be a noun: no function word, and none for a time or for the text itself."""
    lists = cues.lists
    if (
        token in lists["time"]
        or token in lists["work"]
        or token in cues.function_words
        or not token.replace("-", "").isalpha()
    ):
        return False
    return token[0].islower() or cues.nouns_have_capitals
