"""Make the PDFs of this folder and `expected.json`, what they say: `python make.py`, which needs reportlab.

Each page is laid out as programs and people do it, and the order in which it is to be read is kept beside it. The
files are committed, so that the tests need no reportlab.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from prose import NOTES, PROSE

HERE = Path(__file__).parent
DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf")
WIDTH, HEIGHT = A4


@dataclass
class Expected:
    """What a reader should find.

    Attributes:
        body: Sentences of the running text, in order.
        beside: Sentences of footnotes, captions and boxes, which may stand between any two others.
        cells: Texts of tables, forms and headings, which may stand anywhere but in a sentence.
        absent: What is no text: running heads, page numbers, labels of axes.
        headings: Names of sections, in order.
    """

    body: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)


@dataclass
class Frame:
    """A column to fill, from its top; coordinates in points, from the lower left corner."""

    x: float
    top: float
    bottom: float
    width: float
    before: Callable[[], None] | None = None


@dataclass
class Style:
    """How text is set."""

    font: str = "Times-Roman"
    size: float = 10
    leading: float = 12
    indent: float = 12
    gap: float = 0
    hyphens: bool = True
    justified: bool = True


class Line:
    """A line to be drawn."""

    def __init__(self, text: str, last: bool, first: bool) -> None:
        self.text, self.last, self.first = text, last, first


def parts(word: str) -> list[int]:
    """Where a word may be divided: at its hyphen, or between a vowel and two consonants as a program would."""
    own = word.find("-")
    if own > 0:
        return [own + 1]
    return [at for at in range(3, len(word) - 3) if re.match(r"[aeiou][bcdfgklmnprstv][aeiou]", word[at - 1 : at + 2])]


def wrap(text: str, style: Style, width: float, indent: float = 0) -> list[Line]:
    """Lines of a paragraph."""

    def fits(line: str, room: float) -> bool:
        return pdfmetrics.stringWidth(line, style.font, style.size) <= room

    lines: list[Line] = []
    current, room = "", width - indent
    for word in text.split():
        longer = f"{current} {word}".strip()
        if fits(longer, room):
            current = longer
            continue
        for at in reversed(parts(word)) if style.hyphens and word[0].islower() else ():
            head = word[:at] if word[at - 1] == "-" else word[:at] + "-"
            if fits(f"{current} {head}".strip(), room):
                current, word = f"{current} {head}".strip(), word[at:]
                break
        lines.append(Line(current, False, not lines))
        current, room = word, width
    lines.append(Line(current, True, not lines))
    return lines


Draw = Callable[[Canvas, float, float, str, Style, float], None]


def as_lines(canvas: Canvas, x: float, y: float, text: str, style: Style, width: float) -> None:
    """Draw a line in one go, justified to the width if there is one."""
    drawn = canvas.beginText(x, y)
    drawn.setFont(style.font, style.size)
    if width and " " in text:
        drawn.setWordSpace((width - pdfmetrics.stringWidth(text, style.font, style.size)) / text.count(" "))
    drawn.textOut(text)
    drawn.setWordSpace(0)
    canvas.drawText(drawn)


def as_words(jitter: float, draw: random.Random) -> Draw:
    """Draw the words one by one, as programs that recognize text do, with a little jitter."""

    def place(canvas: Canvas, x: float, y: float, text: str, style: Style, width: float) -> None:
        words = text.split()
        blank = pdfmetrics.stringWidth(" ", style.font, style.size)
        if width and len(words) > 1:
            blank += (width - pdfmetrics.stringWidth(text, style.font, style.size)) / (len(words) - 1)
        for word in words:
            size = style.size + draw.uniform(-0.1, 0.1) * jitter
            drawn = canvas.beginText(x + draw.uniform(-1, 1) * jitter, y + draw.uniform(-1, 1) * jitter)
            drawn.setTextRenderMode(3)
            drawn.setFont(style.font, size)
            drawn.textOut(word)
            canvas.drawText(drawn)
            x += pdfmetrics.stringWidth(word, style.font, style.size) + blank

    return place


def as_moves(canvas: Canvas, x: float, y: float, text: str, style: Style, width: float) -> None:
    """Draw a line without blanks, with moves between the words, and some within them."""
    words = text.split()
    blank = 160.0
    if width and len(words) > 1:
        natural = pdfmetrics.stringWidth("".join(words), style.font, style.size)
        blank = 1000 * (width - natural) / (len(words) - 1) / style.size
    kerned = [re.sub(r"(?<=[a-z]{2})(?=[vwy])", ") 25 (", word) for word in words]
    shown = f") {-blank:.0f} (".join(kerned)
    name = canvas._doc.getInternalFontName(style.font)
    canvas._code.append(f"BT {name} {style.size} Tf 1 0 0 1 {x:.2f} {y:.2f} Tm [({shown})] TJ ET")


def fill(
    canvas: Canvas,
    frames: Iterator[Frame],
    paragraphs: Sequence[Sequence[str]],
    style: Style,
    draw: Draw = as_lines,
    heads: dict[int, str] | None = None,
    frame: Frame | None = None,
    y: float | None = None,
) -> tuple[Frame, float]:
    """Set paragraphs into columns; return the last one and how far it is filled."""
    frame = frame or next(frames)
    y = frame.top if y is None else y
    for number, sentences in enumerate(paragraphs):
        if heads and number in heads:
            if y - 4 * style.leading < frame.bottom:
                frame = next(frames)
                y = frame.top
            y -= 0.8 * style.leading if y < frame.top else 0
            bold = "Helvetica-Bold" if style.font.startswith("Helvetica") else "Times-Bold"
            draw(canvas, frame.x, y - style.size, heads[number], Style(bold, style.size + 2), 0)
            y -= 1.6 * style.leading
        for line in wrap(" ".join(sentences), style, frame.width, style.indent):
            if y - style.leading < frame.bottom:
                frame = next(frames)
                y = frame.top
            left = frame.x + (style.indent if line.first else 0)
            room = frame.width - (style.indent if line.first else 0)
            draw(canvas, left, y - style.size, line.text, style, room if style.justified and not line.last else 0)
            y -= style.leading
        y -= style.gap
    return frame, y


def columns(
    canvas: Canvas,
    count: int,
    top: float = HEIGHT - 72,
    bottom: float = 72,
    gutter: float = 18,
    left: float = 60,
    right: float = WIDTH - 60,
    begin: Callable[[int], float | None] = lambda page: None,
) -> Iterator[Frame]:
    """Columns of page after page; `begin` draws what a page has beside them, and may lower their top."""
    width = (right - left - gutter * (count - 1)) / count
    page = 1
    while True:
        lower = begin(page)
        for number in range(count):
            yield Frame(left + number * (width + gutter), lower or top, bottom, width)
        canvas.showPage()
        page += 1


def sentences(*numbers: int) -> list[str]:
    """Sentences of some paragraphs."""
    return [sentence for number in numbers for sentence in PROSE[number]]


def centered(canvas: Canvas, y: float, text: str, font: str = "Times-Roman", size: float = 10) -> None:
    """Draw a centered line."""
    canvas.setFont(font, size)
    canvas.drawCentredString(WIDTH / 2, y, text)


def table(
    canvas: Canvas,
    x: float,
    y: float,
    rows: Sequence[Sequence[str]],
    widths: Sequence[float],
    leading: float = 14,
    font: str = "Helvetica",
    size: float = 9,
) -> float:
    """Draw the rows of a table."""
    for row in rows:
        left = x
        for cell, width in zip(row, widths, strict=True):
            canvas.setFont(font, size)
            canvas.drawString(left, y, cell)
            left += width
        y -= leading
    return y


ROWS = [
    ["Station", "Depth", "Oxygen", "Current"],
    ["Mill bridge", "2.4", "9.1", "0.7"],
    ["Old ferry", "3.0", "8.6", "0.5"],
    ["Lower weir", "1.9", "7.8", "1.2"],
    ["Estuary", "6.3", "7.2", "0.3"],
]


def cells(rows: Sequence[Sequence[str]]) -> list[str]:
    return [cell for row in rows for cell in row]


CASES: dict[str, Callable[[Canvas], Expected]] = {}


def case(make: Callable[[Canvas], Expected]) -> Callable[[Canvas], Expected]:
    CASES[make.__name__] = make
    return make


@case
def paper(c: Canvas) -> Expected:
    """A title and an abstract over both columns, headings, page numbers."""
    title, authors = "Warm Water Below Cleared Banks", "Ada Example and Bo Sample"

    def begin(page: int) -> float | None:
        centered(c, 40, str(page))
        if page > 1:
            return None
        centered(c, HEIGHT - 80, title, "Times-Bold", 18)
        centered(c, HEIGHT - 104, authors, size=12)
        abstract = Style("Times-Italic", 9, 11)
        _, y = fill(c, iter([Frame(110, HEIGHT - 130, 0, WIDTH - 220)]), [PROSE[4]], abstract)
        return y - 24

    heads = {0: "1 Introduction", 2: "2 Measurements", 4: "3 Results"}
    fill(
        c,
        columns(c, 2, begin=begin),
        [PROSE[n] for n in (0, 1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13)],
        Style(),
        heads=heads,
    )
    return Expected(
        sentences(4, 0, 1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13), cells=[title, authors], headings=list(heads.values())
    )


@case
def rows_across(c: Canvas) -> Expected:
    """Two columns that a program wrote line by line over both columns."""
    lines: list[tuple[float, float, str, float]] = []

    def note(canvas: Canvas, x: float, y: float, text: str, style: Style, width: float) -> None:
        lines.append((-y, x, text, width))

    style = Style("Helvetica", 9.5, 12)
    numbers = (6, 7, 8, 9, 10, 11)
    fill(c, columns(c, 2, top=HEIGHT - 90, bottom=420), [PROSE[n] for n in numbers], style, note)
    for y, x, text, width in sorted(lines):
        as_lines(c, x, -y, text, style, width)
    return Expected(sentences(*numbers))


def footed(c: Canvas, marks: Sequence[Sequence[tuple[str, str]]], left: float, width: float) -> Callable[[int], None]:
    """Draw the notes of a page below a rule."""

    def begin(page: int) -> None:
        c.line(left, 120, left + 80, 120)
        y = 108.0
        for mark, text in marks[page - 1] if page <= len(marks) else ():
            c.setFont("Times-Roman", 5.5)
            c.drawString(left, y + 3, mark)
            for line in wrap(text, Style(size=8), width - 8):
                c.setFont("Times-Roman", 8)
                c.drawString(left + 6, y, line.text)
                y -= 9.5
        centered(c, 40, f"– {page} –")

    return begin


def marked(canvas: Canvas, x: float, y: float, text: str, style: Style, width: float) -> None:
    """Draw a line whose words may end in a mark such as `^1`, which is raised."""
    pieces = re.split(r"(\^\d)", text)
    plain = "".join(pieces[::2])
    space = (width - pdfmetrics.stringWidth(plain, style.font, style.size)) / plain.count(" ") if width else 0.0
    drawn = canvas.beginText(x, y)
    drawn.setWordSpace(space)
    for piece in pieces:
        raised = piece.startswith("^")
        drawn.setFont(style.font, style.size * 0.65 if raised else style.size)
        drawn.setRise(3.5 if raised else 0)
        drawn.textOut(piece.removeprefix("^"))
    drawn.setWordSpace(0)
    canvas.drawText(drawn)


@case
def footnotes(c: Canvas) -> Expected:
    """One column with notes at the foot of the page; a sentence goes on over the page."""
    marks = [[("1", NOTES[0]), ("2", NOTES[1])], [("3", NOTES[3])]]
    noted = [list(PROSE[n]) for n in (0, 1, 2, 3, 4, 5, 11, 12, 13)]
    noted[0][2] += "^1"
    noted[1][1] += "^2"
    noted[8][1] += "^3"
    begin = footed(c, marks, 90, WIDTH - 180)
    frames = columns(c, 1, bottom=270, left=90, right=WIDTH - 90, begin=begin)
    fill(c, frames, noted, Style(size=11, leading=14), marked)
    return Expected(
        sentences(0, 1, 2, 3, 4, 5, 11, 12, 13), beside=[NOTES[0], NOTES[1], NOTES[3]], absent=["–", "- 1 -"]
    )


@case
def book(c: Canvas) -> Expected:
    """Running heads that differ between left and right pages, chapters, small pages."""

    def begin(page: int) -> None:
        c.setFont("Times-Italic", 9)
        number = 40 + page
        if page % 2:
            c.drawString(70, 560, "The Whale in the Reservoir")
            c.drawRightString(350, 560, str(number))
        else:
            c.drawString(70, 560, str(number))
            c.drawRightString(350, 560, "Margaret Prints")

    c.setPageSize((420, 595))
    frames = columns(c, 1, top=540, bottom=60, left=70, right=350, begin=begin)
    numbers = (6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 0, 1, 2, 3, 4)
    fill(c, frames, [PROSE[n] for n in numbers], Style(size=11, leading=14))
    return Expected(sentences(*numbers), absent=["Whale in the Reservoir", "Margaret Prints", "41", "42", "43"])


@case
def table_in_text(c: Canvas) -> Expected:
    """A table with a caption between two halves of a sentence: it stands at the top of the second page."""
    caption = "Table 1: Depth in meters, oxygen in milligrams and current in meters per second."

    def begin(page: int) -> float | None:
        centered(c, 40, str(page))
        if page != 2:
            return None
        c.setFont("Times-Roman", 9)
        c.drawString(120, HEIGHT - 80, caption)
        return table(c, 130, HEIGHT - 100, ROWS, (110, 80, 80, 60)) - 12

    frames = columns(c, 1, bottom=300, left=90, right=WIDTH - 90, begin=begin)
    numbers = (3, 4, 5, 0, 1, 2, 15, 16)
    fill(c, frames, [PROSE[n] for n in numbers], Style(size=11, leading=14, gap=6, indent=0))
    return Expected(sentences(*numbers), beside=[caption], cells=cells(ROWS))


@case
def wide_table(c: Canvas) -> Expected:
    """A table over both columns at the top of the second page."""
    caption = "Table 2: Values of the first summer, rounded to one decimal place."

    def begin(page: int) -> float | None:
        centered(c, 40, str(page))
        if page != 2:
            return None
        y = table(c, 80, HEIGHT - 80, [[*row, *row[1:]] for row in ROWS], (90, 60, 60, 60, 60, 60, 60))
        c.setFont("Times-Roman", 9)
        c.drawString(80, y - 6, caption)
        return y - 30

    frames = columns(c, 2, bottom=420, begin=begin, gutter=20)
    numbers = (0, 1, 2, 3, 4, 5, 6, 7, 8)
    fill(c, frames, [PROSE[n] for n in numbers], Style())
    return Expected(sentences(*numbers), beside=[caption], cells=cells(ROWS))


HYPHENS = [
    [
        "The decision-making committee of the two-story hospital preferred a cost-effective solution.",
        "Its well-known chairman described the long-standing conflict between physicians and administrators.",
        "An independent organization published a self-critical examination of the laboratories.",
    ],
    [
        "Subsequently the investigators discovered numerous irregularities in the documentation.",
        "Part-time employees had been registered as full-time specialists for administrative convenience.",
        "The government-owned pharmacy received considerably more medication than it could distribute.",
    ],
    [
        "Representatives of neighboring municipalities welcomed the recommendations without hesitation.",
        "They expect an improvement of the emergency transportation before the beginning of December.",
    ],
]


@case
def hyphens(c: Canvas) -> Expected:
    """Three narrow columns with many divided words, compounds among them."""
    style = Style("Times-Roman", 10, 12, 8)
    fill(c, columns(c, 3, top=HEIGHT - 90, bottom=HEIGHT - 268, gutter=14), HYPHENS, style)
    return Expected([sentence for paragraph in HYPHENS for sentence in paragraph])


@case
def figure(c: Canvas) -> Expected:
    """A figure with labels and a rotated axis at the top of the right column, with a caption."""
    caption = ["Figure 3: Temperature of the river over nineteen stations.", "Bars give one standard deviation."]

    def begin(page: int) -> None:
        if page > 1:
            return
        c.setFont("Helvetica", 7)
        x = 310.0
        for label in ("0", "5", "10", "15", "20"):
            c.drawString(x + 20, 600 + int(label) * 8, label)
            c.drawString(x + 40 + int(label) * 9, 590, label)
        c.saveState()
        c.translate(x + 10, 640)
        c.rotate(90)
        c.drawString(0, 0, "Temperature in degrees")
        c.restoreState()
        c.drawString(x + 90, 578, "Station")
        y = 560.0
        for line in wrap(" ".join(caption), Style(size=8.5), 230):
            c.setFont("Times-Roman", 8.5)
            c.drawString(307, y, line.text)
            y -= 10

    begin(1)
    numbers = (3, 4, 5, 9, 10, 11, 12, 13)
    frames = iter([Frame(60, HEIGHT - 72, 470, 230), Frame(307, 530, 72, 230), Frame(60, 0, 0, 0)])
    style = Style()
    fill(c, frames, [PROSE[n] for n in numbers[:6]], style)
    labels = ["0", "5", "10", "15", "20", "Station", "Temperature in degrees"]
    return Expected(sentences(*numbers[:6]), beside=caption, cells=labels)


@case
def side_box(c: Canvas) -> Expected:
    """A magazine's page with a gray box beside the text."""
    box = PROSE[11][:3]
    c.setFillGray(0.9)
    c.rect(390, 480, 150, 190, stroke=0, fill=1)
    c.setFillGray(0)
    frames = iter(
        [
            Frame(60, HEIGHT - 110, 690, WIDTH - 120),
            Frame(60, 680, 470, 310),
            Frame(60, 470, 72, WIDTH - 120),
        ]
    )
    c.setFont("Helvetica-Bold", 20)
    c.drawString(60, HEIGHT - 80, "The Printer of the Square")
    numbers = (6, 7, 8, 12, 13, 14, 15)
    fill(c, frames, [PROSE[n] for n in numbers], Style(size=10.5, leading=13.5, hyphens=False))
    c.setFont("Helvetica-Bold", 9)
    c.drawString(400, 652, "A QUIET RAILWAY")
    fill(c, iter([Frame(400, 642, 480, 130)]), [box], Style("Helvetica", 8, 10.5, 0, justified=False, hyphens=False))
    return Expected(sentences(*numbers), beside=box, cells=["The Printer of the Square", "A QUIET RAILWAY"])


