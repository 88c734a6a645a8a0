"""Tokenization of the two ROUGE programs, and of scripts that they do not read.

Both programs keep runs of ASCII letters and digits only: hyphens, "$" and other letters separate words ("naïve" is
"na" and "ve"). They differ in what they lowercase, A–Z or all of Unicode, and in stemming. The rules of ROUGE-1.5.5 for
tokens that begin with "$" never apply, because its own reader has removed the sign before. Words of other scripts, or
their characters, are those of `nutgraf.text.tokenize`; stemmers of the programs change ASCII words only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from itertools import chain, repeat

from nutgraf.text.segmentation import LIBRARIES, described_all
from nutgraf.text.tokenize import words

Tokenize = Callable[[str], list[str]]

_KEPT = b"0123456789abcdefghijklmnopqrstuvwxyz"
_LETTERS = bytes(byte if byte in _KEPT else ord(" ") for byte in (bytes([code]).lower()[0] for code in range(256)))
_MOST_STEMS = 500_000


class TokenizedText:
    """A tokenized text.

    Attributes:
        sentences: Sentences that contain words.
        words: All words.
        counts: Frequency of each word.
    """

    def __init__(self, sentences: Iterable[str], tokenize: Tokenize) -> None:
        self.sentences = list(filter(None, map(tokenize, sentences)))
        self.words = list(chain.from_iterable(self.sentences))
        self.counts = Counter(self.words)


class TextPair:
    """A hypothesis and one reference, and the words that they share; only these can be hits."""

    def __init__(self, hypothesis: TokenizedText, reference: TokenizedText) -> None:
        self.hypothesis = hypothesis
        self.reference = reference
        self.shared = hypothesis.counts.keys() & reference.counts.keys()

    @cached_property
    def numbers(self) -> tuple[list[int], list[int]]:
        """Both texts with shared words as numbers from 1, and 0 for all others."""
        number = {word: index for index, word in enumerate(self.shared, start=1)}
        hypothesis, reference = (
            list(map(number.get, text.words, repeat(0))) for text in (self.hypothesis, self.reference)
        )
        return hypothesis, reference


@cache
def script_tokenizer(stemming: bool) -> Tokenize:
    """Tokenizer of ROUGE-1.5.5, optionally with the stemming of its option `-m`."""
    if not stemming:
        return ascii_words
    from nutgraf.metrics._rouge_stem import stem

    return _stemming(ascii_words, stem)


@cache
def package_tokenizer(stemming: bool) -> Tokenize:
    """Tokenizer of the package rouge-score, optionally with the Porter stemmer of its `use_stemmer`."""
    if not stemming:
        return _lowered_words
    from nltk.stem.porter import PorterStemmer

    return _stemming(_lowered_words, PorterStemmer().stem)


@cache
def any_script_tokenizer(stemming: bool, language: str | None, like: str = "perl") -> Tokenize:
    """Tokenizer of texts in any script."""

    def split(text: str) -> list[str]:
        return words(text, language)

    if not stemming:
        return split
    program = (package_tokenizer if like == "rouge-score" else script_tokenizer)(True)
    return lambda text: [program(word)[0] if word.isalpha() and word.isascii() else word for word in split(text)]


def segmentation_signature() -> str:
    """Return what segments each script without spaces, for signatures: "zh=rjieba-0.2.2,ja=pairs,th=pairs"."""
    return described_all(LIBRARIES)


def ascii_words(text: str) -> list[str]:
    """Lowercased runs of ASCII letters and digits."""
    return text.encode("ascii", "replace").translate(_LETTERS).decode("ascii").split()


def _lowered_words(text: str) -> list[str]:
    return ascii_words(text.lower())


def _stemming(tokenize: Tokenize, stem: Callable[[str], str]) -> Tokenize:
    stems = _Stems(stem)
    return lambda text: list(map(stems.__getitem__, tokenize(text)))


class _Stems(dict[str, str]):
    """Cache of stems; words of up to three letters are not stemmed, as in both programs."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_STEMS:
            self.clear()
        self[word] = stem = self._stem(word) if len(word) > 3 else word
        return stem
