"""Lists with their introductions: sentences that say something only together.

"No permit is required for a building" says the opposite of what a statute says if its conditions, three items below,
are left out; and an item without its introduction says nothing. An introduction is known by its end, a colon or no
mark at all, or says that something follows. Items are known by their marks ("1.", "(a)", "–"), or, where a reader has
taken these away, because it says so (`Document.lists`), or by their form: paragraphs of a sentence that begin with a
small letter or, below a colon, paragraphs or lines that do not end with a mark and are no rows of a table.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nutgraf.prose.dependence.cues import cues_of
from nutgraf.prose.dependence.structure import breaks, ends, is_cased
from nutgraf.text.document import Document, kept

MOST_SENTENCES = 8
"""Maximum number of items of a list that are whole sentences; where there are more, each stands for itself."""

MOST_UNMARKED = 12
"""Maximum number of items that are known by their small letters, or as lines below a colon."""

_MARK = re.compile(
    r"(?:(?P<bullet>[-–—*•‣▪◦●○■□⁃∙·])|(?P<open>\(?)(?P<number>\d{1,3}|[a-z]{1,2})(?P<close>[.)])º?)\s+(?=\S)"
)
_FIRST = frozenset(("1", "a", ""))
_UNFINISHED = (",", ";")


class _Mark(NamedTuple):
    """The mark of an item: its kind, and its number or letter, "" for a bullet."""

    kind: str
    number: str


@kept
def units(document: Document) -> list[range]:
    """Consecutive sentences that a summary takes all together or not at all: a list with its introduction.

    Returns:
        For each list, the indices of its sentences; the first one is the introduction.
    """
    if document.turns:
        return []
    cues = cues_of(document.language)
    ahead = cues.lists["ahead"] if cues else frozenset[str]()
    lines = _Lines(
        document.printed, breaks(document), is_cased(document), ahead, _ends_of_lists(document), _rows(document)
    )
    found, end = [], 0
    for index, line_ends in enumerate(lines.breaks[1:]):
        if line_ends and index >= end:
            end = lines.end_of_list(index)
            if end > index + 1:
                found.append(range(index, end))
    return found


@dataclass(frozen=True)
class _Lines:
    """The sentences of a document, and what is known of each.

    Attributes:
        printed: The sentences.
        breaks: Number of line ends before each.
        cased: True if sentences begin with a capital.
        ahead: Words that say that something follows.
        lists: Index behind the last sentence of the list that each is part of; 0 if it is part of none.
        rows: For each, True if it is part of a row of a table.
    """

    printed: Sequence[str]
    breaks: Sequence[int]
    cased: bool
    ahead: frozenset[str]
    lists: Sequence[int]
    rows: Sequence[bool]

    def end_of_list(self, first: int) -> int:
        """Index behind the last item of the list that a sentence introduces; that of the next one if there is none."""
        introduction = self.printed[first]
        if self.lists[first + 1] and not self.lists[first]:
            return self._end_of_listed(first)
        marked = self.mark(first + 1) is not None
        ahead = marked and (self._looks_ahead(introduction) or self._kind_inside(first))
        if not (_introduces(introduction) or ahead):
            return first + 1
        if marked:
            return self._end_of_marked(first)
        return self._end_of_unmarked(first)

    def _looks_ahead(self, printed: str) -> bool:
        """Return True if a sentence says that something follows, such as "The seller warrants the following."."""
        return not self.ahead.isdisjoint(printed.lower().rstrip(".").split())

    def mark(self, index: int) -> _Mark | None:
        """The mark of a sentence that is an item."""
        found = _MARK.match(self.printed[index]) if self.breaks[index] else None
        if found is None:
            return None
        number = found["number"] or ""
        return _Mark(found["bullet"] or f"{found['open']}{'1' if number.isdigit() else 'a'}{found['close']}", number)

    def _kind_inside(self, first: int) -> str:
        """Kind of the mark of the next sentence if the item before it is in this one, unfinished; else ""."""
        mark, printed = self.mark(first + 1), self.printed[first]
        if mark is None or len(mark.number) != 1 or mark.number in _FIRST or not _is_unfinished(printed):
            return ""
        before = mark.kind.replace("a", chr(ord(mark.number) - 1)).replace("1", chr(ord(mark.number) - 1))
        return mark.kind if f" {before} " in printed else ""

    def _end_of_marked(self, first: int) -> int:
        """Items go on as long as their marks are of the same kind, or of a list within the list that begins anew."""
        own, kinds, end = self.mark(first), {self._kind_inside(first)}, first + 1
        while end < len(self.printed):
            mark = self.mark(end)
            if mark is None:
                if self.breaks[end]:
                    break
            elif (own and mark.kind == own.kind) or (mark.kind not in kinds and mark.number not in _FIRST):
                break
            else:
                kinds.add(mark.kind)
            end += 1
        whole = self.printed[first].endswith(":") or self._looks_ahead(self.printed[first])
        short = whole and end - first <= MOST_SENTENCES + 1
        return end if short or self._is_fragment(first + 1) else first + 1

    def _end_of_listed(self, first: int) -> int:
        """Items of a list that a reader found."""
        end, introduction = self.lists[first + 1], self.printed[first]
        fragments = self._is_fragment(first + 1)
        introduces = introduction.endswith(":") or self._looks_ahead(introduction)
        if introduces or (fragments and _introduces(introduction)):
            return end if fragments or end - first <= MOST_SENTENCES + 1 else first + 1
        return first + 1

    def _end_of_unmarked(self, first: int) -> int:
        """Items are paragraphs, or below a colon lines, of a sentence that by its form is none."""
        colon, end = self.printed[first].endswith(":"), first + 1
        apart = 1 if colon and self.breaks[end] == 1 else 2
        longest = len(self.printed) if colon and apart > 1 else min(len(self.printed), end + MOST_UNMARKED + 1)
        while end < longest and self._stands_apart(end, apart) and not (self.mark(end) or self.rows[end]):
            small = self.printed[end][:1].islower()
            if not (small or (colon and self._is_fragment(end) and self.printed[end][:1].isalnum())):
                break
            end += 1
        count = end - first - 1
        few = count <= MOST_UNMARKED
        return end if (count > 1 and (few or apart > 1) if colon else self.cased and few) else first + 1

    def _stands_apart(self, index: int, ends: int) -> bool:
        """Return True if there are line ends before and behind a sentence."""
        return min(self.breaks[index : index + 2]) >= ends

    def _is_fragment(self, index: int) -> bool:
        """Return True if an item is no whole sentence."""
        printed = self.printed[index]
        found = _MARK.match(printed)
        return printed[found.end() if found else 0].islower() or _is_unfinished(printed)


def _ends_of_lists(document: Document) -> list[int]:
    """For each sentence, the index behind the last one of its list; 0 if a reader found no list there."""
    starts, found = [sentence.start for sentence in document.sentences], [0] * len(document.sentences)
    for start, end in document.lists:
        first, last = bisect.bisect_left(starts, start), bisect.bisect_left(starts, end)
        found[first:last] = [last] * (last - first)
    return found


def _rows(document: Document) -> list[bool]:
    """For each sentence, True if there is a tab in or beside it, as between the cells of a table."""
    text, ends = document.text, [0, *(sentence.end for sentence in document.sentences)]
    starts = [*(sentence.start for sentence in document.sentences[1:]), len(text)]
    return ["\t" in text[before:after] for before, after in zip(ends, starts, strict=False)]


def _is_unfinished(printed: str) -> bool:
    """Return True if a sentence goes on with another item."""
    return printed.endswith(_UNFINISHED) or not ends(printed)


def _introduces(printed: str) -> bool:
    """Return True if a sentence is without an end."""
    return printed.endswith((":", ",")) or not ends(printed)
