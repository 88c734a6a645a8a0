"""Names: each name of the summary stands in the sources, as a whole, in parts, or as an acronym.

A name is a run of words with capitals. In a summary without capitals, a word that is neither in the sources nor in the
English dictionary is taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from string import ascii_uppercase

from nutgraf.faithfulness.acronyms import LEAST_SHARE, words_of
from nutgraf.faithfulness.addresses import spelled
from nutgraf.faithfulness.dates import HOLIDAYS, quarters
from nutgraf.faithfulness.detectors import Detector, Finding
from nutgraf.faithfulness.peoples import belong_together, countries_of, is_known_by_initials, people_of, related
from nutgraf.faithfulness.quantities import quantities_of
from nutgraf.faithfulness.sources import HYPHEN, POSSESSIVE, Claim, Sources, letters, plain_parts, without_accents
from nutgraf.faithfulness.spelling import DERIVING_PREFIX, is_one_slip, is_ordinary
from nutgraf.text.clean import with_plain_apostrophes
from nutgraf.text.dictionary import american, is_common
from nutgraf.text.tokenize import Span

MOST_PARTNERS = 20
"""Most words beside the halves of a name, by which two names are told from it."""

LANGUAGES = frozenset({"en", "es", "fr", "it", "nl", "pt"})
"""Languages in which only names have capitals inside a sentence."""

PREFIX = 4
"""Letters that a name shares with the word for what belongs to it: Turkey, Turkish."""

SHORT = 4
"""Letters of a short form of a word; one fewer with the ending of the plural."""

LEAST_MISSPELT = 6
"""Letters from which on a word is taken for another one that is misspelt."""

LEAST_SPELLED = 6
"""Letters from which on British and American spelling are the same name; of shorter ones, Tor and Tour are two."""

_ADJECTIVE = re.compile(r".{3,}(?:[ntc]ial|[ei]c?ntal|ical|onal|ual|ed|[ai]ble|ive|ful|less)$")
"""Endings of words that are no names, although a summary may write them with a capital."""

_CALENDAR = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
_ENDING = re.compile(r"['’]?s?$")
_CONTRACTED = re.compile(r"(?:n't|'(?:ve|re|d|ll|m|s)?)$")
"""What is not looked up of a word with an apostrophe: "Don't", "You've", "Lang's"."""

_PIECE = re.compile(r"[A-Z][a-z]*")
_NUMBERED = re.compile(r"\.\s?\d")
"""What follows "No" where it stands for a number."""

_ELIDED = re.compile(r"(?:[cdjlmnst]|qu)['’]", re.IGNORECASE)
"""An article or a pronoun before a word with a vowel: "L'opposant" is no name."""

_FORMULA = re.compile(r"[_^\\=]")
_IGNORED = frozenset(
    "mr mrs ms dr sir lord lady prof professor president ceo cfo mme mlle frau herr señor señora sra i i'm i've i'd "
    "i'll unk".split()
)
"""Words with a capital that are no names; "unk" stands for an unknown word in texts of networks."""


class Names(Detector):
    """Flags names that no source has, in whole or in part, and those that are mixed of two of the sources."""

    def lacks(self, language: str) -> str:
        """Return "names" where capitals tell nothing; see `Detector`."""
        return "" if language in LANGUAGES else "names"

    def __call__(self, claim: Claim, sources: Sources) -> Iterator[Finding]:
        """Yield names; see `Detector`."""
        if not claim.cased:
            yield from _unknown(claim, sources)
        elif sources.document.language in LANGUAGES:
            yield from _labels(claim, sources)
            for run in _runs(claim, sources):
                yield from _faults(run, claim, sources)


def _unknown(claim: Claim, sources: Sources) -> Iterator[Finding]:
    if sources.document.language != "en":
        return
    measured = _measured(claim, sources)
    for place, (start, end) in enumerate(claim.tokens):
        word = claim.text[start:end].lower()
        if start in measured:
            continue
        parts = [part for part in plain_parts(word) or [word] if part.isalpha() and len(part) > 2]
        if not parts or not _CALENDAR.isdisjoint(parts) or sources.knows(word) or letters(word) in sources.joined:
            continue
        if (
            not any(is_ordinary(part) or _spelled_out(part, sources) or _has(part, sources) for part in parts)
            and without_accents(word) not in sources.folded
            and not _is_short_or_long(place, claim, sources)
            and not _is_misspelt(word, sources)
        ):
            yield (start, end), f"No source has “{claim.text[start:end]}”."


def _is_short_or_long(place: int, claim: Claim, sources: Sources) -> bool:
    """Return True for a short form of a word of the sources, or a word of which they have a short form.

    "Brits" is short for "British", and "Manchester" long for "Man" where "United" follows both.
    """
    start, end = claim.tokens[place]
    word = claim.text[start:end].lower()
    bare = word.removesuffix("s")
    if len(bare) >= (SHORT if bare == word else SHORT - 1) and any(
        other.startswith(bare) and len(other) >= len(bare) + 2 for other in sources.vocabulary
    ):
        return True
    after = claim.text[slice(*claim.tokens[place + 1])].lower() if place + 1 < len(claim.tokens) else ""
    return bool(after) and any(word[:length] + after in sources.joined for length in range(SHORT - 1, len(word)))


def _is_misspelt(word: str, sources: Sources) -> bool:
    """Return True for a word of the dictionary that the sources have, but for one slip: "equiliser", "Hybird"."""
    if len(word) < LEAST_MISSPELT:
        return False
    found = sources.words_that_begin(word[: SHORT - 1])
    return any(is_one_slip(american(word), american(one)) and is_ordinary(one) for one in found)


def _runs(claim: Claim, sources: Sources) -> Iterator[list[Span]]:
    """Words with capitals that follow one another with nothing but a blank between them."""
    run: list[Span] = []
    measured = _measured(claim, sources)
    for place, (start, end) in enumerate(claim.tokens):
        if run and claim.text[run[-1][1] : start] != " ":
            yield run
            run = []
        if start not in measured and _is_name(claim.text[start:end], claim, place, sources):
            run.append((start, end))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _measured(claim: Claim, sources: Sources) -> set[int]:
    """Places of quantities and of quarters of a year, whose letters are no names: "9 PM", "30 Celsius", "Q2"."""
    found = [(one.start, one.unit_end) for one in quantities_of(claim.sentence, sources.document.language)]
    found += [span for _, span in quarters(claim.sentence)]
    return {claim.start + place for span in found for place in range(*span)}


def _is_name(word: str, claim: Claim, place: int, sources: Sources) -> bool:
    written = with_plain_apostrophes(word.lower())
    lowered = _CONTRACTED.sub("", written)
    if (elided := _ELIDED.match(word)) and word[elided.end() :].islower():
        return False
    prefix, *rest = HYPHEN.split(word)
    if rest and DERIVING_PREFIX.fullmatch(prefix.lower()) and "".join(rest).islower():
        return False  # "a Meta-learner"
    if word == "No" and _NUMBERED.match(claim.text, claim.tokens[place][1]):
        return False
    if (
        not word[0].isupper()
        or {lowered, lowered.removesuffix("s")} & _CALENDAR
        or lowered in _IGNORED
        or written in _IGNORED
        or len(word) < 2
        or _FORMULA.search(word)
    ):
        return False
    if not _opens(claim, place):
        return True
    # There is a dictionary of English alone, and nothing tells a name from the first word of a sentence without one.
    return (
        sources.document.language == "en"
        and lowered not in sources.document.stop_words
        and not is_ordinary(lowered)
        and not ("".join(rest).islower() and all(map(is_ordinary, (prefix.lower(), *rest))))
        and not _is_misspelt(lowered, sources)
    )


def _opens(claim: Claim, place: int) -> bool:
    """Return True if a sentence, a quotation or a clause begins with this word, so that it may owe it its capital."""
    start = claim.tokens[place][0]
    before = claim.text[claim.start : start].rstrip()
    return place == 0 or bool(re.search(r"[:;.!?…“”\"'‘(–—-]$", before))


def _faults(run: list[Span], claim: Claim, sources: Sources) -> Iterator[Finding]:
    """Absent words of a name, neighbors together; of a name that stands in part, only words that are always names."""
    written = claim.text[run[0][0] : run[-1][1]]
    if len(run) == 1 and not claim.capitals and _is_ordinary(written, sources):
        if not _has_its_neighbor(run[0], claim, sources):
            yield run[0], f"The sources have {written} only without a capital, as an ordinary word."
        return
    words = [claim.text[start:end] for start, end in run]
    if ((people := people_of(written.lower())) and people in sources.vocabulary) or _is_dated_holiday(written, sources):
        return
    if (both := _mixed(run, claim, sources)) is not None:
        yield (run[0][0], run[-1][1]), f"The sources have {' and '.join(both)}, and not {written}."
        return
    if _is_acronym_of(written, sources) or letters(written) in sources.vocabulary or _is_clipped(words, sources):
        return
    known = _unspelled(run, claim, sources)
    absent = [
        span
        for span, word in zip(run[:known], words, strict=False)
        if not _stands(word, sources) and not _is_abbreviation(word, claim.text[span[1] :][:1], sources)
    ]
    if len(absent) == len(run):
        ordinary = (claim.headline if len(run) > 1 else claim.capitals) and all(map(is_ordinary, words))
        if not ordinary and not (len(run) == 1 and _is_adjective(written)):
            yield (run[0][0], run[-1][1]), f"No source has the name {written}."
        return
    proper = not all(map(is_common, words))
    for start, end in absent:
        word = claim.text[start:end]
        if claim.headline and is_ordinary(word):
            continue
        if not is_common(word) or (proper and not sources.knows(word.lower())):
            yield (start, end), f"No source has {word} of the name {written}."


def _is_dated_holiday(written: str, sources: Sources) -> bool:
    """Return True for Valentine's Day where the sources have 14 February."""
    return HOLIDAYS.get(with_plain_apostrophes(written.lower())) in sources.dates


