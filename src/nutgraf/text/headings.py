"""Headings of a Document, with the levels at which they nest: those that its format marks, and those of plain text.

A heading of plain text is known by what it says: a word for a part and its number ("CHAPTER I", "Article 5", "§ 3",
"Erster Teil", "第三章"), or a number that goes on from the last one ("2.1 Method"); where a text has none of these, by
its capitals, or by standing alone as a short line without an end mark above a paragraph. Of what is marked in a text,
only the first kind is added: the articles of a law that are no headings of their file.

Levels come from the file where it tells them. Elsewhere a kind of heading stands above another if it comes directly
before it, without text between the two; where nobody does, by the order of words in `headings.toml`. A list of headings
without text below them that all come again is a table of contents, and is none of these.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.text.document import Document, Heading, Section
from nutgraf.text.gutenberg import book_span
from nutgraf.text.paragraphs import paragraph_spans
from nutgraf.text.tokenize import Span, flatten, words
from nutgraf.text.verbs import has_verb

LONGEST, MOST_WORDS = 160, 16
"""Maximum number of characters and words of a heading."""

LONGEST_UNSPACED = 25
"""Maximum number of characters of a title in Chinese or Japanese."""

LONGEST_RUN_IN = 7
"""Maximum number of words of a title that the text goes on behind, on the same line."""

MOST_WORDS_UNMARKED = 9
"""Maximum number of words of a line that is a heading by its shape alone."""

FEWEST_BELOW = 50
"""Characters of a paragraph below such a line."""

FEWEST = 2
"""Headings of a kind from which they are looked for in plain text."""

_MARKED, _LABEL_RANK, _CAPITALS_RANK, _NUMBER_RANK, _LINE_RANK = 0, 20, 40, 41, 60
_NAMED = "named"
_UNSPACED = "zh"

_ENDED = re.compile(r"[.!?…:;,。！？；：]['\"”’»)\]]*$")
_SEPARATOR = re.compile(r"(?:\s*[.:)\]–—-]+|\s*[º°]\.?)?\s*")
_RUN_IN = re.compile(r"(?P<title>[^\n.:;–—]{3,90}?)(?:\.\s?[-–—]|[.:]|\s[–—])\s+(?=\S)")
_NUMBERED = re.compile(r"(?P<number>\d{1,4}(?:[.-]\d{1,4}){0,5})(?P<mark>[.)]?)\s+(?=\S)")
_ROMAN = re.compile(r"(?P<number>[IVXLC]{1,7})(?P<mark>[.)]?)(?=\s|$)\s*")
_LETTERED = re.compile(r"(?P<number>[A-H])\.\s+(?=\S)")
_UNDERLINED = re.compile(r"\n[=\-~*_]{3,}\s*$")
_LEADERS = re.compile(r"[\s.·…]*[.·…]{3,}\s*\d{0,4}$")
_CHINESE = re.compile(r"第\s?(?P<number>[〇零一二三四五六七八九十百千两\d]{1,7})\s?(?P<word>[编編篇部卷章节節条條回])")
_CHINESE_KINDS = {"编": "part", "編": "part", "篇": "part", "部": "part", "卷": "book", "章": "chapter", "回": "chapter"} | {
    "节": "section", "節": "section", "条": "article", "條": "article"
}  # fmt: skip
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


class LeveledHeading(NamedTuple):
    """A heading with its level.

    Attributes:
        title: Its number and its title.
        level: Level, 1 for the outermost, at most one more than that of the heading before.
        start: First character.
        end: Character after the last one; the text below begins there.
        numbered: True if it has a number, by which people refer to it.
    """

    title: str
    level: int
    start: int
    end: int
    numbered: bool


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What looks like a heading.

    Attributes:
        kind: What such headings are called, such as "chapter" or "1.1".
        rank: Place of the kind among others, the outermost lowest.
        number: Its number, part by part; () if it has none.
        bare: True if it is a number without a title.
        runs_in: True if the text goes on behind it on the same line.
        label_end: Where its number ends, if its title may be a sentence and is none only above a text; else 0.
    """

    title: str
    start: int
    end: int
    kind: str
    rank: int
    number: tuple[int, ...] = ()
    bare: bool = False
    runs_in: bool = False
    label_end: int = 0

    @property
    def marked(self) -> bool:
        """True if the format tells its level."""
        return self.rank < _LABEL_RANK and self.kind != _NAMED


