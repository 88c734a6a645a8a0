"""Tokenizers of parts of words: what they share, and their vocabularies as JSON files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError
from nutgraf.runtime.files import write_text
from nutgraf.runtime.metadata import read_record
from nutgraf.tokenizers import SPECIAL_TOKENS, Tokenizer


class PieceTokenizer(Tokenizer):
    """Tokenizer of parts of words, whose vocabulary is replaced as a whole."""

    schema: ClassVar[str]
    """Schema of its file."""

    _tokens: tuple[str, ...]
    _begins: npt.NDArray[np.bool_]

    @property
    def tokens(self) -> Sequence[str]:
        """All tokens, by id."""
        return self._tokens

    @property
    def begins_word(self) -> npt.NDArray[np.bool_]:
        """True for tokens that begin a word."""
        return self._begins

    def save(self, folder: str | Path) -> None:
        """Write the vocabulary; see `Tokenizer`."""
        known = {"schema": self.schema, "lower": self.config.lower, "tokens": self._tokens, **self._learned()}
        write_text(Path(folder) / self.file, json.dumps(known, ensure_ascii=False))

    def _learned(self) -> dict[str, Any]:
        """Return what else the file keeps."""
        return {}


def library(what: str, instead: str = "") -> Any:
    """Return the package tokenizers. Raises InputError if it is not installed."""
    try:
        import tokenizers
        import tokenizers.decoders
        import tokenizers.models
        import tokenizers.normalizers
        import tokenizers.pre_tokenizers
        import tokenizers.trainers
    except ImportError as error:
        raise InputError(f"{what} needs the package tokenizers: run pip install 'nutgraf[neural]'{instead}.") from error
    return tokenizers


@dataclass(frozen=True)
class SavedVocabulary:
    """A vocabulary in its file."""

    schema: str
    lower: bool
    tokens: tuple[str, ...]
    merges: tuple[tuple[str, str], ...] | None = None


def read_vocabulary(path: Path, schema: str, lower: bool, size: int) -> SavedVocabulary:
    """Read a vocabulary. Raises InputError if the file does not hold one that fits."""
    saved = read_record(path, SavedVocabulary, "a tokenizer that this program wrote")
    tokens = saved.tokens
    fits = (saved.schema, saved.lower) == (schema, lower) and len(tokens) <= size
    if not fits or tokens[: len(SPECIAL_TOKENS)] != SPECIAL_TOKENS or len(set(tokens)) < len(tokens):
        raise InputError(
            f"{path} holds {len(tokens)} tokens ({saved.schema}, lower = {saved.lower}), which does not fit: {schema}, "
            f"lower = {lower} and at most {size} tokens are needed."
        )
    return saved
