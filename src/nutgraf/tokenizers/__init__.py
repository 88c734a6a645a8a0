"""Tokenizers: text becomes tokens with ids, and back. Each file implements one kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from nutgraf.presets.family import Family, Member
from nutgraf.text.tokenize import Span
from nutgraf.text.vocabulary import BOS, EOS, PAD, UNK

SPECIAL_TOKENS = (PAD, UNK, BOS, EOS, "<sep>")
"""The first entries of every vocabulary. No text is encoded as one of them, except `<unk>`."""

SEP_ID = 4
"""Id of the separator between two documents of one input.

The papers leave it open; a token of its own cannot be mistaken for a word, and no phrase covers it.
"""

MASK = "<mask>"
"""Token for a hidden token in vocabularies trained elsewhere; ours need none."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """The tokens of a text: three tuples of one length.

    Attributes:
        tokens: Each token as the vocabulary has it; an unknown word as it is written.
        ids: Ids within the vocabulary.
        spans: Character spans in the text; tokens of one character share its span.
    """

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    spans: tuple[Span, ...]


class Frame(NamedTuple):
    """Ids that stand around every text, for a network that learned with them."""

    before_source: tuple[int, ...] = ()
    """Before a source."""

    behind_source: tuple[int, ...] = ()
    """Behind a source."""

    before_target: tuple[int, ...] = ()
    """Before a target, behind BOS; its end is EOS."""


class Tokenizer(Member, ABC):
    """Turns text into token ids and back; trained on a corpus and kept in a folder.

    A new tokenizer, made with its `Config`, knows only `SPECIAL_TOKENS`.
    """

    file: ClassVar[str]
    """Name of its file in a folder."""

    @property
    @abstractmethod
    def tokens(self) -> Sequence[str]:
        """All tokens, by id."""

    @property
    def mask_id(self) -> int:
        """Id that replaces a hidden token: that of `<mask>` or, in a vocabulary without it, that of `<unk>`."""
        return self.tokens.index(MASK if MASK in self.tokens else UNK)

    @property
    def frame(self) -> Frame:
        """Ids that stand around every text; none for a network that learned from nothing."""
        return Frame()

    @property
    @abstractmethod
    def begins_word(self) -> npt.NDArray[np.bool_]:
        """For each id, True if the token starts a new word."""

    @abstractmethod
    def train(self, texts: Iterable[str]) -> None:
        """Choose the vocabulary from texts; an earlier one is discarded."""

    @abstractmethod
    def encode(self, text: str) -> Encoding:
        """Split a text into tokens, in order; white space belongs to no token."""

    @abstractmethod
    def decode(self, tokens: Sequence[str]) -> str:
        """Join tokens into words separated by spaces; special tokens are left out, except `<unk>`."""

    def text_of(self, ids: Sequence[int], unknown: Sequence[str] = ()) -> str:
        """Return the text of ids over the extended vocabulary, in which a source's unknown words follow the tokens."""
        known, tokens = len(self), self.tokens
        return self.decode([tokens[one] if one < known else unknown[one - known] for one in ids])

    @abstractmethod
    def save(self, folder: str | Path) -> None:
        """Write the vocabulary into an existing folder, as JSON.

        Raises:
            OutputError: If it cannot be written.
        """

    @abstractmethod
    def load(self, folder: str | Path) -> None:
        """Load what a tokenizer with the same options saved.

        Raises:
            InputError: If the file is missing or does not fit.
        """

    def __len__(self) -> int:
        return len(self.tokens)


tokenizers: Family[Tokenizer] = Family(__name__, Tokenizer)
