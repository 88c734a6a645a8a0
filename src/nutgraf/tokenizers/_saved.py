"""Pieces as they are kept: one file of plain JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nutgraf.errors import InputError
from nutgraf.metadata import read_object
from nutgraf.tokenizers import SPECIALS


def read_pieces(path: Path, schema: str, lower: bool, size: int) -> tuple[list[str], dict[str, Any]]:
    """The pieces of a file, and all that it says. Raises InputError if they are not those of such a tokenizer."""
    shape = {"schema": str, "lower": bool, "tokens": [str], "merges?": [[str]]}
    known = read_object(path, shape, "a tokenizer that this program wrote")
    said, pieces = (known["schema"], known["lower"]), known["tokens"]
    fits = said == (schema, lower) and len(pieces) <= size
    if not fits or tuple(pieces[: len(SPECIALS)]) != SPECIALS or len(set(pieces)) < len(pieces):
        raise InputError(
            f"{path} holds {len(pieces)} pieces ({said[0]}, lower = {said[1]}), which does not fit: {schema}, "
            f"lower = {lower} and at most {size} pieces are needed."
        )
    return pieces, known
