"""Words of languages that are written without spaces: Chinese, Japanese and Thai.

Chinese is segmented by rjieba and Japanese by SudachiPy (the extra `cjk`), Thai by PyThaiNLP (the extra `thai`). Where
the library is not installed, a word is a pair of characters between frequent function words, which are words of their
own: good enough to compare sentences, and about as many words as there are.

A word never crosses a mark, a space or a change of script, so that the words of a text are those of its sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import pairwise
from threading import Lock

from nutgraf.text.late import Late

Segment = Callable[[str], list[str]]
"""Splits a run of characters of one script into words."""

CJK = "\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
"""Characters of Chinese and Japanese words, as a range of a regular expression."""

THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
"""Characters of Thai words, as a range of a regular expression."""

KEPT = 1 << 16
"""Runs whose words are remembered: a run is counted, compared and tagged."""

FUNCTION_CHARACTERS = frozenset(
    "的了着过是在和与及或也就都而为以于之其这那有不没很对将被由从到上下中个年月日一等"
    "并但即又把让给向我你他她它们所可会能要还则因该此"
)
"""Chinese characters that are mostly words by themselves."""

PARTICLES = (
    "について による により として という している していた される された されている した して する です ます ました "
    "である であり だった ている ていた から まで より など では には とは でも ので のに った いた いる ある ない "
    "なく なった なる こと もの ため よう これ それ この その は が を に の と で も へ や か ね よ"
).split()
"""Japanese particles, endings and auxiliaries in hiragana."""

_KANA = Late(r"[\u3041-\u30ff\uff66-\uff9f]")
_THAI = Late(rf"[{THAI}]")
_FUNCTION = Late(f"([{''.join(sorted(FUNCTION_CHARACTERS))}])")
_CLUSTER = Late(r"[\u0e40-\u0e44]?[\u0e01-\u0e2e][\u0e2f-\u0e3a\u0e45-\u0e4e]*|.")


@cache
def _han() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


@cache
def _japanese() -> re.Pattern[str]:
    return re.compile(
        r"(?P<han>[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)|[\u30a1-\u30ff\uff66-\uff9f]+|"
        + "|".join(sorted(PARTICLES, key=lambda particle: (-len(particle), particle)))
        + r"|[\u3041-\u309f]"
    )


@dataclass(frozen=True)
class Library:
    """A library that segments a language.

    Attributes:
        language: English name of the language.
        packages: Distributions that decide which words it finds, itself first.
        modules: What has to be installed.
        extra: The extra of nutgraf that installs it.
        load: Imports it and returns the function that segments.
    """

    language: str
    packages: tuple[str, ...]
    modules: tuple[str, ...]
    extra: str
    load: Callable[[], Segment]

    @property
    def installed(self) -> bool:
        """True if all its modules are there."""
        return all(find_spec(module) is not None for module in self.modules)


def _rjieba() -> Segment:
    import rjieba

    return lambda run: list(rjieba.cut(run))


def _sudachi() -> Segment:
    from sudachipy import Dictionary, SplitMode

    tokenizer, lock = Dictionary(dict="small").tokenizer(mode=SplitMode.C), Lock()

    def split(run: str) -> list[str]:
        with lock:  # a tokenizer of SudachiPy serves one thread at a time
            return [morpheme.surface() for morpheme in tokenizer.tokenize(run)]

    return split


def _pythainlp() -> Segment:
    from pythainlp.tokenize import word_tokenize

    return lambda run: list(word_tokenize(run, engine="newmm"))


LIBRARIES = {
    "zh": Library("Chinese", ("rjieba",), ("rjieba",), "cjk", _rjieba),
    "ja": Library("Japanese", ("SudachiPy", "SudachiDict-small"), ("sudachipy", "sudachidict_small"), "cjk", _sudachi),
    "th": Library("Thai", ("PyThaiNLP",), ("pythainlp",), "thai", _pythainlp),
}
"""The library of each language that is written without spaces, by ISO 639-1 code."""


@lru_cache(maxsize=KEPT)
def segment(run: str, language: str) -> tuple[str, ...]:
    """Return the words of a run of characters, which together are the run.

    Args:
        run: Characters of CJK or of THAI, nothing else.
        language: ISO 639-1 code of the text; one that is not written without spaces leaves it to the run.
    """
    pieces = tuple(_segmenter(_language_of(run, language))(run))
    return pieces if "".join(pieces) == run else tuple(run)


def overlapping_pairs(run: str, language: str) -> list[str]:
    """Return the pairs of neighbouring characters of a run, by which passages are compared: 渡轮停 has 渡轮 and 轮停.

    Two passages that share a word share its pairs, wherever else words end in them. Function words and Japanese
    particles are left out; a word of one character, and one in katakana, is whole. A Thai pair is one of clusters.

    Args:
        run: Characters of CJK or of THAI, nothing else.
        language: ISO 639-1 code of the text, as for `segment`.
    """
    found = _language_of(run, language)
    if found == "th":
        return _neighbours(_CLUSTER.findall(run))
    if found == "zh":
        return [pair for piece in _FUNCTION.split(run)[::2] for pair in _neighbours(piece)]
    return [
        pair
        for piece in _japanese().finditer(run)
        if piece["han"] or (len(piece.group()) > 1 and piece.group() not in PARTICLES)
        for pair in (_neighbours(piece.group()) if piece["han"] else [piece.group()])
    ]


def _neighbours(characters: Sequence[str]) -> list[str]:
    return ["".join(characters)] if len(characters) == 1 else list(map("".join, pairwise(characters)))


def language_of(text: str) -> str:
    """Code of the language without spaces in which a text is written, by its characters; "" if there are none."""
    if _THAI.search(text):
        return "th"
    if _KANA.search(text):
        return "ja"
    return "zh" if _han().search(text) else ""


def described(language: str) -> str:
    """Names and versions of what segments a language, for signatures: "rjieba-0.2.2", or "pairs"."""
    from importlib.metadata import version

    library = LIBRARIES[language]
    if not library.installed:
        return "pairs"
    return "+".join(f"{package}-{version(package)}" for package in library.packages)


def described_all(languages: Iterable[str]) -> str:
    """Names and versions of what segments the languages without spaces among some: "zh=rjieba-0.2.2,ja=pairs"."""
    found = set(languages)
    return ",".join(f"{language}={described(language)}" for language in LIBRARIES if language in found)


def advice(language: str) -> str | None:
    """Notice that a library would do better than pairs of characters; None if it is installed or not needed."""
    library = LIBRARIES.get(language)
    if library is None or library.installed:
        return None
    return (
        f"{library.language} has no spaces between words, so pairs of characters are taken for words; with "
        f"pip install 'nutgraf[{library.extra}]' they are those of {library.packages[0]}."
    )


def _language_of(run: str, language: str) -> str:
    if _THAI.match(run):
        return "th"
    return language if language in ("zh", "ja") else language_of(run) or "zh"


@lru_cache(maxsize=len(LIBRARIES))
def _segmenter(language: str) -> Segment:
    library = LIBRARIES[language]
    return library.load() if library.installed else _PAIRS[language]


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(0, len(run), 2)]


def _chinese_pairs(run: str) -> list[str]:
    return [pair for piece in _FUNCTION.split(run) for pair in _pairs(piece)]


def _japanese_pairs(run: str) -> list[str]:
    return [
        pair
        for found in _japanese().finditer(run)
        for pair in (_pairs(found.group()) if found["han"] else [found.group()])
    ]


def _thai_pairs(run: str) -> list[str]:
    clusters = _CLUSTER.findall(run)
    return ["".join(clusters[start : start + 2]) for start in range(0, len(clusters), 2)]


_PAIRS: dict[str, Segment] = {"zh": _chinese_pairs, "ja": _japanese_pairs, "th": _thai_pairs}