@case
def mixed(c: Canvas) -> Expected:
    """One column, then two, then one again on a page, and two columns of lines that are not level on the next."""
    style = Style("Helvetica", 9.5, 12.5)
    frames = iter(
        [
            Frame(60, HEIGHT - 72, 640, WIDTH - 120),
            Frame(60, 610, 400, 228),
            Frame(307, 610, 400, 228),
            Frame(60, 370, 290, WIDTH - 120),
        ]
    )
    fill(c, frames, [PROSE[n] for n in (0, 1)], style)
    frames = iter([Frame(60, 610, 400, 228), Frame(307, 610, 400, 228)])
    fill(c, frames, [PROSE[n] for n in (3, 4, 5)], style)
    frames = iter([Frame(60, 385, 100, WIDTH - 120)])
    fill(c, frames, [PROSE[n] for n in (6, 7)], style)
    c.showPage()
    frames = iter([Frame(60, HEIGHT - 72, 480, 228), Frame(307, HEIGHT - 78, 100, 228)])
    fill(c, frames, [PROSE[n] for n in (8, 9, 10, 11, 12, 13, 14)], style)
    return Expected(sentences(0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14))


@case
def rotated(c: Canvas) -> Expected:
    """An upright page, one that lies on its side and is turned by /Rotate, and one whose content is turned."""
    style = Style(size=11, leading=14)
    fill(c, iter([Frame(90, HEIGHT - 72, 72, WIDTH - 180)]), [PROSE[n] for n in (0, 1)], style)
    c.showPage()
    c.setPageRotation(90)
    c.saveState()
    c.translate(WIDTH, 0)
    c.rotate(90)
    fill(
        c,
        iter([Frame(70, 520, 60, 330), Frame(430, 520, 60, 330)]),
        [PROSE[n] for n in (3, 4, 5, 6, 7, 8, 9, 10)],
        style,
    )
    c.restoreState()
    c.showPage()
    c.setPageRotation(0)
    c.saveState()
    c.translate(0, HEIGHT)
    c.rotate(-90)
    fill(c, iter([Frame(90, 500, 60, 600)]), [PROSE[n] for n in (11, 12, 13)], style)
    c.restoreState()
    return Expected(sentences(0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13))


