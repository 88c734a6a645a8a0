"""Traits of the sentences of a document: numbers that a network is given beside what it reads.

They say where a sentence stands in its document and its section, how long it is, how a method rates it, who speaks, and
of which genre the text is. All are between about −4 and 4.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from nutgraf.extractive import Integers, Ratings, parts_of, sections_of
from nutgraf.text.document import Document
from nutgraf.text.genre import GENRES, Genre
from nutgraf.text.late import Late

Traits = npt.NDArray[np.float32]

OPENING, SHORT, LEADERS = 4, 6, 3
"""Places at the beginning that have a trait each; words below which a sentence is short; ranks that are at the top."""

FARTHEST = 4.0
"""Standard deviations beyond which a number counts as that far."""

WIDTH = 38
"""Number of traits of a sentence."""

_QUESTION, _DIGIT, _QUOTED = Late(r"[?？]\W*$"), Late(r"\d"), Late('["“”„«»]')


def traits(document: Document, ratings: Ratings, genre: Genre) -> Traits:
    """Return the traits of all sentences, [sentences, WIDTH].

    Args:
        document: The text.
        ratings: One number per sentence, higher is better, as a method that ranks sentences has them.
        genre: Genre of the text.
    """
    columns = [
        *_places(document),
        *_lengths(document),
        *_rated(ratings),
        *_speakers(document),
        *(np.full(len(ratings), genre == one) for one in GENRES),
        *_marks(document),
    ]
    return np.stack([np.asarray(one, dtype=np.float32) for one in columns], axis=1)


def _places(document: Document) -> list[npt.NDArray[np.generic]]:
    """Return where sentences stand in their document and their section, and where these stand."""
    part, (section, _) = parts_of(document), sections_of(document)
    (at, left, size), (inside, after, _) = _place(part), _place(section)
    sections, parts = int(section.max(initial=0)) + 1, int(part.max(initial=0)) + 1
    count = len(part)
    return [
        *(at == place for place in range(OPENING)),
        left == 0,
        at / np.maximum(1, size - 1),
        np.log1p(at) / 4,
        np.log1p(left) / 4,
        np.log1p(size) / 5,
        inside == 0,
        after == 0,
        np.log1p(inside) / 4,
        np.log1p(after) / 4,
        section / max(1, sections - 1),
        np.full(count, np.log1p(sections) / 3),
        np.full(count, np.log(parts) / 2),
        part / max(1, parts - 1),
        np.full(count, parts > 1),
    ]


def _place(groups: Integers) -> tuple[Integers, Integers, Integers]:
    """Return of each member of a group how many are before it, how many behind it, and how many there are."""
    first, last = np.searchsorted(groups, groups), np.searchsorted(groups, groups, "right")
    at = np.arange(len(groups))
    return at - first, last - 1 - at, last - first


def _lengths(document: Document) -> list[npt.NDArray[np.generic]]:
    words = np.asarray(document.lengths, dtype=np.float64)
    return [np.log1p(words) / 4, _standard(np.log1p(words)) / 2, words < SHORT]


def _rated(ratings: Ratings) -> list[npt.NDArray[np.generic]]:
    ranks = np.argsort(np.argsort(-ratings, kind="stable"))
    return [_standard(ratings) / 2, np.log1p(ranks) / 4, ranks / max(1, len(ranks) - 1), ranks < LEADERS]


def _speakers(document: Document) -> list[npt.NDArray[np.generic]]:
    """Return whether the text is talk, whether the one who speaks spoke just before, and the share of what they say."""
    count = len(document.sentences)
    if not document.turns:
        return [np.zeros(count)] * 3
    names = document.speakers
    spoken = Counter(names)
    goes_on = [at > 0 and name == names[at - 1] for at, name in enumerate(names)]
    return [np.ones(count), np.array(goes_on, dtype=bool), np.array([spoken[name] / count for name in names])]


def _marks(document: Document) -> list[npt.NDArray[np.generic]]:
    """Return which sentences ask, have a digit, and quote."""
    found = [[bool(one.search(text)) for text in document.printed] for one in (_QUESTION, _DIGIT, _QUOTED)]
    return [np.array(one, dtype=bool) for one in found]


def _standard(numbers: Ratings) -> Ratings:
    """Return numbers minus their mean, in standard deviations; zeros where all are the same."""
    spread = float(numbers.std()) if len(numbers) else 0.0
    return np.clip((numbers - numbers.mean()) / spread, -FARTHEST, FARTHEST) if spread > 0 else np.zeros_like(numbers)
