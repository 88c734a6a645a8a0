"""What a network reads and writes instead of characters: words, or pieces of words. One file, one way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nutgraf.presets.family import Family
from nutgraf.text.tokenize import Span
from nutgraf.text.vocabulary import BOS, EOS, PAD, UNK

SPECIALS = (PAD, UNK, BOS, EOS, "<sep>")
"""What stands for no text: the first entries of every tokenizer. No text is ever encoded as one of them, but for
`<unk>`."""

SEPARATOR_ID = 4
"""What stands between two documents of one input. The papers leave it open; a piece of its own cannot be mistaken for
a word, and no phrase covers it."""

MASK = "<mask>"
"""What stands for a hidden piece in vocabularies that were learned elsewhere. Ours need none."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A text as a network reads it; three lists of one length.

    tokens: each piece as the tokenizer has it, an unknown word as it is written. ids: within the tokenizer. spans:
    characters of the text; pieces of one character share its span.
    """

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    spans: tuple[Span, ...]


class Tokenizer(ABC):
    """Learned from a corpus, kept in a folder. Made with its `Config`, it knows nothing but `SPECIALS`."""

    file: ClassVar[str]
    """What it is called where it is kept."""

    @property
    @abstractmethod
    def tokens(self) -> Sequence[str]:
        """Every piece, by its id."""

    @property
    def mask(self) -> int:
        """The id that stands for a piece that is hidden: that of `<mask>`, or where there is none, that of `<unk>`,
        which says the same: something stands here, nobody knows what. So every vocabulary will do."""
        return self.tokens.index(MASK if MASK in self.tokens else UNK)

    @property
    @abstractmethod
    def begins_word(self) -> npt.NDArray[np.bool_]:
        """Whether white space stands before a piece, by its id: what counts as a new word."""

    @abstractmethod
    def train(self, texts: Iterable[str]) -> None:
        """Choose the pieces. What was known before is forgotten."""

    @abstractmethod
    def encode(self, text: str) -> Encoding:
        """A text as pieces, in its order; white space is no part of them."""

    @abstractmethod
    def decode(self, texts: Sequence[str]) -> str:
        """Pieces as words with spaces between them. Special ones are left out, but for `<unk>`."""

    @abstractmethod
    def save(self, folder: str | Path) -> None:
        """Write it into a folder that is there, as JSON. Raises OutputError."""

    @abstractmethod
    def load(self, folder: str | Path) -> None:
        """Take over what another one of the same options wrote. Raises InputError for anything else."""

    def __len__(self) -> int:
        return len(self.tokens)


tokenizers: Family[Tokenizer] = Family(__name__, Tokenizer)