LIGATURES = [
    [
        "The efficient officer filed the first affidavit.",
        "Five different flowers were difficult to find in the office.",
    ],
    [
        "Waffles and coffee suffice for a fine breakfast.",
        "The baffled flock fled from the raffle at the final whistle.",
    ],
]


@case
def ligatures(c: Canvas) -> Expected:
    """Ligatures of a subset font, in two columns."""
    pdfmetrics.registerFont(TTFont("DejaVu", str(DEJAVU)))
    tied = [("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ")]

    def draw(canvas: Canvas, x: float, y: float, text: str, style: Style, width: float) -> None:
        for plain, ligature in tied:
            text = text.replace(plain, ligature)
        drawn = canvas.beginText(x, y)
        drawn.setFont(style.font, style.size)
        drawn.textOut(text)
        canvas.drawText(drawn)

    style = Style("DejaVu", 9, 12, justified=False)
    paragraphs = [LIGATURES[0], LIGATURES[1], LIGATURES[0], LIGATURES[1]]
    fill(c, columns(c, 2, top=HEIGHT - 90, bottom=HEIGHT - 188), paragraphs, style, draw)
    return Expected([sentence for paragraph in paragraphs for sentence in paragraph])


@case
def scan(c: Canvas) -> Expected:
    """The text layer of a scanned page: words placed one by one, with jitter and errors."""
    wrong = [[s.replace("harbor", "harb0r").replace("rn", "m") for s in PROSE[n]] for n in (0, 1, 2, 3, 4)]
    draw = as_words(1.2, random.Random(3))
    frames = iter([Frame(80, HEIGHT - 90, 72, WIDTH - 150)])
    fill(c, frames, wrong, Style("Helvetica", 11, 15, 20), draw)
    centered(c, 40, "17")
    return Expected([sentence for paragraph in wrong for sentence in paragraph])


