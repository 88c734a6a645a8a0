"""Excerpts: stretches of a Document as a Document of their own, and their places in the whole one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from nutgraf.text.blocks import GAP
from nutgraf.text.document import Document, Section, Sentence, moved
from nutgraf.text.summary import Cut, Origin, SummarySentence, origin_of
from nutgraf.text.tokenize import Span


@dataclass(frozen=True)
class Excerpt:
    """Stretches of a document, with the sentences that begin in them.

    A sentence that begins before a stretch and ends in it, such as one that stands behind a number on the same line, is
    in it from where the stretch begins.

    Attributes:
        whole: The document.
        spans: The stretches, in order.
        title: Their title, which names their section.
        starts: Where the sentences of the document begin.
        unnamed: Who speaks is not named, as the title does so.
    """

    whole: Document
    spans: tuple[Span, ...]
    title: str
    starts: Sequence[int]
    unnamed: bool = False

    @cached_property
    def _pieces(self) -> list[tuple[Span, list[Sentence]]]:
        """Each stretch up to the end of its last sentence, with its sentences."""
        return [self._piece(*span) for span in self.spans]

    def _piece(self, start: int, end: int) -> tuple[Span, list[Sentence]]:
        sentences = self.whole.sentences
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        own = list(sentences[first:last])
        if first and sentences[first - 1].end > start:
            rest = self.whole.text[start : sentences[first - 1].end]
            begin = start + len(rest) - len(rest.lstrip())
            own = [Sentence(begin, sentences[first - 1].end), *own] if rest.strip() else own
        return (start, max([end, *(one.end for one in own[-1:])])), own

    @cached_property
    def _offsets(self) -> list[int]:
        """Where each stretch begins in the text of the excerpt."""
        found, at = [], 0
        for (start, end), _ in self._pieces:
            found.append(at)
            at += end - start + len(GAP)
        return found

    @cached_property
    def document(self) -> Document:
        """The stretches as a document, separated by blank lines."""
        text = GAP.join(self.whole.text[start:end] for (start, end), _ in self._pieces)
        placed = list(zip(self._pieces, self._offsets, strict=True))
        return Document(
            text=text,
            sentences=tuple(moved(one, at - span[0]) for (span, own), at in placed for one in own),
            name=self.whole.name,
            sections=(Section(self.title, 0, len(text)),) if self.title and not self.whole.turns else (),
            parts=(Section(self.whole.name, 0, len(text)),),
            turns=tuple(turn for (span, _), at in placed for turn in self._turns(span, at)),
            language=self.whole.language,
            keep_all=self.whole.keep_all,
        )

    def _turns(self, span: Span, at: int) -> list[Section]:
        start, end = span
        first = max(0, bisect_right(self.whole.turns, start, key=lambda turn: turn.start) - 1)
        last = bisect_left(self.whole.turns, end, key=lambda turn: turn.start)
        clipped = [
            replace(one, start=max(one.start, start), end=min(one.end, end)) for one in self.whole.turns[first:last]
        ]
        return [
            Section("" if self.unnamed else one.name, one.start - start + at, one.end - start + at)
            for one in clipped
            if one.start < one.end
        ]

    def origin(self, place: Origin) -> Origin:
        """Return a place of the excerpt as one of the whole document."""
        return origin_of(self.whole, *self._span(place.start, place.end))

    def cut(self, place: Cut) -> Cut:
        """Return a passage that was cut as one of the whole document."""
        found = origin_of(self.whole, *self._span(place.start, place.end))
        return replace(place, source=found.source, start=found.start, end=found.end)

    def sentence(self, one: SummarySentence) -> SummarySentence:
        """Return a sentence of a summary of the excerpt with its places in the whole document."""
        words = tuple(
            word if word.origin is None else replace(word, origin=self.origin(word.origin)) for word in one.words
        )
        left_out = tuple(replace(piece, origin=self.origin(piece.origin)) for piece in one.left_out)
        return replace(one, origins=tuple(map(self.origin, one.origins)), words=words, left_out=left_out)

    def _span(self, start: int, end: int) -> Span:
        number = max(0, bisect_right(self._offsets, start) - 1)
        moved = self._pieces[number][0][0] - self._offsets[number]
        return start + moved, end + moved
