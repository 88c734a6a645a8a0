"""The sources as a page shows them: paragraphs with their marks, and long stretches that nothing came from folded.

Everything is found in one sweep over the joined text, so time grows in proportion to its length.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import NamedTuple

from nutgraf.prose import judgements
from nutgraf.prose.quality import JUNK
from nutgraf.prose.reasons import reason_in_words
from nutgraf.report.marks import Mark, Piece, merge, split
from nutgraf.text.document import Document, Section
from nutgraf.text.paragraphs import paragraph_spans
from nutgraf.text.summary import Cut, Origin, Summary, SummaryWord, origin_of
from nutgraf.text.tokenize import Span, count_words

LONG_SOURCE = 1_500
"""Words above which a source's unused stretches are folded away."""

LONG_STRETCH = 120
"""Words from which a stretch is worth folding."""

LONG_PARAGRAPH = 2_000
"""Characters after which a paragraph is broken at the next end of a sentence."""

MOST_KEPT = 3_000_000
"""Characters of input up to which the page holds folded text too; beyond that it only says how much there is."""

_FOLDERS = re.compile(r"^.*[/\\](?=[^/\\]+\.\w{1,8}(?::\d+)?$)", re.DOTALL)
"""Folders before the name of a file, perhaps with a line number; a title with a slash in it has no ending."""

_CLOCK = re.compile(r"\d[:.]\d\d(?!\d)")


