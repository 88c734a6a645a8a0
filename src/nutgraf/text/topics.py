"""Latent Dirichlet allocation (Blei, Ng and Jordan 2003), by variational Bayes (Hoffman et al. 2010).

All sentences are inferred at once with sparse matrix products, so a topic model of one article takes milliseconds;
general packages process the sentences one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import psi

from nutgraf.text.vectors import Array, Matrix, Rows

MOST_DENSE = 1 << 16
"""Number of cells of texts × terms up to which dense products are quicker."""


@dataclass(frozen=True)
class TopicModel:
    """A topic model.

    Attributes:
        topic_words: [topics × terms], each row a distribution over terms.
        text_topics: [texts × topics], each row a distribution over topics.
    """

    topic_words: Array
    text_topics: Array

    @property
    def dominance(self) -> Array:
        """Mean share of each topic over the texts: [topics]."""
        return self.text_topics.mean(axis=0)

    def dominant(self, count: int) -> Array:
        """Word distributions of the `count` topics with the largest shares, largest first: [count × terms]."""
        order = np.argsort(-self.dominance, kind="stable")
        return self.topic_words[order[:count]]

    def of(self, counts: Rows) -> TopicModel:
        """Infer the shares of the same topics in other texts, `counts` [texts × terms]."""
        prior = 1.0 / len(self.topic_words)
        gamma = np.ones((counts.shape[0], len(self.topic_words)))
        gamma = _infer(_for_products(counts), gamma, self.topic_words, prior)
        return TopicModel(self.topic_words, gamma / gamma.sum(axis=1, keepdims=True))


def lda(counts: Rows, topics: int = 10, passes: int = 50, seed: int = 0, tolerance: float = 1e-3) -> TopicModel:
    """Fit a topic model with α = η = 1/topics.

    Args:
        counts: Term counts, [texts × terms].
        topics: Number of topics.
        passes: Maximum number of passes over the texts.
        seed: Seed of the initialization.
        tolerance: Stop when the relative change of the topics falls below this.
    """
    texts, terms = counts.shape
    if not texts or not terms or not counts.nnz:
        uniform = np.full((topics, max(terms, 1)), 1.0 / max(terms, 1))
        return TopicModel(uniform[:, :terms], np.full((texts, topics), 1.0 / topics))
    prior = 1.0 / topics
    cells = _for_products(counts)
    beta = np.random.default_rng(seed).gamma(100.0, 0.01, (topics, terms))
    gamma = np.ones((texts, topics))
    for _ in range(passes):
        word_weights = np.exp(_expected_log(beta))
        gamma = _infer(cells, gamma, word_weights, prior)
        text_weights = np.exp(_expected_log(gamma))
        moved = prior + word_weights * np.asarray(_ratios(cells, text_weights, word_weights).T @ text_weights).T
        change = np.abs(moved - beta).sum() / beta.sum()
        beta = moved
        if change < tolerance:
            break
    return TopicModel(beta / beta.sum(axis=1, keepdims=True), gamma / gamma.sum(axis=1, keepdims=True))


def _infer(counts: Matrix | Array, gamma: Array, word_weights: Array, prior: float, rounds: int = 20) -> Array:
    """Variational posterior over the topics of every text, continued from `gamma`."""
    for _ in range(rounds):
        text_weights = np.exp(_expected_log(gamma))
        moved = prior + text_weights * np.asarray(_ratios(counts, text_weights, word_weights) @ word_weights.T)
        change = np.abs(moved - gamma).sum() / gamma.size
        gamma = moved
        if change < 1e-3:
            break
    return gamma


def _for_products(counts: Rows) -> Matrix | Array:
    return counts.toarray() if counts.shape[0] * counts.shape[1] <= MOST_DENSE else counts.scipy


def _ratios(counts: Matrix | Array, text_weights: Array, word_weights: Array) -> Matrix | Array:
    """Counts / (text_weights · word_weights), on the cells with a count."""
    if isinstance(counts, np.ndarray):
        return np.asarray(counts / (text_weights @ word_weights + 1e-100))
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    expected = np.einsum("ek,ek->e", text_weights[rows], word_weights.T[counts.indices])
    return sparse.csr_matrix((counts.data / (expected + 1e-100), counts.indices, counts.indptr), shape=counts.shape)


def _expected_log(parameters: Array) -> Array:
    """E[log x] of Dirichlet distributions, one per row."""
    return psi(parameters) - psi(parameters.sum(axis=1, keepdims=True))
