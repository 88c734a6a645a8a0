"""Cues of dependence at the beginning of a sentence; the kinds of cue are in `cues.py`.

Behind a phrase that opens the sentence ("In 2010, he …"), a pronoun is at the beginning, too. It is not if a name
stands before it, and not if what it stands for follows: "Although he was tired, Paul …".
"""

from __future__ import annotations

import re
from itertools import pairwise

from nutgraf.prose.dependence.cues import PART, SEEN, WORD, Cue, Cues
from nutgraf.prose.dependence.definite import later_one, subject

FAR, NEAR = 14, 5
"""Number of words before which a pronoun stands after a comma, and without one, to be that of an opening phrase."""

FARTHEST = 2 * FAR
"""The same for several phrases: "Today, in a new paper that was long awaited, she …"."""

ARTICLE_AND_NOUN = 2
"""Number of words of a noun that has nothing beside it but its article."""

_QUOTATION = re.compile(r"[\"“„«][^\"”“»]*[\"”“»]")


def opening_cue(text: str, at: int, cues: Cues) -> Cue | None:
    """Return the cue at the beginning of a sentence, behind its connectives."""
    found = cues.opening(text, at)
    if found and found[0].kind != "stands":
        return found[0]
    if later := later_one(text, at, cues):
        return later
    first = PART.search(text, at)
    if first is None:
        return None
    cue = _behind_opening(text, at, first.group(), cues)
    if cue is None and first.group() not in cues.lists["clauses"]:
        cue = _object(text, at, cues)
    if cue is None and (inside := cues.inside.match(text, at)):
        return Cue("inside", inside["words"])
    return cue or (None if found else _definite(text, at, cues))


def _definite(text: str, at: int, cues: Cues) -> Cue | None:
    """Return a noun with a definite article, and nothing that says which one is meant."""
    if cues.noun_first or not cues.lists["articles"]:
        return subject(text, at, cues)
    found = cues.opening(text, at, ("definite",))
    if found is None:
        return None
    words, end = found[0].words, found[1]
    noun = WORD.findall(words.removesuffix("'s"))[-1]
    if noun.isupper() or noun in cues.function_words or text[end : end + 1] == "-":
        return None
    if cues.is_part(noun):
        return found[0]._replace(noun=noun.lower())
    if noun[0].isupper() is not cues.nouns_have_capitals or noun in cues.lists["unique"]:
        return None
    verb = WORD.search(text, end)
    behind = WORD.search(text, verb.end()) if verb else None
    if verb and behind and verb.group().endswith("s") and cues.is_past(behind.group()):
        return None  # "The standard deviations were …"
    alone = len(WORD.findall(words.removesuffix("'s"))) == ARTICLE_AND_NOUN
    if not alone:
        return Cue("repeated", words, noun.lower())
    return Cue("bare" if verb is not None and cues.is_past(verb.group()) else "present", words, noun.lower())


def _object(text: str, at: int, cues: Cues) -> Cue | None:
    """Return a pronoun that is the object of the first clause, if nothing but its subject stands before it.

    Subject and object of a verb are two: "The council rejected it" tells of something else than the council (principle
    B of Chomsky 1981, *Lectures on Government and Binding*).
    """
    found = cues.objects.search(text, at)
    first = WORD.match(text, at)
    if found is None or cues.boundary.search(text, first.end() if first else at, found.start()):
        return None
    tokens = [match.group() for match in PART.finditer(text, at, found.start())]
    return Cue("pronoun", found.group()) if len(tokens) < FAR - NEAR and _phrases(tokens, cues) < 2 else None


def _phrases(tokens: list[str], cues: Cues) -> int:
    """Return how many nouns there are at least: the articles, and the names."""
    capitals = [token[0].isupper() for token in tokens]
    names = sum(second and (cues.nouns_have_capitals or not first) for first, second in pairwise(capitals))
    if cues.nouns_have_capitals:
        return names
    counted = cues.lists["articles"] | cues.lists["indefinite"]
    return names + sum(token in counted or token.isdigit() for token in tokens)


