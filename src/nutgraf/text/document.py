"""Document, Section, Sentence and Phrase: records with character offsets into the source text."""

from __future__ import annotations

import bisect
import hashlib
import itertools
import operator
import reprlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Literal, TypeVar

from nutgraf.errors import InputError, check_type
from nutgraf.text import language as languages
from nutgraf.text import tokenize
from nutgraf.text.blocks import GAP, Block, block_starts
from nutgraf.text.chat import find_turns
from nutgraf.text.clauses import clause_spans
from nutgraf.text.clean import encodable
from nutgraf.text.dictionary import is_common, is_english
from nutgraf.text.gutenberg import book_span
from nutgraf.text.language import LONGEST_SAMPLE, UNDETERMINED
from nutgraf.text.paragraphs import is_coordinating, without_divisions
from nutgraf.text.publication import moment_of
from nutgraf.text.segmentation import LIBRARIES, advice
from nutgraf.text.times import Mark, Time, in_words, on_one_day
from nutgraf.text.transcript import turn_sentences, without_noises
from nutgraf.text.turns import Turn

FEW_WORDS = 20
"""A text of fewer words whose language is not recognized is taken for English if its letters are Latin."""

SEPARATOR = "\n\n"
"""Text between documents that are joined into one input."""

ENOUGH = 10_000
"""Number of sentences that `Document.beginning` has."""

MOST_NAMED = 5
"""Maximum number of documents that a notice names."""


T = TypeVar("T")

Unit = Literal["words", "characters"]
"""Unit in which the length of a summary is limited."""


