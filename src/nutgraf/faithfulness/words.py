"""Words as they are compared, whatever their spelling, and which of them are ordinary words of English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from nutgraf.text.dictionary import american, is_common

LEAST_SPELLED = 6
"""Letters from which on British and American spelling are the same word; of shorter ones, Tor and Tour are two."""

LEAST_DERIVED = 7
"""Letters from which on a word may be derived from one of the dictionary; shorter ones may be names: Parker."""

POSSESSIVE = re.compile(r"['’]s?$")
"""Ending of a possessive."""

HYPHEN = re.compile(r"[-‐‑]")
"""What joins the parts of a word."""

_PREFIX = re.compile(
    r"(?:un|non|multi|re|pre|sub|inter|over|under|micro|mid|anti|super|semi|auto|mis|dis|out|hyper|meta|self|post)"
)
_SUFFIX = re.compile(r"(?:ers?|ors?|ees?|[ai]ble|ative|ations?|ing|ments?|ness|less|ful|ize[ds]?|izing)$")
_MARKS = re.compile(r"[\W_]+")


def letters(text: str) -> str:
    """Return the letters and figures of a text in lower case, so that spaces and marks make no difference.

    >>> letters("I 'm “re-signed”!")
    'imresigned'
    """
    return _MARKS.sub("", text.lower())


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "ß": "ss", "æ": "ae", "œ": "oe"})


def forms(word: str) -> list[str]:
    """Return a word without a possessive ending or the full stops of an abbreviation, and its parts between hyphens.

    Each with an umlaut is there without it, too: "mueller" for "müller".

    >>> forms("u.s.-led"), forms("garcía's")
    (['u.s.-led', 'us', 'led'], ["garcía's", 'garcía'])
    """
    written = [word, *(part.replace(".", "") for part in HYPHEN.split(POSSESSIVE.sub("", word)) if part)]
    return list(dict.fromkeys([*written, *(unicodedata.normalize("NFC", one).translate(_UMLAUTS) for one in written)]))


@lru_cache(maxsize=65536)
def plain(word: str) -> str:
    """Return a word in lower case, without accents and marks, in the singular and in American spelling.

    >>> plain("Bündchen's"), plain("Hypercalcaemia"), plain("U.S."), plain("RNNs"), plain("Wal-Mart")
    ('bundchen', 'hypercalcemia', 'us', 'rnn', 'walmart')
    """
    bare = letters(POSSESSIVE.sub("", word))
    if not bare.isascii():
        bare = "".join(letter for letter in unicodedata.normalize("NFD", bare) if not unicodedata.combining(letter))
    if len(bare) > 3 and bare.endswith("s") and not bare.endswith("ss"):
        bare = bare[:-1]
    return american(bare) if len(bare) >= LEAST_SPELLED else bare


@lru_cache(maxsize=65536)
def is_ordinary(word: str) -> bool:
    """Return True for a word of the dictionary or a prefix, also in British spelling, derived, or made of two.

    >>> is_ordinary("criticised"), is_ordinary("unsupervised"), is_ordinary("playmaker"), is_ordinary("Schumacher")
    (True, True, True, False)
    """
    lowered = american(word.lower())
    if is_common(word) or is_common(lowered) or _PREFIX.fullmatch(lowered):
        return True
    if len(word) < LEAST_DERIVED:
        return False
    prefix, suffix = _PREFIX.match(lowered), _SUFFIX.search(lowered)
    if prefix and any(is_common(one[prefix.end() :]) for one in (word.lower(), lowered)):
        return True
    if suffix is None:
        return False
    stem = lowered[: suffix.start()]
    if any(map(is_common, (stem, f"{stem}e", f"{stem}ate", stem[:-1]))):
        return True
    return any(is_common(lowered[:at]) and is_common(lowered[at:]) for at in range(3, len(stem) - 2))


def is_made_of(word: str, others: Sequence[str]) -> bool:
    """Return True if a word is made of the beginnings of others in their order, and of the last one whole.

    >>> is_made_of("huffpost", ["huffington", "post"]), is_made_of("hp", ["huffington", "post"])
    (True, False)
    """
    *cut, last = others
    places = {0}
    for other in cut:
        lengths = range(1, len(other) + 1)
        places = {at + length for at in places for length in lengths if word.startswith(other[:length], at)}
    return any(word[at:] == last for at in places)


@cache
def acronyms() -> Mapping[str, Sequence[str]]:
    """Acronyms that readers of papers know, and the words, in the singular, that they stand for.

    Counted, not chosen: they are those that at least eight abstracts of the open corpora acl_titles and scitldr
    (training parts) introduce in brackets, with these words in at least 60 % of them.
    """
    lines = Path(__file__).with_name("acronyms.txt").read_text(encoding="utf-8").splitlines()
    return {acronym: words.split() for acronym, _, words in (line.partition(": ") for line in lines)}
