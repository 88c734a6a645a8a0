"""Words that differ between two texts: what was removed from the one, and what was added in the other.

Sentences that both have are found first; only between them words are compared, which keeps long texts quick.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import Literal, NamedTuple

from nutgraf.text.tokenize import gap, token_spans

Kind = Literal["same", "removed", "added"]

CAREFUL = 2000
"""Words of two passages up to which no word is too frequent to be where they begin to agree."""

STRAY = 4
"""Words of both texts, together, up to which what they happen to share between longer passages counts as different."""


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of words that both texts have, or only one of them.

    Attributes:
        kind: "same" in both texts; "removed" from the first; "added" in the second.
        text: The words.
        gap: White space after them.
        words: Number of words and marks.
    """

    kind: Kind
    text: str
    gap: str
    words: int


@dataclass(frozen=True)
class Difference:
    """Two texts as stretches of words, in order.

    Attributes:
        changes: The stretches; where the texts differ, what was removed comes first.
    """

    changes: tuple[Change, ...]

    @cached_property
    def distance(self) -> float:
        """Share of the words and marks of both texts that stand in only one of them, from 0 to 1."""
        differing = sum(change.words for change in self.changes if change.kind != "same")
        same = sum(change.words for change in self.changes if change.kind == "same")
        return differing / (differing + 2 * same) if self.changes else 0.0

    @property
    def before(self) -> tuple[Change, ...]:
        """Stretches of the first text."""
        return tuple(change for change in self.changes if change.kind != "added")

    @property
    def after(self) -> tuple[Change, ...]:
        """Stretches of the second text."""
        return tuple(change for change in self.changes if change.kind != "removed")

    def __str__(self) -> str:
        """Return both texts in one: what was removed as [-words-], what was added as {+words+}, as wdiff prints it."""
        marks = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}
        pieces = [(*marks[one.kind], one) for one in self.changes]
        shown = "".join(f"{start}{one.text}{end}{one.gap}" for start, end, one in pieces)
        return shown.replace("-]{+", "-] {+").strip()


class _Word(NamedTuple):
    text: str
    gap: str


def difference(before: Sequence[str], after: Sequence[str]) -> Difference:
    """Compare two texts word by word; white space does not count.

    Args:
        before: Sentences of the first text.
        after: Sentences of the second one.
    """
    changes: list[Change] = []
    for same, first, second in _passages(before, after, careful=True):
        removed, added = (list(chain.from_iterable(map(_words, some))) for some in (before[first], after[second]))
        if same:
            changes += _change("same", added)
            continue
        careful = len(removed) + len(added) <= CAREFUL
        for equal, left, right in _passages([one.text for one in removed], [one.text for one in added], careful):
            changes += _change("same", added[right]) if equal else []
            changes += [] if equal else [*_change("removed", removed[left]), *_change("added", added[right])]
    return Difference(tuple(changes))


def _passages(before: Sequence[str], after: Sequence[str], careful: bool) -> Iterator[tuple[bool, slice, slice]]:
    """Yield passages of two sequences, each with True if they are the same."""
    found = SequenceMatcher(None, before, after, autojunk=not careful).get_opcodes()
    sizes = [last - first + end - start for _, first, last, start, end in found]
    around = zip([0, *sizes], [*sizes[1:], 0], strict=False)
    stray = [size <= STRAY and min(beside) > 2 * size for size, beside in zip(sizes, around, strict=False)]
    kept = [(kind == "equal" and not drop, *at) for (kind, *at), drop in zip(found, stray, strict=True)]
    for same, group in groupby(kept, key=itemgetter(0)):
        some = list(group)
        yield same, slice(some[0][1], some[-1][2]), slice(some[0][3], some[-1][4])


def _words(sentence: str) -> list[_Word]:
    spans = token_spans(sentence)
    gaps = [sentence[end:start] for (_, end), (start, _) in pairwise(spans)]
    return [_Word(sentence[start:end], gap_) for (start, end), gap_ in zip(spans, [*gaps, gap(sentence)], strict=True)]


def _change(kind: Kind, words: Sequence[_Word]) -> list[Change]:
    """Return a stretch of words as a list of one; [] for no words."""
    text = "".join(chain.from_iterable(words))
    return [Change(kind, text[: len(text) - len(words[-1].gap)], words[-1].gap, len(words))] if words else []