@case
def scan_in_columns(c: Canvas) -> Expected:
    """The text layer of a scanned newspaper's page, a little skewed, words in the order of the lines of the page."""
    drawn: list[tuple[float, float, str, Style, float]] = []

    def note(canvas: Canvas, x: float, y: float, text: str, style: Style, width: float) -> None:
        drawn.append((-round(y), x, text, style, width))

    c.rotate(0.4)
    style = Style("Times-Roman", 9, 11, 10)
    numbers = (6, 7, 8, 9, 10, 11, 12, 13)
    fill(c, columns(c, 3, top=HEIGHT - 120, bottom=380, gutter=16), [PROSE[n] for n in numbers], style, note)
    place = as_words(0.8, random.Random(5))
    place(c, 60, HEIGHT - 90, "THE WHALE AND THE MAYOR", Style("Times-Bold", 22), 0)
    for y, x, text, set_in, width in sorted(drawn, key=lambda one: one[:2]):
        place(c, x, -y, text, set_in, width)
    return Expected(sentences(*numbers), cells=["THE WHALE AND THE MAYOR"])


@case
def letter(c: Canvas) -> Expected:
    """A letter: sender on the right, address on the left, a footer in three columns."""
    c.setFont("Helvetica", 9)
    sender = ["Harbor Board of Eastvik", "4 Quay Street", "Eastvik 2210"]
    address = ["Ms Nora Field", "19 Mill Lane", "Upper Vale 4471"]
    for number, line in enumerate(sender):
        c.drawString(400, HEIGHT - 70 - 12 * number, line)
    c.setFont("Helvetica", 10.5)
    for number, line in enumerate(address):
        c.drawString(70, HEIGHT - 130 - 14 * number, line)
    c.drawString(400, HEIGHT - 200, "12 March 2021")
    c.setFont("Helvetica-Bold", 10.5)
    c.drawString(70, HEIGHT - 235, "Repair of the northern breakwater")
    c.setFont("Helvetica", 10.5)
    c.drawString(70, HEIGHT - 262, "Dear Ms Field,")
    style = Style("Helvetica", 10.5, 14, 0, 8, justified=False, hyphens=False)
    _, y = fill(c, iter([Frame(70, HEIGHT - 275, 150, WIDTH - 150)]), [PROSE[n] for n in (0, 1, 2)], style)
    c.setFont("Helvetica", 10.5)
    c.drawString(70, y - 20, "Yours sincerely,")
    c.drawString(70, y - 60, "Olaf Stone, treasurer")
    footer = [
        ["Bank of Eastvik", "Telephone 555 0134", "Open on weekdays"],
        ["Account 88 120", "board@eastvik.example", "9 to 16"],
    ]
    table(c, 70, 60, footer, (170, 170, 120), 10, size=7)
    extra = ["12 March 2021", "Repair of the northern breakwater", "Dear Ms Field,", "Yours sincerely,"]
    return Expected(sentences(0, 1, 2), cells=[*sender, *address, *extra, "Olaf Stone, treasurer", *cells(footer)])


