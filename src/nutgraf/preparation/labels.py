"""Labels that a tagger learns from: what of a source its summary has, too.

Tokens: Gehrmann, Deng and Rush 2018 (Bottom-Up), Sec. 4.1. The source is read from left to right; the longest span from
a token on that stands in the summary is selected, and the reading goes on behind it. A span that was selected before is
not selected again.

Sentences: the oracle of Liu and Lapata 2019 (BertExt), Sec. 3.3, as in the authors' code. Sentences are selected one by
one, each the one with which ROUGE-1 + ROUGE-2 (F1, each n-gram counted once) rises most, until none raises it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from nutgraf.presets.ranges import Options, PositiveInt

UNSELECTED, SELECTED = 4, 5
"""Labels, as `model/records.py` has them."""


@dataclass(frozen=True)
class Labels(Options):
    """Labels of a tagger."""

    unit: Literal["tokens", "sentences"] = "tokens"
    """What is selected: "tokens" of spans that the summary has too, or "sentences" that are most like the summary."""

    num_sentences: PositiveInt = 3
    """Most sentences that are selected."""


def copied_spans(source: Sequence[Hashable], summary: Sequence[Hashable]) -> list[bool]:
    """Return for each token of a source whether it is in a span that is selected.

    Args:
        source: Tokens of the source.
        summary: Tokens of the summary.
    """
    places = defaultdict(list)
    for at, token in enumerate(summary):
        places[token].append(at)
    chosen: list[bool] = []
    seen: set[tuple[Hashable, ...]] = set()
    while (start := len(chosen)) < len(source):
        found = places.get(source[start], ())
        length = max((_shared(source[start:], summary[at:]) for at in found), default=0)
        span = tuple(source[start : start + length])
        chosen += [length > 0 and span not in seen] * max(1, length)
        seen.add(span)
    return chosen


def _shared(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return with how many tokens both begin."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def oracle_sentences(sentences: Sequence[Sequence[str]], summary: Sequence[str], most: int) -> list[int]:
    """Return the sentences that are selected, in the order of the source.

    Args:
        sentences: Words of each sentence of the source.
        summary: Words of the summary, all its sentences in a row.
        most: Largest number of sentences.
    """
    wanted = [_ngrams(summary, length) for length in (1, 2)]
    offered = [[_ngrams(words, length) for length in (1, 2)] for words in sentences]
    selected: list[int] = []
    held: list[set[tuple[str, ...]]] = [set(), set()]
    best = 0.0
    while len(selected) < most:
        scores = {
            index: sum(_f1(had | new, want) for had, new, want in zip(held, offered[index], wanted, strict=True))
            for index in range(len(sentences))
            if index not in selected
        }
        index = max(scores, key=lambda one: (scores[one], -one), default=-1)
        if index < 0 or scores[index] <= best:
            break
        best = scores[index]
        selected.append(index)
        held = [had | new for had, new in zip(held, offered[index], strict=True)]
    return sorted(selected)


def _ngrams(words: Sequence[str], length: int) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


def _f1(held: set[tuple[str, ...]], wanted: set[tuple[str, ...]]) -> float:
    return 2 * len(held & wanted) / max(1, len(held) + len(wanted))