def _mixed(run: Sequence[Span], claim: Claim, sources: Sources) -> tuple[str, str] | None:
    """Return two names of the sources whose halves a name of two words puts together; None if it does not.

    "Anna Lang" is mixed of Anna Vane and Bo Lang, where no source has Anna Lang and none of the words is ordinary.
    """
    if len(run) != 2:
        return None
    first, last = (POSSESSIVE.sub("", claim.text[start:end]).lower() for start, end in run)
    following, preceding = sources.pairs_of_names[0].get(first, ()), sources.pairs_of_names[1].get(last, ())
    if not following or not preceding or last in following or is_ordinary(first) or first + last in sources.joined:
        return None
    partners = {*following, *preceding}
    if len(partners) > MOST_PARTNERS or any(one in sources.acronyms or is_ordinary(one) for one in partners):
        return None
    if _stand_near(first, last, sources):
        return None
    return f"{first} {min(following)}".title(), f"{min(preceding)} {last}".title()


def _stand_near(first: str, last: str, sources: Sources) -> bool:
    """Return True if a sentence of the sources has two words with one or two others between them: "Ada J. Kim"."""
    document = sources.document
    apart = re.compile(rf"\b{re.escape(first)}\W+(?:\w+\W+){{1,2}}{re.escape(last)}\b", re.IGNORECASE)
    both = sources.sentences_with([document.stem(first)]) & sources.sentences_with([document.stem(last)])
    sentences = (document.sentences[index] for index in both)
    return any(apart.search(document.text, one.start, one.end) for one in sentences)


