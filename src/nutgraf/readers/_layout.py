"""The reading order of a page: pieces of text become lines, and lines columns, by the white space between them.

A gutter is a strip that lines begin behind, and that no line of a stretch of the page crosses. The page is cut at the
gutter that parts most lines: where lines cross it, the page is read from top to bottom; between them, what stands left
of it comes before what stands right of it. Each side is cut in the same way, until there is no gutter. So a title over
two columns, a page that begins with one column and goes on in three, and a box beside the text are one case.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median, median_low

from nutgraf.readers._drawn import Piece

APART = 0.8
"""Pieces on a baseline that are farther apart, in shares of the size of their font, belong to different lines."""

WORD = 0.1
"""Pieces that are farther apart, in the same unit, are different words; kerning moves letters by less."""

PLACED_WORD = 0.05
"""The same where most gaps are wider than `BLANK`, as where a program that recognized text placed each word."""

BLANK = 0.15
"""Gap, in the same unit, that is a blank for certain."""

LEVEL = 0.45
"""Baselines that differ by less, in the same unit, are one: those of raised marks, and of skewed scans."""

GUTTER = 0.7
"""Minimum width of a gutter, in the same unit."""

FEWEST = 3
"""Minimum number of lines on each side of a gutter."""

PROSE = 7.0
"""Mean length of the lines of a column, in the same unit, from which it is running text and not cells of a table."""

MOST_GUTTERS = 8
"""Number of places that are tried for a gutter, those where most lines begin."""

DEEPEST = 8
"""Maximum number of cuts within cuts."""

RAISED, LOWERED = "\x02", "\x03"
"""Marks around raised letters, such as those that refer to a note."""


@dataclass(slots=True)
class Line:
    """A line of a column, or a cell of a table; lengths are in points.

    Attributes:
        text: Its text, with `RAISED` and `LOWERED` around raised letters.
        x: Its left end.
        end: Its right end.
        y: Its baseline, upwards.
        size: Size of most of its letters.
        bold: True if most of its letters are bold.
    """

    text: str
    x: float
    end: float
    y: float
    size: float
    bold: bool = False


Row = list[Line]


def page_rows(pieces: Sequence[Piece]) -> list[list[Row]]:
    """Rows of lines that are level, from top to bottom: those of most letters' direction first, then of the others."""
    groups: defaultdict[int, list[Piece]] = defaultdict(list)
    for piece in pieces:
        groups[round(piece.angle / 90) % 4].append(piece)
    ordered = sorted(groups.values(), key=lambda group: -sum(len(piece.text) for piece in group))
    return [_rows(_upright(group)) for group in ordered]


@dataclass(slots=True)
class _Placed:
    """A piece on a page that is turned so that its lines are level."""

    text: str
    x: float
    end: float
    y: float
    size: float
    bold: bool


def _upright(pieces: Sequence[Piece]) -> list[_Placed]:
    quarter = 90.0 * round(pieces[0].angle / 90)
    total = sum(piece.length for piece in pieces) or 1.0
    off = sum(piece.length * ((piece.angle - quarter + 180) % 360 - 180) for piece in pieces) / total
    across, up = math.cos(math.radians(quarter + off)), math.sin(math.radians(quarter + off))
    placed = []
    for piece in pieces:
        x, y = piece.x * across + piece.y * up, piece.y * across - piece.x * up
        placed.append(_Placed(piece.text, x, x + piece.length, y, piece.size, piece.bold))
    return placed


def _goes_on(last: _Placed, y: float, piece: _Placed) -> bool:
    """Return True if a piece goes on with the line at `y` that ends with another."""
    em = max(last.size, piece.size)
    return abs(piece.y - y) < LEVEL * em and -LEVEL * em < piece.x - last.end < APART * em


def _rows(pieces: Iterable[_Placed]) -> list[Row]:
    """Join pieces into lines: at first those that are drawn one after the other, then those that meet on a row."""
    runs: list[list[_Placed]] = []
    y = 0.0
    for piece in pieces:
        if runs and _goes_on(runs[-1][-1], y, piece):
            runs[-1].append(piece)
            y = piece.y if piece.size > runs[-1][0].size else y
        else:
            runs.append([piece])
            y = piece.y
    runs.sort(key=lambda run: -run[0].y)
    rows: list[list[list[_Placed]]] = []
    y = size = 0.0
    for run in runs:
        if rows and y - run[0].y < 0.5 * max(size, run[0].size):
            rows[-1].append(run)
        else:
            rows.append([run])
            y, size = run[0].y, run[0].size
    return [list(map(_line, _joined(row))) for row in rows]


def _joined(row: list[list[_Placed]]) -> list[list[_Placed]]:
    row.sort(key=lambda run: run[0].x)
    joined = [row[0]]
    for run in row[1:]:
        if _goes_on(joined[-1][-1], joined[-1][-1].y, run[0]):
            joined[-1].extend(run)
        else:
            joined.append(run)
    return joined


