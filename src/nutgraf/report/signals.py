"""Signals of the source words: strips along the source, and the words themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from nutgraf.report.heat import shades
from nutgraf.text.document import Document
from nutgraf.text.summary import SourceSignals
from nutgraf.text.tokenize import flatten
from nutgraf.text.vectors import Array

COLUMNS = 120
"""Cells of a strip at most; each stands for as many words in a row."""

LEVELS = 9
"""Shades of a word, beside none."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Cell of a strip."""

    x: int
    """Column of the cell."""

    shade: float
    """Shade, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Strip:
    """Drawing of a signal over the source, from its first word to its last."""

    name: str
    columns: int
    cells: tuple[Cell, ...]
    caption: str


@dataclass(frozen=True, slots=True)
class Shaded:
    """Adjacent words with the same shade."""

    text: str
    """The words."""

    level: int
    """Shade, from 0 to `LEVELS`."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Signal of a network for each source word, as the page shows it."""

    name: str
    about: str
    strips: tuple[Strip, ...]
    words: tuple[Shaded, ...]


def measures_of(signals: SourceSignals, document: Document) -> list[Measure]:
    """Return the measures of a page, in the order in which a network computes them."""
    texts = [_text(signals, document, number) for number in range(len(signals.places))]
    return list(_measures(signals, texts)) if texts else []


def _measures(signals: SourceSignals, texts: Sequence[str]) -> Iterator[Measure]:
    if signals.gate is not None:
        least, most = signals.gate.min(), signals.gate.max()
        yield Measure(
            "Gate",
            f"How much of each word the gate lets through to the decoder: from {least:.2f}, white, to {most:.2f}.",
            (_strip("gate", signals.gate, f"{signals.gate.mean():.2f} in the mean", least),),
            _shaded(texts, signals.gate - least),
        )
    if signals.centrality is not None:
        top = signals.centrality.argmax()
        yield Measure(
            "Centrality",
            "How central each word is in the network's self-attention over the source, and so how likely to be copied.",
            (_strip("centrality", signals.centrality, f"at most {signals.centrality[top]:.3f}"),),
            _shaded(texts, signals.centrality),
        )
    if signals.coverage is not None:
        yield Measure(
            "Coverage",
            "Where the network looks when it writes the summary: each strip shows all that was looked at by the end of "
            "a sentence, and the share of the source that this is; the words show it at the end of the summary.",
            tuple(
                _strip(f"sentence {number}", row, f"{share:.1%}", top=float(_binned(signals.coverage[-1]).max()))
                for number, (row, share) in enumerate(zip(signals.coverage, signals.covered, strict=True), 1)
            ),
            _shaded(texts, signals.coverage[-1]),
        )


def _strip(name: str, values: Array, caption: str, least: float = 0.0, top: float | None = None) -> Strip:
    """Return the drawing of a signal over the source; `top` is the darkest value, by default the greatest."""
    binned = _binned(values) - least
    most = float(binned.max()) if top is None else top
    cells = (Cell(at, round(float(shade), 2)) for at, shade in enumerate(shades(binned, most)))
    return Strip(name, len(binned), tuple(cell for cell in cells if cell.shade), caption)


def _binned(values: Array) -> Array:
    """The means of at most `COLUMNS` stretches of nearly equal length."""
    return np.array([part.mean() for part in np.array_split(values, min(COLUMNS, len(values)))])


def _shaded(texts: Sequence[str], values: Array) -> tuple[Shaded, ...]:
    levels = np.rint(shades(values, float(values.max())) * LEVELS).astype(int).tolist()
    pairs = zip(levels, texts, strict=True)
    return tuple(
        Shaded(" ".join(text for _, text in group), level) for level, group in groupby(pairs, lambda pair: pair[0])
    )


def _text(signals: SourceSignals, document: Document, number: int) -> str:
    place = signals.places[number]
    base = document.parts[place.source].start
    return flatten(document.text[base + place.start : base + place.end])