@case
def form(c: Canvas) -> Expected:
    """A form: labels and values in two columns of pairs, boxes, an instruction and a declaration."""
    c.setFont("Helvetica-Bold", 15)
    c.drawString(60, HEIGHT - 70, "Application for a Berth")
    style = Style("Helvetica", 9.5, 12.5, 0, 6, justified=False, hyphens=False)
    _, y = fill(c, iter([Frame(60, HEIGHT - 85, 0, WIDTH - 120)]), [PROSE[15]], style)
    pairs = [
        ["Family name:", "Field", "First name:", "Nora"],
        ["Street:", "19 Mill Lane", "Town:", "Upper Vale"],
        ["Name of the boat:", "Heron", "Length:", "7.4 m"],
        ["Engine:", "none", "Insured by:", "Northern Mutual"],
    ]
    y = table(c, 60, y - 20, pairs, (100, 150, 80, 100), 22, size=9.5)
    boxes = [["[x]", "Summer"], ["[ ]", "Winter"], ["[ ]", "Whole year"]]
    y = table(c, 60, y - 10, boxes, (30, 100), 16, size=9.5)
    fill(c, iter([Frame(60, y - 10, 0, WIDTH - 120)]), [PROSE[2]], style)
    c.setFont("Helvetica", 8)
    c.drawString(60, 80, "Place, date")
    c.drawString(330, 80, "Signature")
    extra = ["Application for a Berth", "Place, date", "Signature"]
    return Expected(sentences(15, 2), cells=[*cells(pairs), *cells(boxes), *extra])