def find_headings(document: Document, part: Section) -> tuple[list[LeveledHeading], int]:
    """Return the headings of one of the documents that were joined, and where its text begins behind a contents list.

    What stands in books beside their text, such as an index, is among the headings; see `is_matter`.
    """
    found, begin = _without_contents(document.text, _Finder(document, part).found)
    leveled = [
        LeveledHeading(one.title, level, one.start, one.end, bool(one.number))
        for one, level in _with_levels(document.text, found)
    ]
    return leveled, part.start if begin is None else begin


def is_matter(title: str) -> bool:
    """Return True for the title of what is no text of a book: its contents, an index, the imprint.

    >>> is_matter("Table of Contents"), is_matter("Chapter 2")
    (True, False)
    """
    return title.strip(" .:").casefold() in _words().matter


def is_line(text: str) -> bool:
    """Return True for a text that may be a title: one line of a few words, without an end mark."""
    line = text.strip()
    size = len(line.split())
    return "\n" not in line and 0 < size <= MOST_WORDS and len(line) <= LONGEST and _ENDED.search(line) is None


def _without_contents(text: str, found: Sequence[_Candidate]) -> tuple[list[_Candidate], int | None]:
    """Leave out entries of a table of contents: they have no text below them, and all come again.

    Returns the others, and where the table ends if there is one.
    """
    later = Counter(map(_entry, found))
    remaining, end, listed = [], None, False
    for one, then in zip(found, [*found[1:], None], strict=False):
        after = then.start if then else len(text)
        key = _entry(one)
        later[key] -= 1
        empty = not any(map(str.isalpha, text[one.end : after]))
        listed = bool(key) and later[key] > 0 and (empty or listed)
        if listed:
            end = one.end
        else:
            remaining.append(one)
    return remaining, end


def _entry(one: _Candidate) -> str:
    """What a heading and its entry in a table of contents have in common."""
    if one.number:
        return f"{one.kind.removesuffix(' marked')} {one.number}"
    return _LEADERS.sub("", one.title).casefold() if one.marked or one.kind == _NAMED else ""


def _with_levels(text: str, found: Sequence[_Candidate]) -> Iterator[tuple[_Candidate, int]]:
    """Yield headings with their levels: as many as there are headings open above them, and one more."""
    nested: Counter[tuple[str, str]] = Counter()
    for one, after in pairwise(found):
        if one.kind != after.kind and not any(map(str.isalnum, text[one.end : after.start])):
            nested[one.kind, after.kind] += 1

    def above(first: _Candidate, second: _Candidate) -> bool:
        if first.kind == _NAMED or second.kind == _NAMED:
            return False
        evidence = nested[first.kind, second.kind] - nested[second.kind, first.kind]
        told = first.marked or second.marked or not evidence
        return first.rank < second.rank if told else evidence > 0

    path: list[_Candidate] = []
    for one in found:
        kinds = [each.kind for each in path]
        if one.kind in kinds:
            del path[kinds.index(one.kind) :]
        while path and not above(path[-1], one):
            path.pop()
        path.append(one)
        yield one, len(path)