def speaker(printed: str, cues: Cues) -> Cue | None:
    """Return the pronoun for who says a quotation that is before it: "“…,” he said"."""
    quoted = _QUOTATION.match(printed)
    if quoted is None:
        return None
    tokens = [match.group() for match, _ in zip(PART.finditer(printed, quoted.end()), range(5), strict=False)]
    words = [token for token in tokens if token.isalpha()]
    for word in words:
        if word[0].isupper():
            return None
        if word in cues.lists["subjects"]:
            return Cue("person", word)
    if words and words[0] in cues.lists["saying"] and cues.lists["articles"].isdisjoint(words[1:3]):
        return Cue("subjectless", words[0])
    return None


def _behind_opening(text: str, at: int, first: str, cues: Cues) -> Cue | None:
    """Return the cue behind a clause or phrase that opens a sentence, such as "In 2010, he …"."""
    adverb = first.endswith(tuple(cues.lists["adverb_endings"]))
    phrase = first in cues.lists["openers"] or first.isdigit() or adverb
    clause, group = first in cues.lists["clauses"], first in cues.lists["groups"]
    if not (phrase or clause or group or first.endswith(cues.participles)):
        return None
    tokens = [match for match, _ in zip(PART.finditer(text, at), range(FAR + 1), strict=False)]
    if clause:
        subject = next((token for token in tokens[1:3] if token.group() not in cues.lists["clauses"]), tokens[0])
        if subject.group() in cues.lists["subjects"]:
            return _of_clause(text, tokens, subject, cues)
        if cue := _without_subject(text, tokens, cues):
            return cue
    cue = _of_group(tokens, cues) if group else None
    cue = cue or _of_phrase(text, tokens, cues, NEAR if phrase else 1)
    if cue and cue.kind == "person" and clause and _has_person(tokens, cue.words, cues):
        return None
    return cue or (_of_phrases(text, at, cues) if phrase else None)


def _of_clause(text: str, tokens: list[re.Match[str]], subject: re.Match[str], cues: Cues) -> Cue | None:
    """Return the pronoun that is the subject of a clause, unless the main clause behind it names whom it is for."""
    comma = _comma(tokens)
    behind = tokens[comma + 1 : comma + (3 if cues.verb_second else 2)] if comma else []
    return None if any(_names(token.group(), cues) for token in behind) else _pronoun(text, subject, cues)


def _without_subject(text: str, tokens: list[re.Match[str]], cues: Cues) -> Cue | None:
    """Return the verb of the main clause if neither it nor the clause before has a subject."""
    comma = _comma(tokens)
    if not comma or comma + 1 == len(tokens) or any(_names(token.group(), cues) for token in tokens[1:comma]):
        return None
    return _subjectless(text, tokens[comma + 1], cues)


def opens(printed: str, cues: Cues) -> bool:
    """Return True if a sentence begins with a word that is no subject, such as a preposition."""
    first = PART.search(printed)
    return first is not None and (first.group().lower() in cues.lists["openers"] or first.group().isdigit())


def _names(word: str, cues: Cues) -> bool:
    """Return True if a word is a name, or an article before a noun."""
    return word[0].isupper() or word in cues.lists["articles"] or word in cues.lists["indefinite"]


def _subjectless(text: str, token: re.Match[str], cues: Cues) -> Cue | None:
    found = cues.opening(text, token.start(), ("stands", "subjectless"))
    return found[0] if found and found[0].kind == "subjectless" else None


def _of_phrase(text: str, tokens: list[re.Match[str]], cues: Cues, near: int) -> Cue | None:
    """Return the pronoun, or the verb without a subject, behind a phrase that names nobody.

    Without a comma, it is one of the first words.
    """
    if cue := _behind_prepositions(text, tokens, cues):
        return cue
    comma = _comma(tokens)
    named_behind = any(_names(token.group(), cues) for token in tokens[comma + 1 : comma + 2])
    first = range(1, min(comma or FAR, 2 * near if cues.verb_second else near))
    for place in [*first, *([comma + 1] if comma else [])]:
        if place >= len(tokens) or _named(tokens[:place], cues):
            break
        before, word = tokens[place - 1].group(), tokens[place].group()
        of_clause = named_behind and place < comma and before in cues.lists["relative"]
        of_clause |= cues.verb_second and before[0].isupper()
        if word in cues.lists["subjects"] and not of_clause:
            return _pronoun(text, tokens[place], cues)
        if before == "," or before.isdigit() or before in cues.lists["time"]:
            cue = _subjectless(text, tokens[place], cues)
            if cue:
                return cue
        if before == "," or (cues.nouns_have_capitals and cues.is_verb(before)):
            return _definite(text, tokens[place].start(), cues)
    return None