@case
def slides(c: Canvas) -> Expected:
    """Slides printed to PDF: a title, bullets of one or two lines, a footer and a number."""
    c.setPageSize(landscape((405, 720)))
    titles = ["Why the breakwater", "What was measured", "Costs and fees", "Next steps"]
    points: list[str] = []
    for page, (title, number) in enumerate(zip(titles, (0, 3, 2, 15), strict=True), 1):
        c.setFont("Helvetica-Bold", 30)
        c.drawString(50, 340, title)
        y = 285.0
        for sentence in PROSE[number][:3]:
            c.setFont("Helvetica", 18)
            c.drawString(55, y, "\u2022")
            for line in wrap(sentence, Style("Helvetica", 18, hyphens=False), 590):
                c.drawString(75, y, line.text)
                y -= 22
            y -= 10
            points.append(sentence)
        c.setFont("Helvetica", 10)
        c.drawString(50, 20, "Harbor board, spring meeting")
        c.drawRightString(670, 20, str(page))
        c.showPage()
        c.setPageSize(landscape((405, 720)))
    return Expected([f"\u2022 {point}" for point in points], absent=["spring meeting"], headings=titles)


@case
def newsletter(c: Canvas) -> Expected:
    """A masthead, three ragged columns with an article after the other, lines of a narrow font."""
    centered(c, HEIGHT - 70, "EASTVIK NEWS", "Times-Bold", 34)
    centered(c, HEIGHT - 92, "Volume 12, number 3, spring 2021", "Times-Italic", 10)
    heads = {0: "Bees return", 2: "Trains in silence", 4: "A cookbook", 6: "At the crossing"}
    numbers = (9, 10, 11, 12, 13, 14, 16, 17, 15)
    style = Style("Helvetica", 9, 11.5, 0, 5, justified=False, hyphens=False)
    fill(c, columns(c, 3, top=HEIGHT - 120, bottom=330, gutter=16), [PROSE[n] for n in numbers], style, heads=heads)
    return Expected(
        sentences(*numbers), cells=["EASTVIK NEWS", "Volume 12, number 3, spring 2021"], headings=list(heads.values())
    )


