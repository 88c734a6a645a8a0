"""Paragraphs of a plain text, whose lines a program may have wrapped.

Blank lines separate blocks. A program that wraps a block at a width breaks a line where the next word would not fit, so
the width of a block is the one that explains most of its line breaks. A long line that somebody left unwrapped among
the others explains none. Lines of a poem, a list of titles or a table are about as long as one another, too, but few of
their breaks are explained by a width, and they rarely go on in lower case.

A line end may also divide a word: "earth-" at the end of a line and "worm" at the beginning of the next one. A hyphen
there may belong to the word ("well-known"), or stand for a part that follows later ("in- and output"). So two parts are
joined only where the evidence says how: by the whole word, or by the word with a hyphen, if it occurs elsewhere in the
text or, in English, in a dictionary. Within a line nothing is changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import NamedTuple

from nutgraf.text.late import Late
from nutgraf.text.segmentation import CJK

Span = tuple[int, int]
"""Start and end in characters; `text[start:end]` is the text of the span."""

Item = tuple[str, int]
"""Kind of an item's mark, and its number; 0 for a bullet and for the time of a line in a log."""

COORDINATING = {
    "de": "und oder bzw beziehungsweise sowie als wie bis",
    "en": "and or nor but",
    "es": "ni",
    "fr": "et ou ni",
    "it": "ed od",
    "nl": "en of",
    "pt": "ou",
    "ru": "или",
}
"""Words before which a hyphen stands for what follows later, by language; those of one letter need no list."""

_PART = r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*"
_DIVIDED = Late(rf"(?<![\w'’-])({_PART})([-\u2010\u00ad])[^\S\n]*\n[^\S\n]*({_PART})(?![\w'’])")
_DIVIDED_NUMBER = re.compile(r"(?<=\d)([-\u2010–])[^\S\n]*\n[^\S\n]*(?=\d)")
_ALL_COORDINATING = frozenset(word for words in COORDINATING.values() for word in words.split())
_HYPHENS = ("-\n", "\u2010\n", "\u00ad\n", "–\n", "- ")

MIN_WIDTH, MAX_WIDTH = 30, 140
"""Columns at which programs wrap lines."""

FULL_LINE = 0.6
"""Share of the width from which a line is full where people broke the lines, so that their lengths vary."""

HALF_LINE = 0.35
"""Share from which a line is long enough to go on in one that begins with a small letter."""

MIN_EVIDENCE = 0.6
"""Minimum sum of two shares of the unfinished lines of a block that is wrapped: those that its width explains, and
those that go on in lower case. In English prose both are near 1, in German prose the second is 0.6."""

FEWEST_VERSES = 5
"""Minimum number of unfinished lines of verse or titles, each followed by a line that begins with a capital.

A text in which a sentence ends within a line is neither."""

MIN_EXPLAINED = 0.8
"""Share of the line breaks of a block that its width explains from which a program broke its lines, not people."""

PRIOR = 4
"""Number of lines by which a width has to explain more breaks of a block than the usual width of the text does."""

_BLANK_LINE = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_BREAKS = "\f\v\u2028\u2029"
_BLANK_LINE_OR_BREAK = re.compile(rf"{_BLANK_LINE.pattern}|[{_BREAKS}]+")
_LINE = re.compile(r"[^\n]+")
_END_MARKS = tuple(".!?:;…。！？：；؟۔।")
_CLOSING = "\"'”’»›」』）)]"
_ITEM = re.compile(
    r"[^\S\n]*(?:(?P<bullet>[-–—*•‣▪◦·])|(?P<open>\(?)(?P<number>[0-9]{1,2}|[a-z])(?P<close>[.)])"
    r"|(?P<stamp>[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?))[^\S\n]+(?=\S)"
)
_WIDE = Late(rf"[{CJK}\u3000-\u303f\uff01-\uff60]")
_NUMBER = re.compile(r"[^\S\n]*(?:§\s?)?\d{1,3}(?:\.\d{1,3})*[.)][^\S\n]*\Z")
_ENDS_INSIDE = re.compile(r"\w[.!?…]\s+\w")
_FIRST_WORD = re.compile(r"\S+")
_SLACK_OF_WIDE = 8
"""Columns by which full lines of Chinese or Japanese differ: none begins with a mark or divides a Latin word."""


