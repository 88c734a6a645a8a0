"""Numbers that are known of a piece without reading it: its kind, its length and place, names and figures in it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from nutgraf.prose.shortening.pieces import KINDS, Piece

_NAME, _FIGURE = re.compile(r"(?<=\s)[A-Z]"), re.compile(r"\d")

LONG = 40
"""Number of words by which lengths are divided."""

WIDTH = len(KINDS) + 6
"""Number of features of a piece."""


def features_of(text: str, pieces: Sequence[Piece]) -> list[list[float]]:
    """Return the features of the pieces of a sentence: which of `KINDS` each is, then six numbers from about 0 to 1.

    These are its words and those of the sentence (both in units of `LONG`), its share of the words, where it begins,
    and whether a name or a figure is in it.
    """
    words = max(1, len(text.split()))
    return [_features(text, one, words) for one in pieces]


def _features(text: str, piece: Piece, words: int) -> list[float]:
    inside = text[piece.start : piece.end]
    size = len(inside.split())
    return [
        *(float(kind == piece.kind) for kind in KINDS),
        math.log1p(size) / math.log1p(LONG),
        math.log1p(words) / math.log1p(LONG),
        size / words,
        piece.start / max(1, len(text)),
        float(_NAME.search(inside) is not None),
        float(_FIGURE.search(inside) is not None),
    ]