class _Finder:
    """Finds the headings of one of the documents that were joined."""

    def __init__(self, document: Document, part: Section) -> None:
        self._document, self._text, self._part = document, document.text, part
        self._cased = document.language not in _UNSPACED
        begin, end = book_span(document.text[part.start : part.end])
        own = [one for one in _told(document) if part.start <= one.start < part.end]
        self._marked = [one for one in own if part.start + begin <= one.start < part.start + end]
        taken = [one.start for one in self._marked if one.end > one.start]
        self._paragraphs = [
            (part.start + start, part.start + stop)
            for start, stop in paragraph_spans(document.text[part.start : part.end])
            if begin <= start < end
        ]
        self._free = [
            span
            for span in self._paragraphs
            if bisect_left(taken, span[0] - 1) == bisect_left(taken, span[1])
        ]
        self._by_level = sum(one.level > 0 for one in self._marked) >= FEWEST

    @property
    def found(self) -> list[_Candidate]:
        """Headings in the order of the text."""
        marked = [self._of_mark(one) for one in self._marked]
        labelled = list(_in_order(filter(None, map(self._labelled, self._free))))
        others: list[_Candidate] = []
        if not self._by_level and not self._document.turns:
            taken = {one.start for one in labelled}
            free = [span for span in self._free if span[0] not in taken]
            others = list(self._others(free, marked, labelled))
        marked = _few(marked)
        merged = sorted([*marked, *labelled, *others], key=lambda one: (one.start, one.end))
        return list(self._titled(list(self._settled(merged))))

    def _settled(self, found: Sequence[_Candidate]) -> Iterator[_Candidate]:
        """Yield headings; what ends as a sentence does is a title above a text, and else the text itself."""
        for one, after in zip(found, [*found[1:], None], strict=False):
            below = self._text[one.end : after.start if after else self._part.end]
            if one.label_end and not below.strip():
                label = flatten(self._text[one.start : one.label_end]).rstrip(" .:")
                one = replace(one, title=label, end=one.label_end, bare=True, runs_in=True)
            yield one

    def _of_mark(self, one: Heading) -> _Candidate:
        """Return a heading that the format marks; where it tells no level, what the heading says does."""
        title = _LEADERS.sub("", one.title)
        shape = self._labelled_text(title, one.start, one.end) or self._numbered_text(title, one.start, one.end)
        if one.level:
            number, bare = (shape.number, shape.bare) if shape else ((), False)
            return _Candidate(title, one.start, one.end, f"level {one.level}", one.level, number, bare)
        if shape and not shape.runs_in:
            return replace(shape, title=title, start=one.start, end=one.end)
        return self._by_shape(title, one.start, one.end) or _line(title, one.start, one.end)

    def _labelled(self, span: Span) -> _Candidate | None:
        return self._labelled_text(self._text[span[0] : span[1]], *span)

    def _labelled_text(self, text: str, start: int, end: int) -> _Candidate | None:
        """Return the heading with which a paragraph begins, if that is a word for a part and its number."""
        start += len(text) - len(text.lstrip(" \t\n#*_"))
        text = text.strip(" \t\n#*_")
        found = _label(text)
        if found is None:
            return None
        kind, number, size = found
        separator = _SEPARATOR.match(text, size)
        at = separator.end() if separator else size
        rank = _LABEL_RANK + list(_words().ranks).index(kind)
        rest = text[at:]
        told = bool(text[size:at].strip()) or "\n" in text[size:at] or kind == "§" or text[0] == "第"
        return self._with_title(text, start, size, at, rest, kind, rank, number, told)

    def _with_title(
        self, text: str, start: int, size: int, at: int, rest: str, kind: str, rank: int, number: tuple[int, ...],
        told: bool,
    ) -> _Candidate | None:  # fmt: skip
        """Return a heading of a number, `text[:size]`, with its title behind it, if a title or its own text is there."""
        label = text[:size].rstrip(" .:")
        if not rest:
            return _Candidate(flatten(label), start, start + len(text), kind, rank, number, bare=True)
        if self._is_title(rest) and (told or _begins_title(rest)):
            title = _LEADERS.sub("", flatten(rest)).rstrip(":")
            between = ": " if "\n" in text[size:at] else text[size:at]
            shown = flatten(f"{label if between == ': ' else text[:size]}{between}{title}")
            doubtful = rest.rstrip().endswith(".") and not rest.isupper()
            return _Candidate(
                shown, start, start + len(text), kind, rank, number, label_end=start + at if doubtful else 0
            )
        if not told or not (_begins_title(rest) or rest[0] in "(["):
            return None
        first = rest.split("\n", 1)[0].strip()
        if "\n" in text[size:at] or "\n" not in rest or not self._is_title(first) or _ENDED.search(first):
            run_in = _RUN_IN.match(rest)
            if run_in and self._is_run_in(run_in["title"]):
                title = flatten(f"{text[:at]}{run_in['title']}")
                return _Candidate(title, start, start + at + run_in.end(), kind, rank, number, runs_in=True)
            return _Candidate(flatten(label), start, start + at, kind, rank, number, bare=True, runs_in=True)
        return _Candidate(flatten(text[:at] + first), start, start + at + len(first), kind, rank, number)

    def _others(
        self, free: Sequence[Span], marked: Sequence[_Candidate], labelled: Sequence[_Candidate]
    ) -> Iterator[_Candidate]:
        """Yield headings by their numbers; those with usual names; where there are none, those of capitals or lines."""
        alone = len(labelled) < FEWEST
        numbered = list(_successive(filter(None, (self._numbered(span) for span in free)), self._text))
        if alone or any(len(one.number) > 1 for one in numbered):
            yield from (one for one in numbered if alone or len(one.number) > 1)
        taken = {one.start for one in numbered}
        shaped = [
            one
            for index, span in enumerate(free)
            if span[0] not in taken and (one := self._shaped(span, free[index + 1 : index + 2], labelled))
        ]
        yield from (one for one in shaped if one.kind == _NAMED)
        if not alone:
            return
        capitals = [one for one in shaped if one.kind == "capitals"]
        lines = [one for one in shaped if one.kind == "line"] if not numbered and not marked else []
        for some in (capitals, lines):
            if len(some) + sum(one.kind == some[0].kind for one in marked if some) >= FEWEST:
                yield from self._apart(some)

    def _apart(self, some: Sequence[_Candidate]) -> Iterator[_Candidate]:
        """Yield headings that have text before the next one: neighbors are a list, a title page or a poem."""
        for one, after in zip(some, [*some[1:], None], strict=True):
            between = self._text[one.end : after.start if after else self._part.end]
            if len(between.strip()) >= FEWEST_BELOW:
                yield one

    def _numbered(self, span: Span) -> _Candidate | None:
        return self._numbered_text(self._text[span[0] : span[1]], *span)

    def _numbered_text(self, text: str, start: int, end: int) -> _Candidate | None:
        """Return the heading with which a paragraph begins, if that is a number with a title."""
        start += len(text) - len(text.lstrip(" \t\n#*_"))
        text = text.strip(" \t\n#*_")
        if not text[:1].isalnum() or not text[0].isascii():
            return None
        for pattern, kind_of in ((_NUMBERED, _kind_of_number), (_ROMAN, _kind_of_roman), (_LETTERED, _kind_of_letter)):
            found = pattern.match(text)
            if found is None:
                continue
            kind, rank, number = kind_of(found["number"])
            rest, size = text[found.end() :], found.end("number")
            bare = not rest
            if bare and pattern is not _ROMAN:
                return None
            made = self._with_title(text, start, size, found.end(), rest, kind, rank, number, bool(found.groupdict().get("mark")))
            return None if made is None or (made.bare and made.runs_in and kind != "code") else made
        return None

    def _shaped(self, span: Span, after: Sequence[Span], labelled: Sequence[_Candidate]) -> _Candidate | None:
        """Return a heading by its name or its shape, above a paragraph that is none."""
        text = self._text[span[0] : span[1]]
        underlined = _UNDERLINED.search(text)
        line = (text[: underlined.start()] if underlined else text).strip(" \t\n#*_")
        made = self._by_shape(line, span[0], span[1])
        if made is None or made.kind != "line" or underlined:
            return made
        below = self._text[after[0][0] : after[0][1]] if after else ""
        return made if len(below) >= FEWEST_BELOW and _ENDED.search(below.rstrip()) else None

    def _by_shape(self, line: str, start: int, end: int) -> _Candidate | None:
        name = line.strip(" .:").casefold()
        if name in _words().named or name in _words().matter:
            return _Candidate(flatten(line).rstrip(":"), start, end, _NAMED, 0)
        size = len(line.split())
        if "\n" in line or not 0 < size <= MOST_WORDS_UNMARKED or len(line) > LONGEST or not self._cased:
            return None
        if line.isupper() and sum(map(str.isalpha, line)) > 3 and line[0].isalnum():
            return _Candidate(line, start, end, "capitals", _CAPITALS_RANK)
        plain = line[0].isupper() and _ENDED.search(line) is None and "\t" not in line
        return _line(line, start, end) if plain else None

    def _is_title(self, text: str) -> bool:
        """Return True for a few words that are no sentence."""
        shown = flatten(text)
        if len(shown) > LONGEST or len(shown.split()) > MOST_WORDS or shown.endswith((",", ";")):
            return False
        if not self._cased:
            return len(shown) <= LONGEST_UNSPACED and _ENDED.search(shown) is None
        return not shown.endswith(".") or shown.isupper() or len(shown.split()) <= LONGEST_RUN_IN

    def _is_run_in(self, text: str) -> bool:
        """Return True for a title in front of a full stop, which is no sentence."""
        said = words(text)
        capitals = all(word[:1].isupper() for word in text.split() if len(word) > 3)
        verbless = capitals or self._document.language != "en" or not has_verb(said)
        return 0 < len(said) <= LONGEST_RUN_IN and verbless and _begins_title(text)

    def _titled(self, found: Sequence[_Candidate]) -> Iterator[_Candidate]:
        """Yield headings, those of a number alone with the title that stands below it."""
        starts = [span[0] for span in self._paragraphs]
        same = Counter(one.kind for one in found)
        at = 0
        while at < len(found):
            one, after = found[at], found[at + 1] if at + 1 < len(found) else None
            at += 1
            if not one.bare or one.runs_in:
                yield one
                continue
            if after is not None and not self._text[one.end : after.start].strip():
                lower = after.rank > one.rank and not after.number
                only = not any(
                    each.kind == after.kind for each in _until(found[at + 1 :], lambda each: each.rank <= one.rank)
                )
                if lower and only and (after.marked or after.kind != _NAMED or same[_NAMED] > 0):
                    yield replace(one, title=f"{one.title}: {after.title}", end=after.end, bare=False)
                    at += 1
                    continue
                yield one
                continue
            yield self._with_line_below(one, starts)

    def _with_line_below(self, one: _Candidate, starts: Sequence[int]) -> _Candidate:
        index = bisect_left(starts, one.end)
        if index + 1 >= len(self._paragraphs) or one.marked:
            return one
        start, end = self._paragraphs[index]
        line = self._text[start:end].strip(" \t\n#*_")
        if not self._is_title(line) or not line[:1].isalnum() and line[:1] not in "\"“„«‘¿¡" or line[:1].islower():
            return one
        if _ENDED.search(line) and not line.isupper() and not (line[-1] in ".!?" and self._is_run_in(line)):
            return one
        return replace(one, title=f"{one.title}: {flatten(line).rstrip('.')}", end=end, bare=False)