class Run(NamedTuple):
    """A text that is marked alike.

    Attributes:
        phrase: True if it is a key phrase, or in one.
        words: Numbers, from 1, of the words in the summary that these characters are, or were copied to.
        operation: Operation by which the network took them into the summary.
        anchor: Id that links to them lead to; "" if none does.
        asked: True if it is a phrase that the user asked for, or in one.
        left_out: Kind of a piece that was left out of a sentence, which is shown as such; "" for what is there.
    """

    text: str
    phrase: bool = False
    words: tuple[int, ...] = ()
    operation: str = ""
    anchor: str = ""
    asked: bool = False
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sentence that was left out because it is not prose.

    Attributes:
        source: Index of the input document.
        kind: What it is instead, in words.
    """

    source: int
    start: int
    end: int
    kind: str


Place = Origin | Cut | LeftOut
"""Elements that can be linked to."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters with the same origins and the same cut.

    Attributes:
        sentences: Numbers, from 1, of the summary's sentences that come from here.
        ending: Numbers of those whose origin ends here.
        rule: Rule by which they were cut; "" if they were kept.
        anchor: Id that links to this place lead to; "" if none does.
        kind: What they are, if they were left out because they are not prose; else "".
    """

    runs: tuple[Run, ...]
    sentences: tuple[int, ...] = ()
    ending: tuple[int, ...] = ()
    rule: str = ""
    anchor: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a heading.

    Attributes:
        heading: True for a heading.
        page: Number of its page, if it is the first on it.
        time: When it is said, in words, if it is the first that is said then and neither it nor the line above, such as
            that of the speaker, names a time.
    """

    stretches: tuple[Stretch, ...]
    words: int
    heading: bool = False
    page: int | None = None
    time: str = ""

    @property
    def used(self) -> bool:
        """True if the summary took something from here."""
        return any(stretch.sentences or any(run.words for run in stretch.runs) for stretch in self.stretches)

    @property
    def rule(self) -> str:
        """The rule by which all of it was cut; empty where some of it was kept, or used after all.

        What one stage of a system does not see, the next may take sentences from.
        """
        rules = {stretch.rule for stretch in self.stretches}
        return rules.pop() if len(rules) == 1 and not self.used else ""

    @property
    def text(self) -> str:
        """Text of the block."""
        return "".join(run.text for stretch in self.stretches for run in stretch.runs)


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring blocks that are shown alike: open, folded because nothing came from them, or cut by a rule.

    Attributes:
        rule: Rule by which they were cut; "" if they were kept.
        kept: True if the page holds their text.
    """

    blocks: tuple[Block, ...]
    folded: bool = False
    rule: str = ""
    kept: bool = True

    @property
    def words(self) -> int:
        """Number of words."""
        return sum(block.words for block in self.blocks)

    @property
    def headings(self) -> list[str]:
        """Headings in the group."""
        return [block.text for block in self.blocks if block.heading]


@dataclass(frozen=True, slots=True)
class Tick:
    """A place in a source, in thousandths of its length: `sentences` come from there, or, with none, it was cut."""

    start: float
    width: float
    sentences: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """One document of the input.

    Attributes:
        used: Number of the summary's sentences that come from it.
        ticks: Places of the origins and cuts.
    """

    number: int
    name: str
    words: int
    used: int
    groups: tuple[Group, ...]
    ticks: tuple[Tick, ...]

    @property
    def first_used(self) -> str:
        """Id of the first place that a sentence comes from; "" if none does."""
        blocks = (block for group in self.groups for block in group.blocks)
        stretches = (stretch for block in blocks for stretch in block.stretches)
        return next((stretch.anchor for stretch in stretches if stretch.sentences and stretch.anchor), "")


def names_of(document: Document) -> list[str]:
    """Return the names of the sources: files without their folders, if these names differ."""
    given = [part.name for part in document.parts]
    if len(given) == 1:
        return [_FOLDERS.sub("", given[0]) or "Text"]
    named = [name or f"Source {number}" for number, name in enumerate(given, 1)]
    short = [_FOLDERS.sub("", name) for name in named]
    return short if len(set(short)) == len(short) else named


def numbered(summary: Summary) -> Iterator[tuple[int, SummaryWord]]:
    """The words that a network wrote, from 1 over the whole summary."""
    return enumerate((word for sentence in summary.sentences for word in sentence.words), 1)


def left_out(summary: Summary) -> list[LeftOut]:
    """Return the sentences that were left out because they are not prose; a system that counts none left out none."""
    if not summary.excluded:
        return []
    document = summary.document
    judged = zip(document.sentences, judgements(document), strict=True)
    junk = [(origin_of(document, span.start, span.end), one.reason) for span, one in judged if one.quality == JUNK]
    return [LeftOut(at.source, at.start, at.end, reason_in_words(reason)) for at, reason in junk]


def lay_out(summary: Summary, also: Iterable[Origin] = ()) -> tuple[list[Source], dict[Place, str]]:
    """The sources, and the id of the element at which each origin, each cut and each sentence left out begins.

    Args:
        summary: The summary.
        also: Other places that get an id.
    """
    document = summary.document
    sentences = [sentence.start for sentence in document.sentences]
    layout = [list(_block_spans(document.text, part, sentences)) for part in document.parts]
    places = _Places(summary, also)
    pieces = _pieces_of_blocks(summary, places.marks, [span for spans in layout for span in spans])
    painter = _Painter(summary, places, pieces)
    blocks = iter([painter.block(one) for one in pieces])
    names = names_of(document)
    sources = [
        Source(
            number=number,
            name=names[number],
            words=sum(block.words for block in part),
            used=len({n for block in part for stretch in block.stretches for n in stretch.sentences}),
            groups=tuple(_groups(part, kept=len(document.text) <= MOST_KEPT)),
            ticks=tuple(places.ticks(document.parts[number])),
        )
        for number, part in enumerate([list(islice(blocks, len(spans))) for spans in layout])
    ]
    return sources, painter.anchors


class _Places:
    """Places that a summary took or left, as marks over the joined text; a mark's key is its index here."""

    def __init__(self, summary: Summary, also: Iterable[Origin]) -> None:
        origins = [(origin, n) for n, sentence in enumerate(summary.sentences, 1) for origin in sentence.origins]
        others: list[Place] = [*summary.cut, *left_out(summary), *also]
        self._all: list[tuple[Place, int]] = [*origins, *((one, 0) for one in others)]
        bases = [part.start for part in summary.document.parts]
        self.marks = [
            Mark(bases[place.source] + place.start, bases[place.source] + place.end, "place", key)
            for key, (place, _) in enumerate(self._all)
        ]

    def __getitem__(self, key: int) -> Place:
        return self._all[key][0]

    def sentences(self, keys: Iterable[int]) -> tuple[int, ...]:
        """The numbers, from 1, of the summary's sentences that these origins belong to."""
        return tuple(sorted({self._all[key][1] for key in keys} - {0}))

    def rule(self, keys: Iterable[int]) -> str:
        """The rule by which a place was cut; empty for one that was kept."""
        return next((place.rule for place in map(self.__getitem__, keys) if isinstance(place, Cut)), "")

    def kind(self, keys: Iterable[int]) -> str:
        """Return the kind of a place that was left out because it is not prose; empty for any other."""
        return next((place.kind for place in map(self.__getitem__, keys) if isinstance(place, LeftOut)), "")

    def ticks(self, part: Section) -> Iterator[Tick]:
        scale = 1000 / max(1, part.end - part.start)
        for mark in self.marks:
            shown = self.sentences([mark.key]) or isinstance(self[mark.key], Cut)
            if shown and part.start <= mark.start < part.end:
                at, width = (mark.start - part.start) * scale, (mark.end - mark.start) * scale
                yield Tick(at, width, self.sentences([mark.key]))


