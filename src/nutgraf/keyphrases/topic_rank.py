"""TopicRank. Bougouin, Boudin and Daille, *TopicRank: Graph-Based Topic Ranking for Keyphrase Extraction*, IJCNLP 2013.

Candidates that share stems form a topic; topics whose candidates stand near each other recommend each other, and each
topic speaks through the candidate that stands first. Details of candidates are pke's: no stop words, no lone
characters, at most five words. Since the limits on words may forbid a topic's first candidate, a topic speaks through
the first one that they allow; a topic without any is silent.

A document in a language without a tagger has runs of content words for candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from nutgraf.keyphrases import KeyphraseExtractor
from nutgraf.keyphrases._candidates import (
    NAMES,
    RUN,
    Candidates,
    Walk,
    as_phrases,
    everywhere,
    gather,
    letters,
    normal_forms,
    stretches,
    strongest,
)
from nutgraf.text.document import Document, Phrase
from nutgraf.text.graph import Floats, Integers, undirected_pagerank
from nutgraf.text.tagging import Tagged, tag
from nutgraf.text.tokenize import Span

MOST_WORDS = 5
"""Words of the longest candidate that can help to form a topic."""

_TILE = 1024
"""Occurrences that are compared with as many others at once."""


class TopicRank(KeyphraseExtractor):
    """One phrase a topic, by the topic's share in a random walk on the complete graph of topics."""

    @dataclass(frozen=True)
    class Config(Walk):
        """
        distance: topics are merged up to this average Jaccard distance of their candidates (0.74: a quarter of the
            stems is shared).
        heuristic: a topic speaks through its "first" candidate or its most "frequent" one.
        candidates: no more than this many take part, the most frequent ones, for their square is what time and memory
            grow with.
        """

        distance: float = 0.74
        linkage: Literal["average", "single", "complete"] = "average"
        heuristic: Literal["first", "frequent"] = "first"
        candidates: int = 4000

        def __post_init__(self) -> None:
            super().__post_init__()
            if not 0 <= self.distance < 1:
                raise ValueError(f"distance must be 0 or more and below 1, not {self.distance}.")
            if self.candidates < 1:
                raise ValueError(f"candidates must be 1 or more, not {self.candidates}.")

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or self.Config()

    def __call__(self, document: Document) -> list[Phrase]:
        """See KeyphraseExtractor."""
        return self.rank(tag(document, self.config.tagger))

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """The same, from tokens that are tagged already."""
        forms = normal_forms(tagged, "stem")
        candidates = self._candidates(tagged, forms)
        if not candidates:
            return []
        topics = self._topics(list(candidates))
        weights = nearness(list(candidates.values()), topics)
        shares = undirected_pagerank(weights, None, self.config.damping, self.config.tolerance)
        speakers = self._speakers(candidates, topics)
        chosen = strongest(speakers, [shares[topic] for topic in speakers.values()], self.config.top)
        return as_phrases(tagged, chosen, everywhere(tagged, forms, chosen))

    def _candidates(self, tagged: Tagged, forms: Sequence[str]) -> Candidates:
        """The longest runs of nouns and adjectives (Sec. 3.1), by their stems."""
        stop = tagged.document.stop_words
        found = gather(stretches(RUN, letters(tagged, NAMES)), forms)
        surfaces = [tagged.words[places[0][0] : places[0][1]] for places in found.values()]
        barred = {word for word in set(chain.from_iterable(surfaces)) if _bars(word, stop)}
        fit = {
            form: places
            for (form, places), words in zip(found.items(), surfaces, strict=True)
            if len(words) <= MOST_WORDS and barred.isdisjoint(words) and len("".join(words)) > 2
        }
        if len(fit) <= self.config.candidates:
            return fit
        kept = set(sorted(fit, key=lambda form: -len(fit[form]))[: self.config.candidates])
        return {form: places for form, places in fit.items() if form in kept}

    def _topics(self, forms: Sequence[tuple[str, ...]]) -> npt.NDArray[np.intp]:
        """The number of each candidate's topic, from 0: hierarchical clustering by shared stems (Sec. 3.2).

        A candidate that shares a stem with no other is as far from all as can be, and a topic of its own.
        """
        order = sorted(range(len(forms)), key=forms.__getitem__)
        row, column, distances = jaccard_distances([forms[index] for index in order])
        topics = np.arange(len(forms))
        if len(row):
            from scipy.cluster.hierarchy import fcluster, linkage

            related = np.unique(np.concatenate((row, column)))
            tree = linkage(_condensed(related, row, column, distances), method=self.config.linkage)
            topics[related] = len(forms) + fcluster(tree, t=self.config.distance, criterion="distance")
        numbered = np.empty(len(forms), dtype=np.intp)
        numbered[order] = np.unique(topics, return_inverse=True)[1]
        return numbered

    def _speakers(self, candidates: Candidates, topics: npt.NDArray[np.intp]) -> dict[tuple[str, ...], int]:
        """The candidate that stands for each topic, in the order of the text."""
        speakers: dict[int, tuple[str, ...]] = {}
        for form, topic in zip(candidates, topics.tolist(), strict=True):
            if not self.config.allow(form):
                continue
            rival = speakers.setdefault(topic, form)
            if self.config.heuristic == "frequent" and len(candidates[form]) > len(candidates[rival]):
                speakers[topic] = form
        spoken = {form: topic for topic, form in speakers.items()}
        return {form: spoken[form] for form in candidates if form in spoken}