class _Break(NamedTuple):
    """A line and what follows it.

    Attributes:
        length: Columns of the line.
        word: Columns of the first word of the next line, which did not fit if a program broke the line.
        ended: True if the line ends with an end mark.
        divided: True if it ends with a hyphen within a word, as far as its letters show it.
        case: 1 if the next line begins with a small letter, -1 for a capital, 0 for anything else or all capitals.
    """

    length: int
    word: int
    ended: bool
    divided: bool
    case: int

    def is_explained(self, width: int) -> bool:
        """Return True if the line fits into a width, and would not with the next word."""
        return self.length <= width <= self.length + self.word


class _Block(NamedTuple):
    """Lines without a blank line between them."""

    begin: int
    end: int
    lines: Sequence[Span] = ()
    breaks: Sequence[_Break] = ()
    lengths: Sequence[int] = ()


@dataclass(frozen=True)
class _Layout:
    """A width at which lines were broken, and what speaks for it.

    Attributes:
        width: Maximum number of columns of a line; a few lines may be longer.
        explained: Share of the breaks after unfinished lines that the width explains.
        lower: Share of these breaks that small letters follow; a break without a letter with case after it counts as
            one if the width explains it.
    """

    width: int
    explained: float
    lower: float

    @property
    def exact(self) -> bool:
        """True if a program broke the lines, rather than people."""
        return self.explained >= MIN_EXPLAINED


def paragraph_spans(text: str) -> Iterator[Span]:
    """Spans of the paragraphs: separated by blank lines, and by line breaks that no program made to wrap a line."""
    blocks = list(_blocks(text))
    usual = _layout([one for block in blocks for one in block.breaks], [n for block in blocks for n in block.lengths])
    verse = _is_verse(text, blocks)
    for block in blocks:
        yield from (block.lines or [(block.begin, block.end)]) if verse else _paragraphs_of_block(text, block, usual)


def _is_verse(text: str, blocks: Iterable[_Block]) -> bool:
    """Return True if a text has lines of verse, or titles; see `FEWEST_VERSES`."""
    unfinished = [one.case for block in blocks for one in block.breaks if not one.ended]
    if len(unfinished) < FEWEST_VERSES or any(case >= 0 for case in unfinished):
        return False
    return not any(_ENDS_INSIDE.search(text, *line) for block in blocks for line in block.lines[:-1])


def _blocks(text: str) -> Iterator[_Block]:
    begin = 0
    # Two alternatives take ten times as long to search for as one.
    pattern = _BLANK_LINE_OR_BREAK if any(mark in text for mark in _BREAKS) else _BLANK_LINE
    for gap in (*pattern.finditer(text), None):
        end = len(text) if gap is None else gap.start()
        if begin < end:
            yield _block(text, begin, end)
        begin = len(text) if gap is None else gap.end()


def _block(text: str, begin: int, end: int) -> _Block:
    lines = [match.span() for match in _LINE.finditer(text, begin, end)]
    if len(lines) < 2:
        return _Block(begin, end)
    shown = [text[start:stop].rstrip() for start, stop in lines]
    lengths = [_columns(line) for line in shown]
    breaks = [_break(line, below, length) for (line, below), length in zip(pairwise(shown), lengths, strict=False)]
    return _Block(begin, end, lines, breaks, lengths)


def _paragraphs_of_block(text: str, block: _Block, usual: _Layout) -> Iterator[Span]:
    """Paragraphs of a block: its lines, joined where they were wrapped, but for items of a list."""
    lines = block.lines
    first, item = block.begin, _item(text, *lines[0]) if lines else None
    joins = _joins(block, usual) if lines else []
    for ((begun, stop), (following, last)), broken, joined in zip(pairwise(lines), block.breaks, joins, strict=True):
        if _NUMBER.match(text, begun, stop) and broken.case:
            continue
        mark = _item(text, following, last)
        if not joined or (mark and (_goes_on(item, mark) or broken.ended)):
            yield first, stop
            first, item = following, mark
    yield first, block.end


def _break(line: str, below: str, length: int) -> _Break:
    word = _FIRST_WORD.match(below := below.lstrip())
    first = below[:1]
    return _Break(
        length=length,
        word=_SLACK_OF_WIDE if _columns(first) > 1 else len(word.group()) if word else 0,
        ended=line.rstrip(_CLOSING).endswith(_END_MARKS),
        divided=line.endswith("-")
        and ((line[-2:-1].isalpha() and first.islower()) or (line[-3:-1].isalnum() and first.isalnum())),
        case=first.islower() - (first.isupper() and not below.isupper()),
    )


def _columns(line: str) -> int:
    """Columns of a line, where a Chinese or Japanese character takes two."""
    return len(line) + (0 if line.isascii() else len(_WIDE.findall(line)))