def _few(marked: Sequence[_Candidate]) -> list[_Candidate]:
    """Leave out lines without a number or a level that come again and again, as those of code and forms do."""
    counts = Counter(one.title for one in marked if not one.marked and not one.number)
    return [one for one in marked if counts[one.title] <= FEWEST]


def _until(found: Sequence[_Candidate], stops: Callable[[_Candidate], bool]) -> Iterator[_Candidate]:
    for one in found:
        if stops(one):
            return
        yield one


def _told(document: Document) -> Iterable[Heading]:
    """Headings that the format marks, or, where it names sections only, their names."""
    if document.headings or not document.sections:
        return document.headings
    return [Heading(flatten(one.name), one.start, one.start, 1) for one in document.sections if one.name]


def _line(line: str, start: int, end: int) -> _Candidate:
    return _Candidate(flatten(line), start, end, "line", _LINE_RANK)


def _begins_title(text: str) -> bool:
    first = text.lstrip("\"“„«‘¿¡('[")[:1]
    return first.isdigit() or (first.isalpha() and not first.islower())


def _in_order(found: Iterable[_Candidate]) -> Iterator[_Candidate]:
    """Yield headings with the word of a part. What runs into text is one only if such numbers rise, three or more."""
    some = list(found)
    counts = Counter(one.kind for one in some if one.runs_in)
    last: dict[str, tuple[int, ...]] = {}
    for one in some:
        before = last.get(one.kind, ())
        if one.runs_in and (counts[one.kind] <= FEWEST or not (one.number > before or one.number[:1] == (1,))):
            continue
        last[one.kind] = one.number
        yield one


