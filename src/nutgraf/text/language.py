"""Languages: their codes, how that of a text is recognized, their stop words and stemmers.

A language is recognized by its script, and among languages of one script by their most frequent words. The thirty-odd
most frequent ones make up a quarter to a half of what is written in a language, and mark it off from its neighbours
within two or three sentences. Neighbours that have no stop words here (Danish, Catalan, Ukrainian) are listed too, so
that they are not mistaken for one that has.

Eight languages have a list of stop words. Those of others are derived from the text (the few words that make up a third
of it), so that every method runs on any language. Stems come from Snowball where it knows the language.
"""

from __future__ import annotations

import bisect
import difflib
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from nutgraf.errors import InputError, check_type
from nutgraf.text.clean import with_plain_apostrophes
from nutgraf.text.late import Late
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
    "ca": Late(r"[dlmnst]['’](?=\w)", re.IGNORECASE),
    "fr": Late(r"(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)['’](?=\w)", re.IGNORECASE),
    "it": Late(
        r"(?:[cdlmnstv]|(?:(?:d|n)?e|d?a|su|co)?ll|que(?:l|l?l|st)|(?:ness|alc|ciasc)?un|gl|tutt|bell|buon|sant|grand|"
        r"com|cos|dov|quand|anch|mezz|senz)['’](?=\w)",
        re.IGNORECASE,
    ),
}

UNDETERMINED = "und"
"""Code of a language that was not recognized (ISO 639-2)."""

LONGEST_SAMPLE = 20_000
"""Characters at the beginning of a text by which it is recognized."""

LEAST_SHARE = 0.15
"""Minimum share of a language's frequent words among all words."""

LEAST_HITS = 2
"""Minimum number of frequent words; a text with fewer is too short."""

MARGIN = 1.15
"""Minimum ratio of the frequent words of the first language to those of the second."""

LATIN = {
    "af": "die van en in het is nie wat ’n 'n te dat op vir om hy sy met as hulle was aan ook deur",
    "ca": "de la i el que en a les per un amb és del els una no al es com més són va aquest seva ha dels",
    "cs": "a se v na je že to s z do o ve by pro jako ale jsou byl za po nebo k od které který si",
    "da": "og i at det er en til på som af for den med de ikke der et har var men jeg om sig blev også efter",
    "de": "der die und in den das von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er "
    "hat dass sie nach wird bei einer um am sind noch wie einem über wir ich war zum zur",
    "en": "the of and to in a is that for it was on with as by at be this from have or had not are but an they which "
    "were their has we he his you its been i she her there all will what so if",
    "es": "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha este porque "
    "esta entre cuando muy sobre también fue había son",
    "fi": "ja on ei että se oli hän mutta ovat myös kun joka sekä tai niin ole ne hänen sen kuin voi olla tämä jotka",
    "fr": "de la le et les des en un du une que est dans qui par pour au il sur pas plus ce se sont ne avec a son ou "
    "cette être nous vous mais je aux à elle c'est c’est qu'il d'un d'une",
    "gl": "de a o que e do da en un para con non unha se máis ao á seu súa ou pero tamén polo pola dunha nunha é",
    "hu": "a az és hogy nem is egy van ez meg de csak volt már mint vagy ki el még lehet azt aki amely",
    "id": "yang dan di dengan untuk ini itu dari dalam tidak pada adalah ke oleh akan juga sebagai karena atau ada",
    "it": "di e il la che in a per un è del non una i le si da con della sono dei nel al come anche più alla ha gli lo "
    "ma delle dal su nella questo essere ho c'è",
    "la": "et in est non ad ut cum quod sed qui quae ex esse sunt ab si aut atque ac enim autem",
    "nl": "de van het een en in is dat op te zijn met voor niet aan er om die hij door bij ook als maar uit naar was "
    "deze worden ik ze heeft nog wordt dan je we over",
    "no": "og i det er på som en til av for at med har ikke de den et om var men jeg seg ble fra også etter eller",
    "pl": "w i na z się nie do to że jest o jak po od za przez oraz dla są było ale co tym który ich jego",
    "pt": "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao das à seu sua ou "
    "ser quando muito há nos já está também são pelo pela",
    "ro": "de și în a la cu pe nu din care o un să este mai că pentru sau ca au al fost ale lui fi între",
    "sv": "och i att det som en på är av för med den till inte har de ett om var men jag sig kan från eller så",
    "tr": "ve bir bu da de için ile çok daha olarak olan ne gibi en kadar o sonra değil ancak her",
}  # fmt: skip
"""Frequent words of languages in Latin letters."""