def _line(run: Sequence[_Placed]) -> Line:
    """Join the pieces of a line, with blanks where they are apart."""
    if len(run) == 1:
        only = run[0]
        return Line(only.text.strip(), only.x, only.end, only.y, only.size, only.bold)
    longest = max(run, key=lambda piece: len(piece.text))
    size = median_low([piece.size for piece in run for _ in range(min(9, len(piece.text)))])
    main = longest if longest.size >= size else max(run, key=lambda piece: piece.size)
    word = _word_space(run)
    texts: list[str] = []
    last = None
    for piece in run:
        text = piece.text
        if last is not None and (
            last.text[-1].isspace() or text[0].isspace() or piece.x - last.end > word * min(last.size, piece.size)
        ):
            texts.append(" ")
        letters = text.strip()
        if len(letters) <= 3 and piece.size < 0.85 * size and piece.y - main.y > 0.15 * size:
            letters = f"{RAISED}{letters}{LOWERED}"
        texts.append(letters)
        last = piece
    bold = 2 * sum(len(piece.text) for piece in run if piece.bold) > sum(len(piece.text) for piece in run)
    return Line("".join(texts), run[0].x, max(piece.end for piece in run), main.y, size, bold)


def _word_space(run: Sequence[_Placed]) -> float:
    """Gap that parts words, in shares of the size."""
    mean = sum(len(piece.text.strip()) for piece in run) / len(run)
    usual = median((piece.x - last.end) / piece.size for last, piece in itertools.pairwise(run))
    if mean <= 1.5 and len(run) >= 6:
        return max(WORD, 1.6 * usual)  # letters, perhaps set apart
    return PLACED_WORD if usual >= BLANK else WORD


def arrange(rows: Iterable[Row]) -> list[list[Line]]:
    """Columns of a page in the order in which they are read, each from top to bottom."""
    return list(_arrange([line for row in rows for line in row], 0))


def _arrange(lines: list[Line], depth: int) -> Iterator[list[Line]]:
    stretches = _best_cut(lines) if depth < DEEPEST else []
    if not stretches:
        yield lines
        return
    for left, right in stretches:
        yield from _arrange(left, depth + 1)
        if right:
            yield from _arrange(right, depth + 1)


Stretch = tuple[list[Line], list[Line]]
"""Lines left and right of a gutter; all are left where there is none."""


def _best_cut(lines: list[Line]) -> list[Stretch]:
    """Stretches of the page, from top to bottom, at the gutter that parts most lines; [] if no gutter does."""
    if len(lines) < 2 * FEWEST:
        return []
    em = median_low([line.size for line in lines])
    best: list[Stretch] = []
    most = 0
    for edge in _edges(lines, em):
        stretches = _cut(lines, edge, em)
        parted = sum(len(left) + len(right) for left, right in stretches if right)
        if parted > most:
            best, most = stretches, parted
    return best


def _edges(lines: Sequence[Line], em: float) -> list[float]:
    """Where many lines begin: the left edges of columns."""
    starts = sorted(line.x for line in lines)
    edges: list[tuple[int, float]] = []
    count, first, last = 0, starts[0], starts[0]
    for x in [*starts, math.inf]:
        if x - last > 0.3 * em:
            edges.append((count, first))
            count, first = 0, x
        count, last = count + 1, x
    found = sorted(edges[1:], reverse=True)[:MOST_GUTTERS]
    return [first - 0.05 * em for count, first in found if count >= FEWEST]


def _cut(lines: Iterable[Line], edge: float, em: float) -> list[Stretch]:
    """Part the lines at a gutter that ends at an edge."""
    stretches: list[Stretch] = []
    whole: list[Line] = []
    between: list[Line] = []
    for line in [*lines, None]:
        if line is not None and not (line.x < edge and line.end > edge - GUTTER * em):
            between.append(line)
            continue
        left = [each for each in between if each.x < edge]
        right = [each for each in between if each.x >= edge]
        if _are_columns(left, right):
            over, other, under = _above(left, right), _above(right, left), _below(left, right) if line else 0
            stretches.append(([*whole, *left[:over], *right[:other]], []))
            stretches.append((left[over : len(left) - under], right[other:]))
            whole = left[len(left) - under :]
        else:
            whole.extend(between)
        between = []
        if line is not None:
            whole.append(line)
    return [stretch for stretch in [*stretches, (whole, [])] if stretch[0]]


def _are_columns(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Return True for running text on both sides of a gutter, beside each other."""
    if len(left) < FEWEST or len(right) < FEWEST:
        return False
    beside = min(left[0].y, right[0].y) - max(left[-1].y, right[-1].y)
    return beside > left[0].size and _is_prose(left) and _is_prose(right)


def _is_prose(lines: Sequence[Line]) -> bool:
    return sum((line.end - line.x) / line.size for line in lines) >= PROSE * len(lines)


def _usual_step(lines: Sequence[Line]) -> float:
    steps = [above.y - line.y for above, line in itertools.pairwise(lines)]
    return median([step for step in steps if step > LEVEL * lines[0].size] or [math.inf])


def _above(side: Sequence[Line], other: Sequence[Line]) -> int:
    """Number of first lines of a side that stand apart, above the other side: they belong to what is over both."""
    usual = _usual_step(side)
    for index in range(1, len(side)):
        if side[index - 1].y <= other[0].y + LEVEL * side[0].size:
            break
        if side[index - 1].y - side[index].y > 1.5 * usual:
            return index
    return 0


def _below(side: Sequence[Line], other: Sequence[Line]) -> int:
    """Number of last lines of a side that stand apart, below the other side: they belong to what is under both."""
    usual = _usual_step(side)
    for index in range(len(side) - 1, 0, -1):
        if side[index].y >= other[-1].y - LEVEL * side[0].size:
            break
        if side[index - 1].y - side[index].y > 1.5 * usual:
            return len(side) - index
    return 0