def _block_spans(text: str, part: Section, sentences: Sequence[int]) -> Iterator[Span]:
    """Paragraphs, in characters of the joined text. Very long ones are broken where a sentence begins."""
    for start, end in paragraph_spans(text[part.start : part.end]):
        begin, stop = part.start + start, part.start + end
        while stop - begin > LONG_PARAGRAPH:
            following = bisect_left(sentences, begin + LONG_PARAGRAPH)
            if following == len(sentences) or sentences[following] >= stop:
                break
            yield begin, sentences[following]
            begin = sentences[following]
        if text[begin:stop].strip():
            yield begin, stop


def _pieces_of_blocks(summary: Summary, places: Iterable[Mark], spans: Sequence[Span]) -> list[list[Piece]]:
    phrases = merge(span for phrase in summary.phrases for span in phrase.spans)
    asked = merge(span for phrase in summary.phrases if phrase.text in summary.highlights for span in phrase.spans)
    bases = [part.start for part in summary.document.parts]
    words = [
        Mark(bases[word.origin.source] + word.origin.start, bases[word.origin.source] + word.origin.end, "word", number)
        for number, word in numbered(summary)
        if word.origin is not None
    ]
    steered = (Mark(*span, "asked") for span in asked)
    marks = [*places, *words, *(Mark(*span, "phrase") for span in phrases), *steered]
    blocks = [Mark(*span, "block", number) for number, span in enumerate(spans)]
    result: list[list[Piece]] = [[] for _ in spans]
    for piece in split(0, len(summary.document.text), [*marks, *blocks]):
        for number in piece.keys("block"):
            result[number].append(piece)
    return result


def _keys(piece: Piece) -> tuple[int, ...]:
    return piece.keys("place")


def _look(piece: Piece) -> tuple[bool, bool, tuple[int, ...]]:
    """Return the look of a piece: is it a key phrase, was it asked for, and the words that were copied from it."""
    return bool(piece.keys("phrase")), bool(piece.keys("asked")), piece.keys("word")


