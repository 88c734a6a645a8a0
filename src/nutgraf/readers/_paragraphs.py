"""Paragraphs of pages: the lines of their columns joined, where a line does not end one.

A paragraph that a column, a page, a figure or a note interrupts goes on in the next text of its size. Words that a line
end divides are joined as the text itself or a dictionary of English has them.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median

from nutgraf.readers._layout import LEVEL, LOWERED, PROSE, RAISED, Line
from nutgraf.text.blocks import Block
from nutgraf.text.dictionary import is_common, is_english
from nutgraf.text.language import recognize
from nutgraf.text.late import Late
from nutgraf.text.paragraphs import is_coordinating

SAME_SIZE = 0.12
"""Sizes of fonts that differ by a smaller share are one: those of scans are measured."""

LARGE = 1.15
"""A short paragraph whose font is larger than that of most text, by this factor, is a heading."""

LONGEST_HEADING = 20
"""Maximum number of words of a heading."""

FARTHEST = 40
"""Number of paragraphs within which an interrupted one goes on."""

_HYPHENS = "-\u2010\u00ad"
_BROKEN = Late(rf"\b(\w+)[{_HYPHENS}]$")
_WORD = Late(r"\w+(?:-\w+)*")
_ENDED = Late(r"[.!?…:][\"'”’»)\]]*$")
_NUMBERED = Late(r"(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,4}\.|[A-H]\.)\s+[A-Z][a-z]")
_CAPITALS = Late(r"(?:[\dIVX]{1,4}\.\s+)?[^\W\da-z]{2}[^a-z{}<>=]*")
_BULLET = Late(r"[•‣▪◦]\s")
_ITEM = Late(r"(?:[*–-]|\(?[a-z\d]{1,2}[.)])\s|\d{1,2}(?:\.\d{1,2})*\.?\s+[A-Z]")
_LABEL = Late(r"[•‣▪◦*–-]|\(?[a-zA-Z\d]{1,3}[.)]|(?:\d{1,2}\.)*\d{1,2}\.?|\[[xX ]?\]")
_CAPTION = Late(
    r"(?:fig|tab|abb|image|photo|box|chart|tableau|tabla|tabelle|cuadro|gráfico)[a-z]*\.?\s*\d", re.IGNORECASE
)
_MARK = Late(f"{RAISED}([^{LOWERED}]*){LOWERED}")
_NOTE = Late(rf"(?:{RAISED}([^{LOWERED}]*){LOWERED}|(\d{{1,3}}|[*∗†‡§¶]+))\s*")
_COMMON_HEADINGS = {
    "abstract", "acknowledgements", "acknowledgments", "appendix", "background", "conclusion", "conclusions",
    "discussion", "introduction", "methods", "references", "related work", "results", "summary",
}  # fmt: skip

Titles = Mapping[int, frozenset[str]]
"""Titles that the outline of the file has on a page, by its index, as `plain` writes them."""


@dataclass(slots=True)
class Paragraph:
    """Lines that belong together, on one page or several.

    Attributes:
        lines: The lines, each with the index of its page.
        size: Size of the font.
        kind: "text", "heading" or "row" of a table.
        full: True if the last line reaches to the end of its column.
    """

    lines: list[tuple[str, int]]
    size: float
    kind: str = "text"
    full: bool = False

    @property
    def first(self) -> str:
        """Its first line."""
        return self.lines[0][0]

    @property
    def last(self) -> str:
        """Its last line."""
        return self.lines[-1][0]


def plain(title: str) -> str:
    """A title without case, blanks and marks, to be compared."""
    return "".join(re.findall(r"[^\W_]", title.casefold()))


def blocks_of(pages: Sequence[Sequence[Sequence[Line]]], language: str | None, titles: Titles) -> Iterator[Block]:
    """Paragraphs and headings of pages, each of which is its columns in order."""
    body = _body_size(line for page in pages for column in page for line in column)
    found: list[Paragraph] = []
    for number, page in enumerate(pages):
        own = [paragraph for column in page for paragraph in _column(column, number, body, titles)]
        _resolve_marks(own, body)
        found.extend(own)
    joined = _in_flow(found)
    divisions = Divisions([line for paragraph in joined for line, _ in paragraph.lines], language)
    begun = 0
    for paragraph in joined:
        block = _block(paragraph, begun, divisions)
        begun = max(begun, paragraph.lines[-1][1] + 1)
        yield block


def _body_size(lines: Iterable[Line]) -> float:
    """Size of the font of most letters."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(2 * line.size) / 2] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _column(lines: Sequence[Line], page: int, body: float, titles: Titles) -> Iterator[Paragraph]:
    """Paragraphs and rows of tables of a column."""
    if not lines:
        return
    text: list[Line] = []
    for cells in _table_rows(_level(lines)):
        if isinstance(cells, Line):
            text.append(cells)
            continue
        yield from _paragraphs(text, page, body, titles)
        text = []
        yield Paragraph([("\t".join(cell.text for cell in cells), page)], cells[0].size, "row")
    yield from _paragraphs(text, page, body, titles)