def _is_clipped(words: Sequence[str], sources: Sources) -> bool:
    """Return True for a name of two words that the sources have as one, with the first cut: "HuffPost"."""
    if len(words) != 2 or len(words[0]) <= SHORT:
        return False
    first, second = (word.lower() for word in words)
    found = sources.words_that_begin(first[: SHORT - 1])
    return any(one.endswith(second) and first.startswith(one.removesuffix(second)) for one in found)


def _unspelled(run: list[Span], claim: Claim, sources: Sources) -> int:
    """Return how many words at the beginning of a name are not spelled in an address; two or more at its end tell all.

    A word with a capital before it may belong to it: "Burger Business" at the beginning of a sentence.
    """
    words = [claim.text[start:end] for start, end in run]
    before = claim.text[claim.start : run[0][0]].split()[-1:]
    found = spelled([*before, *words], sources.spellings)
    return 0 if found > 1 else len(run) - found


def _is_abbreviation(word: str, after: str, sources: Sources) -> bool:
    """Return True for the beginning of a word of the sources with a full stop behind it: "Gov."."""
    begun = after == "." and len(word) > 1 and not is_common(word)
    return begun and bool(sources.words_that_begin(word.lower()))


def _labels(claim: Claim, sources: Sources) -> Iterator[Finding]:
    """Single letters behind a word that the sources have only with other ones: "vitamin C", "hepatitis B"."""
    for (first, last), (start, end) in pairwise(claim.tokens):
        word, letter = claim.text[first:last].lower(), claim.text[start:end]
        if end - start > 1 or letter not in ascii_uppercase or claim.text[last:start] != " " or claim.headline:
            continue
        if (claim.text[end : end + 1] == "." and end < claim.end - 1) or word in sources.document.stop_words:
            continue  # an initial: "John F. Kennedy"
        others = sorted(other for other in ascii_uppercase if word + other.lower() in sources.joined)
        if others and letter not in others:
            told = ", ".join(others)
            yield (first, end), f"No source has {claim.text[first:end]}; they have that word with {told}."


def _is_adjective(word: str) -> bool:
    """Return True for a word of the dictionary that ends as adjectives and participles do."""
    return bool(_ADJECTIVE.match(word)) and word[1:].islower() and is_ordinary(word)


def _has_its_neighbor(span: Span, claim: Claim, sources: Sources) -> bool:
    """Return True if the sources have a word, in whatever case, beside the same neighbor: "Inspector General"."""
    place = claim.tokens.index(span)
    near = [claim.text[start:end].lower() for start, end in claim.tokens[max(0, place - 1) : place + 2]]
    small = sources.document.stop_words
    return any(
        first + second in sources.joined for first, second in pairwise(near) if small.isdisjoint((first, second))
    )


