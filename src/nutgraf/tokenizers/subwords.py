"""Pieces of words: byte-pair encoding (Sennrich, Haddow and Birch 2016) over bytes, so that every text can be encoded.

The pieces are learned from the corpus by Hugging Face's `tokenizers`. A piece that begins a word is marked with "Ġ",
which stands for the space before it; white space itself is no piece. What is kept is plain JSON: the pieces and the
merges.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError
from nutgraf.files import write_text
from nutgraf.text.vocabulary import UNK
from nutgraf.tokenizers import SPECIALS, Encoding, Tokenizer
from nutgraf.tokenizers._saved import read_pieces

SCHEMA = "nutgraf.subwords/1"
FILE = "subwords.json"

MARK = "Ġ"
"""What a piece that begins a word begins with."""

_BYTES = 256

Merge = tuple[str, str]


@dataclass(frozen=True)
class Config:
    """Byte-pair encoding."""

    vocab_size: int = 12_000
    """Largest number of tokens, the 256 bytes and the special tokens included."""

    lower: bool = True
    """Lowercase the text."""

    min_frequency: int = 2
    """How often a pair of pieces must occur to be merged."""

    def __post_init__(self) -> None:
        if self.vocab_size < len(SPECIALS) + _BYTES:
            raise ValueError(f"vocab_size must be {len(SPECIALS) + _BYTES} or more, not {self.vocab_size}.")
        if self.min_frequency < 1:
            raise ValueError(f"min_frequency must be 1 or more, not {self.min_frequency}.")


class Subwords(Tokenizer):
    """Pieces of words; those of a rare word are letters in the worst case, so none is unknown."""

    file = FILE

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()
        self.know([*SPECIALS, *sorted(_from_byte().values())], [])

    @property
    def tokens(self) -> Sequence[str]:
        """See Tokenizer."""
        return self._tokens

    @property
    def begins_word(self) -> npt.NDArray[np.bool_]:
        """Those that are marked, and the special ones."""
        return self._begins

    def train(self, texts: Iterable[str]) -> None:
        """See Tokenizer. The same texts in the same order give the same pieces."""
        library = _library()
        backend = self._backend_of(library.models.BPE())
        trainer = library.trainers.BpeTrainer(
            vocab_size=self.config.vocab_size,
            min_frequency=self.config.min_frequency,
            special_tokens=list(SPECIALS),
            initial_alphabet=sorted(_from_byte().values()),
            show_progress=False,
        )
        backend.train_from_iterator(texts, trainer)
        model = json.loads(backend.to_str())["model"]
        pieces = sorted(model["vocab"], key=model["vocab"].__getitem__)
        self.know(pieces, [(one, other) for one, other in model["merges"]])

    def encode(self, text: str) -> Encoding:
        """See Tokenizer."""
        found = self._backend.encode(text, add_special_tokens=False)
        return Encoding(tuple(found.tokens), tuple(found.ids), tuple(found.offsets))

    def decode(self, texts: Sequence[str]) -> str:
        """See Tokenizer. Bytes that make no character become U+FFFD."""
        shown = b"".join(_bytes_of(text) for text in texts)
        return shown.decode("utf-8", "replace").strip()

    def save(self, folder: str | Path) -> None:
        """See Tokenizer."""
        known = {"schema": SCHEMA, "lower": self.config.lower, "tokens": self._tokens, "merges": self._merges}
        write_text(Path(folder) / FILE, json.dumps(known, ensure_ascii=False))

    def load(self, folder: str | Path) -> None:
        """See Tokenizer."""
        path = Path(folder) / FILE
        pieces, known = read_pieces(path, SCHEMA, self.config.lower, self.config.vocab_size)
        try:
            self.know(pieces, [(str(one), str(other)) for one, other in known["merges"]])
        except Exception as error:  # whatever the library makes of merges that do not fit the pieces
            raise InputError(f"{path} holds merges that do not fit its pieces ({error}).") from error

    def know(self, pieces: list[str], merges: list[Merge]) -> None:
        """Take these pieces, in their order, and these merges; the pieces begin with the special ones. Whatever the
        library makes of merges that do not fit them, it raises."""
        self._tokens, self._merges = tuple(pieces), merges
        self._begins = np.array([text.startswith(MARK) or text in SPECIALS for text in pieces], dtype=np.bool_)
        # The special pieces stay out of the encoder's reach: who writes "<s>" gets the pieces of its characters.
        numbers = {piece: number for number, piece in enumerate(pieces) if number >= len(SPECIALS)}
        self._backend = self._backend_of(_library().models.BPE(vocab=numbers, merges=merges))

    def _backend_of(self, model: Any) -> Any:
        library = _library()
        backend = library.Tokenizer(model)
        if self.config.lower:
            backend.normalizer = library.normalizers.Lowercase()
        backend.pre_tokenizer = library.pre_tokenizers.Sequence(
            [library.pre_tokenizers.WhitespaceSplit(), library.pre_tokenizers.ByteLevel(add_prefix_space=True)]
        )
        return backend


def _bytes_of(text: str) -> bytes:
    if text == UNK:
        return f" {UNK}".encode()
    return b"" if text in SPECIALS else bytes(_to_byte()[character] for character in text)


@cache
def _from_byte() -> dict[int, str]:
    """A character that can be seen for every byte: itself where it is one, else one from U+0100 on (Radford et al.
    2019)."""
    seen = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    hidden = [byte for byte in range(_BYTES) if byte not in seen]
    return {byte: chr(byte) for byte in seen} | {byte: chr(_BYTES + rank) for rank, byte in enumerate(hidden)}


@cache
def _to_byte() -> dict[str, int]:
    return {character: byte for byte, character in _from_byte().items()}


def _library() -> Any:
    try:
        import tokenizers
        import tokenizers.models
        import tokenizers.normalizers
        import tokenizers.pre_tokenizers
        import tokenizers.trainers
    except ImportError as error:
        raise InputError(
            "The tokenizer 'subwords' needs the package tokenizers: run pip install 'nutgraf[neural]', "
            "or take --set tokenizer.kind=words."
        ) from error
    return tokenizers