CYRILLIC = {
    "bg": "на и да в за се от е че с по не са като до това който която които при след ще беше или към",
    "ru": "и в не на что с по это как а к но из у за он от о так для же все его то бы или мы был до было также при я",
    "sr": "је и у на да се за су од са не који што као али то из која би или бити није код",
    "uk": "і в не на що з у до та як це за й але він від був для його про бути або які який також є",
}
"""Frequent words of languages in Cyrillic letters."""

DEVANAGARI = {
    "hi": "के में की है और का को से पर यह कि ने हैं एक भी था नहीं इस लिए हो ये थे वह",
    "mr": "आहे आणि या व हे ते आहेत होते एक हा ही तो मध्ये होता त्या नाही",
    "ne": "र छ को मा यो पनि छन् थियो हो भएको गर्ने लाई एक",
}
"""Frequent words of languages in Devanagari."""

_FREQUENT = {
    script: {code: frozenset(listed.split()) for code, listed in languages.items()}
    for script, languages in (("latin", LATIN), ("cyrillic", CYRILLIC), ("devanagari", DEVANAGARI))
}
"""Frequent words of the languages of a script."""

_SCRIPTS = {
    "latin": "AZaz\u00c0\u024f\u1e00\u1eff",
    "cyrillic": "\u0400\u052f",
    "devanagari": "\u0904\u0939",
    "arabic": "\u0620\u064a\u066e\u06d3",
    "han": "\u3400\u4dbf\u4e00\u9fff\uf900\ufaff\u3005\u3005",
    "kana": "\u3041\u30ff",
    "ko": "\u1100\u11ff\uac00\ud7af",
    "th": "\u0e01\u0e30",
    "he": "\u05d0\u05ea",
    "el": "\u0370\u03ff\u1f00\u1fff",
    "ta": "\u0b85\u0bb9",
    "hy": "\u0531\u0587",
}
"""First and last letter of each range of the scripts; a script with one language that matters has the name of the
language."""

_OWN_SCRIPTS = {
    "ar": {"arabic"}, "el": {"el"}, "fa": {"arabic"}, "he": {"he"}, "hy": {"hy"}, "ja": {"han", "kana"}, "ko": {"ko"},
    "ta": {"ta"}, "th": {"th"}, "ur": {"arabic"}, "zh": {"han"},
}  # fmt: skip
"""Scripts of languages whose frequent words are not listed."""

_RANGES = sorted(
    (first, last, name) for name, ends in _SCRIPTS.items() for first, last in zip(ends[::2], ends[1::2], strict=True)
)
_CYRILLIC_LETTERS = {
    "be": re.compile(r"[Ўў]"),
    "kk": re.compile(r"[ҚқҢңӘәҒғ]"),
    "mk": re.compile(r"[ЃѓЌќЅѕ]"),
    "mn": re.compile(r"[ӨөҮү]"),
    "ru": re.compile(r"[ЫыЭэЁё]"),
    "sr": re.compile(r"[ЉљЊњЋћЂђ]"),
    "uk": re.compile(r"[ІіЇїЄєҐґ]"),
}
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_ASCII_WITHOUT_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())
_MARKS = string.punctuation + "‘’“”„«»‹›…–—¿¡।"
_PERSIAN = re.compile(r"[\u067e\u0686\u0698\u06a9\u06af\u06cc]")
_URDU = re.compile(r"[\u0679\u0688\u0691\u06ba\u06d2]")


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


def recognize(text: str) -> str | None:
    """Return the ISO 639-1 code of a text's language.

    Args:
        text: The text; its first 20,000 characters decide.

    Returns:
        The code; None if the text is too short or its language is not known.
    """
    sample = text[:LONGEST_SAMPLE]
    if sample.isascii():
        return _by_words(sample, "latin")
    letters = _letters(sample)
    counts = _script_counts(letters)
    script = _main_script(counts)
    if script is None:
        return None
    if script == "cyrillic" and (code := _by_cyrillic_letters(letters, counts[script])):
        return code
    if script in _FREQUENT:
        return _by_words(sample, script)
    if script in ("han", "kana"):
        return "ja" if 20 * counts["kana"] >= counts["han"] else "zh"
    if script == "arabic":
        return _of_arabic_letters(letters, counts["arabic"])
    return script


def is_listed(code: str) -> bool:
    """Return True if the frequent words of a language are known, by which it is told from others."""
    return any(code in languages for languages in _FREQUENT.values())