def _successive(found: Iterable[_Candidate], text: str) -> Iterator[_Candidate]:
    """Yield headings whose numbers go on from one another, and that have text between them."""
    chains: dict[str, list[_Candidate]] = {}
    open_numbers: dict[str, tuple[int, ...]] = {}
    for one in found:
        family = "number" if one.kind[0].isdigit() else one.kind
        before = open_numbers.get(family, ())
        if _follows(one.number, before) or (one.kind == "code" and one.number > before):
            chains.setdefault(family, []).append(one)
            open_numbers[family] = one.number
    for chain in chains.values():
        ends = [*(one.start for one in chain[1:]), len(text)]
        spread = sum(len(text[one.end : end].strip()) >= FEWEST_BELOW for one, end in zip(chain, ends, strict=True))
        if len(chain) >= FEWEST and 2 * spread >= len(chain):
            yield from chain


def _follows(number: tuple[int, ...], before: tuple[int, ...]) -> bool:
    """Return True if a number of an outline comes next: 1, 1.1, 1.2, 2, 2.1; a table or the year in a line does not."""
    if not before:
        return number in ((1,), (0,), (1, 1))
    if len(number) > len(before):
        return number == (*before, 1) or number == (*before, 0)
    return number[:-1] == before[: len(number) - 1] and number[-1] == before[len(number) - 1] + 1


def _kind_of_number(written: str) -> tuple[str, int, tuple[int, ...]]:
    pieces = re.split(r"[.-]", written)
    number = tuple(map(int, pieces))
    if "-" in written or any(len(piece) > 2 or (len(piece) > 1 and piece[0] == "0") for piece in pieces):
        return "code", _NUMBER_RANK + 10, number
    return ".".join("1" * len(number)), _NUMBER_RANK + 2 + len(number), number


