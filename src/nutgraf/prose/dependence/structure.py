"""Dependence of sentences by the structure of a text, in any language.

Of a quotation of several sentences, each but the first may pass for the author's own words; those that are short, or
say "I", mislead or say nothing then. Who speaks is said beside the first or the last. A sentence that is nothing but a
quotation lacks its speaker. A few words after a question are its answer. What begins with a small letter goes on with
the sentence before.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter

from nutgraf.text.document import Document, kept

LONGEST_ANSWER = 4
"""Maximum number of words of what is nothing but an answer if it follows a question."""

LONGEST_QUOTATION = 8
"""Maximum number of sentences of a quotation; marks that are further apart do not belong together."""

QUOTATION_MARKS = '"“”„«»‹›'
QUESTION_MARKS = ("?", "？", "؟")
QUOTING = QUOTATION_MARKS + "—–"
_MARK = re.compile(f"[{QUOTATION_MARKS}]")
_QUOTED_BEGINS = re.compile(f"[{QUOTATION_MARKS}][^{QUOTATION_MARKS}]*$")
_QUOTED_ENDS = re.compile(f"^[^{QUOTATION_MARKS}]*[{QUOTATION_MARKS}]")
ENDS = tuple(".!?…:;。！？：；।؟")
_ASKED = re.compile('[?？؟] ?["”»–—]')
_SMALL_WORD = re.compile(r"[^\W\d_]+(?:['’-]|,?(?:\s|$))")
_LETTER = re.compile(r"\(?([a-z])\)\s+(?=\w)")
CLOSING = "\"'”’»›)] "


@kept
def breaks(document: Document) -> list[int]:
    """Number of line ends before each sentence; as before a paragraph, 2, where a document or a turn begins."""
    starts = {part.start for part in (*document.parts, *document.turns)}
    ends = [0, *(sentence.end for sentence in document.sentences)]
    return [
        2 if sentence.start in starts else document.text.count("\n", end, sentence.start)
        for end, sentence in zip(ends, document.sentences, strict=False)
    ]


def begins_paragraph(document: Document, index: int) -> bool:
    """Return True if a blank line, or the beginning of a document or a turn, stands before a sentence."""
    return index == len(document.sentences) or breaks(document)[index] > 1


@kept
def quotations(document: Document) -> dict[int, int]:
    """Quotations that begin and end in different sentences of a paragraph: the first sentence of each by the last."""
    starts = [sentence.start for sentence in document.sentences]
    marks = Counter(bisect.bisect_right(starts, mark.start()) - 1 for mark in _MARK.finditer(document.text))
    found, first = dict[int, int](), None
    begun = breaks(document)
    for index in sorted(index for index, count in marks.items() if count % 2 and index >= 0):
        if first is None or index - first >= LONGEST_QUOTATION or max(begun[first + 1 : index + 1]) > 1:
            first = index
        else:
            found[index], first = first, None
    return found


def tells_speaker(printed: str, begins: bool) -> bool:
    """Return True if a sentence in which a quotation begins, or ends, has words beside it, such as who speaks."""
    rest = (_QUOTED_BEGINS if begins else _QUOTED_ENDS).sub("", printed)
    return any(map(str.isalpha, rest))


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
    """Return True if a sentence is a question, or quotes one and then tells who asks."""
    return printed.rstrip(CLOSING).endswith(QUESTION_MARKS) or _ASKED.search(printed) is not None


def ends(printed: str) -> bool:
    """Return True if a sentence ends with a mark, as headings do not."""
    return printed.rstrip(CLOSING).endswith(ENDS)


@kept
def is_cased(document: Document) -> bool:
    """Return True if sentences begin with a capital in a text, so that a small letter says something."""
    return 2 * sum(map(goes_on, document.printed)) < len(document.printed)


def letter(printed: str) -> str:
    """Return the letter that marks an item of a list, such as "(b)"; "" if there is none."""
    found = _LETTER.match(printed)
    return found[1] if found else ""


def goes_on(printed: str) -> bool:
    """Return True if a sentence begins with a small letter: of a word, and not of an address or an item's mark."""
    return printed[:1].islower() and _SMALL_WORD.match(printed) is not None
