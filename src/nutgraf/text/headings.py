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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from nutgraf.text.document import Document, Heading, Section
from nutgraf.text.gutenberg import book_span
from nutgraf.text.paragraphs import paragraph_spans
from nutgraf.text.tokenize import Span, flatten, words
from nutgraf.text.verbs import has_auxiliary, has_verb

LONGEST, MOST_WORDS = 160, 16
"""Maximum number of characters and words of a heading."""

LONGEST_UNSPACED = 25
"""Maximum number of characters of a title in Chinese or Japanese."""

LONGEST_RUN_IN = 7
"""Maximum number of words of a title that the text goes on behind, on the same line."""

MOST_WORDS_ENDED = 12
"""Maximum number of words of a title on a line of its own that ends with a full stop."""

SHORT_LINE = 0.6
"""Length of a title on the first line of a wrapped paragraph, at most, as a share of its longest line."""

MOST_WORDS_UNMARKED = 9
"""Maximum number of words of a line that is a heading by its shape alone."""

FEWEST_BELOW = 50
"""Characters of a paragraph below such a line."""

LONG_BELOW = 150
"""Characters of a paragraph with a number that is a part by itself, without a title."""

MOST_SKIPPED = 3
"""Difference of the numbers of neighbors, at most: some titles are not known as such."""

