"""Whole words: the most frequent ones of sources and summaries together.

See, Liu and Manning 2017; Fabbri et al. 2019. A word outside the vocabulary is `<unk>` to the network, but keeps its
text, so that it can be copied.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError
from nutgraf.presets.ranges import PositiveInt, Range
from nutgraf.text.tokenize import Span, token_spans
from nutgraf.text.vocabulary import UNK, Vocabulary
from nutgraf.tokenizers import SPECIAL_TOKENS, Encoding, Tokenizer

FILE = "words.json"

_CLITIC = re.compile(r"(?<=.)['’](?:s|re|ve|ll|d|m)$", re.IGNORECASE)
_MASK = re.compile(r"<(?!(?:pad|unk|sep)>)[a-z]{2,}>|(?<!\w)@[a-z]\w*", re.IGNORECASE)
"""Placeholders of corpora for numbers, citations, formulae and names: "<dig>", "@xcite", "@user"."""

_TORN = frozenset(["s", "re", "ve", "ll", "d", "m"])
_LEFT_OUT = frozenset([*SPECIAL_TOKENS, "<t>"]) - {UNK}
"""Tokens that are no words; "<t>" begins each sentence that networks trained by OpenNMT-py write."""


@dataclass(frozen=True)
class Config:
    """Words."""

    vocab_size: Annotated[int, Range(gt=len(SPECIAL_TOKENS))] = 50_000
    """Largest number of tokens, special tokens included."""

    lower: bool = True
    """Lowercase the text."""

    min_frequency: PositiveInt = 1
    """Smallest frequency of a word in the vocabulary."""


EXAMPLES = (Config(vocab_size=40),)


class Words(Tokenizer):
    """Words, numbers and punctuation, as `token_spans` finds them.

    Clitics ("'s", "'ll") are words of their own, whether or not they are attached to the word before them. Placeholders
    ("<dig>", "@xcite") are words too.
    """

    file = FILE

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()
        self._vocabulary = Vocabulary(SPECIAL_TOKENS, SPECIAL_TOKENS)

    @property
    def tokens(self) -> Sequence[str]:
        """All tokens, by id."""
        return self._vocabulary.words

    @property
    def begins_word(self) -> npt.NDArray[np.bool_]:
        """True for every token."""
        return np.ones(len(self), dtype=np.bool_)

    def set_vocabulary(self, tokens: Iterable[str]) -> None:
        """Replace the vocabulary: all tokens by id, special tokens first."""
        self._vocabulary = Vocabulary(tokens, SPECIAL_TOKENS)

    def train(self, texts: Iterable[str]) -> None:
        """Count words; ties are broken alphabetically."""
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(self._write(text, span) for span in _spans(text))
        self._vocabulary = Vocabulary.build(counts, self.config.vocab_size, self.config.min_frequency, SPECIAL_TOKENS)

    def encode(self, text: str) -> Encoding:
        """Split a text into words; see `Tokenizer`."""
        spans = tuple(_spans(text))
        texts = tuple([self._write(text, span) for span in spans])
        return Encoding(texts, tuple(self._vocabulary.ids_of(texts)), spans)

    def decode(self, tokens: Sequence[str]) -> str:
        """Join words; see `Tokenizer`."""
        return " ".join(token for token in tokens if token not in _LEFT_OUT)

    def save(self, folder: str | Path) -> None:
        """Write the vocabulary; see `Tokenizer`."""
        self._vocabulary.save(Path(folder) / FILE)

    def load(self, folder: str | Path) -> None:
        """Load the vocabulary; see `Tokenizer`."""
        path = Path(folder) / FILE
        vocabulary = Vocabulary.load(path)
        if vocabulary.specials != SPECIAL_TOKENS or len(vocabulary.words) > self.config.vocab_size:
            raise InputError(
                f"{path} holds {len(vocabulary.words)} words and begins with {', '.join(vocabulary.specials)}; "
                f"{self.config.vocab_size} words at most that begin with {', '.join(SPECIAL_TOKENS)} are needed."
            )
        self._vocabulary = vocabulary

    def _write(self, text: str, span: Span) -> str:
        word = text[span[0] : span[1]]
        return word.lower() if self.config.lower else word


def _spans(text: str) -> Iterator[Span]:
    """Spans of the placeholders and of the words between them."""
    at = 0
    for mask in _MASK.finditer(text):
        yield from _words(text, at, mask.start())
        yield mask.span()
        at = mask.end()
    yield from _words(text, at, len(text))


def _words(text: str, begin: int, until: int) -> Iterator[Span]:
    """Spans of tokens, with clitics split off and detached clitics kept whole."""
    waiting: Span | None = None
    for start, end in token_spans(text, begin, until):
        if waiting is not None:
            if waiting[1] == start and text[start:end].lower() in _TORN:
                start = waiting[0]
            else:
                yield waiting
            waiting = None
        if text[start:end] in "'’":
            waiting = (start, end)
            continue
        clitic = _CLITIC.search(text, start, end)
        if clitic is not None and clitic.start() > start:
            yield start, clitic.start()
            start = clitic.start()
        yield start, end
    if waiting is not None:
        yield waiting
