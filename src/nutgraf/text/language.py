"""Stop words and stemmers by language.

English has a list of stop words. Other languages have a Snowball stemmer where there is one, and their stop words are
derived from the text (the few words that make up a third of it), so that every method runs on any language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

ENGLISH = frozenset(
    """
    a about above across after again against all almost alone along already also although always am among an and
    another any anybody anyone anything anyway are aren aren't around as at away back be became because become
    becomes been before behind being below beside besides between beyond both but by came can can't cannot come
    could couldn couldn't d did didn didn't do does doesn doesn't doing don don't done down during each either else
    enough etc even ever every everybody everyone everything everywhere few for from further get gets getting give
    given gives go goes going gone got had hadn hadn't has hasn hasn't have haven haven't having he he'd he'll he's
    hence her here here's hers herself him himself his how however i i'd i'll i'm i've if in indeed instead into is
    isn isn't it it'd it'll it's its itself just keep kept last least less let let's like likely ll m made make
    makes many may maybe me might mine more moreover most mostly much must mustn't my myself near nearly neither
    never nevertheless next no nobody none nor not nothing now nowhere of off often on once one one's ones only onto
    or other others otherwise ought our ours ourselves out over own per perhaps quite rather re really s said same
    saw say says second see seem seemed seems several shall shan't she she'd she'll she's should shouldn shouldn't
    since so some somebody somehow someone something sometimes somewhere still such t take taken than that that's
    the their theirs them themselves then there there's therefore these they they'd they'll they're they've this
    those though through throughout thus to together too took toward towards under until up upon us use used uses
    using various ve very via was wasn wasn't way we we'd we'll we're we've well went were weren weren't what what's
    whatever when whenever where where's whereas wherever whether which while who who's whoever whole whom whose why
    will with within without won't would wouldn wouldn't yes yet you you'd you'll you're you've your yours yourself
    yourselves
    """.split()
)
"""English stop words."""

POINTING_BACK = frozenset(
    """
    afterwards also and another besides both but either furthermore he hence her here him his however if instead it
    its meanwhile moreover neither nevertheless nor one ones or others otherwise she so such that their them then
    there therefore these they this those thus until we yet you
    """.split()
)
"""English words that, at the beginning of a sentence, refer to the one before it."""

SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Names of the Snowball stemmers, by ISO 639-1 code."""

UNDETERMINED = "und"
"""Code of an unrecognized language (ISO 639-2)."""


@lru_cache(maxsize=16)
def stemmer(language: str) -> Callable[[str], str]:
    """Return a stemmer for lowercased words; it changes nothing if the language has no stemmer."""
    if language not in SNOWBALL:
        return lambda word: word
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer(SNOWBALL[language]).stemWord
    return stem


def function_words(language: str, sentences: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the stop words: the list for English, else the few words that make up a third of the text."""
    if language == "en":
        return ENGLISH
    counts = Counter(word for sentence in sentences for word in sentence)
    room, frequent = 0.33 * counts.total(), set()
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if count < 3 or room <= 0:
            break
        frequent.add(word)
        room -= count
    return frozenset(frequent)


def looks_english(words: list[str]) -> bool:
    """Return True if stop words are as frequent as in English.

    A text of fewer than twenty words passes if most of them are in Latin letters.
    """
    if not words:
        return True
    latin = sum(word[0] < "\u0250" for word in words) / len(words)
    if len(words) < 20:
        return latin >= 0.5
    return latin >= 0.5 and sum(word in ENGLISH for word in words) / len(words) >= 0.15