UNITS = ("chapter", "section", "article", "§")
"""Kinds of parts in which numbers without a word count lists."""

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
_UNDERLINE = re.compile(r"\s*\n[=\-~*_]{3,}\s*\n")
_LEADERS = re.compile(r"[\s.·…]*[.·…]{3,}\s*\d{0,4}$")
_CHINESE = re.compile(r"第\s?(?P<number>[〇零一二三四五六七八九十百千两\d]{1,7})\s?(?P<word>[编編篇部卷章节節条條回])")
_CHINESE_KINDS = dict(
    zip(
        "编編篇部卷章回节節条條",
        ("part part part part book chapter chapter section section article article").split(),
        strict=True,
    )
)
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
    """A line that looks like a heading.

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
    if len(found) > FEWEST and found[0].kind in ("capitals", "line"):
        first = part.start + book_span(document.show(part))[0]
        found = found[1:] if not document.text[first : found[0].start].strip() else found
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
    """Return what a heading and its entry in a table of contents have in common."""
    if one.number:
        return f"{one.kind.removesuffix(' marked')} {one.number}"
    told = (one.marked or one.kind == _NAMED) and len(one.title) <= LONGEST
    return _LEADERS.sub("", one.title).casefold() if told else ""


def _with_levels(text: str, found: Sequence[_Candidate]) -> Iterator[tuple[_Candidate, int]]:
    """Yield headings with their levels: as many as there are headings open above them, and one more."""
    nested: Counter[tuple[str, str]] = Counter()
    for one, after in pairwise(found):
        if one.kind != after.kind and _is_blank(text[one.end : after.start]):
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


class _Label(NamedTuple):
    """The number with which a heading begins: its kind, its rank, its parts, and its length in characters."""

    kind: str
    rank: int
    number: tuple[int, ...]
    size: int


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
            if begin <= start < end and not _is_blank(document.text[part.start + start : part.start + stop])
        ]
        self._free = [
            span for span in self._paragraphs if bisect_left(taken, span[0] - 1) == bisect_left(taken, span[1])
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
            inner = after is not None and after.rank > one.rank
            if self._is_clause(one, below):
                continue
            if one.label_end and not inner and _is_blank(below):
                label = flatten(self._text[one.start : one.label_end]).rstrip(" .:")
                one = replace(one, title=label, end=one.label_end, bare=True, runs_in=True)
            yield one

    def _is_clause(self, one: _Candidate, below: str) -> bool:
        """Return True for a sentence with a number and the next number below it, or with a verb and a number of parts.

        Args:
            one: What may be a heading.
            below: The text up to the next one.
        """
        if not one.label_end or one.rank < _NUMBER_RANK:
            return False
        after = _NUMBERED.match(below.lstrip())
        if after and _is_next(_of_number(after["number"]).number, one.number):
            return True
        said = words(self._text[one.label_end : one.end])
        return len(one.number) > 1 and self._document.language == "en" and has_auxiliary(said)

    def _of_mark(self, one: Heading) -> _Candidate:
        """Return a heading that the format marks; where it tells no level, what the heading says does."""
        title = _LEADERS.sub("", one.title) if len(one.title) <= LONGEST else one.title
        shape = self._labelled_text(title, one.start) or self._numbered_text(title, one.start)
        if one.level:
            number, bare = (shape.number, shape.bare) if shape else ((), False)
            return _Candidate(title, one.start, one.end, f"level {one.level}", one.level, number, bare)
        if shape and not shape.runs_in:
            return replace(shape, title=title, start=one.start, end=one.end)
        return self._by_shape(title, one.start, one.end) or _line(title, one.start, one.end)

    def _labelled(self, span: Span) -> _Candidate | None:
        return _whole(self._labelled_text(self._text[span[0] : span[1]], span[0]), self._text, span[1])

    def _labelled_text(self, text: str, start: int) -> _Candidate | None:
        """Return the heading with which a paragraph begins, if that is a word for a part and its number."""
        start, text = _stripped(text, start)
        label = _label(text)
        if label is None:
            return None
        separator = _SEPARATOR.match(text, label.size)
        at = separator.end() if separator else label.size
        between = text[label.size : at]
        told = bool(between.strip()) or "\n" in between or label.kind == "§" or text[0] == "第"
        return self._with_title(text, start, label, at, told)

    def _with_title(self, text: str, start: int, label: _Label, at: int, told: bool) -> _Candidate | None:
        """Return the heading with which a paragraph begins, if its title or its text stands behind its label.

        Args:
            text: The paragraph.
            start: Its first character.
            label: Its label.
            at: Where what follows the label and its mark begins.
            told: True if a mark shows that the label is no part of a sentence.
        """
        kind, rank, number, size = label
        named, between, rest = text[:size].rstrip(" .:"), text[size:at], text[at:]
        if not rest:
            return _Candidate(flatten(named), start, start + len(text), kind, rank, number, bare=True)
        if self._is_title(rest) and (told or _begins_title(rest)):
            title = _LEADERS.sub("", flatten(rest)).rstrip(":")
            shown = f"{named}: {title}" if "\n" in between else f"{text[:at]}{title}"
            doubtful = rest.rstrip().endswith(".") and not rest.isupper()
            label_end = start + at if doubtful else 0
            return _Candidate(flatten(shown), start, start + len(text), kind, rank, number, label_end=label_end)
        run_in, (first, *others) = _RUN_IN.match(rest), rest.split("\n")
        if run_in and self._is_run_in(run_in["title"]) and (told or _is_capitalized(run_in["title"])):
            shown, end = f"{text[:at]}{run_in['title']}", start + at + run_in.end()
            return _Candidate(flatten(shown), start, end, kind, rank, number, runs_in=True)
        if not told or not (_begins_title(rest) or rest[0] in "(["):
            return None
        short = others and len(first) < SHORT_LINE * max(map(len, others))
        if short and "\n" not in between and self._is_title(first) and not _ENDED.search(first):
            return _Candidate(flatten(text[:at] + first), start, start + at + len(first), kind, rank, number)
        return _Candidate(flatten(named), start, start + at, kind, rank, number, bare=True, runs_in=True)

    def _others(
        self, free: Sequence[Span], marked: Sequence[_Candidate], labelled: Sequence[_Candidate]
    ) -> Iterator[_Candidate]:
        """Yield headings by their numbers; those with usual names; where there are none, those of capitals or lines."""
        alone = len(labelled) < FEWEST
        units = sum(one.kind in UNITS for one in labelled) >= FEWEST
        numbered = list(_successive(list(filter(None, (self._numbered(span) for span in free))), self._text))
        numbered = [one for one in numbered if not units or len(one.number) > 1]
        yield from numbered
        taken = {one.start for one in numbered}
        shaped = [
            one
            for index, span in enumerate(free)
            if span[0] not in taken and (one := self._shaped(span, free[index + 1 : index + 2]))
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
        return _whole(self._numbered_text(self._text[span[0] : span[1]], span[0]), self._text, span[1])

    def _numbered_text(self, text: str, start: int) -> _Candidate | None:
        """Return the heading with which a paragraph begins, if that is a number with a title."""
        start, text = _stripped(text, start)
        if not text[:1].isalnum() or not text[0].isascii():
            return None
        for pattern, labelled in ((_NUMBERED, _of_number), (_ROMAN, _of_roman), (_LETTERED, _of_letter)):
            found = pattern.match(text)
            if found is None:
                continue
            label = labelled(found["number"])
            if found.end() == len(text) and pattern is not _ROMAN:
                return None
            made = self._with_title(text, start, label, found.end(), bool(found.groupdict().get("mark")))
            clause = made is not None and made.bare and made.runs_in and len(label.number) > 1 and label.kind != "code"
            return None if clause else made
        return None

    def _shaped(self, span: Span, after: Sequence[Span]) -> _Candidate | None:
        """Return a heading by its name or its shape, above a paragraph that is none."""
        start, line = _stripped(self._text[span[0] : span[1]], span[0])
        made = self._by_shape(line, start, span[1])
        underlined = _UNDERLINED.search(self._text[span[0] : span[1]]) or _UNDERLINE.match(self._text, span[1])
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
        if len(text) > 2 * LONGEST:
            return False
        shown = flatten(text)
        if len(shown) > LONGEST or len(shown.split()) > MOST_WORDS or shown.endswith((",", ";")):
            return False
        if not self._cased:
            return len(shown) <= LONGEST_UNSPACED and _ENDED.search(shown) is None
        ended = shown.endswith(".") and not shown.isupper()
        return not ended or (len(shown.split()) <= MOST_WORDS_ENDED and "\n" not in text.strip())

    def _is_run_in(self, text: str) -> bool:
        """Return True for a title in front of a full stop, which is no sentence."""
        said = words(text)
        verbless = _is_capitalized(text) or self._document.language != "en" or not has_verb(said)
        return 0 < len(said) <= LONGEST_RUN_IN and verbless and _begins_title(text)

    def _titled(self, found: Sequence[_Candidate]) -> Iterator[_Candidate]:
        """Yield headings, those of a number alone with the title that stands below it."""
        starts = [span[0] for span in self._paragraphs]
        taken = -1
        for at, one in enumerate(found):
            if at == taken:
                continue
            after = found[at + 1] if at + 1 < len(found) else None
            if not one.bare or one.runs_in:
                yield one
            elif after is None or not _is_blank(self._text[one.end : after.start]):
                yield self._with_line_below(one, starts, after.start if after else self._part.end)
            elif _may_name(after, one) and _is_only(found, at + 1, one.rank):
                taken = at + 1
                yield replace(one, title=f"{one.title}: {after.title}", end=after.end, bare=False)
            else:
                yield one

    def _with_line_below(self, one: _Candidate, starts: Sequence[int], limit: int) -> _Candidate:
        """Return a heading of a number with the line below it as its title, if that may be one, and text follows."""
        index = bisect_left(starts, one.end)
        if index + 1 >= len(self._paragraphs) or one.marked:
            return one
        start, end = self._paragraphs[index]
        if end > limit:
            return one
        line = self._text[start:end].strip(" \t\n#*_")
        if not self._is_title(line) or (not line[:1].isalnum() and line[:1] not in '"“„«‘¿¡') or line[:1].islower():
            return one
        if _ENDED.search(line) and not line.isupper() and not (line[-1] in ".!?" and self._is_run_in(line)):
            return one
        return replace(one, title=f"{one.title}: {flatten(line).rstrip('.')}", end=end, bare=False)


def _whole(found: _Candidate | None, text: str, end: int) -> _Candidate | None:
    """Return a heading up to the end of its paragraph, if nothing but marks stands between."""
    if found is None or not _is_blank(text[found.end : end]):
        return found
    return replace(found, end=end)


def _is_blank(text: str) -> bool:
    """Return True for a text without letters and digits, such as a line of dashes."""
    return not any(map(str.isalnum, text))


def _stripped(text: str, start: int) -> tuple[int, str]:
    """Return a paragraph without marks around it and the line below a title, and where it begins."""
    stripped = _UNDERLINED.sub("", text).lstrip(" \t\n#*_")
    underlined = _UNDERLINED.search(text)
    begin = (underlined.start() if underlined else len(text)) - len(stripped)
    return start + begin, stripped.rstrip(" \t\n#*_")


def _few(marked: Sequence[_Candidate]) -> list[_Candidate]:
    """Leave out lines without a number or a level that come again and again, as those of code and forms do."""
    counts = Counter(one.title for one in marked if not one.marked and not one.number)
    return [one for one in marked if counts[one.title] <= FEWEST]


def _may_name(after: _Candidate, one: _Candidate) -> bool:
    """Return True if a heading may be the title of the number above it."""
    return not after.number and (after.rank > one.rank or after.kind in ("capitals", "line"))


def _is_only(found: Sequence[_Candidate], at: int, rank: int) -> bool:
    """Return True if no other heading of its kind follows a heading before the next one of a rank or above."""
    for each in islice(found, at + 1, None):
        if each.rank <= rank:
            return True
        if each.kind == found[at].kind:
            return False
    return True


def _told(document: Document) -> Iterable[Heading]:
    """Headings that the format marks, or, where it names sections only, their names."""
    if document.headings or not document.sections:
        return document.headings
    return [Heading(flatten(one.name), one.start, one.start, 1) for one in document.sections if one.name]


def _line(line: str, start: int, end: int) -> _Candidate:
    return _Candidate(flatten(line), start, end, "line", _LINE_RANK)


def _is_capitalized(text: str) -> bool:
    return all(word[:1].isupper() for word in text.split() if len(word) > 3)


def _begins_title(text: str) -> bool:
    first = text.lstrip("\"“„«‘¿¡('[")[:1]
    return first.isdigit() or (first.isalpha() and not first.islower())


def _in_order(found: Iterable[_Candidate]) -> Iterator[_Candidate]:
    """Yield headings with the word of a part. What runs into text is one only if such numbers rise, three or more."""
    some = list(found)
    counts = Counter(one.kind for one in some)
    last: dict[str, tuple[int, ...]] = {}
    for one in some:
        before = last.get(one.kind, ())
        if one.runs_in and (counts[one.kind] <= FEWEST or not (one.number > before or one.number[:1] == (1,))):
            continue
        last[one.kind] = one.number
        yield one


def _successive(found: Sequence[_Candidate], text: str) -> list[_Candidate]:
    """Return headings whose numbers go on from one another, and that have text between them.

    Numbers without titles are those of a list, unless long paragraphs stand behind three or more, and none has a title.
    """
    titled = _chained(
        [one for one in found if not (one.bare and one.runs_in) or one.kind == "code"], text, FEWEST_BELOW
    )
    if titled:
        return titled
    bare = _chained([one for one in found if one.bare and one.runs_in], text, LONG_BELOW)
    return bare if len(bare) > FEWEST else []


def _chained(found: Iterable[_Candidate], text: str, least: int) -> list[_Candidate]:
    chains: dict[str, list[_Candidate]] = {}
    for one in found:
        chain = chains.setdefault("number" if one.kind[0].isdigit() else one.kind, [])
        before = chain[-1].number if chain else ()
        if _follows(one.number, before) or (one.kind == "code" and one.number > before):
            chain.append(one)
    kept = []
    for chain in chains.values():
        ends = [*(one.start for one in chain[1:]), len(text)]
        spread = sum(len(text[one.end : end].strip()) >= least for one, end in zip(chain, ends, strict=False))
        kept += chain if len(chain) >= FEWEST and 2 * spread >= len(chain) else []
    return kept


def _follows(number: tuple[int, ...], before: tuple[int, ...]) -> bool:
    """Return True if a number of an outline comes next: 1, 1.1, 1.2, 2, 2.1; a table or the year in a line does not."""
    if not before:
        return number in ((1,), (0,), (1, 1))
    if len(number) > len(before):
        return number == (*before, 1) or number == (*before, 0)
    return number[:-1] == before[: len(number) - 1] and 0 < number[-1] - before[len(number) - 1] <= MOST_SKIPPED


def _is_next(number: tuple[int, ...], before: tuple[int, ...]) -> bool:
    """Return True for the next number at the same level."""
    return number == (*before[:-1], before[-1] + 1)


def _of_number(written: str) -> _Label:
    pieces = re.split(r"[.-]", written)
    number = tuple(map(int, pieces))
    if "-" in written or any(len(piece) > 2 or (len(piece) > 1 and piece[0] == "0") for piece in pieces):
        return _Label("code", _NUMBER_RANK + 10, number, len(written))
    return _Label(".".join("1" * len(number)), _NUMBER_RANK + 2 + len(number), number, len(written))


def _of_roman(written: str) -> _Label:
    return _Label("I", _NUMBER_RANK, (roman(written),), len(written))


def _of_letter(written: str) -> _Label:
    return _Label("A", _NUMBER_RANK + 1, (ord(written) - ord("A") + 1,), len(written))


def _label(text: str) -> _Label | None:
    """Return the label with which a text begins, if that is a word for a part and its number, or a sign for it."""
    known = _words()
    if text[:1] == "第" and (chapter := _CHINESE.match(text)):
        kind = _CHINESE_KINDS[chapter["word"]]
        return _Label(kind, known.ranks[kind], (chinese(chapter["number"]),), chapter.end())
    if not text[:1].isupper() and text[:1] != "§" and not text[:1].isdigit():
        return None
    found = known.label.match(text) or known.ordinal.match(text)
    if found is None:
        return None
    kind = known.kinds[found["word"].casefold()] if found["word"] else "§"
    return _Label(kind, known.ranks[kind], known.number(found["number"] or found["sign"]), found.end())


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
        self.ranks = {kind: rank for rank, kind in enumerate([*written["labels"], "§"], _LABEL_RANK)}
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
            rf"(?P<word>(?i:{labels}))\.?[^\S\t]{{1,2}}(?P<number>{digits}|{spelled})|§{{1,2}}\s?(?P<sign>{digits})"
        )
        self.ordinal = re.compile(
            rf"(?P<number>\d{{1,3}}(?=\.|st\b|nd\b|rd\b|th\b|er\b|e\b|ème\b|º|ª)|(?i:{numbers})\b)[.º\wª]{{0,3}}\s+"
            rf"(?P<word>(?i:{labels}))(?=\s*(?:[.:–—-]|\n|$))(?P<sign>)"
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