class _Painter:
    """Makes blocks of pieces. A stretch is known by where it starts: no two start together."""

    def __init__(self, summary: Summary, places: _Places, pieces: Iterable[list[Piece]]) -> None:
        self._document = document = summary.document
        self._places = places
        self._origins = {number: word.origin for number, word in numbered(summary) if word.origin is not None}
        self._words: dict[Place, str] = {}
        self._first: dict[int, int] = {}
        self._last: dict[int, int] = {}
        for block in pieces:
            for keys, stretch in groupby(block, _keys):
                start = next(stretch).start
                for key in keys:
                    self._first.setdefault(key, start)
                    self._last[key] = start
        self._anchored = set(self._first.values())
        self._sentences = [sentence.start for sentence in document.sentences]
        self._page: int | None = None
        self._time, self._named = "", False

    @property
    def anchors(self) -> dict[Place, str]:
        """Return the links; where a sentence and a word have the same origin, the sentence's."""
        return {**self._words, **{self._places[key]: f"at-{start}" for key, start in self._first.items()}}

    def block(self, pieces: list[Piece]) -> Block:
        start, end = pieces[0].start, pieces[-1].end
        return Block(
            stretches=tuple(self._stretch(keys, list(group)) for keys, group in groupby(pieces, _keys)),
            words=count_words(self._document.text[start:end], self._document.language),
            heading=bool(self._document.sections) and not self._has_sentence(start, end),
            page=self._new_page(start),
            time=self._new_time(start, end),
        )

    def _stretch(self, keys: tuple[int, ...], pieces: list[Piece]) -> Stretch:
        start, text = pieces[0].start, self._document.text
        return Stretch(
            runs=tuple(
                self._run("".join(text[piece.start : piece.end] for piece in run), *look)
                for look, run in groupby(pieces, _look)
            ),
            sentences=self._places.sentences(keys),
            ending=self._places.sentences(key for key in keys if self._last[key] == start),
            rule=self._places.rule(keys),
            anchor=f"at-{start}" if start in self._anchored else "",
            kind=self._places.kind(keys),
        )

    def _run(self, text: str, is_phrase: bool, asked: bool, words: tuple[int, ...]) -> Run:
        """Return the links of words; a word broken into several runs is linked at the first."""
        new = [number for number in words if self._origins[number] not in self._words]
        anchor = f"from-{new[0]}" if new else ""
        self._words.update({self._origins[number]: anchor for number in new})
        return Run(text, is_phrase, words, anchor=anchor, asked=asked)

    def _has_sentence(self, start: int, end: int) -> bool:
        """Return True if a sentence begins here; headings are left out of the sentences."""
        return bisect_left(self._sentences, start) < bisect_left(self._sentences, end)

    def _new_page(self, start: int) -> int | None:
        before, self._page = self._page, self._document.page_of(start)
        return self._page if self._page != before else None

    def _new_time(self, start: int, end: int) -> str:
        """Return the time of the first sentence of a block; "" if it is that of the block before, or stands in one."""
        spoken = bisect_left(self._sentences, start)
        if not self._document.times:
            return ""
        named, self._named = self._named, bool(_CLOCK.search(self._document.text, start, end))
        if not self._has_sentence(start, end):
            return ""
        time = self._document.time_of(self._sentences[spoken])
        before, self._time = self._time, self._document.time_in_words(time)
        return "" if self._time == before or named or self._named else self._time


def _groups(blocks: Sequence[Block], kept: bool) -> Iterator[Group]:
    """Neighbours of what was used stay open, so that nothing is shown without what stands around it."""
    long = sum(block.words for block in blocks) > LONG_SOURCE
    shown = _shown(blocks) if long else [True] * len(blocks)
    looks = [(block.rule, not long if block.rule else show) for block, show in zip(blocks, shown, strict=True)]
    for (rule, show), run in groupby(range(len(blocks)), looks.__getitem__):
        members = tuple(blocks[place] for place in run)
        worth_it = bool(rule) or sum(block.words for block in members) >= LONG_STRETCH
        folded = not show and worth_it
        yield Group(members, folded, rule, kept or not folded)


def _shown(blocks: Sequence[Block]) -> list[bool]:
    used = [False, *(block.used for block in blocks), False]
    shown = [any(used[place : place + 3]) for place in range(len(blocks))]
    for place in range(len(blocks) - 2, -1, -1):
        shown[place] |= blocks[place].heading and shown[place + 1]
    return shown