def suits(code: str, text: str) -> bool:
    """Return False for a text in another script than that in which a language is written, as far as that is known."""
    scripts = {script for script, languages in _FREQUENT.items() if code in languages} | _OWN_SCRIPTS.get(code, set())
    main = _main_script(_script_counts(_letters(text[:LONGEST_SAMPLE])))
    return not scripts or main is None or main in scripts


def _letters(sample: str) -> Counter[str]:
    """Number of each character beyond ASCII; all letters of ASCII, which are Latin, count as "a"."""
    letters = Counter(_BEYOND_ASCII.findall(sample))
    letters["a"] = len(sample.encode("ascii", "ignore").translate(None, _ASCII_WITHOUT_LETTERS))
    return letters


def _script_counts(letters: Counter[str]) -> dict[str, int]:
    """Number of letters of each script; those of kana count as Chinese characters, too."""
    counts = dict.fromkeys(_SCRIPTS, 0)
    for letter, count in letters.items():
        if own := _script_of(letter):
            counts[own] += count
    counts["han"] += counts["kana"]
    return counts


def _main_script(counts: dict[str, int]) -> str | None:
    """Script of more than half of the letters, if there is one."""
    script = max(counts, key=counts.__getitem__)
    return script if counts[script] * 2 > sum(counts.values()) - counts["kana"] else None


def _by_words(sample: str, script: str) -> str | None:
    """Language whose frequent words make up the largest share of a text; None if it is not clearly the first."""
    total, hits, languages_of = 0, dict.fromkeys(_FREQUENT[script], 0), _languages_of(script)
    for run, count in Counter(with_plain_apostrophes(sample.lower()).split()).items():
        if word := run if run.isalnum() else run.strip(_MARKS):
            total += count
            for code in languages_of.get(word, ()):
                hits[code] += count
    second, first = sorted(hits, key=hits.__getitem__)[-2:]
    clear = hits[first] >= max(LEAST_HITS, LEAST_SHARE * total, MARGIN * hits[second])
    return first if clear else None


@cache
def _languages_of(script: str) -> dict[str, list[str]]:
    """Languages in which each word is frequent."""
    table: dict[str, list[str]] = {}
    for code, own in _FREQUENT[script].items():
        for word in own:
            table.setdefault(word, []).append(code)
    return table


@lru_cache(maxsize=1 << 13)
def _script_of(letter: str) -> str | None:
    """Script of a letter; None for other characters, and for letters of scripts that are not known here."""
    place = bisect.bisect_right(_RANGES, letter, key=lambda span: span[0]) - 1
    return _RANGES[place][2] if place >= 0 and letter <= _RANGES[place][1] else None


def _occurrences(letters: Counter[str], kind: re.Pattern[str]) -> int:
    """Number of letters of a kind."""
    return sum(count for letter, count in letters.items() if kind.match(letter))


def _by_cyrillic_letters(letters: Counter[str], count: int) -> str | None:
    """Language with letters that its neighbours lack; None if there are hardly any."""
    found = {code: _occurrences(letters, own) for code, own in _CYRILLIC_LETTERS.items()}
    code = max(found, key=found.__getitem__)
    return code if 100 * found[code] > count and 10 * found[code] > 9 * sum(found.values()) else None


def _of_arabic_letters(letters: Counter[str], count: int) -> str:
    """Arabic, or Persian or Urdu, which have letters that Arabic lacks."""
    if 100 * _occurrences(letters, _URDU) > count:
        return "ur"
    return "fa" if 50 * _occurrences(letters, _PERSIAN) > count else "ar"


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


class TermTable(dict[str, str]):
    """Term of each lowercased word: its stem; "" for stop words, single letters and bare numbers.

    Words are looked up when they are first asked for, and all forgotten when there are more than `STEMS`.
    """

    def __init__(self, language: str, stop_words: frozenset[str]) -> None:
        super().__init__()
        self._language, self._stop, self._stem = language, stop_words, stemmer(language)

    def __missing__(self, given: str) -> str:
        word = with_plain_apostrophes(given)
        word = word[elision(self._language, word) :]
        none = word in self._stop or not (len(word) > 1 or word > "\u02ff") or word.isdigit()
        if len(self) >= STEMS:
            self.clear()
        found = self[given] = "" if none else self._stem(word)
        return found


@lru_cache(maxsize=16)
def term_table(language: str, stop_words: frozenset[str]) -> TermTable:
    """Return the terms of words in a language, given its stop words."""
    return TermTable(language, stop_words)


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