def _joins(block: _Block, usual: _Layout) -> list[bool]:
    """For each line break of a block, whether the paragraph goes on after it."""
    layout = _layout(block.breaks, block.lengths, usual)
    width = layout.width
    if width > MAX_WIDTH:
        return [one.divided for one in block.breaks]
    wrapped = width >= MIN_WIDTH and layout.explained + layout.lower >= MIN_EVIDENCE
    exact = layout.exact or usual.exact

    def joined(one: _Break) -> bool:
        if one.divided or (not one.ended and one.case == 1 and (usual.exact or one.length >= HALF_LINE * width)):
            return True
        full = one.length + one.word >= width if exact else one.length >= FULL_LINE * width
        return wrapped and full

    return [joined(one) for one in block.breaks]


def _layout(breaks: Sequence[_Break], lengths: Sequence[int], usual: _Layout | None = None) -> _Layout:
    """Layout of some lines; a few lines lean on the usual layout of their text."""
    width = _width(breaks, lengths)
    if usual and width != usual.width:
        support = _score(breaks, lengths, usual.width) + PRIOR * usual.explained
        width = usual.width if support > _score(breaks, lengths, width) else width
    unfinished = [(one.case, one.is_explained(width)) for one in breaks if not one.ended]
    explained = [float(explained) for _, explained in unfinished]
    lower = [float(case == 1 if case else explained) for case, explained in unfinished]
    if usual or not unfinished:  # as one more line
        explained.append(usual.explained if usual else 1.0)
        lower.append(usual.lower if usual else 1.0)
    return _Layout(width, fsum(explained) / len(explained), fsum(lower) / len(lower))


def _score(breaks: Iterable[_Break], lengths: Iterable[int], width: int) -> int:
    """Number of breaks that a width explains, less that of the lines that are longer."""
    return sum(one.is_explained(width) for one in breaks) - sum(length > width for length in lengths)


def _width(breaks: Iterable[_Break], lengths: Sequence[int]) -> int:
    """The width up to MAX_WIDTH with the highest score, the largest among equals; the longest line if none has one."""
    changes = Counter(lengths)
    for one in breaks:
        changes[one.length] += 1
        changes[one.length + one.word + 1] -= 1
    width = longest = max(lengths, default=0)
    best, score = 1, -len(lengths)
    for column in sorted(changes):
        score += changes[column]
        if score >= best and column <= min(longest, MAX_WIDTH):
            best, width = score, column
    return width


def _item(text: str, start: int, stop: int) -> Item | None:
    """The mark with which a line begins as an item of a list, if it does."""
    found = _ITEM.match(text, start, stop)
    if not found:
        return None
    if found["stamp"]:
        return "stamp", 0
    number = found["number"] or ""
    value = int(number) if number.isdecimal() else ord(number) if number else 0
    return found["bullet"] or f"{found['open']}{'1' if number.isdecimal() else 'a'}{found['close']}", value


def _goes_on(item: Item | None, mark: Item) -> bool:
    """Return True if a mark goes on with the list of the item before: the same bullet, or the next number."""
    return item is not None and item[0] == mark[0] and mark[1] in (0, item[1] + 1)


def without_divisions(
    text: str, is_whole: Callable[[str, str], bool], is_hyphenated: Callable[[str, str], bool] | None = None
) -> str:
    r"""Join the parts of words, and of ranges of numbers, that a line end divides.

    >>> without_divisions(
    ...     "An earth-\nworm in a well-\nknown bed, on pages 12-\n14.",
    ...     lambda *parts: parts == ("earth", "worm"),
    ...     lambda *parts: parts == ("well", "known"),
    ... )
    'An earthworm in a well-known bed, on pages 12-14.'
    """
    if "\n" not in text or not any(mark in text for mark in _HYPHENS):
        return text

    def joined(found: re.Match[str]) -> str:
        first, hyphen, last = found.groups()
        parts = first.lower(), last.lower()
        if hyphen == "\u00ad":
            return first + last
        if len(first) > 1 and len(last) > 1 and last.islower() and is_whole(*parts):
            return first + last
        return first + hyphen + last if is_hyphenated and is_hyphenated(*parts) else found.group()

    return _DIVIDED_NUMBER.sub(r"\1", _DIVIDED.sub(joined, text))


def is_coordinating(word: str, language: str | None = None) -> bool:
    """Return True if a lowercased word coordinates, so that a hyphen before it divides no word.

    >>> is_coordinating("or", "en"), is_coordinating("worm", "en"), is_coordinating("und")
    (True, False, True)

    Args:
        word: The word.
        language: ISO 639-1 code; None for any language.
    """
    return word in (_ALL_COORDINATING if language is None else COORDINATING.get(language, "").split())
