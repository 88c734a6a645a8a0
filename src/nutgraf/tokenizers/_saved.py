"""Vocabularies of subword tokenizers as JSON files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nutgraf.errors import InputError
from nutgraf.metadata import read_object
from nutgraf.tokenizers import SPECIAL_TOKENS


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