def jaccard_distances(forms: Sequence[tuple[str, ...]]) -> tuple[Integers, Integers, Floats]:
    """1 - |a ∩ b| / |a ∪ b| of each pair of sets of stems that share one: the first of the pair, the second, and the
    distance. All other pairs are 1 apart."""
    stems: dict[str, int] = {}
    sets = [{stems.setdefault(stem, len(stems)) for stem in form} for form in forms]
    sizes = np.array([len(one) for one in sets])
    columns = np.array([stem for one in sets for stem in one])
    pointers = np.concatenate(([0], np.cumsum(sizes)))
    having = sparse.csr_array((np.ones(len(columns)), columns, pointers), shape=(len(sets), len(stems)))
    shared = (having @ having.T).tocoo()
    upper = shared.row < shared.col
    row, column, common = shared.row[upper], shared.col[upper], shared.data[upper]
    union = sizes[row] + sizes[column] - common
    return row, column, (union - common) / union


def _condensed(related: Integers, row: Integers, column: Integers, distances: Floats) -> Floats:
    """The distances of all pairs of `related`, in the order of scipy's `pdist`."""
    count = len(related)
    first, second = np.searchsorted(related, row), np.searchsorted(related, column)
    condensed = np.ones(count * (count - 1) // 2)
    condensed[first * (2 * count - first - 1) // 2 + second - first - 1] = distances
    return condensed


def nearness(places: Sequence[Sequence[Span]], topics: npt.NDArray[np.intp]) -> Floats:
    """The complete graph of topics: the sum of 1 / gap over all pairs of their occurrences (Sec. 3.3).

    places: the ranges of tokens in which each candidate stands. topics: the topic of each candidate. The gap of two
    occurrences is counted in tokens from the end of the first to the beginning of the second; that of neighbours is 1.
    """
    flat = chain.from_iterable(chain.from_iterable(places))
    occurrences = np.fromiter(flat, dtype=np.intp).reshape(-1, 2)
    order = np.argsort(occurrences[:, 0])
    starts, ends = occurrences[order].T.astype(np.float32)  # exact below 16 million tokens, and twice as quick
    members = np.repeat(topics, [len(spans) for spans in places])[order]
    weights = np.zeros((int(topics.max()) + 1,) * 2)
    tiles = [slice(begin, begin + _TILE) for begin in range(0, len(members), _TILE)]
    sums = [_sums_of(members[tile]) for tile in tiles]
    for first, (rows, (above, gathering)) in enumerate(zip(tiles, sums, strict=True)):
        to_topics = np.zeros((len(weights), gathering.shape[1]))
        for columns, (beside, collecting) in zip(tiles[first:], sums[first:], strict=True):
            closeness = np.subtract.outer(starts[columns] + np.float32(1.0), ends[rows])
            if columns == rows:
                np.fill_diagonal(closeness, -1.0)  # nothing is near itself
            np.reciprocal(closeness, out=closeness)
            np.maximum(closeness, 0.0, out=closeness)  # below zero where it is not the first of the two
            to_topics[beside] += collecting @ closeness
        weights[above] += gathering @ to_topics.T
    weights += weights.T
    np.fill_diagonal(weights, 0.0)
    return weights


def _sums_of(members: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.intp], sparse.csc_array]:
    """The topics among some occurrences, and the matrix that adds up what belongs to each."""
    topics, numbers = np.unique(members, return_inverse=True)
    entries = (np.ones(len(members), dtype=np.float32), numbers, np.arange(len(members) + 1))
    return topics, sparse.csc_array(entries, shape=(len(topics), len(members)))


def _bars(word: str, stop: frozenset[str]) -> bool:
    """Whether a word keeps a candidate from being one: stop words, lone characters, signs other than hyphens."""
    return len(word) < 2 or word.lower() in stop or not (word.isalnum() or word.replace("-", "").isalnum())
