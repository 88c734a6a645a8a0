"""Pieces of text that a page of a PDF draws, each with its place.

pypdf decodes fonts and drawing instructions; this file follows the text state (ISO 32000-2, 9.3 and 9.4) from
instruction to instruction, since a page can be put in order only if it is known where its words begin and end.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pypdf import PdfReader
    from pypdf.generic import ContentStream

MOST_INSTRUCTIONS = 2_000_000
"""Maximum number of instructions of a page that are followed, those of forms as often as they are drawn."""

DEEPEST = 12
"""Maximum depth of forms within forms."""

FARTHEST = 1e6
"""Text farther than this from the corner of the page, in points, is not read."""

KERNING = 0.08
"""Moves between letters of up to this share of the font size are part of a word's shape."""

Matrix = tuple[float, float, float, float, float, float]
_UPRIGHT: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_APART = re.compile(r"[ \u00a0]{3,}|\t")
_BOLD = re.compile(r"bold|black|heavy|cmbx|-bd", re.IGNORECASE)


class Piece(NamedTuple):
    """Text that is drawn in one go.

    Attributes:
        text: The text; blanks at its ends are kept, but are no part of its extent.
        x: Where it begins, in points from the left; on its baseline.
        y: Where it begins, in points from below.
        length: Its length along the direction in which it is written.
        size: Size of the font as it appears.
        bold: True for a bold font.
        angle: Direction of writing in degrees, counterclockwise.
    """

    text: str
    x: float
    y: float
    length: float
    size: float
    bold: bool
    angle: float


class _Face:
    """A font: the text and the advance of each code, found once."""

    def __init__(self, font: Any, resource: Any) -> None:
        self._font = font
        self._glyphs: dict[Any, tuple[str, float]] = {}
        self.simple = not isinstance(font.encoding, str)
        self.bold = bool(_BOLD.search(f"{font.name} {font.font_descriptor.name}")) or bool(
            int(font.font_descriptor.flags) & 1 << 18
        )
        self.unit, self.height = 0.001, 1.0
        if font.sub_type == "Type3":  # whose glyphs have their own scale
            matrix = [float(value) for value in resource.get("/FontMatrix", (0.001, 0, 0, 0.001, 0, 0))]
            _, low, _, high = font.font_descriptor.bbox
            self.unit = abs(matrix[0]) or 0.001
            self.height = abs(matrix[3] * (high - low)) or 1.0

    def show(self, shown: bytes) -> list[tuple[str, float]]:
        """Text and advance, in em, of each glyph of a string."""
        codes: Iterable[Any] = shown if self.simple else shown.decode(self._font.encoding, "replace")
        known = self._glyphs
        found = []
        for code in codes:
            glyph = known.get(code)
            if glyph is None:
                glyph = known[code] = self._glyph(code)
            found.append(glyph)
        return found

    def _glyph(self, code: Any) -> tuple[str, float]:
        font = self._font
        raw = chr(code) if self.simple else code
        text = font.encoding.get(code, raw) if self.simple else code
        text = "".join(font.character_map.get(letter, letter) for letter in text)
        width = font.space_width if raw == font.space_char else font.get_text_width(raw)
        return text.translate(_NO_CONTROLS), float(width) * self.unit


_NO_CONTROLS = dict.fromkeys(range(32), None) | {9: " ", 10: " ", 13: " "}


@dataclass(slots=True)
class _State:
    """The graphics state, as far as text needs it."""

    matrix: Matrix = _UPRIGHT
    face: _Face | None = None
    size: float = 0.0
    letter_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0


class UnreadableError(Exception):
    """A page cannot be followed."""


def pieces_of(content: ContentStream, page: Any, reader: PdfReader) -> list[Piece]:
    """Pieces of text of a page, in the order in which they are drawn.

    Raises:
        UnreadableError: If it draws too much.
    """
    return _Page(reader).follow(content, page.get("/Resources"))