def _level(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines of a column that are level, from left to right; a label is joined with what it stands before."""
    rows: list[list[Line]] = []
    for line in lines:
        if rows and abs(rows[-1][0].y - line.y) < LEVEL * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        row.sort(key=lambda line: line.x)
        if len(row) > 1 and _LABEL.fullmatch(row[0].text):
            row[:2] = [_merged(row[:2])]
        if len(row) > 2 and _is_justified(row):
            row[:] = [_merged(row)]
    return rows


def _is_justified(row: Sequence[Line]) -> bool:
    """Return True for words that were set apart equally to fill the column."""
    gaps = [after.x - before.end for before, after in itertools.pairwise(row)]
    return max(gaps) < 2 * row[0].size and max(gaps) - min(gaps) < LEVEL * row[0].size


def _merged(cells: Sequence[Line]) -> Line:
    longest = max(cells, key=lambda cell: len(cell.text))
    text = " ".join(cell.text for cell in cells)
    return Line(text, cells[0].x, cells[-1].end, longest.y, longest.size, longest.bold)


def _table_rows(rows: Sequence[list[Line]]) -> Iterator[Line | list[Line]]:
    """Yield the rows of tables as their cells, and all others as one line."""
    table: list[Line] = []
    for row, after in zip(rows, [*rows[1:], []], strict=True):
        if len(row) > 1 and (_linked(row, table) or _linked(after, row) or _is_apart(row)):
            if table:
                yield table
            table = row
        elif table and _continues(row, table):
            for line in row:
                index = min(range(len(table)), key=lambda number: abs(table[number].x - line.x))
                table[index] = _merged([table[index], line])
                table[index].y = line.y
        else:
            if table:
                yield table
            table = []
            yield _merged(row) if len(row) > 1 else row[0]
    if table:
        yield table


def _linked(row: Sequence[Line], above: Sequence[Line]) -> bool:
    """Return True if a cell of a row stands below one of another row, apart from the first ones."""
    if len(row) < 2 or len(above) < 2:
        return False
    near = 0.4 * row[0].size
    starts = any(abs(a.x - b.x) < near for a in row[1:] for b in above[1:])
    return starts or any(abs(a.end - b.end) < near for a in row[1:-1] for b in above[1:])


def _is_apart(row: Sequence[Line]) -> bool:
    """Return True for short lines far from each other."""
    size = row[0].size
    gap = max(after.x - before.end for before, after in itertools.pairwise(row))
    return gap > 2.5 * size and sum(line.end - line.x for line in row) < 2 * PROSE * size * len(row)


def _continues(row: Sequence[Line], table: Sequence[Line]) -> bool:
    """Return True if a row holds what a table's last row has no room for."""
    size = row[0].size
    close = table[-1].y - row[0].y < 1.6 * size
    return close and all(any(abs(line.x - cell.x) < 0.4 * size for cell in table[1:]) for line in row)


@dataclass(slots=True)
class _Column:
    """Measures of a column of text."""

    left: float
    right: float
    step: float
    page: int
    titles: frozenset[str] = field(default_factory=frozenset)

    def is_short(self, line: Line, share: float = 0.15) -> bool:
        return line.end < self.right - share * (self.right - self.left)

    def is_gap(self, before: Line, line: Line) -> bool:
        down = before.y - line.y
        return down > 1.35 * self.step or down > 2.6 * max(before.size, line.size) or down < 0


def _paragraphs(lines: Sequence[Line], page: int, body: float, titles: Titles) -> Iterator[Paragraph]:
    """Join the lines of a column into paragraphs."""
    if not lines:
        return
    ends = sorted(line.end for line in lines)
    steps = [a.y - b.y for a, b in itertools.pairwise(lines) if 0 < a.y - b.y < 2.6 * a.size]
    column = _Column(
        min(line.x for line in lines),
        ends[len(ends) * 9 // 10],
        median(steps) if steps else 1.3 * lines[0].size,
        page,
        titles.get(page, frozenset()),
    )
    current: list[Line] = []
    heading = False
    for before, line, after in zip([None, *lines], lines, [*lines[1:], None], strict=False):
        is_heading = _is_heading(line, before, after, column)
        if before is not None and current:
            goes_on = heading and is_heading and not _differ(before, line) and not column.is_gap(before, line)
            if not goes_on and (heading or is_heading or _parts(before, line, column)):
                yield _paragraph(current, heading, column, body)
                current = []
        heading = is_heading
        current.append(line)
    yield _paragraph(current, heading, column, body)


def _paragraph(lines: Sequence[Line], heading: bool, column: _Column, body: float) -> Paragraph:
    texts = [(line.text, column.page) for line in lines]
    heading = heading or _stands_out(lines, column, body)
    return Paragraph(texts, lines[0].size, "heading" if heading else "text", not column.is_short(lines[-1], 0.25))


def _differ(before: Line, line: Line) -> bool:
    """Return True for lines in fonts of different sizes."""
    return abs(before.size - line.size) > SAME_SIZE * max(before.size, line.size)


def _parts(before: Line, line: Line, column: _Column) -> bool:
    """Return True if a paragraph ends between these lines."""
    last, first = before.text, line.text
    if _differ(before, line) or column.is_gap(before, line) or _BULLET.match(first):
        return True
    em = line.size
    short = column.is_short(before)
    if before.bold != line.bold and short and not first[0].islower():
        return True
    level = abs(before.x + before.end - line.x - line.end) < em  # both centered
    if not level and (line.x > before.x + 3 * em or (short and before.x > line.x + 4 * em)):
        return True
    if _ENDED.search(last):
        return short or line.x > before.x + 0.7 * em or _ITEM.match(first) is not None
    much = before.end - before.x < 0.6 * (column.right - column.left)
    return much and not first[0].islower() and last[-1] not in ",;" + _HYPHENS


def _is_heading(line: Line, before: Line | None, after: Line | None, column: _Column) -> bool:
    """Return True for a short separate line of the outline, numbered, in capitals, or a common heading."""
    text = line.text
    begins = before is None or _ENDED.search(before.text) is not None or _differ(before, line)
    begins = begins or column.is_gap(before, line) if before is not None else begins
    ends = after is None or not after.text[0].islower() or _differ(line, after) or column.is_gap(line, after)
    if not (begins and ends):
        return False
    if column.titles and plain(text) in column.titles:
        return True
    if _ENDED.search(text) or line.end - line.x > 0.8 * (column.right - column.left) or len(text.split()) > 12:
        return False
    named = text.lower() in _COMMON_HEADINGS
    return named or bool(_NUMBERED.match(text)) or (len(text) > 3 and bool(_CAPITALS.fullmatch(text)))


def _stands_out(lines: Sequence[Line], column: _Column, body: float) -> bool:
    """Return True for a short paragraph in a larger font, in bold letters, or of the outline."""
    text = " ".join(line.text for line in lines)
    words = text.split()
    if column.titles and plain(text) in column.titles:
        return True
    if len(words) > LONGEST_HEADING or len(lines) > 3 or not re.search(r"[^\W\d_]{2}", text):
        return False
    if min(line.size for line in lines) >= LARGE * body:
        return text[-1] not in ".,;:" and not _BULLET.match(text)
    bold = all(line.bold for line in lines) and not text[0].islower()
    return bold and len(words) <= 12 and not _ENDED.search(text) and text[-1] not in ",;" + _HYPHENS


def _resolve_marks(paragraphs: Sequence[Paragraph], body: float) -> None:
    """Remove raised marks that a note of the page explains, and its own; others become plain letters."""
    notes: dict[str, Paragraph] = {}
    for paragraph in paragraphs:
        label = _NOTE.match(paragraph.first)
        if label and (label[1] or paragraph.size < 0.95 * body) and label.end() < len(paragraph.first):
            notes.setdefault(label[1] or label[2], paragraph)
    referred: set[str] = set()

    def resolve(mark: re.Match[str]) -> str:
        known = mark[1] in notes
        if known:
            referred.add(mark[1])
        return "" if known else mark[1]

    for paragraph in paragraphs:
        own = any(paragraph is note for note in notes.values())
        for index, (text, page) in enumerate(paragraph.lines):
            if RAISED in text and not (own and index == 0):
                paragraph.lines[index] = (_MARK.sub(resolve, text), page)
    for label, note in notes.items():
        text, page = note.lines[0]
        found = _NOTE.match(text)
        begin = found.end() if found and label in referred else 0
        note.lines[0] = (_MARK.sub(r"\1", text[begin:]), page)


def _in_flow(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """Join what is interrupted: what stands between comes before it, or after it if on a later page."""
    ordered: list[Paragraph] = []
    used: set[int] = set()
    for index, paragraph in enumerate(paragraphs):
        if index in used:
            continue
        begun = paragraph.lines[0][1]
        at = index
        passed: list[int] = []
        while paragraph.kind == "text" and (found := _continuation(paragraphs, at, paragraph, used)) is not None:
            passed.extend(number for number in range(at + 1, found) if number not in used)
            paragraph.lines.extend(paragraphs[found].lines)
            paragraph.full = paragraphs[found].full
            used.add(found)
            at = found
        before = [number for number in passed if paragraphs[number].lines[0][1] == begun]
        ordered.extend(paragraphs[number] for number in before)
        ordered.append(paragraph)
        used.update(before)
    return ordered


def _continuation(paragraphs: Sequence[Paragraph], at: int, begun: Paragraph, used: set[int]) -> int | None:
    """Index of the paragraph with which one goes on that ends at an index; None if it is whole."""
    last = begun.last
    if _ENDED.search(last) or not begun.full:
        return None
    for index in range(at + 1, min(at + FARTHEST, len(paragraphs))):
        each = paragraphs[index]
        if index in used:
            continue
        if each.lines[0][1] > begun.lines[-1][1] + 1:
            return None
        if each.kind != "text" or abs(each.size - begun.size) > SAME_SIZE * begun.size or _CAPTION.match(each.first):
            continue
        if each.first[0].islower():
            return index
        skipped = any(paragraphs[number].kind == "heading" for number in range(at + 1, index))
        return None if skipped or _BULLET.match(each.first) or _ITEM.match(each.first) else index
    return None


def _block(paragraph: Paragraph, begun: int, divisions: Divisions) -> Block:
    """Join the lines of a paragraph; pages up to `begun` have begun before it."""
    pieces: list[str] = []
    pages: list[int] = []
    length = 0
    for text, page in paragraph.lines:
        if pieces:
            joint = divisions.joint(pieces[-1], text)
            if joint is None:
                pieces[-1] = pieces[-1][:-1]
                length -= 1
            else:
                pieces.append(joint)
                length += len(joint)
        pages.extend([length] * (page + 1 - begun))
        begun = max(begun, page + 1)
        pieces.append(text)
        length += len(text)
    return Block("".join(pieces), paragraph.kind == "heading", pages=tuple(pages))


class Divisions:
    """Words that line ends divide: which lose their hyphen."""

    def __init__(self, lines: Sequence[str], language: str | None) -> None:
        self._lines = lines
        self._language = language

    def joint(self, before: str, after: str) -> str | None:
        """Return the text between two lines, a blank or nothing; None if a hyphen is to be removed."""
        broken = _BROKEN.search(before)
        if not broken or not after[0].islower():
            return " "
        rest = re.match(r"\w+", after)
        last = rest.group() if rest else ""
        if before[-1] == "\u00ad":
            return None
        if is_coordinating(last):
            return " "
        return "" if self._is_compound(broken.group(1).lower(), last.lower()) else None

    def _is_compound(self, first: str, last: str) -> bool:
        whole, compound = first + last, f"{first}-{last}"
        if compound in self._words or whole in self._words:
            return compound in self._words
        if is_english(compound):
            return True
        if is_common(whole) or not self._is_english:
            return False
        # "Government-owned" and "rule-based" are in no dictionary; other words of two words are mostly written as one.
        return min(len(first), len(last)) >= 3 and last.endswith(("ed", "ing")) and is_common(first) and is_common(last)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for line in self._lines for word in _WORD.findall(line.lower()))

    @cached_property
    def _is_english(self) -> bool:
        return (self._language or recognize(" ".join(self._lines[:400]))) == "en"
