"""Tokenizers of parts of words: what they share, and their vocabularies as JSON files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError
from nutgraf.metadata import read_object
from nutgraf.tokenizers import SPECIAL_TOKENS, Tokenizer


class PieceTokenizer(Tokenizer):
    """Tokenizer of parts of words, whose vocabulary is replaced as a whole."""

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


def library(what: str, instead: str = "") -> Any:
    """Return the package tokenizers.

    Raises:
        InputError: If it is not installed.
    """
    try:
        import tokenizers
        import tokenizers.models
        import tokenizers.normalizers
        import tokenizers.pre_tokenizers
        import tokenizers.trainers
    except ImportError as error:
        raise InputError(f"{what} needs the package tokenizers: run pip install 'nutgraf[neural]'{instead}.") from error
    return tokenizers


def read_vocabulary(path: Path, schema: str, lower: bool, size: int) -> tuple[list[str], dict[str, Any]]:
    """Read a vocabulary and the rest of its file.

    Raises:
        InputError: If the file does not hold a vocabulary that fits.
    """
    shape = {"schema": str, "lower": bool, "tokens": [str], "merges?": [[str]]}
    known = read_object(path, shape, "a tokenizer that this program wrote")
    form, tokens = (known["schema"], known["lower"]), known["tokens"]
    fits = form == (schema, lower) and len(tokens) <= size
    if not fits or tuple(tokens[: len(SPECIAL_TOKENS)]) != SPECIAL_TOKENS or len(set(tokens)) < len(tokens):
        raise InputError(
            f"{path} holds {len(tokens)} tokens ({form[0]}, lower = {form[1]}), which does not fit: {schema}, "
            f"lower = {lower} and at most {size} tokens are needed."
        )
    return tokens, known