def _kind_of_roman(written: str) -> tuple[str, int, tuple[int, ...]]:
    return "I", _NUMBER_RANK, (roman(written),)


def _kind_of_letter(written: str) -> tuple[str, int, tuple[int, ...]]:
    return "A", _NUMBER_RANK + 1, (ord(written) - ord("A") + 1,)


def _label(text: str) -> tuple[str, tuple[int, ...], int] | None:
    """Return the kind, the number and the length of the label with which a text begins."""
    known = _words()
    if text[:1] == "第" and (found := _CHINESE.match(text)):
        return _CHINESE_KINDS[found["word"]], (chinese(found["number"]),), found.end()
    if not text[:1].isupper() and text[:1] != "§" and not text[:1].isdigit():
        return None
    found = known.label.match(text) or known.ordinal.match(text)
    if found is None:
        return None
    if "word" in found.groupdict() and found["word"] is not None:
        return known.kinds[found["word"].casefold()], known.number(found["number"]), found.end()
    return "§", known.number(found["sign"]), found.end()


def roman(written: str) -> int:
    """Return the value of a Roman numeral.

    >>> roman("XIV")
    14
    """
    values = [_VALUES[letter] for letter in written.upper()]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


def chinese(written: str) -> int:
    """Return the value of a Chinese numeral below ten thousand, or of digits.

    >>> chinese("二十三"), chinese("12")
    (23, 12)
    """
    if written.isdecimal():
        return int(written)
    total, digit = 0, 0
    for letter in written:
        if letter in "十百千":
            total += (digit or 1) * 10 ** (1 + "十百千".index(letter))
            digit = 0
        else:
            digit = {"两": 2, "〇": 0, "零": 0}.get(letter, "一二三四五六七八九".find(letter) + 1)
    return total + digit


class _Words:
    """The words of `headings.toml`."""

    def __init__(self, written: Mapping[str, Mapping[str, str]]) -> None:
        self.kinds = {word: kind for kind, line in written["labels"].items() for word in line.split()}
        self.ranks = {kind: rank for rank, kind in enumerate([*written["labels"], "§"])}
        self.named = frozenset(name for line in written["named"].values() for name in line.split("|"))
        self.matter = frozenset(name for line in written["matter"].values() for name in line.split("|"))
        self.values = {
            word: value
            for line in written["numbers"].values()
            for value, spellings in enumerate(line.split(), 1)
            for word in spellings.split("/")
        }
        numbers = "|".join(sorted(self.values, key=len, reverse=True))
        labels = "|".join(sorted(self.kinds, key=len, reverse=True))
        digits = r"\d{1,5}(?:[.:-]\d{1,4}){0,4}(?:[a-zA-Z]{1,2}|\s?(?:bis|ter))?(?![\w])"
        spelled = rf"(?i:{numbers})\b|[IVXLCDM]{{1,8}}\b|[ivxlc]{{1,6}}(?=[.:\s]|$)|[A-Z](?=[.:\s)–—-]|$)"
        self.label = re.compile(
            rf"(?P<word>(?i:{labels}))\.?\s{{1,2}}(?P<number>{digits}|{spelled})|§{{1,2}}\s?(?P<sign>{digits})"
        )
        self.ordinal = re.compile(
            rf"(?P<number>\d{{1,3}}(?=\.|st\b|nd\b|rd\b|th\b|er\b|e\b|ème\b|º|ª)|(?i:{numbers})\b)[.º\wª]{{0,3}}\s+"
            rf"(?P<word>(?i:{labels}))(?=\s*(?:[.:–—-]|\n|$))"
        )

    def number(self, written: str) -> tuple[int, ...]:
        """Return a number in any spelling, part by part; a letter behind it counts as a part."""
        if written.casefold() in self.values:
            return (self.values[written.casefold()],)
        pieces = re.findall(r"\d+|[a-z]+", written.casefold())
        if len(pieces) == 1 and not pieces[0].isdigit():
            is_roman = all(letter.upper() in _VALUES for letter in pieces[0])
            return (roman(pieces[0]) if is_roman else ord(pieces[0][0]) - ord("a") + 1,)
        return tuple(int(one) if one.isdigit() else ord(one[0]) - ord("a") + 1 for one in pieces)


@cache
def _words() -> _Words:
    import tomllib

    written: dict[str, Any] = tomllib.loads(Path(__file__).with_name("headings.toml").read_text(encoding="utf-8"))
    return _Words(written)
