"""An encoder's attention as a small heat map: one layer and one head at a time, the others waiting as letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nutgraf.text.summary import Attention
from nutgraf.text.tokenize import flatten

CELL = 14
"""Width of a cell."""

LETTER = 6
"""Width of a letter, about."""

LONGEST = 15
"""Characters of a word that are shown."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
"""Shades from none to full: one letter a cell."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Attention weight of one word (row y) on another (column x), as a shade from 0 to 1."""

    x: int
    y: int
    shade: float


@dataclass(frozen=True, slots=True)
class Label:
    """A word at the edge, and where its cells begin."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Block:
    """A square of cells, of the words in one key phrase."""

    at: int
    size: int


@dataclass(frozen=True, slots=True)
class Heat:
    """The drawing of a page.

    Attributes:
        margin: Room for the words beside the cells.
        maps: All weights, layer by layer, head by head, row by row, as `LETTERS`.
        cells: Cells of the first layer and head.
        tops: Greatest weight of each map.
    """

    margin: int
    size: int
    positions: int
    layers: int
    heads: int
    labels: tuple[Label, ...]
    blocks: tuple[Block, ...]
    cells: tuple[Cell, ...]
    tops: tuple[float, ...]
    maps: str


def heat_of(attention: Attention) -> Heat:
    """Return the map of an attention. A weight is darker the nearer it is to the greatest of its map."""
    layers, heads, rows, _ = attention.weights.shape
    tops = attention.weights.max(axis=(2, 3), keepdims=True)
    levels = np.rint(shades(attention.weights, tops) * (len(LETTERS) - 1)).astype(int)
    first = levels[0, 0] / (len(LETTERS) - 1)
    words = [_short(word) for word in attention.words]
    margin = CELL + LETTER * max(map(len, words))
    return Heat(
        margin=margin,
        size=margin + CELL * rows,
        positions=attention.positions,
        layers=layers,
        heads=heads,
        labels=tuple(Label(word, margin + CELL * row) for row, word in enumerate(words)),
        blocks=tuple(Block(margin + CELL * start, CELL * (end - start)) for start, end in attention.phrases),
        cells=tuple(
            Cell(margin + CELL * column, margin + CELL * row, round(float(first[row, column]), 3))
            for row in range(rows)
            for column in range(rows)
        ),
        tops=tuple(round(top, 4) for top in tops.ravel().tolist()),
        maps="".join(LETTERS[level] for level in levels.ravel().tolist()),
    )


def shades(values: NDArray[Any], top: NDArray[Any] | float) -> NDArray[Any]:
    """Return shades from 0 to 1: the root of each value's share in the greatest, so that small ones are seen, too.

    Values are not negative; where the greatest is 0, so is the shade.
    """
    known = np.greater(top, 0)
    shares = np.where(known, values / np.where(known, top, 1.0), 0.0)
    return np.sqrt(np.clip(shares, 0.0, 1.0))


def _short(word: str) -> str:
    shown = flatten(word)
    return shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"
