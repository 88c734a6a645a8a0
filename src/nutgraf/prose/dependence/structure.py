"""What the structure of a text says about the dependence of its sentences, in any language.

A quotation of several sentences is one: its beginning without its end, and its end without its beginning, mislead, and
who speaks is said beside one of them. A sentence that is nothing but a quotation lacks its speaker. A few words after a
question are its answer. What begins with a small letter goes on with the sentence before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nutgraf.text.document import Document

LONGEST_ANSWER = 4
"""Maximum number of words of what is nothing but an answer if it follows a question."""

LONGEST_QUOTATION = 8
"""Maximum number of sentences of a quotation; marks that are further apart do not belong together."""

QUOTATION_MARKS = '"“”„«»‹›'
_QUESTION_MARKS = ("?", "？", "؟")
_ENDS = frozenset(".!?…:;。！？：；।؟")
_SMALL_WORD = re.compile(r"[^\W\d_]+(?:['’-]|,?(?:\s|$))")
_CLOSING = "\"'”’»›)] "


class Quotation(NamedTuple):
    """A quotation of several sentences: the index of its first and of its last sentence."""

    first: int
    last: int


def begins_paragraph(document: Document) -> list[bool]:
    """For each sentence, True if a blank line, or the beginning of a document or a turn, stands before it."""
    return _begins(document, 2)


def begins_line(document: Document) -> list[bool]:
    """For each sentence, True if the end of a line, or the beginning of a document or a turn, stands before it."""
    return _begins(document, 1)


def _begins(document: Document, line_ends: int) -> list[bool]:
    starts = {part.start for part in (*document.parts, *document.turns)}
    ends = [0, *(sentence.end for sentence in document.sentences)]
    return [
        sentence.start in starts or document.text.count("\n", end, sentence.start) >= line_ends
        for end, sentence in zip(ends, document.sentences, strict=False)
    ]


def quotations(document: Document, begun: list[bool]) -> Iterator[Quotation]:
    """Quotations that begin and end in different sentences of a paragraph."""
    first = None
    for index, printed in enumerate(document.printed):
        if begun[index] or (first is not None and index - first >= LONGEST_QUOTATION):
            first = None
        if sum(map(printed.count, QUOTATION_MARKS)) % 2:
            if first is None:
                first = index
            else:
                yield Quotation(first, index)
                first = None


def is_quotation(printed: str) -> bool:
    """Return True if a sentence is all in quotation marks, with nobody who says it."""
    end = printed.rstrip(".,!?… ")
    return (
        len(end.split()) > 3
        and printed[0] in QUOTATION_MARKS
        and end[-1] in QUOTATION_MARKS
        and sum(map(printed.count, QUOTATION_MARKS)) == 2
    )


def is_question(printed: str) -> bool:
    """Return True if a sentence is a question."""
    return printed.rstrip(_CLOSING).endswith(_QUESTION_MARKS)


def ends(printed: str) -> bool:
    """Return True if a sentence ends with a mark, as headings do not."""
    return printed.rstrip(_CLOSING)[-1:] in _ENDS


def is_cased(document: Document) -> bool:
    """Return True if sentences begin with a capital in a text, so that a small letter says something."""
    return 2 * sum(map(goes_on, document.printed)) < len(document.printed)


def goes_on(printed: str) -> bool:
    """Return True if a sentence begins with a small letter: of a word, and not of an address or an item's mark."""
    return printed[:1].islower() and _SMALL_WORD.match(printed) is not None
