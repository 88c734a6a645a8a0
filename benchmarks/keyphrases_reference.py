"""PositionRank and TopicRank written plainly: networkx graphs, networkx's PageRank, scipy's clustering.

The yardstick of `keyphrases.py`, and what a reader compares our fast path with: graphs grow edge by edge and pair by
pair, as in pke. (A TopicRank that adds up an edge's weight before it touches the graph takes about a third less.) It
takes tagged sentences, lists of
(word, tag), and returns (normal form, score) by falling score.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist

Sentences = list[list[tuple[str, str]]]
Ranking = list[tuple[str, float]]

NAMES = {"NOUN", "PROPN", "ADJ"}
TOLERANCE = 1e-8
"""Of the whole walk; networkx wants it per node."""


def position_rank(sentences: Sentences, top: int, longest: int = 3, window: int = 10) -> Ranking:
    import networkx  # Here, since the types and the tolerance are wanted where it is missing, too.

    graph = networkx.Graph()
    sequence = [(word.lower(), tag) for sentence in sentences for word, tag in sentence]
    positions: dict[str, float] = {}
    for place, (word, tag) in enumerate(sequence, start=1):
        if tag in NAMES:
            graph.add_node(word)
        positions[word] = positions.get(word, 0.0) + 1 / place
    for first, (word, tag) in enumerate(sequence):
        for second in range(first + 1, min(first + window, len(sequence))):
            other, other_tag = sequence[second]
            if tag in NAMES and other_tag in NAMES and word != other:
                if not graph.has_edge(word, other):
                    graph.add_edge(word, other, weight=0.0)
                graph[word][other]["weight"] += 1.0
    if not graph:
        return []
    bias = {word: positions[word] for word in graph}
    shares = networkx.pagerank(
        graph, alpha=0.85, personalization=bias, max_iter=500, tol=TOLERANCE / len(graph), weight="weight"
    )
    candidates = [words for words in _noun_phrases(sentences) if len(words) <= longest]
    return _best({" ".join(words): sum(shares[word] for word in words) for words in candidates}, top)


def topic_rank(
    sentences: Sentences, top: int, stem: Callable[[str], str], stop: frozenset[str], longest: int = 3
) -> Ranking:
    candidates = _runs(sentences, stem, stop)
    if not candidates:
        return []
    import networkx

    topics = _topics(candidates)
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(topics)))
    for one, other in combinations(range(len(topics)), 2):
        graph.add_edge(one, other, weight=0.0)
        for first in topics[one]:
            for second in topics[other]:
                for place in candidates[first]:
                    for rival in candidates[second]:
                        gap = abs(place - rival)
                        gap -= (len(first) if place < rival else len(second)) - 1
                        graph[one][other]["weight"] += 1.0 / gap
    shares = networkx.pagerank(graph, alpha=0.85, max_iter=500, tol=TOLERANCE / len(graph), weight="weight")
    scores: dict[tuple[str, ...], float] = {}
    for number, topic in enumerate(topics):
        allowed = [form for form in topic if len(form) <= longest]
        if allowed:
            scores[min(allowed, key=lambda form: candidates[form][0])] = shares[number]
    in_order = sorted(scores, key=lambda form: candidates[form][0])
    return _best({" ".join(form): scores[form] for form in in_order}, top)


def _noun_phrases(sentences: Sentences) -> list[list[str]]:
    """Words of each ADJ* (NOUN | PROPN)+, longest first from the left."""
    phrases = []
    for sentence in sentences:
        index = 0
        while index < len(sentence):
            end = index
            while end < len(sentence) and sentence[end][1] == "ADJ":
                end += 1
            nouns = end
            while end < len(sentence) and sentence[end][1] in ("NOUN", "PROPN"):
                end += 1
            if end > nouns:
                phrases.append([word.lower() for word, _ in sentence[index:end]])
            index = max(end, index + 1)
    return phrases


def _runs(sentences: Sentences, stem: Callable[[str], str], stop: frozenset[str]) -> dict[tuple[str, ...], list[int]]:
    """Stems of each longest run of nouns and adjectives that may be a candidate, with its places."""
    candidates: dict[tuple[str, ...], list[int]] = {}
    surfaces: dict[tuple[str, ...], list[str]] = {}
    offset = 0
    for sentence in sentences:
        run: list[int] = []
        for index in range(len(sentence) + 1):
            if index < len(sentence) and sentence[index][1] in NAMES:
                run.append(index)
                continue
            if run:
                words = [sentence[place][0] for place in run]
                form = tuple(stem(word.lower()) for word in words)
                candidates.setdefault(form, []).append(offset + run[0])
                surfaces.setdefault(form, words)
                run = []
        offset += len(sentence)
    return {form: places for form, places in candidates.items() if _fit(surfaces[form], stop)}


def _fit(words: list[str], stop: frozenset[str]) -> bool:
    return (
        len(words) <= 5
        and sum(len(word) for word in words) >= 3
        and all(len(word) > 1 for word in words)
        and all(word.replace("-", "").isalnum() for word in words)
        and not any(word.lower() in stop for word in words)
    )


def _topics(candidates: dict[tuple[str, ...], list[int]]) -> list[list[tuple[str, ...]]]:
    forms = sorted(candidates)
    if len(forms) == 1:
        return [forms]
    stems = sorted({stem for form in forms for stem in form})
    column = {stem: index for index, stem in enumerate(stems)}
    vectors = np.zeros((len(forms), len(stems)), dtype=bool)
    for row, form in enumerate(forms):
        for stem in form:
            vectors[row, column[stem]] = True
    clusters = fcluster(linkage(pdist(vectors, "jaccard"), method="average"), t=0.74, criterion="distance")
    return [
        [form for form, cluster in zip(forms, clusters, strict=True) if cluster == number]
        for number in sorted(set(clusters))
    ]


def _best(scores: dict[str, float], top: int) -> Ranking:
    """The best phrases, ties by first place, scores divided by their L2 norm."""
    highest = max(scores.values(), default=1.0)
    best = sorted(scores, key=lambda phrase: -round(scores[phrase] / highest, 9))[:top]
    norm = sum(scores[phrase] ** 2 for phrase in best) ** 0.5
    return [(phrase, scores[phrase] / norm) for phrase in best]
