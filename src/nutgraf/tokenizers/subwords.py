"""Byte-pair encoding (Sennrich, Haddow and Birch 2016) over bytes, so that every text can be encoded.

Hugging Face's `tokenizers` trains it. A token that begins a word starts with "Ġ", which stands for the space before it;
white space itself is no token. The vocabulary and the merges are kept as plain JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from nutgraf.errors import InputError
from nutgraf.presets.ranges import PositiveInt, Range
from nutgraf.text.vocabulary import UNK
from nutgraf.tokenizers import SPECIAL_TOKENS, Encoding
from nutgraf.tokenizers._saved import PieceTokenizer, library, read_vocabulary

SCHEMA = "nutgraf.subwords/1"
FILE = "subwords.json"

MARK = "Ġ"
"""Prefix of a token that begins a word."""

_BYTES = 256
_LEFT_OUT = frozenset(SPECIAL_TOKENS) - {UNK}

Merge = tuple[str, str]


@dataclass(frozen=True)
class Config:
    """Byte-pair encoding."""

    vocab_size: Annotated[int, Range(ge=len(SPECIAL_TOKENS) + _BYTES)] = 12_000
    """Largest number of tokens, the 256 bytes and the special tokens included."""

    lower: bool = True
    """Lowercase the text."""

    min_frequency: PositiveInt = 2
    """Smallest frequency of a pair of tokens that is merged."""


EXAMPLES = (Config(vocab_size=300),)


class Subwords(PieceTokenizer):
    """Byte-pair encoding; a rare word becomes single bytes in the worst case, so no word is unknown."""

    file, schema = FILE, SCHEMA

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()
        self.set_vocabulary([*SPECIAL_TOKENS, *_alphabet()], [])

    def train(self, texts: Iterable[str]) -> None:
        """Train on texts; the same texts in the same order give the same vocabulary."""
        package = _library()
        backend = self._backend_of(package.models.BPE())
        trainer = package.trainers.BpeTrainer(
            vocab_size=self.config.vocab_size,
            min_frequency=self.config.min_frequency,
            special_tokens=list(SPECIAL_TOKENS),
            initial_alphabet=_alphabet(),
            show_progress=False,
        )
        backend.train_from_iterator(texts, trainer)
        model = json.loads(backend.to_str())["model"]
        tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
        self.set_vocabulary(tokens, [(one, other) for one, other in model["merges"]])

    def encode(self, text: str) -> Encoding:
        """Split a text into tokens; see `Tokenizer`."""
        found = self._backend.encode(text, add_special_tokens=False)
        return Encoding(tuple(found.tokens), tuple(found.ids), tuple(found.offsets))

    def decode(self, tokens: Sequence[str]) -> str:
        """Join tokens; bytes that form no character become U+FFFD."""
        shown = [f"{MARK}{UNK}" if one == UNK else one for one in tokens if one not in _LEFT_OUT]
        return str(_library().decoders.ByteLevel().decode(shown)).strip()

    def _learned(self) -> dict[str, Any]:
        return {"merges": self._merges}

    def load(self, folder: str | Path) -> None:
        """Load the vocabulary and the merges; see `Tokenizer`."""
        path = Path(folder) / FILE
        saved = read_vocabulary(path, SCHEMA, self.config.lower, self.config.vocab_size)
        if saved.merges is None:
            raise InputError(f"{path} holds no merges.")
        try:
            self.set_vocabulary(list(saved.tokens), list(saved.merges))
        except Exception as error:  # whatever the library makes of merges that do not fit the tokens
            raise InputError(f"{path} holds merges that do not fit its tokens ({error}).") from error

    def set_vocabulary(self, tokens: list[str], merges: list[Merge]) -> None:
        """Replace the vocabulary.

        Args:
            tokens: All tokens by id; the special tokens come first.
            merges: Pairs to merge, in order.

        Raises:
            Exception: Whatever the `tokenizers` library raises for merges that do not fit the tokens.
        """
        self._tokens, self._merges = tuple(tokens), merges
        self._begins = np.array([text.startswith(MARK) or text in SPECIAL_TOKENS for text in tokens], dtype=np.bool_)
        # The special tokens stay out of the encoder's reach: who writes "<s>" gets the tokens of its characters.
        numbers = {piece: number for number, piece in enumerate(tokens) if number >= len(SPECIAL_TOKENS)}
        self._backend = self._backend_of(_library().models.BPE(vocab=numbers, merges=merges))

    def _backend_of(self, model: Any) -> Any:
        package = _library()
        backend = package.Tokenizer(model)
        if self.config.lower:
            backend.normalizer = package.normalizers.Lowercase()
        backend.pre_tokenizer = package.pre_tokenizers.Sequence(
            [package.pre_tokenizers.WhitespaceSplit(), package.pre_tokenizers.ByteLevel(add_prefix_space=True)]
        )
        return backend


def _alphabet() -> list[str]:
    """Return a visible character for each byte (Radford et al. 2019)."""
    return sorted(_library().pre_tokenizers.ByteLevel.alphabet())


def _library() -> Any:
    return library("The tokenizer 'subwords'", ", or take --set tokenizer.kind=words")
