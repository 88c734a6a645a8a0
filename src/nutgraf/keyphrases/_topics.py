"""Candidates and their topics, shared by TopicRank and MultipartiteRank (Bougouin, Boudin and Daille 2013, Sec. 3)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from nutgraf.keyphrases._candidates import (
    NAMES,
    RUN,
    Candidates,
    GraphConfig,
    TaggedExtractor,
    first_spans,
    group_by_form,
    match_spans,
    normal_forms,
    select,
    tag_string,
)
from nutgraf.presets.ranges import PositiveInt, ShareBelowOne
from nutgraf.text.document import Document, Phrase
from nutgraf.text.graph import Floats, Integers
from nutgraf.text.tagging import Tagged
from nutgraf.text.tokenize import Span

if TYPE_CHECKING:
    from scipy import sparse

MOST_WORDS = 5
"""Maximum number of words in a candidate for clustering."""

LONGEST = 600_000
"""Number of characters, about 100,000 words, up to which topics are found within seconds."""

_TILE = 1024
"""Number of occurrences compared at once with as many others."""


@dataclass(frozen=True)
class TopicConfig(GraphConfig):
    """Options of the extractors that cluster candidates into topics."""

    distance_threshold: ShareBelowOne = 0.74
    """Largest Jaccard distance at which topics are merged (0.74: a quarter of the stems is shared)."""

    linkage: Literal["average", "single", "complete"] = "average"
    """Linkage of the hierarchical clustering."""

    max_candidates: PositiveInt = 4000
    """Number of candidates to cluster, the most frequent ones; time and memory grow with its square."""


class TopicExtractor(TaggedExtractor):
    """Ranks candidates by what is known of their topics."""

    config: TopicConfig

    def notices(self, document: Document) -> list[str]:
        """Tell of a document that is too long to be clustered quickly."""
        if len(document.text) <= LONGEST:
            return []
        return [
            f"Topics are found among all pairs of a document's phrases: above {LONGEST // 6:,} words, a text twice as "
            "long takes four times as long, and phrases that stand once are left out. position_rank has no such limit."
        ]

    def rank(self, tagged: Tagged) -> list[Phrase]:
        """Extract phrases from tokens that are already tagged."""
        forms = normal_forms(tagged, "stem")
        candidates = find_candidates(tagged, forms, self.config.max_candidates)
        if not candidates:
            return []
        scores = self.scores(candidates, cluster(list(candidates), self.config))
        firsts = first_spans({form: candidates[form] for form in scores})
        return select(tagged, forms, firsts, list(scores.values()), self.config)

    @abstractmethod
    def scores(self, candidates: Candidates, topics: npt.NDArray[np.intp]) -> dict[tuple[str, ...], float]:
        """Return the score of each candidate that may be a phrase, in the order of the text."""


def find_candidates(tagged: Tagged, forms: Sequence[str], most: int) -> Candidates:
    """Longest runs of nouns and adjectives (Sec. 3.1), by their stems; the `most` frequent ones."""
    stop = tagged.document.stop_words
    found = group_by_form(match_spans(RUN, tag_string(tagged, NAMES)), forms)
    surfaces = [tagged.words[places[0][0] : places[0][1]] for places in found.values()]
    barred = {word for word in set(chain.from_iterable(surfaces)) if _bars(word, stop)}
    fit = {
        form: places
        for (form, places), words in zip(found.items(), surfaces, strict=True)
        if len(words) <= MOST_WORDS and barred.isdisjoint(words) and len("".join(words)) > 2
    }
    if len(fit) <= most:
        return fit
    kept = set(sorted(fit, key=lambda form: -len(fit[form]))[:most])
    return {form: places for form, places in fit.items() if form in kept}


def cluster(forms: Sequence[tuple[str, ...]], config: TopicConfig) -> npt.NDArray[np.intp]:
    """Topic of each candidate, numbered from 0: hierarchical clustering by shared stems (Sec. 3.2).

    A candidate that shares no stem with another has the largest distance from all, and is a topic of its own.
    """
    order = sorted(range(len(forms)), key=forms.__getitem__)
    row, column, distances = jaccard_distances([forms[index] for index in order])
    topics = np.arange(len(forms))
    if len(row):
        from scipy.cluster.hierarchy import fcluster, linkage

        related = np.unique(np.concatenate((row, column)))
        tree = linkage(_condensed(related, row, column, distances), method=config.linkage)
        topics[related] = len(forms) + fcluster(tree, t=config.distance_threshold, criterion="distance")
    numbered = np.empty(len(forms), dtype=np.intp)
    numbered[order] = np.unique(topics, return_inverse=True)[1]
    return numbered


def jaccard_distances(forms: Sequence[tuple[str, ...]]) -> tuple[Integers, Integers, Floats]:
    """Jaccard distances 1 - |a ∩ b| / |a ∪ b| of all pairs that share a stem."""
    from scipy import sparse

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
    """Distances of all pairs of `related`, in the order of scipy's `pdist`."""
    count = len(related)
    first, second = np.searchsorted(related, row), np.searchsorted(related, column)
    condensed = np.ones(count * (count - 1) // 2)
    condensed[first * (2 * count - first - 1) // 2 + second - first - 1] = distances
    return condensed


def nearness(places: Sequence[Sequence[Span]], topics: npt.NDArray[np.intp]) -> Floats:
    """Complete graph of topics: sum of 1 / gap over all pairs of occurrences (Sec. 3.3)."""
    occurrences = np.fromiter(chain.from_iterable(chain.from_iterable(places)), dtype=np.intp).reshape(-1, 2)
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
    """Topics of some occurrences, and the matrix that sums what belongs to each."""
    from scipy import sparse

    topics, numbers = np.unique(members, return_inverse=True)
    entries = (np.ones(len(members), dtype=np.float32), numbers, np.arange(len(members) + 1))
    return topics, sparse.csc_array(entries, shape=(len(topics), len(members)))


def _bars(word: str, stop: frozenset[str]) -> bool:
    """Return True for words that no candidate may contain: stop words, single characters, signs other than hyphens."""
    return len(word) < 2 or word.lower() in stop or not (word.isalnum() or word.replace("-", "").isalnum())
