"""Co-occurrence graphs of words, and PageRank on graphs of words or sentences.

PageRank: Brin and Page, *The Anatomy of a Large-Scale Hypertextual Web Search Engine*, 1998, with weighted edges as in
Mihalcea and Tarau, *TextRank: Bringing Order into Texts*, 2004 (Sec. 2.2), and with a personalized restart as in
Florescu and Caragea, *PositionRank*, 2017 (Eq. 4).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:  # importing it takes longer than ranking the words of an article
    from scipy import sparse

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer[Any]]

DENSE = 256
"""Number of nodes up to which PageRank is solved exactly, which is faster there than walking step by step."""


class CoOccurrences:
    """A symmetric matrix of counts with an empty diagonal, as what `pagerank` needs of one: its products with vectors.

    Attributes:
        shape: Number of nodes, twice.
        first: The smaller node of each pair.
        second: The larger node of each pair.
        counts: How often the two occur near each other.
    """

    def __init__(self, first: Integers, second: Integers, counts: Floats, size: int) -> None:
        self.shape = (size, size)
        self.first, self.second, self.counts = first, second, counts

    @property
    def T(self) -> CoOccurrences:  # noqa: N802 - its name in NumPy
        """The matrix itself, which is symmetric."""
        return self

    def __matmul__(self, vector: Floats) -> Floats:
        size = len(vector)
        forth = np.bincount(self.first, self.counts * vector[self.second], minlength=size)
        back = np.bincount(self.second, self.counts * vector[self.first], minlength=size)
        return np.asarray(forth + back, dtype=np.float64)

    def toarray(self) -> Floats:
        """Return all counts, `size` × `size`."""
        dense = np.zeros(self.shape)
        dense[self.first, self.second] = dense[self.second, self.first] = self.counts
        return dense


def co_occurrences(nodes: Integers, positions: Integers, window: int, size: int) -> CoOccurrences:
    """Count how often two nodes occur less than `window` positions apart.

    Time and memory grow with occurrences × window.

    Args:
        nodes: Node, from 0 to `size` - 1, of each occurrence.
        positions: Position of each occurrence, ascending.
        window: Distance from which occurrences no longer count.
        size: Number of nodes.
    """
    index = np.arange(len(positions))
    partners = np.searchsorted(positions, positions + window) - index - 1
    one = np.repeat(index, partners)
    other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(partners) - partners, partners)
    first, second = np.minimum(nodes[one], nodes[other]), np.maximum(nodes[one], nodes[other])
    pairs, counts = np.unique((first * size + second)[first < second], return_counts=True)
    return CoOccurrences(pairs // max(1, size), pairs % max(1, size), counts.astype(np.float64), size)


def pagerank(
    weights: Floats | sparse.sparray | sparse.spmatrix | CoOccurrences,
    personalization: Floats | None = None,
    damping: float = 0.85,
    tolerance: float = 1e-6,
) -> Floats:
    """Share of time that a random walk spends at each node.

    Args:
        weights: `weights[i, j]` ≥ 0 is the weight of the edge from i to j; dense or sparse, n × n.
        personalization: Restart distribution, n weights ≥ 0, uniform by default; nodes without edges lead there too.
        damping: Probability of following an edge rather than restarting, in [0, 1).
        tolerance: Stop when a step changes the ranks by less than this in total (L1); small graphs are solved exactly.

    Returns:
        n ranks that sum to 1.
    """
    if not 0 <= damping < 1:
        raise ValueError(f"damping must lie in [0, 1), not {damping}")
    size = weights.shape[0]
    if size == 0:
        return np.zeros(0)
    teleport = _distribution(personalization, size)
    if size <= DENSE and not isinstance(weights, CoOccurrences):
        return _exact_pagerank(weights, teleport, damping)
    restart = (1 - damping) * teleport
    degrees = np.asarray(weights @ np.ones(size), dtype=np.float64)
    dangling = np.flatnonzero(degrees == 0)
    onward, scale = weights.T, damping / np.where(degrees == 0, 1.0, degrees)
    shares = np.full(size, 1 / size)
    for _ in range(_most_steps(damping, tolerance)):
        following = onward @ (scale * shares) + restart
        if dangling.size:
            following += damping * shares[dangling].sum() * teleport
        moved = np.abs(following - shares).sum()
        shares = following
        if moved < tolerance:
            break
    return np.asarray(shares / shares.sum())


def _exact_pagerank(weights: Floats | sparse.sparray | sparse.spmatrix, teleport: Floats, damping: float) -> Floats:
    """Solve shares = damping · Wᵀ shares + (1 - damping) · teleport, with the rows of W scaled to a sum of 1."""
    dense = np.asarray(
        weights if isinstance(weights, np.ndarray) else weights @ np.eye(len(teleport)), dtype=np.float64
    )
    degrees = dense.sum(axis=1, keepdims=True)
    steps = np.where(degrees == 0, teleport, dense / np.where(degrees == 0, 1.0, degrees))
    shares = np.linalg.solve(np.eye(len(teleport)) - damping * steps.T, (1 - damping) * teleport)
    return np.asarray(shares / shares.sum())


def undirected_pagerank(
    weights: Floats | sparse.sparray | sparse.spmatrix | CoOccurrences,
    personalization: Floats | None = None,
    damping: float = 0.85,
    tolerance: float = 1e-6,
) -> Floats:
    """`pagerank` for symmetric weights, in about a third of the steps.

    With degrees D and weights W the ranks are proportional to x = D^½ y where (I - damping D^-½ W D^-½) y = D^-½ p, a
    symmetric positive definite system, which is solved by conjugate gradients (Hestenes and Stiefel 1952).
    """
    if not 0 <= damping < 1:
        raise ValueError(f"damping must lie in [0, 1), not {damping}")
    size = weights.shape[0]
    degrees = np.asarray(weights @ np.ones(size), dtype=np.float64)
    root = np.sqrt(np.where(degrees == 0, 1.0, degrees))
    scale = math.sqrt(damping) / root
    solution = np.zeros(size)
    residual = direction = _distribution(personalization, size) / root
    left = residual @ residual
    # A step of the walk would move at most (1 - damping) · |D^½ residual|, here bounded by Cauchy and Schwarz.
    enough = (tolerance / (1 - damping)) ** 2 / (root @ root) if size else 0.0
    for _ in range(_most_steps(damping, tolerance)):
        if left <= enough:
            break
        image = direction - scale * (weights @ (scale * direction))
        length = left / (direction @ image)
        solution += length * direction
        residual = residual - length * image
        left, before = residual @ residual, left
        direction = residual + (left / before) * direction
    shares = np.maximum(root * solution, 0.0)
    return np.asarray(shares / shares.sum()) if size else shares


def _most_steps(damping: float, tolerance: float) -> int:
    """Bound on the number of steps.

    Each shrinks the L1 distance of two distributions, which is at most 2, by `damping`.
    """
    return math.ceil(math.log(tolerance / 2, damping)) + 1 if damping > 0 else 1


def _distribution(personalization: Floats | None, size: int) -> Floats:
    if personalization is None or personalization.sum() <= 0:
        return np.full(size, 1 / max(1, size))
    return np.asarray(personalization / personalization.sum(), dtype=np.float64)