@case
def report(c: Canvas) -> Expected:
    """A report with an outline, a table of contents, headings by size, lists and running heads."""
    heads = ["Harbor and Bridge", "Costs", "The River", "Warming", "Agreement"]
    centered(c, HEIGHT - 200, "Annual Report of the Board", "Helvetica-Bold", 24)
    centered(c, HEIGHT - 230, "Spring 2021", "Helvetica", 12)
    c.showPage()
    c.setFont("Helvetica-Bold", 16)
    c.drawString(72, HEIGHT - 90, "Contents")
    c.setFont("Helvetica", 10)
    for number, head in enumerate(heads):
        dots = "." * int((400 - c.stringWidth(head, "Helvetica", 10)) / c.stringWidth(".", "Helvetica", 10))
        c.drawString(72, HEIGHT - 120 - 16 * number, f"{head} {dots} {number + 3}")
    c.showPage()
    style = Style("Times-Roman", 11, 14, 0, 7)
    y = HEIGHT - 80.0
    for number, head in enumerate(heads):
        c.bookmarkPage(head)
        c.addOutlineEntry(head, head, level=1 if number in (1, 3) else 0)
        c.setFont("Helvetica-Bold", 13 if number in (1, 3) else 16)
        c.drawString(72, y - 16, head)
        frame = Frame(72, y - 28, 72, WIDTH - 144)
        _, y = fill(c, iter([frame]), [PROSE[n] for n in ((0, 1), (2,), (3, 5), (4,), (15,))[number]], style)
        if number == 4:
            items = ["(a) The tenants plant two trees.", "(b) The administration repairs the gate."]
            for item in items:
                c.setFont("Times-Roman", 11)
                c.drawString(90, y - 11, item)
                y -= 14
        y -= 18
        if number % 2:
            c.setFont("Helvetica", 8)
            c.drawString(72, HEIGHT - 40, "Annual Report of the Board")
            c.drawRightString(WIDTH - 72, 40, f"Page {number // 2 + 3} of 5")
            c.showPage()
            y = HEIGHT - 80.0
    c.setFont("Helvetica", 8)
    c.drawString(72, HEIGHT - 40, "Annual Report of the Board")
    c.drawRightString(WIDTH - 72, 40, "Page 5 of 5")
    return Expected(
        [*sentences(0, 1, 2, 3, 5, 4, 15), *items],
        cells=["Annual Report of the Board", "Spring 2021", "Contents"],
        absent=["Page 3", "....."],
        headings=heads,
    )


