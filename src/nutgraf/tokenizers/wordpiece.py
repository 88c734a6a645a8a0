"""WordPiece, as in BERT and MASS (Schuster and Nakajima 2012; Devlin et al. 2019).

White space, punctuation and characters of scripts without spaces separate words. A word is split from its beginning, by
the longest matching token each time; a token that continues a word starts with "##". A word that cannot be split is
`<unk>`, but keeps its text, so that it can be copied. With `lower`, accents are removed too. BERT drops control
characters; here each is an unknown word, since every character of a text belongs to a token.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from nutgraf.presets.ranges import PositiveInt, Range
from nutgraf.text.tokenize import Span
from nutgraf.text.vocabulary import UNK
from nutgraf.tokenizers import SPECIAL_TOKENS, Encoding
from nutgraf.tokenizers._saved import PieceTokenizer, library, read_vocabulary

SCHEMA = "nutgraf.wordpiece/1"
FILE = "wordpiece.json"

INSIDE = "##"
"""Prefix of a token that does not begin a word."""

LONGEST = 100
"""Maximum number of characters in a word; longer ones are unknown."""

_BEGIN = "\ue000"
"""Marks the beginning of a word during training. In a text it stands alone, so no word contains it."""

_UNK_ID = SPECIAL_TOKENS.index(UNK)
_LEFT_OUT = frozenset(SPECIAL_TOKENS) - {UNK}

_UNSPACED = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))
"""Code points of Chinese characters, as in BERT."""

Piece = tuple[str, int, Span]


@dataclass(frozen=True)
class Config:
    """WordPiece."""

    vocab_size: Annotated[int, Range(gt=len(SPECIAL_TOKENS))] = 30_522
    """Largest number of tokens, special tokens included."""

    lower: bool = True
    """Lowercase the text and strip accents."""

    min_frequency: PositiveInt = 2
    """Smallest frequency of a pair of tokens that is merged."""


EXAMPLES = (Config(vocab_size=300),)


class WordPiece(PieceTokenizer):
    """WordPiece, trained on a corpus or taken from a BERT."""

    file, schema = FILE, SCHEMA

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()
        self.set_vocabulary(SPECIAL_TOKENS)

    def set_vocabulary(self, tokens: Iterable[str]) -> None:
        """Replace the vocabulary: all tokens by id, special tokens first."""
        self._tokens = tuple(tokens)
        self._begins = np.array([not text.startswith(INSIDE) for text in self._tokens], dtype=np.bool_)
        # The special tokens stay out of reach: who writes "<s>" gets the tokens of its characters.
        self._numbers = {text: number for number, text in enumerate(self._tokens) if number >= len(SPECIAL_TOKENS)}
        self._apart = lru_cache(1 << 17)(self._take_apart)

    def train(self, texts: Iterable[str]) -> None:
        """Train on texts.

        Pairs are merged by frequency, as in byte-pair encoding; the library's own WordPiece trainer does the same, but
        gives different tokens each time.
        """
        package = library("To train the tokenizer 'wordpiece'")
        backend = package.Tokenizer(package.models.BPE())
        backend.pre_tokenizer = package.pre_tokenizers.WhitespaceSplit()
        trainer = package.trainers.BpeTrainer(
            vocab_size=self.config.vocab_size, min_frequency=self.config.min_frequency, show_progress=False
        )
        backend.train_from_iterator((self._begun(text) for text in texts), trainer)
        numbers: dict[str, int] = backend.get_vocab()
        found = sorted(numbers.keys() - {_BEGIN}, key=numbers.__getitem__)
        letters = [text for text in found if len(text) == 1]
        joined = [text[1:] if text.startswith(_BEGIN) else INSIDE + text for text in found if len(text) > 1]
        tokens = dict.fromkeys([*SPECIAL_TOKENS, *letters, *(INSIDE + letter for letter in letters), *joined])
        self.set_vocabulary(list(tokens)[: self.config.vocab_size])

    def encode(self, text: str) -> Encoding:
        """Split a text into tokens; see `Tokenizer`."""
        found = [
            (piece, number, (base + start, base + end))
            for word, base in _words(text)
            for piece, number, (start, end) in self._apart(word)
        ]
        texts, ids, spans = zip(*found, strict=True) if found else ((), (), ())
        return Encoding(texts, ids, spans)

    def decode(self, tokens: Sequence[str]) -> str:
        """Join tokens; see `Tokenizer`."""
        shown = [token for token in tokens if token not in _LEFT_OUT]
        return "".join(text.removeprefix(INSIDE) if text.startswith(INSIDE) else f" {text}" for text in shown).strip()

    def load(self, folder: str | Path) -> None:
        """Load the vocabulary; see `Tokenizer`."""
        self.set_vocabulary(
            read_vocabulary(Path(folder) / FILE, SCHEMA, self.config.lower, self.config.vocab_size).tokens
        )

    def _begun(self, text: str) -> str:
        """Words of a text with a mark before each."""
        words = (_plain(word, self.config.lower)[0] for word, _ in _words(text) if word != _BEGIN)
        return " ".join(_BEGIN + word for word in words)

    def _take_apart(self, word: str) -> tuple[Piece, ...]:
        """Tokens of a word, longest match first, with their spans in it."""
        plain, places = _plain(word, self.config.lower)
        whole = ((word.lower() if self.config.lower else word, _UNK_ID, (0, len(word))),)
        if not plain or len(plain) > LONGEST:
            return whole
        found: list[Piece] = []
        start = 0
        while start < len(plain):
            mark = INSIDE if start else ""
            end = next((end for end in range(len(plain), start, -1) if mark + plain[start:end] in self._numbers), start)
            if end == start:
                return whole
            piece = mark + plain[start:end]
            begin = places[start] if start else 0
            found.append((piece, self._numbers[piece], (begin, max(begin + 1, (*places, len(word))[end]))))
            start = end
        return tuple(found)

    def __getstate__(self) -> dict[str, Any]:
        return {"config": self.config, "tokens": self._tokens}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.config = state["config"]
        self.set_vocabulary(state["tokens"])


def _words(text: str) -> Iterator[tuple[str, int]]:
    """Words of a text and their start positions."""
    start = None
    for place, character in enumerate(text):
        kind = _kind(character)
        if kind == "word":
            start = place if start is None else start
            continue
        if start is not None:
            yield text[start:place], start
            start = None
        if kind == "alone":
            yield character, place
    if start is not None:
        yield text[start:], start


@cache
def _kind(character: str) -> str:
    """Role of a character: it separates words ("space"), is a word ("alone"), or is part of a word ("word")."""
    if character.isspace():
        return "space"
    code, category = ord(character), unicodedata.category(character)
    mark = category.startswith("P") or (code < 128 and not character.isalnum())
    unspaced = any(first <= code <= last for first, last in _UNSPACED)
    return "alone" if mark or unspaced or category.startswith("C") else "word"


def _plain(word: str, lower: bool) -> tuple[str, tuple[int, ...]]:
    """Normalized form of a word, and for each of its characters the position that it comes from."""
    if not lower:
        return word, tuple(range(len(word)))
    plain = [(one, place) for place, character in enumerate(word) for one in _bare(character)]
    return "".join(one for one, _ in plain), tuple(place for _, place in plain)


@cache
def _bare(character: str) -> str:
    """Lowercase form without accents."""
    return "".join(one for one in unicodedata.normalize("NFD", character.lower()) if unicodedata.category(one) != "Mn")
