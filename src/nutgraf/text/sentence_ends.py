"""Ends of sentences in languages other than English.

A sentence ends at its end mark, unless what follows begins in lower case or with a mark that goes on, or the mark is
the full stop of an abbreviation, an initial or an ordinal number. An abbreviation that may stand last ends a sentence
if the next word is a capitalized stop word, which few names begin with. Everything is decided from the word before the
mark and the one after it, so that the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from nutgraf.text.abbreviations import COMPOUNDS, FINAL_OF, ORDINALS, SYMBOLS, TITLES_OF, UNITS_OF
from nutgraf.text.stop_words import STOP_WORDS

LONGEST_ABBREVIATION = 24
"""Characters before a full stop that are looked at."""

LEAST_WORD = 5
"""Letters of a word that is no unlisted abbreviation, so that a full stop ends its sentence even before lower case."""

LONGEST_QUOTATION = 300
"""Characters within which a corner bracket has to be closed for its sentences not to end the one around them."""

_MARKS = ".!?…؟۔।॥"
_CLOSING = r"(?:''|[\"'”’“»«›‹)\]])*+(?:[ \u00a0\u202f](?:''|»)(?=\s|\Z))?"
_UNSPACED = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_NEXT = re.compile(r"\s+(?:[\"'“”„‚‘’«»‹›(\[¿¡–—`-]|,,)*+\s?(?P<word>§+|\w{0,24})")
_GOES_ON = frozenset(",;:.!?)…")
_OPENING = "\"'“”„‚‘’«»‹›([{¿¡–—-`/,"
_VOWEL = re.compile(r"[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿœаеёиоуыэюяіїє]", re.IGNORECASE)
_JOINT = re.compile(r"[-.'’]")
_ROMAN = re.compile(r"[IVX]+")
_CLOSES = {"「": "」", "『": "』", "（": "）"}


@cache
def _end_mark() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![{_MARKS}])(?P<mark>[{_MARKS}]++){_CLOSING}(?=\s|\Z)"
        rf"|(?P<wide>[。！？｡]++|(?<=[{_UNSPACED}])(?:[!?]++|\.(?!\.))(?=[{_UNSPACED}0-9A-Z「『“（(])"
        rf"|(?<=[A-Za-z][A-Za-z)\]]|[0-9][%)\]])\.(?=[{_UNSPACED}]))[」』”’）\"]*+|(?P<bracket>[「『（])"
    )


def sentence_ends(text: str, language: str) -> Iterator[int]:
    """Yield the offsets at which sentences end; the end of the text may be among them.

    Args:
        text: A paragraph.
        language: ISO 639-1 code.
    """
    begin = quoted = 0
    for found in _end_mark().finditer(text):
        if found["bracket"]:
            if found.start() >= quoted:
                close = text.find(_CLOSES[found["bracket"]], found.end(), found.end() + LONGEST_QUOTATION)
                quoted = max(quoted, close)
        elif found["wide"]:
            if found.start() >= quoted and not _quotation_goes_on(text, found.start(), found.end()):
                yield found.end()
                begin = found.end()
        elif _ends_here(text, found, begin, language):
            yield found.end()
            begin = found.end()


def _quotation_goes_on(text: str, mark: int, end: int) -> bool:
    """Return True if a quotation that ends here is part of a longer sentence: 「はい。」 before と言った."""
    return text[end - 1 : end] in "」』）" and text[end : end + 1] in tuple("とのがをにはもでって、,")


def _ends_here(text: str, found: re.Match[str], begin: int, language: str) -> bool:
    """Return True if a sentence that began at `begin` ends at this mark."""
    after = _NEXT.match(text, found.end())
    word = after["word"] if after else ""
    stop = found.start()
    before = text[max(begin, stop - LONGEST_ABBREVIATION) : stop]
    piece = (before.rsplit(None, 1) or [""])[-1].lstrip(_OPENING)
    if word[:1].islower():
        whole = piece.isalpha() and len(piece) >= LEAST_WORD
        return whole and found["mark"] == "." and not _abbreviates(piece, before, word, language)
    if after and not word and text[after.end() : after.end() + 1] in _GOES_ON:
        return False
    if found["mark"] != "." or not word:
        return True
    if piece.isdigit():
        first = not text[begin:stop].strip(_OPENING + " \n\t").removesuffix(piece) if stop - begin < 9 else False
        ordinal = language in ORDINALS and len(piece) < 3 and word[0] != "§" and not _begins(word, language)
        return not first and not ordinal
    return not _abbreviates(piece, before, word, language)


def _abbreviates(piece: str, before: str, word: str, language: str) -> bool:
    """Return True if the full stop after `piece` belongs to it, and the sentence goes on with `word`."""
    if not piece or not _cased(piece):
        return False
    lowered = _JOINT.split(piece.lower())[-1]
    measures = piece in SYMBOLS or lowered in UNITS_OF.get(language, ())
    if measures and before[: -len(piece)].rstrip()[-1:].isdigit():
        return not word[0].isupper()
    if lowered in FINAL_OF.get(language, ()):
        return not _begins(word, language)
    if piece in STOP_WORDS.get(language, ()) and _begins(word, language):
        return False
    if lowered in TITLES_OF.get(language, ()) or lowered.endswith(COMPOUNDS.get(language, ())):
        return True
    if _ROMAN.fullmatch(piece) and len(piece) > 1:
        return language in ORDINALS and not _begins(word, language)
    if len(piece) == 1 and piece.isalpha():
        return not _begins(word, language) or piece.isupper()
    if "." in piece and all(len(one) <= 3 for one in piece.split(".")):
        return not _begins(word, language)
    return (
        len(piece) <= 5 and piece.isalpha() and not (piece.isupper() or _VOWEL.search(piece) or _begins(word, language))
    )


def _begins(word: str, language: str) -> bool:
    """Return True if a sentence, rather than a name, begins with this word."""
    return word[:1].isupper() and word.lower() in STOP_WORDS.get(language, ())


def _cased(word: str) -> bool:
    """Return True if the letters of a word are Latin, Greek or Cyrillic."""
    return "A" <= word[0] < "\u0530"