def _of_phrases(text: str, at: int, cues: Cues) -> Cue | None:
    """Return the pronoun behind several phrases that open a sentence and name nobody: "In 2010, after a year, he …"."""
    tokens = [match for match, _ in zip(PART.finditer(text, at), range(FARTHEST), strict=False)]
    words = [token.group() for token in tokens]
    known = frozenset() if cues.nouns_have_capitals else cues.lists["relative"]
    clauses = cues.lists["boundaries"] - known  # where names look like nouns, a clause may have one
    for place in (place for place, word in enumerate(words[:-1], 1) if word == ","):
        word = words[place]
        if not clauses.isdisjoint(words[:place]) or _named(tokens[:place], cues):
            return None
        subject = place + (cues.verb_second and cues.is_verb(word))
        if subject < len(words) and words[subject] in cues.lists["subjects"]:
            return _pronoun(text, tokens[subject], cues)
        if word not in cues.lists["openers"] and not word.isdigit():
            return None
    return None


def _has_person(tokens: list[re.Match[str]], pronoun: str, cues: Cues) -> bool:
    """Return True if the clause before a pronoun has somebody as its subject, or as the owner of something.

    Where a conjunction may be a preposition ("after"), a verb or "'s" follows the name.
    """
    words = [token.group() for token in tokens]
    before = words[: words.index(pronoun)] if pronoun in words else words
    if cues.nouns_have_capitals:
        return False
    opens_phrase = words[0] in cues.lists["openers"]
    people = (place for place, word in enumerate(before) if place and (word[0].isupper() or cues.is_person(word)))
    following = ([*before, ","][place + 1] for place in people)
    return any(not opens_phrase or cues.is_verb(word) or word == "s" for word in following)


def _behind_prepositions(text: str, tokens: list[re.Match[str]], cues: Cues) -> Cue | None:
    """Return the verb without a subject behind phrases of which each noun has a preposition."""
    openers, words = cues.lists["openers"], [token.group() for token in tokens]
    if not cues.noun_first or words[0] not in openers or words[0] in cues.lists["articles"]:
        return None
    lists = cues.lists
    stops = (
        lists["articles"] - openers | lists["subjects"] | lists["speakers"] | lists["boundaries"] | lists["indefinite"]
    )
    for place, (before, word) in enumerate(pairwise(words), 1):
        if before in openers or not word.isalpha():
            continue
        if word[0].isupper() or word in stops:
            return None
        if cues.is_verb(word) and (cue := _subjectless(text, tokens[place], cues)):
            return cue
    return None


def _of_group(tokens: list[re.Match[str]], cues: Cues) -> Cue | None:
    """Return the pronoun for somebody behind a subject that is several people: "Police arrested him"."""
    for place, token in enumerate(tokens):
        word = token.group()
        if word in cues.lists["persons"]:
            return Cue("person", word)
        if word in cues.lists["things"]:
            return Cue("pronoun", word)
        if place and (word in cues.lists["articles"] or word[0].isupper()):
            return None
    return None


def _pronoun(text: str, token: re.Match[str], cues: Cues) -> Cue | None:
    found = cues.opening(text, token.start())
    if found:
        return None if found[0].kind == "stands" else found[0]
    return Cue("pronoun", token.group())


def _comma(tokens: list[re.Match[str]]) -> int:
    """Return the place of the first comma, 0 if there is none."""
    return next((place for place, token in enumerate(tokens) if token.group() == ","), 0)


def _named(tokens: list[re.Match[str]], cues: Cues) -> bool:
    """Return True if there is a name that is no place or time: a capital that follows no preposition or article."""
    if cues.nouns_have_capitals:
        return False
    before = True
    for token in tokens[1:]:
        word = token.group()
        if word[0].isupper():
            if not before:
                return True
        else:
            before = word in cues.lists["openers"] or word in cues.lists["articles"] or word.isdigit()
    return False


def names_somebody(printed: str, cues: Cues) -> bool:
    """Return True if a sentence has a name; never where all nouns are written like names."""
    tokens = [match for match, _ in zip(PART.finditer(printed), range(SEEN // 4), strict=False)]
    return _named(tokens, cues)
