"""Utterances: what one person says in a sentence, or a line of minutes, with what its phrases show.

Where a short answer is one sentence with its question, both are utterances of their own. A row of a table is one
utterance, whatever sentences it has.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from nutgraf.meetings.cues import Cues
from nutgraf.text.document import Document, Section
from nutgraf.text.tokenize import flatten, words
from nutgraf.text.transcript import without_noises

APPROVING = frozenset("👍✅🎉🙌💯👌❤😍🥳")
"""Signs that approve without a word."""

LONGEST_HEADING = 8
"""Maximum number of words of a heading, or of what stands before a colon."""

OPENING_WORDS = 4
"""Number of words within which a reply begins with yes or no."""


@dataclass(frozen=True)
class Utterance:
    """What one person says in a sentence, or a line of minutes.

    Attributes:
        sentences: Indices of its sentences.
        text: The words as they stand, on one line; the cells of a table are separated by tabs.
        start: First character in the document's text.
        end: Character after the last one.
        speaker: Who speaks: "" if it is not known, None where nobody does.
        turn: Number of the turn, or of the paragraph in a text without turns.
        words: Its lowercased words.
        kinds: What its phrases show.
        begins: What the phrases show that begin within its first words.
        heading: What the heading shows that it stands under.
    """

    sentences: tuple[int, ...]
    text: str
    start: int
    end: int
    speaker: str | None
    turn: int
    words: tuple[str, ...]
    kinds: frozenset[str]
    begins: frozenset[str]
    heading: frozenset[str] = frozenset()

    @cached_property
    def asks(self) -> bool:
        """True for a question."""
        return self.text.rstrip(" \"'”’»)*_").endswith(("?", "？"))


def utterances(document: Document, cues: Cues) -> list[Utterance]:
    """Utterances of a document, in order."""
    spans = list(_spoken(document) if document.turns else _written(document))
    headings = _headings(document, cues, spans)
    found = []
    for (sentences, start, end, speaker, turn), heading in zip(spans, headings, strict=True):
        text = document.text[start:end]
        text = flatten(without_noises(text)) if "\t" not in text else "\t".join(map(flatten, text.split("\t")))
        said = tuple(words(text, document.language))
        phrases = list(cues.found(said))
        kinds = {kind for kind, _, _ in phrases}
        begins = {kind for kind, first, _ in phrases if first < OPENING_WORDS}
        if not APPROVING.isdisjoint(text):
            kinds, begins = {*kinds, "yes"}, {*begins, "yes", "accept"}
        found.append(
            Utterance(sentences, text, start, end, speaker, turn, said, frozenset(kinds), frozenset(begins), heading)
        )
    return found


_Span = tuple[tuple[int, ...], int, int, str | None, int]


def _spoken(document: Document) -> Iterator[_Span]:
    """Sentences of a transcript, cut where the next turn begins."""
    starts = [turn.start for turn in document.turns]
    for index, sentence in enumerate(document.sentences):
        at = bisect.bisect_right(starts, sentence.start) - 1
        if at < 0 or sentence.start >= document.turns[at].end:
            yield (index,), sentence.start, sentence.end, None, -1
            continue
        while at < len(starts) and starts[at] < sentence.end:
            turn = document.turns[at]
            yield (index,), max(turn.start, sentence.start), min(turn.end, sentence.end), turn.name, at
            at += 1


def _written(document: Document) -> Iterator[_Span]:
    """Sentences of a text, and whole rows of its tables."""
    text, paragraph, last, row = document.text, 0, 0, -1
    for index, sentence in enumerate(document.sentences):
        paragraph += "\n\n" in text[last : sentence.start]
        last = sentence.end
        begin = text.rfind("\n", 0, sentence.start) + 1
        stop = text.find("\n", sentence.start)
        stop = len(text) if stop < 0 else stop
        if "\t" not in text[begin:stop]:
            yield (index,), sentence.start, sentence.end, None, paragraph
        elif begin != row:
            row = begin
            within = range(index, len(document.sentences))
            sentences = tuple(one for one in within if document.sentences[one].start < stop)
            yield sentences, begin, stop, None, paragraph


def _headings(document: Document, cues: Cues, spans: list[_Span]) -> Iterator[frozenset[str]]:
    """What the heading shows that each utterance stands under, by sections or, without any, by short lines."""
    none = frozenset[str]()
    if document.turns:
        yield from (none for _ in spans)
    elif document.sections:
        starts = [section.start for section in document.sections]
        shown = [_shown(section, document, cues) for section in document.sections]
        for _, start, _, _, _ in spans:
            at = bisect.bisect_right(starts, start) - 1
            yield shown[at] if at >= 0 and start < document.sections[at].end else none
    else:
        below = none
        for _, start, end, _, _ in spans:
            line = document.text[start:end].strip()
            if not line.endswith((".", "!", "?", "…")) and len(line.split()) <= LONGEST_HEADING and _alone(document.text, start, end):
                below = heading_kinds(line, document, cues)
            yield below


def _alone(text: str, start: int, end: int) -> bool:
    """Return True for a line of its own."""
    return not text[text.rfind("\n", 0, start) + 1 : start].strip() and text[end : end + 1] in ("", "\n", "\r")


def _shown(section: Section, document: Document, cues: Cues) -> frozenset[str]:
    return heading_kinds(section.name, document, cues)


def heading_kinds(line: str, document: Document, cues: Cues) -> frozenset[str]:
    """What a heading shows: that decisions, actions or open questions stand below it."""
    kinds = cues.kinds(words(line, document.language))
    return frozenset(kind for kind in kinds if kind.endswith("_heading"))
