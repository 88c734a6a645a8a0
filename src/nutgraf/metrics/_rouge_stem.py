"""Stemming of ROUGE-1.5.5 under its option `-m`.

WordNet's exception lists come first, then Porter, *An algorithm for suffix stripping* (1980), with the changes that
Porter published later (`-bli` → `-ble`, `-logi` → `-log`) and one that only the ROUGE script has: after step 4 has
tried `-ement`, it goes on to `-ment` and `-ent`, even if another suffix has just been removed ("agreement" → "agreem",
"supplementable" → "supplem"). About four in a thousand distinct words of real text get another stem than from other
Porter stemmers.
"""

from __future__ import annotations

import re
from functools import cache

from nutgraf.text.irregular import Part, base_forms

LISTS: tuple[Part, ...] = ("adj", "adv", "noun", "verb")
"""WordNet's lists in the order in which they are read; a later one overrides an earlier one ("better" → "well")."""

_CONSONANTS, _VOWELS = "[^aeiou][^aeiouy]*", "[aeiouy][aeiou]*"
_has_vowel = re.compile(f"(?:{_CONSONANTS})?[aeiouy]").match
_measures_1 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}").match
_measures_2 = re.compile(f"(?:{_CONSONANTS})?(?:{_VOWELS}{_CONSONANTS}){{2}}").match
_measures_just_1 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}(?:{_VOWELS})?").fullmatch
_is_short = re.compile(f"{_CONSONANTS}[aeiouy][^aeiouwxy]").fullmatch
_doubled = re.compile(r"([^aeiouylsz])\1$").search

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


def stem(word: str) -> str:
    """Stem of a lowercased word of ASCII letters and digits."""
    return exceptions().get(word) or porter(word)


@cache
def exceptions() -> dict[str, str]:
    """Base form of each of WordNet's irregular forms."""
    return {inflected: base for part in LISTS for inflected, base in base_forms(part).items()}


def porter(word: str) -> str:
    """Porter's stem, as in the ROUGE script; words of one or two letters are not stemmed."""
    if len(word) < 3:
        return word
    # A 'y' that opens a word is a consonant; in capitals no rule below takes it for a vowel.
    opens_with_y = word[0] == "y"
    if opens_with_y:
        word = "Y" + word[1:]
    word = _step_1c(_step_1b(_step_1a(word)))
    word = _replace(_replace(word, _STEP_2), _STEP_3)
    word = _step_5(_step_4(word))
    return "y" + word[1:] if opens_with_y else word


def _step_1a(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2] != "s" else word


def _step_1b(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measures_1(word[:-3]) else word
    if not word.endswith(("ed", "ing")):
        return word
    rest = word[: -2 if word[-1] == "d" else -3]
    if not _has_vowel(rest):
        return word
    if rest.endswith(("at", "bl", "iz")) or (_is_short(rest) and not _doubled(rest)):
        return rest + "e"
    return rest[:-1] if _doubled(rest) else rest


def _step_1c(word: str) -> str:
    return word[:-1] + "i" if word[-1] == "y" and _has_vowel(word[:-1]) else word


def _replace(word: str, endings: dict[str, str]) -> str:
    """Steps 2 and 3: replace the longest suffix if the measure of the rest is at least one."""
    ending = _longest(word, tuple(endings))
    if ending and _measures_1(word[: -len(ending)]):
        return word[: -len(ending)] + endings[ending]
    return word


def _step_4(word: str) -> str:
    word = _drop(word, _longest(word, _STEP_4))
    if word.endswith("ment"):
        word = _drop(word, "ment")
    if word.endswith("ent"):
        return _drop(word, "ent")
    return _drop(word, "ion") if word.endswith(("sion", "tion")) else word


def _step_5(word: str) -> str:
    if word[-1] == "e":
        rest = word[:-1]
        if _measures_2(rest) or (_measures_just_1(rest) and not _is_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measures_2(word) else word


def _drop(word: str, ending: str) -> str:
    return word[: -len(ending)] if ending and _measures_2(word[: -len(ending)]) else word


def _longest(word: str, endings: tuple[str, ...]) -> str:
    if not word.endswith(endings):
        return ""
    return max((ending for ending in endings if word.endswith(ending)), key=len)
