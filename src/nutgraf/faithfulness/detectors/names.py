"""Names: each name of the summary stands in the sources, word by word, or by its initials.

A name is a run of words with capitals. In a summary without capitals, and in a headline, where all words have them, a
word that is neither in the sources nor in the English dictionary is taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nutgraf.faithfulness.dates import MONTHS, WEEKDAYS
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.peoples import belong_together, related
from nutgraf.faithfulness.quantities import quantities_of
from nutgraf.faithfulness.sources import Claim, Sources
from nutgraf.faithfulness.words import HYPHEN, POSSESSIVE, forms, is_ordinary, letters, plain
from nutgraf.text.tokenize import Span

LANGUAGES = frozenset({"en", "es", "fr", "it", "nl", "pt"})
"""Languages in which only names have capitals inside a sentence."""

_NO_NAMES = frozenset(
    "mr mrs ms dr sir lord lady prof professor president ceo cfo mme mlle frau herr señor señora sra i unk jan feb mar "
    "apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri".split()
).union(MONTHS, WEEKDAYS)
"""Words with a capital that are no names; "unk" stands for an unknown word in texts of networks."""

_CONTRACTED = re.compile(r"(?:n['’]t|['’](?:ve|re|d|ll|m|s)?)$", re.IGNORECASE)
_ELIDED = re.compile(r"(?:[cdjlmnst]|qu)['’][^\W\d_A-Z]", re.IGNORECASE)
"""An article or a pronoun before a word with a vowel: "L'opposant" is no name."""

_OPENING = frozenset(":;.!?…“”\"'‘(–—-")
"""Marks behind which a word may owe them its capital."""

LONGEST_ACRONYM = 8
"""Most words of a name whose acronym is looked for."""


class Names(Detector):
    """Flags names that no source has, in whole or in part."""

    def lacks(self, language: str) -> str:
        """Return "names" where capitals tell nothing; see `Detector`."""
        return "" if language in LANGUAGES else "names"

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield names; see `Detector`."""
        in_capitals = claim.cased and not claim.headline
        if sources.document.language in (LANGUAGES if in_capitals else {"en"}):
            for run in (_runs if in_capitals else _unknown)(claim, sources):
                yield from _absent(run, claim, sources)


def _unknown(claim: Claim, sources: Sources) -> Iterator[list[Span]]:
    """Yield words that the dictionary does not have."""
    known = _measured(claim, sources) | _spelled_out(claim, sources)
    for start, end in claim.tokens:
        word = claim.text[start:end]
        parts = [part for part in HYPHEN.split(POSSESSIVE.sub("", word.lower())) if len(part) > 2]
        if not parts or not all(map(str.isalpha, parts)) or start in known or not _NO_NAMES.isdisjoint(parts):
            continue
        if not any(map(is_ordinary, parts)) and not sources.knows(word.lower()) and not sources.spells_out(word):
            yield [(start, end)]


def _runs(claim: Claim, sources: Sources) -> list[list[Span]]:
    """Return words with capitals that follow one another with nothing but a blank between them."""
    known = _measured(claim, sources) | _spelled_out(claim, sources)
    runs: list[list[Span]] = []
    for place, (start, end) in enumerate(claim.tokens):
        if start not in known and _is_name(claim.text[start:end], place, claim, sources):
            if runs and claim.text[runs[-1][-1][1] : start] == " ":
                runs[-1].append((start, end))
            else:
                runs.append([(start, end)])
    return runs


def _measured(claim: Claim, sources: Sources) -> set[int]:
    """Places of quantities, whose letters are no names: "9 PM", "30 Celsius"."""
    found = [(one.start, one.unit_end) for one in quantities_of(claim.sentence, sources.document.language)]
    return {claim.start + place for span in found for place in range(*span)}


def _spelled_out(claim: Claim, sources: Sources) -> set[int]:
    """Places of words that the sources have as an acronym, small ones between them: "Bureau of Investigation"."""
    small, found = sources.document.stop_words, set[int]()
    for first in range(len(claim.tokens)):
        of_all = of_large = ""
        for place in range(first, min(first + LONGEST_ACRONYM, len(claim.tokens))):
            start, end = claim.tokens[place]
            word = claim.text[start:end]
            large = word[0].isupper() and word.lower() not in small
            apart = place > first and claim.text[claim.tokens[place - 1][1] : start] != " "
            if apart or not (large or (of_large and word in small)):
                break
            initials = "".join(part[0] for part in HYPHEN.split(word.lower()) if part)
            of_all, of_large = of_all + initials, of_large + initials * large
            if large and place > first and not sources.acronyms.isdisjoint((of_all, of_large)):
                found.update(start for start, _ in claim.tokens[first : place + 1])
    return found


def _is_name(word: str, place: int, claim: Claim, sources: Sources) -> bool:
    """Return True for a word with a capital; for the first one of a clause only if it is no word of the dictionary."""
    bare = _CONTRACTED.sub("", word.lower())
    small = bare in sources.document.stop_words and not word.isupper()
    if not word[0].isupper() or len(word) < 2 or word[1].isdigit() or small or "_" in word or _ELIDED.match(word):
        return False
    parts = HYPHEN.split(bare)
    ordinary = all(map(is_ordinary, parts))
    is_compound = ordinary and len(parts) > 1 and word[1:].islower()  # "a Meta-learner"
    if is_compound or not _NO_NAMES.isdisjoint((bare, bare.removesuffix("s"))):
        return False
    start, end = claim.tokens[place - 1][1], claim.tokens[place][0]
    if place and claim.text[start:end].rstrip()[-1:] not in _OPENING:
        return True
    # There is a dictionary of English alone, and nothing tells a name from the first word of a sentence without one.
    return sources.document.language == "en" and bare not in sources.document.stop_words and not ordinary


def _absent(run: list[Span], claim: Claim, sources: Sources) -> Iterator[Finding]:
    """Yield a name as a whole, or of one that stands in part the words that are no words of the dictionary."""
    written = claim.text[run[0][0] : run[-1][1]]
    words = [claim.text[start:end] for start, end in run]
    absent = [(span, word) for span, word in zip(run, words, strict=True) if not _stands(word, sources)]
    if not absent or plain(written) in sources.plain_words:
        return
    if len(words) > 1 and sources.has_as_one(list(map(letters, words))):
        return
    if len(absent) == len(run):
        yield (run[0][0], run[-1][1]), f"No source has the name {written}."
        return
    proper = not all(map(is_ordinary, words))
    for span, word in absent:
        if not is_ordinary(word) or (proper and not sources.knows(word.lower())):
            yield span, f"No source has {word} of the name {written}."


def _stands(name: str, sources: Sources) -> bool:
    """Return True if the sources have a word of a name or, of one with hyphens, each part that has a capital."""
    if plain(name) in sources.plain_words:
        return True
    parts = [part for part in HYPHEN.split(name) if part[:1].isupper()] or [name]
    return all(_has(POSSESSIVE.sub("", part), sources) for part in parts)


def _has(name: str, sources: Sources) -> bool:
    word = plain(name)
    if word in sources.plain_words or (len(name) > 1 and name.rstrip("s").isupper() and sources.spells_out(word)):
        return True
    kin = {*map(plain, forms(name.lower())), *related(word)}
    known = (kin & sources.vocabulary | kin & sources.plain_words) - sources.document.stop_words
    if known or not kin.isdisjoint(sources.acronyms):  # "us" is a pronoun unless it is written in capitals
        return True
    return any(belong_together(own, one) for own in kin for one in sources.names_like(own))
