"""Languages: their codes, stop words and stemmers.

Eight languages have a list of stop words. Those of others are derived from the text (the few words that make up a third
of it), so that every method runs on any language. Stems come from Snowball where it knows the language.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

from nutgraf.errors import InputError, check_type
from nutgraf.text.recognition import UNDETERMINED, is_listed, recognize, suits
from nutgraf.text.stop_words import STOP_WORDS

CODES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka
    kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng
    nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su
    sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()
)
"""ISO 639-1 codes."""

NAMES = {
    "arabic": "ar", "chinese": "zh", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en", "finnish": "fi",
    "french": "fr", "german": "de", "greek": "el", "hebrew": "he", "hindi": "hi", "hungarian": "hu",
    "indonesian": "id", "italian": "it", "japanese": "ja", "korean": "ko", "norwegian": "no", "persian": "fa",
    "polish": "pl", "portuguese": "pt", "romanian": "ro", "russian": "ru", "spanish": "es", "swedish": "sv",
    "thai": "th", "turkish": "tr", "ukrainian": "uk", "vietnamese": "vi",
}  # fmt: skip
"""Codes of languages that people may name in full; the message about an unknown code suggests them."""

SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Names of the Snowball stemmers, by ISO 639-1 code."""

STEMS = 1 << 16
"""Number of words of a language whose stems are kept."""

_ELISION = {
    "ca": re.compile(r"[dlmnst]['’](?=\w)", re.IGNORECASE),
    "fr": re.compile(r"(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)['’](?=\w)", re.IGNORECASE),
    "it": re.compile(
        r"(?:[cdlmnstv]|(?:(?:d|n)?e|d?a|su|co)?ll|que(?:l|l?l|st)|(?:ness|alc|ciasc)?un|gl|tutt|bell|buon|sant|grand|"
        r"com|cos|dov|quand|anch|mezz|senz)['’](?=\w)",
        re.IGNORECASE,
    ),
}


def called(code: str) -> str:
    """Return the English name of a language, or its code in quotation marks if it has none here.

    >>> called("fr"), called("eu")
    ('French', "'eu'")
    """
    return next((name.capitalize() for name, one in NAMES.items() if one == code), repr(code))


def doubts_of(language: str | None, text: str) -> list[str]:
    """Return a sentence for a text that looks like another language than the one that was named; none otherwise.

    >>> doubts_of("en", "Le bateau a quitté le port à midi avec quatre marins et une femme qui était dans la cabine.")
    ['The text looks like French, and is read as English; leave the language out to have it recognized.']

    Args:
        language: Code of the language that was named, if one was.
        text: The text.
    """
    found = recognize(text) if language else None
    if language is None or found is None or found == language:
        return []
    read = f"The text looks like {called(found)}, and is read as {called(language)}"
    return [f"{read}; leave the language out to have it recognized."]


def check_code(language: str) -> str:
    """Return a language's ISO 639-1 code from what a person wrote: "de", "DE" or "de-AT".

    Raises:
        InputError: If there is no such code.
    """
    check_type(language, str, "A language is a text (str)")
    code = re.split(r"[-_]", language.strip().lower(), maxsplit=1)[0]
    if code in CODES or code == UNDETERMINED:
        return code
    guess = difflib.get_close_matches(code, NAMES, n=1)
    near = NAMES[guess[0]] if guess else code[:2] if code[:2] in CODES else ""
    hint = f" Did you mean {near!r}?" if near else ""
    raise InputError(
        f"No language {language!r}.{hint} A language is an ISO 639-1 code of two letters, such as en, de, fr or zh; "
        "without one it is recognized."
    )


def believed(declared: str, text: str) -> str | None:
    """Return the language of a text whose source declares one; None if neither says which it is.

    Pages are often made from a template in another language, so a text that shows its language is believed, unless the
    declared one is not among those that are recognized, and may be a neighbour: Slovak looks like Czech.

    >>> believed("fi", "Silta on suljettu."), believed("de", "The bridge of the town is closed to all of the ships.")
    ('fi', 'en')

    Args:
        declared: What the source declares, such as "fi" or "pt-BR"; "" if it declares nothing.
        text: The text.
    """
    recognized = recognize(text)
    code = re.split(r"[-_]", declared.strip().lower(), maxsplit=1)[0]
    if code not in CODES or not suits(code, text):
        return recognized
    neighbour = recognized not in STOP_WORDS and not is_listed(code)
    return code if recognized is None or neighbour else recognized


@lru_cache(maxsize=16)
def stemmer(language: str) -> Callable[[str], str]:
    """Return a stemmer for lowercased words; it changes nothing if the language has no stemmer."""
    if language not in SNOWBALL:
        return lambda word: word
    import Stemmer

    return lru_cache(maxsize=STEMS)(Stemmer.Stemmer(SNOWBALL[language], 0).stemWord)


def elides(language: str) -> bool:
    """Return True if words lose their end before a vowel and are written together with the next: "l'eau"."""
    return language in _ELISION


def elision(language: str, word: str) -> int:
    """Number of characters of an elided article, pronoun or preposition before a word: 2 for the French "l'eau"."""
    found = _ELISION[language].match(word) if language in _ELISION else None
    return found.end() if found else 0


def function_words(language: str, sentences: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the stop words: the list of the language, else the few words that make up a third of the text."""
    if language in STOP_WORDS:
        return STOP_WORDS[language]
    counts = Counter(word for sentence in sentences for word in sentence)
    room, frequent = 0.33 * counts.total(), set()
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if count < 3 or room <= 0:
            break
        frequent.add(word)
        room -= count
    return frozenset(frequent)
