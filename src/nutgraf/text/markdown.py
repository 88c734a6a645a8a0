"""Markdown in a text, read as marks: what is said without them, where that stands in the text, and what only names it.

Chat assistants write Markdown (CommonMark with tables). Headings, heads of tables and labels ("**Timeline:**") name
what follows and claim nothing. Marks of code stay, since texts of corpora quote ``in this way''.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from nutgraf.text.blocks import GAP
from nutgraf.text.dictionary import is_common
from nutgraf.text.tokenize import Span, words

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

LONGEST_LABEL = 5
"""Words of a line that may be a label."""

DEEPEST = 100
"""Levels of nesting that markdown-it reads; a list takes two. A text with more is not read as Markdown, because the
parser would leave out parts of it."""

CELLS = ", "
"""Separator of the cells of a row."""

EMPHASIS = "*_"
"""Marks of emphasis."""

_OFF = ["autolink", "backticks", "code", "fence", "html_block", "lheading", "reference", "text_join"]
_OPAQUE = ("link", "image", "html_inline", "entity", "escape")
_ENDS = (".", "!", "?", "…", "。", "！", "？")
_POSSIBLE = re.compile(
    r"[*_|<\\]|\]\(|\[\^|~~|&[#\w]+;|```|~~~|[:：][^\S\n]*$|^\s*(?:[-+>#]|\d+[.)](?:\s|\Z))", re.MULTILINE
)
"""What a text has in which there is anything to be read: most have nothing."""

_TASK = re.compile(r"\[[ xX]\]\s")
"""Box of a task, at the beginning of an item."""

_NOTE = re.compile(r"\[\^[^\]\[\s]{1,100}\]")
"""Mark of a footnote, before its text or in what it belongs to."""

_BLANK = re.compile(r"[^\S\n\t]")
_FENCE = re.compile(r"^[^\S\n]*(?:`{3,}|~{3,})[\w-]*[^\S\n]*$", re.MULTILINE)
_COLONS = (":", "：")
_MONTHS = frozenset({"march", "may", "august"})
"""Months that are also words."""

_USUAL = frozenset("dr roadmap stakeholder takeaway timeline tl tldr workflow".split())
"""Words of labels that the dictionary lacks."""


class Letter(NamedTuple):
    """A character that is said, the characters of the text that stand for it, and whether it is in bold."""

    said: str
    start: int
    end: int
    bold: bool = False


Letters = list[Letter]


@dataclass(frozen=True, slots=True)
class Unmarked:
    """A text without its marks.

    Attributes:
        given: The text as it was given.
        text: What is said; blank lines separate paragraphs, items and rows.
        starts: For each of its characters, where it begins in the text as it was given.
        ends: For each of its characters, where it ends there.
        rows: Rows of tables in `text`.
        names: Headings, heads of tables and labels, in the text as it was given.
    """

    given: str
    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    rows: tuple[Span, ...]
    names: tuple[Span, ...]

    def place(self, start: int, end: int) -> Span:
        """Return where characters of `text` stand in the text as it was given."""
        return self.starts[start], self.ends[end - 1]

    def with_emphasis(self, start: int, end: int) -> Span:
        """Return where characters of `text` stand, with the marks of emphasis around them."""
        first, last = self.place(start, end)
        before = self.ends[start - 1] if start else 0
        after = next((self.starts[at] for at in range(end, len(self.text)) if self.starts[at] < self.ends[at]), None)
        while first > before and self.given[first - 1] in EMPHASIS:
            first -= 1
        while last < (len(self.given) if after is None else after) and self.given[last] in EMPHASIS:
            last += 1
        return first, last


def unmarked(text: str) -> Unmarked | None:
    r"""Read a text as Markdown; None if there are no marks in it, and no labels.

    >>> found = unmarked("## Harbour\n* **Four** boats left.")
    >>> found.text, found.place(0, 4), found.names
    ('Four boats left.', (15, 19), ((3, 10),))

    Args:
        text: The text.
    """
    if not _POSSIBLE.search(text):
        return None
    reading = _Reading(text)
    if reading.is_too_deep:
        return None
    blocks, names = reading.found()
    said: Letters = []
    rows: list[Span] = []
    for block, is_row in blocks:
        if said:
            said += (Letter(one, said[-1].end, said[-1].end) for one in GAP)
        if is_row:
            rows.append((len(said), len(said) + len(block)))
        said += block
    plain = "".join(text[one.start] if one.end - one.start == 1 and one.said != "\n" else one.said for one in said)
    if not names and "".join(plain.split()) == "".join(text.split()):
        return None
    starts, ends = tuple(one.start for one in said), tuple(one.end for one in said)
    return Unmarked(text, plain, starts, ends, tuple(rows), tuple(sorted(names)))


def is_too_deep(tokens: Iterable[Token]) -> bool:
    """Return True if a text whose tokens these are may have parts that a parser with `DEEPEST` leaves out."""
    return any(token.level >= DEEPEST - 2 for token in tokens)


class _Reading:
    """Reads one text."""

    def __init__(self, text: str) -> None:
        given = _BLANK.sub(" ", text.replace("\r\n", " \n").replace("\r", "\n").replace("\0", "\ufffd"))
        self._text = _FENCE.sub(lambda fence: " " * len(fence.group()), given)
        self._lines = self._text.split("\n")
        self._begins = [0]
        for line in self._lines:
            self._begins.append(self._begins[-1] + len(line) + 1)
        self._names: list[Span] = []
        self._tokens = _parser().parse(self._text)

    @property
    def is_too_deep(self) -> bool:
        """True if the text may have parts that the parser leaves out."""
        return is_too_deep(self._tokens)

    def found(self) -> tuple[list[tuple[Letters, bool]], list[Span]]:
        """Return the blocks, each with True for a row of a table, and what is only named."""
        blocks = [(block, is_row) for block, is_row in self._blocks(self._tokens) if block]
        return blocks, self._names

    def _blocks(self, tokens: Sequence[Token]) -> Iterator[tuple[Letters, bool]]:
        kind, cells, cursor = "", list[Letters](), 0
        for token in tokens:
            if token.type in ("heading_open", "th_open", "td_open", "paragraph_open"):
                kind = token.type
            elif token.type == "tr_open":
                cells, cursor = [], self._begins[_first(token)]
            elif token.type == "inline" and kind in ("th_open", "td_open"):
                source = self._cell(token.content, cursor)
                cursor = source[-1].end if source else cursor
                cells.append(self._said(token, source))
            elif token.type == "inline" and kind == "heading_open":
                at = self._text.index(token.content, self._begins[_first(token)])
                self._name([Letter(one, place, place + 1) for place, one in enumerate(token.content, at)])
            elif token.type == "inline":
                said = self._said(token, self._located(token.content.split("\n"), _first(token)))
                yield from ((block, False) for block in self._without_labels(said))
            elif token.type == "tr_close":
                row = _joined(cell for cell in cells if cell)
                if kind == "td_open":
                    yield row, True
                else:
                    self._name(row)

    def _located(self, lines: Sequence[str], first: int) -> Letters:
        """Return the lines of a block with their places: each is the end of one of the text, white space aside."""
        found: Letters = []
        for number, line in enumerate(lines, first):
            begin, whole = self._begins[number], self._lines[number]
            last = begin + len(whole)
            if number > first:
                found.append(Letter("\n", begin - 1, begin))
            at = begin + len(whole.rstrip()) - len(line.rstrip())
            found += (
                Letter(one, min(max(begin, place), last), min(max(begin, place + 1), last))
                for place, one in enumerate(line, at)
            )
        return found

    def _cell(self, content: str, cursor: int) -> Letters:
        """Return a cell with its places, from a place on where it follows; a bar in it has a backslash before it."""
        found: Letters = []
        at = self._text.index(content.replace("|", "\\|"), cursor)
        for one in content:
            width = 2 if one == "|" else 1
            found.append(Letter(one, at, at + width))
            at += width
        return found

    def _without_labels(self, said: Letters) -> Iterator[Letters]:
        """Yield the paragraphs between labels, which are lines or stand at the beginning of one."""
        rest: Letters = []
        for line in filter(None, map(_without_boxes, _lines(said))):
            label = len(line) if _begins_footnote("".join(one.said for one in line)) else _label(line)
            if label:
                self._name(line[:label])
                yield rest
                rest = []
            if label < len(line):
                rest += [Letter("\n", rest[-1].end, rest[-1].end), *line[label:]] if rest else _trimmed(line[label:])
        yield rest

    def _said(self, token: Token, source: Letters) -> Letters:
        """Return what the content of a token says, in which the letters of `source` stand with their places.

        What is struck out is not said but named.
        """
        content = "".join(one.said for one in source)
        found: Letters = []
        struck: Letters = []
        cursor = bold = strikes = 0
        for child in token.children or []:
            if child.type == "text":
                cursor = content.index(child.content, cursor)
                told = struck if strikes else found
                told += (one._replace(bold=bold > 0) for one in source[cursor : cursor + len(child.content)])
                cursor += len(child.content)
            elif child.type in ("softbreak", "hardbreak"):
                cursor = content.index("\n", cursor) + 1
                found.append(source[cursor - 1])
            elif child.type == "text_special":
                end = child.meta["end"]
                places = source[cursor].start, source[end - 1].end
                found += (Letter(one, *places, bold > 0) for one in child.content)
            elif child.type in ("strong_open", "strong_close"):
                bold += child.nesting
                cursor += len(child.markup)
            elif child.type in ("s_open", "s_close"):
                strikes += child.nesting
                cursor += len(child.markup)
                self._name(struck)
                struck = []
            elif child.type in ("em_open", "em_close"):
                cursor += len(child.markup)
            elif child.type == "link_open":
                cursor += 1
            elif child.content.lower().startswith("<br"):
                found.append(Letter(" ", source[cursor].start, source[child.meta["end"] - 1].end))
            cursor = child.meta.get("end", cursor)
        return found

    def _name(self, said: Letters) -> None:
        said = _trimmed(said)
        if any(one.said.isalnum() for one in said):
            self._names.append((said[0].start, said[-1].end))


def _without_boxes(line: Letters) -> Letters:
    """Return a line without the box of a task and the marks of footnotes in it."""
    text = "".join(one.said for one in line)
    box = _TASK.match(text)
    begin = box.end() if box else 0
    notes = [] if _begins_footnote(text) else [note.span() for note in _NOTE.finditer(text)]
    left_out = {at for span in notes for at in range(*span)}
    return [one for at, one in enumerate(line) if at >= begin and at not in left_out]


def _begins_footnote(text: str) -> bool:
    """Return True for the text of a footnote, which says where something stands."""
    note = _NOTE.match(text)
    return note is not None and text.startswith(_COLONS, note.end())


def _label(line: Letters) -> int:
    """Return how many characters at the beginning of a line are a label: all of them, or those before a sentence."""
    text = "".join(one.said for one in line).rstrip()
    thin = next((place for place, one in enumerate(line) if one.said.isalnum() and not one.bold), len(line))
    alone = text.endswith(_COLONS) or (thin == len(line) and not text.endswith(_ENDS))
    if alone and 0 < len(words(text)) <= LONGEST_LABEL:
        return len(line)
    last = max((place for place in range(thin) if line[place].bold), default=-1)
    end = last + 1 if line[last].said in _COLONS else last + 2  # the colon is in bold, or follows
    head = text[:end]
    leads = last >= 0 and head.endswith(_COLONS) and end < len(text) and len(words(head)) <= LONGEST_LABEL
    return end if leads and all(map(_is_ordinary, words(head))) else 0


def _is_ordinary(word: str) -> bool:
    """Return True for a word that claims nothing in a label: no name, number or month."""
    return word in _USUAL or (is_common(word) and word not in _MONTHS)


def _lines(said: Letters) -> Iterator[Letters]:
    line: Letters = []
    for one in said:
        if one.said == "\n":
            yield line
            line = []
        else:
            line.append(one)
    yield line


def _joined(cells: Iterable[Letters]) -> Letters:
    row: Letters = []
    for cell in cells:
        if row:
            row += (Letter(one, row[-1].end, row[-1].end) for one in CELLS)
        row += cell
    return row


def _trimmed(said: Letters) -> Letters:
    kept = [place for place, one in enumerate(said) if not one.said.isspace()]
    return said[kept[0] : kept[-1] + 1] if kept else []


def _first(token: Token) -> int:
    assert token.map is not None
    return token.map[0]


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable(["table", "strikethrough"]).disable(_OFF)
    rules = dict(zip(parser.inline.ruler.get_active_rules(), parser.inline.ruler.getRules(""), strict=True))
    for name in _OPAQUE:
        parser.inline.ruler.at(name, _telling_its_end(rules[name]))
    return parser


def _telling_its_end(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """Return a rule of markdown-it whose last token says where what it stands for ends."""

    def read(state: StateInline, silent: bool) -> bool:
        found = rule(state, silent)
        if found and not silent:
            state.tokens[-1].meta["end"] = state.pos
        return found

    return read