@case
def no_blanks(c: Canvas) -> Expected:
    """Two narrow columns drawn without blanks, with notes at the foot of the left one."""
    style = Style("Times-Roman", 9, 11, 9)
    numbers = (0, 1, 2, 3, 4, 5, 6)
    frames = iter([Frame(60, HEIGHT - 80, 450, 225), Frame(305, HEIGHT - 80, 410, 225)])
    fill(c, frames, [PROSE[n] for n in numbers], style, as_moves)
    c.line(60, 440, 120, 440)
    y = 428.0
    for line in wrap(f"* {NOTES[4]}", Style(size=7.5), 225):
        as_moves(c, 60, y, line.text, Style(size=7.5), 0)
        y -= 9
    return Expected(sentences(*numbers), beside=[f"* {NOTES[4]}"])


@case
def numbered_lines(c: Canvas) -> Expected:
    """A manuscript for review, with a number beside every fifth line and wide spacing."""
    count = 0

    def draw(canvas: Canvas, x: float, y: float, text: str, style: Style, width: float) -> None:
        nonlocal count
        count += 1
        if count % 5 == 0:
            canvas.setFont("Helvetica", 7)
            canvas.drawRightString(60, y, str(count))
        as_lines(canvas, x, y, text, style, width)

    def begin(page: int) -> None:
        centered(c, 40, str(page))

    style = Style("Times-Roman", 12, 22, 24, justified=False, hyphens=False)
    numbers = (3, 4, 5, 9, 10)
    frames = columns(c, 1, left=80, right=WIDTH - 80, begin=begin)
    fill(c, frames, [PROSE[n] for n in numbers], style, draw)
    return Expected(sentences(*numbers))


def main() -> None:
    """Write all files."""
    expected: dict[str, Any] = {}
    for name, make in CASES.items():
        canvas = Canvas(str(HERE / f"{name}.pdf"), pagesize=A4, invariant=1)
        expected[name] = asdict(make(canvas))
        canvas.save()
    text = json.dumps(expected, indent=1, ensure_ascii=False)
    (HERE / "expected.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
