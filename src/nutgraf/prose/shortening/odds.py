"""Odds that people leave out a piece, from its kind, length and place: a logistic regression on pairs of sentences.

Its weights are in `odds.json`; `nutgraf.preparation.pieces.make` finds the pairs and makes them.
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


def rate(sentences: Sequence[tuple[str, Sequence[Piece]]]) -> list[list[float]]:
    """Return the probability that each piece of each sentence may go, as `shorten` asks for it."""
    return [[_probability(row) for row in features_of(text, found)] for text, found in sentences]


def _probability(row: Sequence[float]) -> float:
    bias, weights = _weights()
    return 1 / (1 + math.exp(-bias - sum(map(float.__mul__, weights, row))))