class _Page:
    def __init__(self, reader: PdfReader) -> None:
        self._reader = reader
        self._faces: dict[int, _Face] = {}
        self._left = MOST_INSTRUCTIONS
        self._pieces: list[Piece] = []
        self._seen: set[tuple[str, int, int]] = set()

    def follow(self, content: ContentStream, resources: Any) -> list[Piece]:
        self._draw(content, resources, _State(), 0)
        return self._pieces

    def _draw(self, content: ContentStream, resources: Any, state: _State, depth: int) -> None:
        resources = {} if resources is None else resources.get_object()
        fonts = _entry(resources, "/Font")
        faces: dict[str, _Face | None] = {}
        saved: list[_State] = []
        own = _copy(state)
        line = matrix = _UPRIGHT
        instructions = content.operations
        self._left -= len(instructions)
        if self._left < 0:
            raise UnreadableError
        for operands, operator in instructions:
            try:
                if operator == b"TJ":
                    matrix = self._show(operands[0], own, matrix)
                elif operator == b"Tj":
                    matrix = self._show(operands, own, matrix)
                elif operator == b"Td":
                    line = matrix = _moved(line, float(operands[0]), float(operands[1]))
                elif operator == b"TD":
                    own.leading = -float(operands[1])
                    line = matrix = _moved(line, float(operands[0]), float(operands[1]))
                elif operator == b"Tm":
                    line = matrix = _matrix(operands)
                elif operator == b"Tf":
                    name = operands[0]
                    if name not in faces:
                        faces[name] = self._face(fonts, name)
                    own.face, own.size = faces[name], float(operands[1])
                elif operator == b"T*":
                    line = matrix = _moved(line, 0.0, -own.leading)
                elif operator == b"BT":
                    line = matrix = _UPRIGHT
                elif operator == b"q":
                    saved.append(_copy(own))
                elif operator == b"Q":
                    own = saved.pop() if saved else own
                elif operator == b"cm":
                    own.matrix = _product(_matrix(operands), own.matrix)
                elif operator == b"Tc":
                    own.letter_space = float(operands[0])
                elif operator == b"Tw":
                    own.word_space = float(operands[0])
                elif operator == b"Tz":
                    own.stretch = float(operands[0]) / 100 or 1.0
                elif operator == b"TL":
                    own.leading = float(operands[0])
                elif operator == b"Ts":
                    own.rise = float(operands[0])
                elif operator == b"'":
                    line = _moved(line, 0.0, -own.leading)
                    matrix = self._show(operands, own, line)
                elif operator == b'"':
                    own.word_space, own.letter_space = float(operands[0]), float(operands[1])
                    line = _moved(line, 0.0, -own.leading)
                    matrix = self._show(operands[2:], own, line)
                elif operator == b"Do" and depth < DEEPEST:
                    self._form(_entry(_entry(resources, "/XObject"), operands[0]), resources, own, depth)
            except (ArithmeticError, IndexError, KeyError, TypeError, ValueError, AttributeError):
                continue  # an instruction without its operands has no effect

    def _form(self, form: Any, resources: Any, state: _State, depth: int) -> None:
        from pypdf.generic import ContentStream

        if _entry(form, "/Subtype") != "/Form":
            return
        inner = _copy(state)
        if "/Matrix" in form:
            inner.matrix = _product(_matrix(form["/Matrix"]), state.matrix)
        content = ContentStream(form, self._reader, "bytes")
        self._draw(content, form.get("/Resources", resources), inner, depth + 1)

    def _face(self, fonts: Any, name: str) -> _Face | None:
        from pypdf.generic._font import Font

        resource = _entry(fonts, name)
        if not resource:
            return None
        key = id(resource)
        if key not in self._faces:
            self._faces[key] = _Face(Font.from_font_resource(resource), resource)
        return self._faces[key]

    def _show(self, shown: Iterable[Any], state: _State, matrix: Matrix) -> Matrix:
        """Add the pieces of strings and moves; return the text matrix behind them."""
        face = state.face
        if face is None:
            return matrix
        size, stretch = state.size, state.stretch
        texts: list[str] = []
        start = at = 0.0
        for each in shown:
            if isinstance(each, int | float):
                move = -float(each) / 1000
                if not -KERNING < move < KERNING and texts:
                    self._add("".join(texts), start, at, state, face, matrix)
                    texts = []
                at += move * size * stretch
            elif isinstance(each, bytes | str):
                glyphs = face.show(each if isinstance(each, bytes) else each.encode("latin-1", "replace"))
                if not texts:
                    start = at
                letters, blanks = len(glyphs), 0
                width = 0.0
                for text, advance in glyphs:
                    width += advance
                    blanks += text == " "
                    texts.append(text)
                spaced = state.letter_space * letters + (state.word_space * blanks if state.word_space else 0.0)
                at += (width * size + spaced) * stretch
        if texts:
            self._add("".join(texts), start, at, state, face, matrix)
        return _moved(matrix, at, 0.0)

    def _add(self, text: str, start: float, end: float, state: _State, face: _Face, matrix: Matrix) -> None:
        if not text.strip():
            return
        a, b, c, d, e, f = _product(matrix, state.matrix)
        scale = math.hypot(a, b)
        across, up = (a / scale, b / scale) if scale else (1.0, 0.0)
        if state.size < 0:
            across, up = -across, -up
        x, y = start * a + state.rise * c + e, start * b + state.rise * d + f
        size = abs(state.size) * (math.hypot(c, d) or scale) * face.height
        length = max(0.0, (end - start) * scale)
        if not (abs(x) < FARTHEST and abs(y) < FARTHEST and 0 < size < FARTHEST and length < FARTHEST):
            return
        key = (text, round(x), round(y))
        if key in self._seen:  # drawn twice, to look bold
            return
        self._seen.add(key)
        angle = math.degrees(math.atan2(up, across))
        for part, first, last in _parts(text, length, size):
            place = x + first * across, y + first * up
            self._pieces.append(Piece(part, *place, last - first, size, face.bold, angle))


def _parts(text: str, length: float, size: float) -> Iterator[tuple[str, float, float]]:
    """Yield each part between long blanks with the extent of its letters; blanks at the ends are kept."""
    if not _APART.search(text):
        blank = min(0.3 * size, length / len(text))
        lead, tail = len(text) - len(text.lstrip()), len(text) - len(text.rstrip())
        yield text, lead * blank, length - tail * blank
        return
    each, at = length / len(text), 0
    for gap in [*_APART.finditer(text), None]:
        stop = gap.start() if gap else len(text)
        if part := text[at:stop].strip():
            yield part, at * each, stop * each
        at = gap.end() if gap else stop


def _entry(dictionary: Any, key: str) -> Any:
    """An entry that is a dictionary or a stream; {} if there is none."""
    entry = dictionary.get(key) if hasattr(dictionary, "get") else None
    return {} if entry is None else entry.get_object()


def _copy(state: _State) -> _State:
    return _State(
        state.matrix,
        state.face,
        state.size,
        state.letter_space,
        state.word_space,
        state.stretch,
        state.leading,
        state.rise,
    )


def _matrix(operands: Any) -> Matrix:
    a, b, c, d, e, f = (float(value) for value in operands[:6])
    return a, b, c, d, e, f


def _moved(matrix: Matrix, x: float, y: float) -> Matrix:
    a, b, c, d, e, f = matrix
    return a, b, c, d, x * a + y * c + e, x * b + y * d + f


def _product(first: Matrix, second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
