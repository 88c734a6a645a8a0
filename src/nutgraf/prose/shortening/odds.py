"""Odds that a piece may go, from its kind, length and place: a logistic regression on what readers said of pieces.

A piece may go if the rest is grammatical and keeps the meaning. The weights are in `odds.json`;
`benchmarks/shortening.py --training OUT --odds` makes them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from nutgraf.prose.shortening.features import features_of
from nutgraf.prose.shortening.pieces import Piece


@cache
def _weights() -> tuple[float, list[float]]:
    read = json.loads((files(__package__) / "odds.json").read_text("utf-8"))
    return read["bias"], read["weights"]


def log_odds(text: str, found: Sequence[Piece]) -> list[float]:
    """Return the log odds that each piece of a sentence may go."""
    bias, weights = _weights()
    return [bias + sum(map(float.__mul__, weights, row)) for row in features_of(text, found)]


def rate(sentences: Sequence[tuple[str, Sequence[Piece]]]) -> list[list[float]]:
    """Return the probability that each piece of each sentence may go, as `shorten` asks for it."""
    return [[1 / (1 + math.exp(-value)) for value in log_odds(text, found)] for text, found in sentences]
