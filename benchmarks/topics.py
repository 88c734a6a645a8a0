"""What a topic model of one document costs, beside gensim's, and how well both describe the document.

    python benchmarks/topics.py [FILE]

Both get the same counts of the document's 300 most frequent terms, its sentences being the texts, and the same 10
topics and 50 passes. The perplexity is that of the counts under the fitted topics and shares; lower is better. gensim
is no dependency of ours: `pip install gensim` first.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from nutgraf.readers import read
from nutgraf.text.topics import lda
from nutgraf.text.vectors import Array, Matrix, count_matrix

TOPICS, PASSES, TERMS, SEEDS = 10, 50, 300, range(5)

Model = tuple[Array, Array]
"""Shares [texts × topics] and words [topics × terms]."""


def main() -> None:
    """Fit both, seed by seed, and print times and perplexities."""
    document = read(sys.argv[1] if len(sys.argv) > 1 else "examples/dark-town.html")[0]
    frequent = Counter(term for sentence in document.terms for term in sentence).most_common(TERMS)
    counts = count_matrix(document.terms, {term: column for column, (term, _) in enumerate(frequent)})
    print(f"{document.name}: {sum(document.lengths):,} words, {len(document.sentences)} sentences")
    start = time.perf_counter()
    import gensim

    print(f"importing gensim {gensim.__version__}: {time.perf_counter() - start:.2f} s")
    fits: dict[str, Callable[[int], Model]] = {
        "nutgraf": lambda seed: _ours(counts, seed),
        "gensim": lambda seed: _theirs(counts, seed),
    }
    times: dict[str, list[float]] = {name: [] for name in fits}
    found: dict[str, list[float]] = {name: [] for name in fits}
    for seed in SEEDS:
        for name, fit in fits.items():
            start = time.perf_counter()
            model = fit(seed)
            times[name].append(time.perf_counter() - start)
            found[name].append(perplexity(counts, *model))
    for name in fits:
        low, high = min(found[name]), max(found[name])
        print(f"{name:<8} {1000 * median(times[name]):7.1f} ms   perplexity {low:.1f} to {high:.1f}")
    print(f"ratio    {median(times['gensim']) / median(times['nutgraf']):7.0f} ×")


def perplexity(counts: Matrix, shares: Array, words: Array) -> float:
    """exp(−Σ n·log p / Σ n) over all counts n of a term in a text, p being its probability there."""
    cells = counts.tocoo()
    chances = (shares @ words)[cells.row, cells.col]
    return float(np.exp(-(cells.data * np.log(chances)).sum() / cells.data.sum()))


def _ours(counts: Matrix, seed: int) -> Model:
    model = lda(counts, TOPICS, PASSES, seed)
    return model.shares, model.words


def _theirs(counts: Matrix, seed: int) -> Model:
    """The shares are gensim's inference for each text, which is part of what a kernel needs and so of its time."""
    from gensim.models import LdaModel

    rows = [counts[row] for row in range(counts.shape[0])]
    texts: list[Any] = [list(zip(row.indices.tolist(), row.data.astype(int).tolist(), strict=True)) for row in rows]
    prior = np.full(TOPICS, 1 / TOPICS)
    names = {column: str(column) for column in range(counts.shape[1])}
    model = LdaModel(
        texts, num_topics=TOPICS, id2word=names, alpha=prior, eta=1 / TOPICS, passes=PASSES, random_state=seed
    )
    shares = [[share for _, share in model.get_document_topics(text, minimum_probability=0)] for text in texts]
    return np.array(shares), model.get_topics()


if __name__ == "__main__":
    main()