def _is_ordinary(word: str, sources: Sources) -> bool:
    """Return True for a word of the dictionary that the sources, which use capitals, never write with one."""
    bare = _ENDING.sub("", word).lower()
    written = {word.lower(), bare, f"{bare}s"}
    return (
        is_common(bare)
        and not word.isupper()
        and not sources.vocabulary.isdisjoint(written)
        and not related(bare)
        and bool(sources.capitalized)
        and sources.capitalized.isdisjoint(written)
    )


def _stands(name: str, sources: Sources) -> bool:
    """Return True if the sources have a word of a name or, of one with hyphens, each part that has a capital."""
    whole = letters(_ENDING.sub("", name))
    if whole in sources.vocabulary or whole in sources.joined:
        return True
    parts = [part for part in HYPHEN.split(name) if part[:1].isupper()]
    return all(_has(part, sources) for part in parts or [name])


def _has(name: str, sources: Sources) -> bool:
    lowered = name.lower()
    forms = [lowered, *plain_parts(lowered)]
    if any({form, f"{form}s"} & sources.vocabulary or _is_spelled_otherwise(form, sources) for form in forms):
        return True
    kin = {other for form in forms for one in (form, form.removesuffix("s")) for other in related(one)}
    # "us" is a pronoun unless it is written in capitals.
    small = sources.document.stop_words
    if any(one in sources.acronyms or (one in sources.vocabulary and one not in small) for one in kin):
        return True
    if any(_is_of_a_city(form, sources) for form in forms):
        return True
    bare = _ENDING.sub("", name)
    if bare.isupper():
        acronym = bare.lower().replace(".", "")
        return not sources.vocabulary.isdisjoint((acronym, f"{acronym}s")) or _spelled_out(acronym, sources)
    return _is_of_beginnings(bare, sources) or any(
        len(form) > PREFIX and _shares_beginning(form, sources) for form in forms
    )


def _is_of_a_city(form: str, sources: Sources) -> bool:
    """Return True for a country or state, or its people, in a city of which the sources tell something."""
    return (
        form in sources.regions
        or not sources.regions.isdisjoint(countries_of(form))
        or (len(form) > PREFIX and any(belong_together(form, region) for region in sources.regions))
    )


def _is_spelled_otherwise(form: str, sources: Sources) -> bool:
    return len(form) >= LEAST_SPELLED and american(form) in sources.american


def _shares_beginning(form: str, sources: Sources) -> bool:
    found = sources.words_that_begin(form[:PREFIX])
    return any(belong_together(form, word) for word in found if not sources.cased or word in sources.capitalized)


def _spelled_out(acronym: str, sources: Sources) -> bool:
    """Return True if words one after the other begin with the letters, or the sources have the words of a known one."""
    if len(acronym) >= 2 and acronym in sources.initials:
        return True
    known = words_of(acronym)
    if known and sources.knows(known[0]) and _count_known(known, sources) >= LEAST_SHARE * len(known):
        return True
    small, whole = sources.all_initials
    return (len(acronym) > PREFIX - 1 and acronym in small) or (len(acronym) > 2 and acronym in whole)


def _count_known(words: Sequence[str], sources: Sources) -> int:
    """Number of words that the sources have alone or as one with a neighbor: "auto encoder" as "autoencoder"."""
    found = {place for place, word in enumerate(words) if sources.knows(word)}
    for place, (first, second) in enumerate(pairwise(words)):
        if first + second in sources.vocabulary or f"{first}{second}s" in sources.vocabulary:
            found |= {place, place + 1}
    return len(found)


def _is_of_beginnings(name: str, sources: Sources) -> bool:
    """Return True for the beginnings of words one after the other, each with a capital: "ConvNet", "MemNN"."""
    pieces = [piece.lower() for piece in _PIECE.findall(name.removesuffix("s"))]
    if len(pieces) < 2 or "".join(pieces) != name.removesuffix("s").lower() or max(map(len, pieces)) == 1:
        return False
    starts = range(len(sources.parts) - len(pieces) + 1)
    return any(all(map(str.startswith, sources.parts[at : at + len(pieces)], pieces)) for at in starts)


def _is_acronym_of(written: str, sources: Sources) -> bool:
    """Return True if a name of several words stands in the sources by its initials, in capitals: "us" is no acronym."""
    words = [word for word in written.split() if word[0].isupper()]
    initials = "".join(word[0] for word in words).lower()
    return len(initials) > 1 and initials in sources.acronyms and is_known_by_initials(words)