@dataclass(frozen=True, slots=True)
class Omission:
    """A stretch of a sentence that is left out where the sentence is printed, with the white space beside it.

    Attributes:
        start: First character, in the Document's text.
        end: Character after the last one.
        kind: What it is, such as "relative" for a relative clause; see `nutgraf.prose.shortening`.
        score: How surely it may go, from 0 to 1.
    """

    start: int
    end: int
    kind: str
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as a span of characters of its Document's text.

    Attributes:
        start: First character.
        end: Character after the last one.
        left_out: What is not printed of it, in order, without overlap.
    """

    start: int
    end: int
    left_out: tuple[Omission, ...] = ()

    @property
    def stretches(self) -> tuple[tokenize.Span, ...]:
        """Spans of what is printed of it."""
        starts = (self.start, *(one.end for one in self.left_out))
        ends = (*(one.start for one in self.left_out), self.end)
        return tuple((start, end) for start, end in zip(starts, ends, strict=True) if start < end)


def moved(sentence: Sentence, by: int) -> Sentence:
    """Return a sentence of a text that stands `by` characters further on in another one."""
    left_out = tuple(replace(one, start=one.start + by, end=one.end + by) for one in sentence.left_out)
    return Sentence(sentence.start + by, sentence.end + by, left_out)


@dataclass(frozen=True, slots=True)
class Section:
    """A named span of a Document: a chapter, or one of several joined documents."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a Document: a span of its text, and the level of what it names.

    Attributes:
        title: Its text on one line.
        start: First character.
        end: Character after the last one; `start` for a title that does not stand in the text.
        level: Level, 1 for the outermost; 0 if it is not known.
    """

    title: str
    start: int
    end: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class Phrase:
    """A key phrase.

    Attributes:
        text: The phrase as it first occurs.
        score: Its score.
        spans: All occurrences, (start, end) in characters of the Document, in order.
        forms: Other wordings among the occurrences, where variants were merged: "Mr Obama" of "President Obama".
    """

    text: str
    score: float
    spans: tuple[tokenize.Span, ...] = ()
    forms: tuple[str, ...] = ()

    @property
    def wordings(self) -> tuple[str, ...]:
        """All wordings: the text and the other forms."""
        return self.text, *self.forms


@dataclass(frozen=True)
class Document:
    """A text with its sentences, sections and metadata; all offsets are in characters of `text`.

    Attributes:
        text: The text.
        sentences: Spans of the sentences.
        name: Name of the file or record, "" if there is none.
        sections: Named parts of the text.
        parts: The documents that were joined into this one; a single document is its own only part.
        pages: Start of each page, for formats with pages.
        lists: Spans of the lists that a reader found marked as such; their marks are not in the text.
        turns: What each person says in a transcript, without the label; its name is that of the speaker, "" if unknown.
        language: ISO 639-1 code, or "und" if it was not recognized.
        notices: Remarks for the user, one sentence each.
        published: When each of the parts was published, by ISO 8601 in UTC; "" where it is not known, () if all are
            unknown.
        keep_all: Every sentence may be taken into a summary, also what is not prose; none is judged.
        headings: Headings that the format marks as such, also those without text below them.
        times: Places in captions, transcripts and chats, and the times from which on they are said: seconds from the
            beginning, or a date and time by ISO 8601; see `time_of`.
    """

    text: str
    sentences: tuple[Sentence, ...]
    name: str = ""
    sections: tuple[Section, ...] = ()
    parts: tuple[Section, ...] = ()
    pages: tuple[int, ...] = ()
    lists: tuple[tokenize.Span, ...] = ()
    turns: tuple[Section, ...] = ()
    language: str = "en"
    notices: tuple[str, ...] = field(default=(), compare=False)
    published: tuple[str, ...] = ()
    keep_all: bool = False
    headings: tuple[Heading, ...] = ()
    times: tuple[Mark, ...] = ()

    def __repr__(self) -> str:
        """Name the document without its text, which may be long or confidential."""
        return (
            f"Document(name={self.name!r}, language={self.language!r}, characters={len(self.text)}, "
            f"sentences={len(self.sentences)})"
        )

    @classmethod
    def of(
        cls,
        text: str,
        name: str = "",
        *,
        sections: Iterable[Section] | None = (),
        pages: Iterable[int] | None = (),
        turns: Iterable[Turn] | None = None,
        language: str | None = None,
        sentences: Iterable[tokenize.Span | Sentence] | None = None,
        notices: Iterable[str] | None = (),
        published: str = "",
        declared: str = "",
    ) -> Document:
        """Make a Document of a text and split it into sentences.

        Args:
            text: The text.
            name: Its name, for messages and origins.
            sections: Named parts of the text.
            pages: Start of each page.
            turns: Turns of a transcript. By default a transcript is recognized by its labels, unless `sentences` are
                given.
            language: ISO 639-1 code. By default the language is recognized; for one that is not, words are not reduced
                to their stems, the stop words are guessed from the text, and a notice says so.
            sentences: Spans of the sentences, if they are known (tokenized corpora), or those of another Document.
            notices: Remarks for the user.
            published: When the text was published: a date or time of ISO 8601. Sentences of several documents stand in
                this order in a summary.
            declared: Language that the source says it is in, such as "fi" or "pt-BR". It is taken where the text does
                not show its language by itself; a text that shows another one is believed.

        Raises:
            InputError: If a sentence is no span, or there is no such language.
        """
        notices = () if notices is None else notices
        check_type(text, str, "The content of a Document is a text (str)")
        check_type(name, str, "The name of a Document is a text (str)")
        check_type(published, str, "The date of a Document is a text (str)")
        text, name, remarks = encodable(text), encodable(name), list(notices)
        begin, end = (0, len(text)) if sentences is not None else book_span(text)
        body = text[begin:end]
        language = _recognize(body, name, remarks, declared) if language is None else languages.check_code(language)
        if language in LIBRARIES and (hint := advice(language)) is not None:
            remarks.append(hint)
        if turns is None:
            turns = find_turns(text) if sentences is None else ()
        turns = list(turns)
        known = None if sentences is None else [_span(one, len(text)) for one in sentences]
        spans = turn_sentences(text, turns, language) if known is None else known
        printed = [span for span in spans if tokenize.prints(text, span, language)]
        spans, broken = tokenize.break_long(text, printed, language=language)
        if broken:
            spans = [span for span in spans if tokenize.prints(text, span, language)]
            remarks.append(
                f"{_called(name)}{broken} sentence{'s' if broken > 1 else ''} of more than "
                f"{tokenize.LONGEST_SENTENCE} words, or {tokenize.MOST_TOKENS:,} words and marks, "
                f"{'were' if broken > 1 else 'was'} broken into shorter pieces."
            )
        if turns:
            spans = [(start, end) for start, end in spans if without_noises(text[start:end]).strip()]
        if body != text:
            within = [span for span in spans if begin <= span[0] and span[1] <= end]
            spans = within or spans
            remarks.extend([f"{_called(name)}the licence of Project Gutenberg is left out."] if within else [])
        return cls(
            text=text,
            sentences=tuple(Sentence(start, end) for start, end in spans),
            name=name,
            sections=() if sections is None else tuple(sections),
            parts=(Section(name, 0, len(text)),),
            pages=() if pages is None else tuple(pages),
            turns=tuple(Section(turn.speaker, turn.start, turn.end) for turn in turns if turn.start < turn.end),
            language=language,
            notices=tuple(remarks),
            published=(moment_of(published) if published else "",),
            times=tuple(mark for turn in turns for mark in turn.times),
        )

    @classmethod
    def of_blocks(
        cls,
        blocks: Sequence[Block],
        name: str = "",
        *,
        language: str | None = None,
        notices: Iterable[str] = (),
        published: str = "",
        declared: str = "",
        turns: Iterable[Turn] | None = None,
    ) -> Document:
        """Make a Document of headings and paragraphs.

        Headings are part of the text and name its Sections, but they are not sentences, so no summary contains them,
        unless there is nothing else.
        """
        starts = block_starts(blocks)
        text = GAP.join(block.text for block in blocks)
        document = cls.of(
            text,
            name,
            language=language,
            sections=_sections(blocks, starts, len(text)),
            pages=[start + page for block, start in zip(blocks, starts, strict=True) for page in block.pages],
            notices=notices,
            published=published,
            declared=declared,
            turns=turns,
        )
        headings, lists = tuple(_headings(blocks, starts)), tuple(_lists(blocks, starts))
        document = replace(document, headings=headings, lists=lists)
        return _without_headings(document, [(one.start, one.end) for one in headings])

    def show(self, span: Sentence | Section | tokenize.Span) -> str:
        """Return the text of a span, unchanged."""
        check_type(span, (Sentence, Section, tuple), "show takes a Sentence, a Section or a pair of offsets")
        start, end = _span(span, len(self.text))
        return self.text[start:end]

    @cached_property
    def printed(self) -> list[str]:
        """Each sentence on one line, as in a summary: divided words joined, in a transcript without marks of noises."""
        return [tokenize.flatten(without_noises(text) if self.turns else text) for text in self._whole]

    @cached_property
    def _whole(self) -> list[str]:
        """The text of each sentence, in which words that a line end divides are joined."""
        return [without_divisions(text, self._are_one, self._are_hyphenated) for text in map(self._raw, self.sentences)]

    def _raw(self, sentence: Sentence) -> str:
        """The text of a sentence without what is left out; it begins with a capital if its beginning is."""
        if not sentence.left_out:
            return self.text[sentence.start : sentence.end]
        text, spaced = "", self.language not in tokenize.UNSPACED_LANGUAGES
        for start, end in sentence.stretches:
            apart = spaced and text[-1:].isalnum() and self.text[start].isalnum()
            text += f"{' ' if apart else ''}{self.text[start:end]}"
        text = text.lstrip()
        return text[:1].upper() + text[1:] if sentence.left_out[0].start == sentence.start else text

    def _are_one(self, first: str, last: str) -> bool:
        """Return True if two lowercased parts are a word of the text or, in English, of a dictionary."""
        if is_coordinating(last, self.language):
            return False
        if first + last in self._vocabulary:
            return True
        known = self.language == "en" and is_common(first + last)
        return known and not self._are_hyphenated(first, last)

    def _are_hyphenated(self, first: str, last: str) -> bool:
        """Return True if two lowercased parts are a word with a hyphen, of the text or of a dictionary of English."""
        hyphenated = f"{first}-{last}"
        return hyphenated in self._vocabulary or (self.language == "en" and is_english(hyphenated))

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(tokenize.words(self.text))

    @cached_property
    def speakers(self) -> list[str | None]:
        """Who says each sentence: None for a sentence outside of turns, "" if it is not known."""
        if not self.turns:
            return [None] * len(self.sentences)
        starts = [turn.start for turn in self.turns]
        found: list[str | None] = []
        for sentence in self.sentences:
            before = bisect.bisect_right(starts, sentence.start) - 1
            spoken = before >= 0 and sentence.start < self.turns[before].end
            found.append(self.turns[before].name if spoken else None)
        return found

    @cached_property
    def labels(self) -> list[str]:
        """Label of each sentence in a summary: when it is said, and by whom, with a colon."""
        if not self.times:
            return [self.label_of(speaker) for speaker in self.speakers]
        times = (self.time_of(sentence.start) for sentence in self.sentences)
        return [self.label_of(speaker, time) for speaker, time in zip(self.speakers, times, strict=True)]

    def label_of(self, speaker: str | None, time: Time | None = None) -> str:
        """Return what precedes a sentence in a summary: "12:31 Ana: ", "Ana: ", "12:31 " or ""."""
        name = f"{speaker}: " if speaker else ""
        return name if time is None else f"{self.time_in_words(time)} {name}"

    @cached_property
    def lengths(self) -> list[int]:
        """Words that each sentence takes in a summary: its own (see `count_words`), and those of its label.

        A summary names the speaker once for several sentences in a row, so it may be shorter than the sum.
        """
        return [
            self.length_of(printed) + self.length_of(label)
            for printed, label in zip(self.printed, self.labels, strict=True)
        ]

    @cached_property
    def extents(self) -> list[int]:
        """Characters that each sentence takes in a summary, with the white space after it and its label."""
        if not any(self.labels):
            return [self.length_of(printed, "characters") for printed in self.printed]
        return [len(printed) + 1 + len(label) for printed, label in zip(self.printed, self.labels, strict=True)]

    @cached_property
    def num_words(self) -> int:
        """Number of words of all sentences, without names of speakers; never more than `wc -w` counts in the text.

        Sentences without a space between them share a word for `wc -w`.
        """
        printed = sum(map(self.length_of, self.printed))
        unspaced = self.language in tokenize.UNSPACED_LANGUAGES
        return printed if unspaced else min(printed, tokenize.count_words(tokenize.flatten(self.text)))

    def lengths_in(self, unit: Unit) -> list[int]:
        """Length of each sentence: `lengths` or `extents`."""
        return self.lengths if unit == "words" else self.extents

    def length_of(self, text: str, unit: Unit = "words") -> int:
        """Length of a printed sentence, of this text or another.

        Its words, or its characters with those of the white space after it.
        """
        if unit == "words":
            return tokenize.count_words(text, self.language)
        return len(text) + len(tokenize.gap(text))

    @cached_property
    def clauses(self) -> Document | None:
        """This Document with clauses that stand alone in the place of its sentences; None if it has none.

        See `nutgraf.text.clauses`. A summary takes them where no sentence fits.
        """
        spans = (clause_spans(self.text, (one.start, one.end), self.language) for one in self.sentences)
        found = tuple(Sentence(start, end) for clauses in spans for start, end in clauses)
        return replace(self, sentences=found) if found else None

    @property
    def beginning(self) -> Document:
        """This Document with the first `ENOUGH` of its sentences, as many of each part; its text stays.

        It is this Document itself if there are no more. What needs only the beginning is found in it at once.
        """
        return self if len(self.sentences) <= ENOUGH else self._beginning

    @cached_property
    def _beginning(self) -> Document:
        most, seen, kept = max(1, ENOUGH // len(self.parts)), [0] * len(self.parts), []
        for sentence in self.sentences:
            part = self.part_of(sentence.start)
            seen[part] += 1
            if seen[part] <= most:
                kept.append(sentence)
        return replace(self, sentences=tuple(kept))

    @cached_property
    def words(self) -> list[list[str]]:
        """Lowercased words of each sentence, without punctuation."""
        if self.turns:
            return [tokenize.words(sentence, self.language) for sentence in self.printed]
        return [tokenize.words(text, self.language) for text in self._whole]

    def words_of(self, index: int) -> list[str]:
        """Words of one sentence, as in `words`, for whoever does not need those of all."""
        if "words" in vars(self):
            return self.words[index]
        return tokenize.words(self.printed[index] if self.turns else self._whole[index], self.language)

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """Stop words of the Document's language."""
        return languages.function_words(self.language, self.words)

    @property
    def stem(self) -> Callable[[str], str]:
        """Stemmer of the Document's language, for lowercased words."""
        return languages.stemmer(self.language)

    @cached_property
    def terms(self) -> list[list[str]]:
        """Stems of the content words of each sentence: no stop words, single letters or bare numbers."""
        return self.terms_of(self.words)

    def terms_of(self, sentences: Iterable[Iterable[str]]) -> list[list[str]]:
        """Terms of other sentences, such as those of a summary, as lowercased words; apostrophes are all alike."""
        found = languages.term_table(self.language, self.stop_words)
        return [[term for word in sentence if (term := found[word])] for sentence in sentences]

    @property
    def moments(self) -> tuple[str, ...]:
        """`published`, one for each part."""
        return self.published or ("",) * len(self.parts)

    def in_order(self, indices: Iterable[int]) -> list[int]:
        """Sort indices of sentences: by publication if that of all parts is known, then by place."""
        if len(self.parts) < 2 or not all(self.moments):
            return sorted(indices)
        return sorted(indices, key=lambda one: (self.moments[self.part_of(self.sentences[one].start)], one))

    def part_of(self, offset: int) -> int:
        """Index of the part that contains an offset."""
        return max(0, bisect.bisect_right(self.parts, offset, key=lambda part: part.start) - 1)

    def page_of(self, offset: int) -> int | None:
        """Number of the page that contains an offset, from 1 in each part; None for formats without pages."""
        page = bisect.bisect_right(self.pages, offset)
        start = self.parts[self.part_of(offset)].start
        before = bisect.bisect_left(self.pages, start)
        return page - before if page > before else None

    def time_of(self, offset: int) -> Time | None:
        """When the text at an offset is said; None if that is not known."""
        before = bisect.bisect_right(self.times, offset, key=operator.itemgetter(0)) - 1
        turn = bisect.bisect_right(self.turns, offset, key=operator.attrgetter("start")) - 1
        start = self.turns[turn].start if turn >= 0 else 0  # the time of a turn is not that of the next one
        known = before >= 0 and self.times[before][0] >= max(start, self.parts[self.part_of(offset)].start)
        return self.times[before][1] if known else None

    def time_in_words(self, time: Time | None) -> str:
        """Return a time as people write it: "12:31", or with the date in a chat of several days; "" for None."""
        return in_words(time, dated=not self._on_one_day)

    @cached_property
    def _on_one_day(self) -> bool:
        return on_one_day(time for _, time in self.times)


