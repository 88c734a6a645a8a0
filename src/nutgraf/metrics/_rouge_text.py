"""From sentences to the words that ROUGE compares.

Both manners keep runs of ASCII letters and digits and nothing else: hyphens, "$" and letters beyond ASCII separate
words ("naïve" is "na" and "ve"). They differ in what is lower-cased, A–Z or all that Unicode can, and in stemming. The
rules of ROUGE-1.5.5 about tokens that begin with "$" never apply: its own reader has removed the sign by then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from itertools import chain, repeat

Tokenizer = Callable[[str], list[str]]

_KEPT = b"0123456789abcdefghijklmnopqrstuvwxyz"
_LETTERS = bytes(byte if byte in _KEPT else ord(" ") for byte in (bytes([code]).lower()[0] for code in range(256)))
_MOST_STEMS = 500_000


class Text:
    """A tokenized text. sentences: those that have words. words: all in a row. counts: how often each occurs."""

    def __init__(self, sentences: Iterable[str], tokenize: Tokenizer) -> None:
        self.sentences = list(filter(None, map(tokenize, sentences)))
        self.words = list(chain.from_iterable(self.sentences))
        self.counts = Counter(self.words)


class Pair:
    """A hypothesis and one reference, and what they share: nothing else can be a hit."""

    def __init__(self, hypothesis: Text, reference: Text) -> None:
        self.hypothesis = hypothesis
        self.reference = reference
        self.shared = hypothesis.counts.keys() & reference.counts.keys()

    @cached_property
    def numbers(self) -> tuple[list[int], list[int]]:
        """Both texts with shared words as numbers from 1 up and all others as 0."""
        number = {word: index for index, word in enumerate(self.shared, start=1)}
        hypothesis, reference = (
            list(map(number.get, text.words, repeat(0))) for text in (self.hypothesis, self.reference)
        )
        return hypothesis, reference


@cache
def script_tokenizer(stemming: bool) -> Tokenizer:
    """Words as ROUGE-1.5.5 has them, stemmed as under its option `-m` or not."""
    if not stemming:
        return ascii_words
    from nutgraf.metrics._rouge_stem import stem

    return _stemming(ascii_words, stem)


@cache
def package_tokenizer(stemming: bool) -> Tokenizer:
    """Words as the package rouge-score has them, stemmed by NLTK's Porter as under its `use_stemmer` or not."""
    if not stemming:
        return _lowered_words
    from nltk.stem.porter import PorterStemmer

    return _stemming(_lowered_words, PorterStemmer().stem)


def ascii_words(text: str) -> list[str]:
    """Lower-cased runs of ASCII letters and digits."""
    return text.encode("ascii", "replace").translate(_LETTERS).decode("ascii").split()


def _lowered_words(text: str) -> list[str]:
    return ascii_words(text.lower())


def _stemming(tokenize: Tokenizer, stem: Callable[[str], str]) -> Tokenizer:
    stems = _Stems(stem)
    return lambda text: list(map(stems.__getitem__, tokenize(text)))


class _Stems(dict[str, str]):
    """Remembers stems; words of up to three letters are their own, as in both pieces of software."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_STEMS:
            self.clear()
        self[word] = stem = self._stem(word) if len(word) > 3 else word
        return stem
