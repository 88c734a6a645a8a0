"""Hits of n-grams and skip-bigrams. Lin, *ROUGE: A Package for Automatic Evaluation of Summaries* (2004), Sec. 2 and 5.

Only words that both texts share can be part of a hit, so only they are counted, and an n-gram is coded as one integer
with the numbers of its words as digits. The totals follow from the lengths of the texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from nutgraf.metrics._rouge_text import TextPair

_CELLS = 2_000_000
"""Maximum size of a table of word pairs."""


def ngram_hits(pair: TextPair, n: int) -> int:
    """Number of n-grams that both texts share, each as often as in the text that has it less often."""
    if n == 1:
        ours, theirs = pair.hypothesis.counts, pair.reference.counts
        return sum(map(min, map(ours.__getitem__, pair.shared), map(theirs.__getitem__, pair.shared)))
    base = len(pair.shared) + 1
    ours_coded, theirs_coded = (_ngrams(numbers, n, base) for numbers in pair.numbers)
    return _in_both(ours_coded, theirs_coded)


def ngram_total(words: int, n: int) -> int:
    """Number of n-grams in a text."""
    return max(words - n + 1, 0)


def skip_hits(pair: TextPair, gap: int | None, unigrams: bool) -> int:
    """Number of shared pairs of words in order with at most `gap` words between them (None: any number).

    With `unigrams`, single words count as well, except the last one of each text: the script's loop ends before it.
    """
    ours, theirs = pair.numbers
    if gap is None:
        singles = _in_both(filter(None, ours[:-1]), filter(None, theirs[:-1])) if unigrams else 0
        return singles + _ordered_hits(np.array(ours), np.array(theirs), len(pair.shared))
    base = len(pair.shared) + 1
    coded = [_skip_bigrams(numbers, gap, base) for numbers in (ours, theirs)]
    if unigrams:
        coded = [
            pairs + [word for word in numbers[:-1] if word]
            for pairs, numbers in zip(coded, (ours, theirs), strict=True)
        ]
    return _in_both(*coded)


def skip_total(words: int, gap: int | None, unigrams: bool) -> int:
    """Number of units of `skip_hits` in a text."""
    followed = max(words - 1, 0)
    reach = followed if gap is None else min(gap + 1, followed)
    pairs = reach * words - reach * (reach + 1) // 2
    return pairs + followed if unigrams else pairs


def _ngrams(numbers: list[int], n: int, base: int) -> Iterable[int]:
    codes = numbers
    for shift in range(1, n):
        codes = [code * base + word if code and word else 0 for code, word in zip(codes, numbers[shift:], strict=False)]
    return filter(None, codes)


def _skip_bigrams(numbers: list[int], gap: int, base: int) -> list[int]:
    reach = gap + 2
    return [
        first * base + second
        for place, first in enumerate(numbers)
        if first
        for second in numbers[place + 1 : place + reach]
        if second
    ]


def _in_both(ours: Iterable[int], theirs: Iterable[int]) -> int:
    our_counts = Counter(ours)
    their_counts = Counter(filter(our_counts.__contains__, theirs))
    return sum(map(min, their_counts.values(), map(our_counts.__getitem__, their_counts)))


def _ordered_hits(ours: np.ndarray, theirs: np.ndarray, kinds: int) -> int:
    """Shared pairs at any distance, by tables of as many first words at a time as fit into memory."""
    ours, theirs = ours[ours > 0], theirs[theirs > 0]
    if not len(ours):
        return 0
    step = max(_CELLS // max(len(ours), len(theirs)), 1)
    blocks = (np.arange(start, min(start + step, kinds + 1)) for start in range(1, kinds + 1, step))
    return sum(int(np.minimum(_followers(ours, firsts), _followers(theirs, firsts)).sum()) for firsts in blocks)


def _followers(numbers: np.ndarray, firsts: np.ndarray) -> np.ndarray:
    """For each word (rows), how often it occurs after each of `firsts` (columns)."""
    here = numbers[:, None] == firsts
    before = np.cumsum(here, axis=0) - here
    by_word = np.argsort(numbers, kind="stable")
    starts = np.searchsorted(numbers[by_word], np.arange(1, numbers.max() + 1))
    return np.add.reduceat(before[by_word], starts, axis=0)