def kept(function: Callable[[Document], T]) -> Callable[[Document], T]:
    """Decorator: what a function finds out about a document is kept with the document, as by `cached_property`."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def find(document: Document) -> T:
        known = vars(document)
        if name not in known:
            known[name] = function(document)
        found: T = known[name]
        return found

    return find


def keep(function: Callable[[Document], T], document: Document, value: T) -> None:
    """Let a function that is `kept` find a value with a document that it would find out otherwise by itself."""
    vars(document)[f"{function.__module__}.{function.__qualname__}"] = value


def _span(given: Sentence | Section | tokenize.Span, size: int) -> tokenize.Span:
    """Return a span of a text of so many characters, cut at its end as a slice is. Raises InputError if it is none."""
    try:
        first, last = (given.start, given.end) if isinstance(given, Sentence | Section) else given
        start, end = operator.index(first), operator.index(last)
    except (TypeError, ValueError):
        raise InputError(f"A span is a pair of offsets, start and end, not {reprlib.repr(given)}.") from None
    if not 0 <= start <= end:
        raise InputError(f"A span begins at 0 or later and ends where it begins or later; {start}–{end} does not.")
    return min(start, size), min(end, size)


def join(documents: Sequence[Document]) -> Document:
    """Join documents into one, as its parts; no sentence crosses from one to the next.

    Its language is that of all documents whose language was recognized; "und" if these have several.

    Raises:
        InputError: If there is no document.
    """
    if not documents:
        raise InputError("There is no document to summarize.")
    if len(documents) == 1:
        return documents[0]
    sentences: list[Sentence] = []
    sections: list[Section] = []
    parts: list[Section] = []
    turns: list[Section] = []
    headings: list[Heading] = []
    pages: list[int] = []
    lists: list[tokenize.Span] = []
    times: list[Mark] = []
    base, language = 0, _common([document.language for document in documents])
    for document in documents:
        sentences.extend(moved(one, base) for one in document.sentences)
        sections.extend(replace(one, start=one.start + base, end=one.end + base) for one in document.sections)
        parts.extend(replace(one, start=one.start + base, end=one.end + base) for one in document.parts)
        turns.extend(replace(one, start=one.start + base, end=one.end + base) for one in document.turns)
        headings.extend(replace(one, start=one.start + base, end=one.end + base) for one in document.headings)
        pages.extend(page + base for page in document.pages)
        lists.extend((start + base, end + base) for start, end in document.lists)
        times.extend((place + base, time) for place, time in document.times)
        base += len(document.text) + len(SEPARATOR)
    return Document(
        text=SEPARATOR.join(document.text for document in documents),
        sentences=tuple(sentences),
        name=", ".join(document.name for document in documents if document.name),
        sections=tuple(sections),
        parts=tuple(parts),
        pages=tuple(pages),
        lists=tuple(lists),
        turns=tuple(turns),
        times=tuple(times),
        language=language,
        notices=tuple(
            dict.fromkeys(_in_language(notice, language) for document in documents for notice in document.notices)
        ),
        published=tuple(moment for document in documents for moment in document.moments),
        headings=tuple(headings),
    )


def distinct(documents: Sequence[Document]) -> list[Document]:
    """Leave out documents of the same text as one before, white space aside; a notice of the first one names them."""
    first: dict[bytes, int] = {}
    kept, copies = [], []
    for number, document in enumerate(documents, 1):
        name = document.name or f"document {number}"
        key = (
            hashlib.sha256(" ".join(document.text.split()).encode(errors="surrogatepass")).digest()
            if len(documents) > 1
            else b""
        )
        if key in first:
            original = documents[first[key] - 1].name or f"document {first[key]}"
            copies.append(f"{name} (given again)" if name == original else f"{name} (the same as {original})")
        else:
            first[key] = number
            kept.append(document)
    if copies:
        others = f" and {len(copies) - MOST_NAMED:,} others" if len(copies) > MOST_NAMED else ""
        said = f"The same text is read only once; left out: {', '.join(copies[:MOST_NAMED])}{others}."
        kept[0] = replace(kept[0], notices=(*kept[0].notices, said))
    return kept


def _sections(blocks: Sequence[Block], starts: Sequence[int], end: int) -> list[Section]:
    """Text below each heading, and above the first one; a heading without text below it names no Section."""
    if not any(block.heading for block in blocks):
        return []
    sections: list[Section] = []
    title, begin = "", None
    for block, start in zip(blocks, starts, strict=True):
        if block.heading:
            if begin is not None:
                sections.append(Section(title, begin, start - len(GAP)))
            title, begin = " ".join(block.text.split()), None
        elif begin is None:
            begin = start
    if begin is not None:
        sections.append(Section(title, begin, end))
    return sections


def _lists(blocks: Sequence[Block], starts: Sequence[int]) -> Iterator[tokenize.Span]:
    """Yield the span of each run of items."""
    for is_list, run in itertools.groupby(zip(blocks, starts, strict=True), key=lambda pair: pair[0].item):
        items = list(run)
        if is_list:
            yield items[0][1], items[-1][1] + len(items[-1][0].text)


def _headings(blocks: Sequence[Block], starts: Sequence[int]) -> Iterator[Heading]:
    """Headings of the text, and titles that stand beside it."""
    for block, start in zip(blocks, starts, strict=True):
        if block.title:
            yield Heading(" ".join(block.title.split()), start, start, block.level)
        if block.heading:
            yield Heading(" ".join(block.text.split()), start, start + len(block.text), block.level)


def _without_headings(document: Document, headings: Sequence[tokenize.Span]) -> Document:
    starts = [start for start, _ in headings]

    def in_heading(offset: int) -> bool:
        before = bisect.bisect_right(starts, offset) - 1
        return before >= 0 and offset < headings[before][1]

    body = tuple(sentence for sentence in document.sentences if not in_heading(sentence.start))
    return replace(document, sentences=body) if body else document


def _common(codes: list[str]) -> str:
    """Return the language of all texts; a text whose language was not recognized has that of the others."""
    recognized = set(codes) - {UNDETERMINED}
    return recognized.pop() if len(recognized) == 1 else UNDETERMINED


def _in_language(notice: str, language: str) -> str:
    """Return a notice of a text whose language was not recognized as it holds beside others in a language."""
    read = f"it is read in the language of the other texts ({language})"
    return notice if language == UNDETERMINED else notice.replace(_WITHOUT_LANGUAGE, read)


_WITHOUT_LANGUAGE = "words are not reduced to their stems and the stop words are guessed from the text"
"""What a text means whose language was not recognized."""


def _called(name: str) -> str:
    return f"{name}: " if name else ""


def _recognize(text: str, name: str, notices: list[str], declared: str) -> str:
    """Recognized language, else the declared one; a few words in Latin letters are taken for English."""
    code = languages.believed(declared, text)
    if code is not None:
        return code
    found = tokenize.words(text[:LONGEST_SAMPLE])
    if not found:
        return "en"
    short = len(found) < FEW_WORDS
    english = short and 2 * sum(word[0] < "\u0250" for word in found) >= len(found)
    why = "the text is too short to recognize its language" if short else "the language was not recognized"
    result = "English is assumed" if english else _WITHOUT_LANGUAGE
    notices.append(f"{_called(name)}{why}, so {result}. If that is wrong, name the language, such as de for German.")
    return "en" if english else UNDETERMINED
