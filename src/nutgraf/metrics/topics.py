"""Topic divergence between a summary and its source (Sarkhel et al., MLS).

The paper says "average KL between the top-3 topic vectors" of the two texts and gives no further detail. Two texts that
have a topic model each are hard to compare: the topics of a few sentences are nearly uniform, so they lie near any
source's, and those of an unrelated text nearer than those of many good summaries. Therefore both texts are described by
one model, that of the source: latent Dirichlet allocation over its most frequent terms, with sentences as texts, as in
MLS's topic kernel. A text's distribution over terms is the mean of its sentences' topics; terms that the source lacks
are one further outcome. The metric is KL(source‖summary) between the two distributions, in nats.

`compare = "topics"` is the paper's formula as it stands: a model of each text, the three dominant topics of both paired
by rank. It does not tell related from unrelated texts, so tables show it without a direction.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from nutgraf.metrics import Direction, Example, Metric
from nutgraf.metrics._divergence import Array, kl
from nutgraf.metrics._score import sign
from nutgraf.presets.ranges import PositiveFloat, PositiveInt
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words

if TYPE_CHECKING:
    from nutgraf.text.topics import TopicModel

Terms = list[list[str]]
"""Terms of the sentences of a text."""


@dataclass(frozen=True)
class Config:
    """Topic divergence."""

    compare: Literal["terms", "topics"] = "terms"
    """Compare the distributions over "terms" that the source's topics give to both texts, or the dominant "topics" of
    a model of each text, which says little about agreement."""

    topics: PositiveInt = 10
    """Number of topics of a text."""

    top: PositiveInt = 3
    """Number of dominant topics that are paired where `compare` is "topics"."""

    vocab_size: PositiveInt = 300
    """Number of terms, the most frequent ones of the source."""

    smoothing: PositiveFloat = 1e-3
    """Constant added to each probability before normalization."""

    seed: int = 0
    """Seed of the topic models."""

    def __post_init__(self) -> None:
        if self.compare == "topics" and self.top > self.topics:
            raise ValueError(f"top = {self.top} must be at most topics = {self.topics}.")


class TopicDivergence(Metric):
    """KL(source‖summary) between the topics of both texts, in nats; None if either text has no terms."""

    needs = frozenset({"source"})
    scale = 1

    config: Config

    @property
    def directions(self) -> dict[str, Direction]:
        """Columns and their directions; see `Metric`."""
        return {"topic KL": "lower" if self.config.compare == "terms" else "descriptive"}

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        config = self.config
        return sign(
            "topics",
            lda=config.topics,
            compare=config.compare,
            top=config.top if config.compare == "topics" else "all",
            terms=config.vocab_size,
            kl="source‖summary",
            unit="nats",
            smoothing=f"{config.smoothing:g}",
            seed=config.seed,
        )

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        source, config = example.source, self.config
        if source is None:
            return {"topic KL": None}
        summary = source.terms_of(words(sentence, source.language) for sentence in example.hypothesis)
        if not any(summary) or not any(source.terms):
            return {"topic KL": None}
        compare = _terms if config.compare == "terms" else _topics
        return {"topic KL": kl(*compare(source, summary, config), config.smoothing)}


def _terms(source: Document, summary: Terms, config: Config) -> tuple[Array, Array]:
    """Distribution of each text over terms, by the source's topics; terms that the source lacks come last: [terms + 1].

    A summary's terms that the source has, but that are not among its most frequent ones, are left out of both.
    """
    from nutgraf.text.vectors import count_matrix

    model = _model_of(source, config)
    shares = model.of(count_matrix(summary, _frequent_terms(source, config.vocab_size))).dominance
    every = [term for sentence in summary for term in sentence]
    lacking = sum(term not in _vocabulary(source) for term in every) / len(every)
    first = model.dominance @ model.topic_words
    second = (1 - lacking) * (shares @ model.topic_words)
    return np.append(first, 0.0), np.append(second, lacking)


def _topics(source: Document, summary: Terms, config: Config) -> tuple[Array, Array]:
    """Dominant topics of each text, each under its own model: [top × terms], [top × terms]."""
    return _model_of(source, config).dominant(config.top), _fit(source, summary, config).dominant(config.top)


@lru_cache(maxsize=1)
def _frequent_terms(source: Document, count: int) -> dict[str, int]:
    """Columns of the most frequent terms; ties by first occurrence."""
    frequencies = Counter(term for sentence in source.terms for term in sentence)
    return {term: column for column, (term, _) in enumerate(frequencies.most_common(count))}


@lru_cache(maxsize=1)
def _vocabulary(source: Document) -> frozenset[str]:
    """All terms of the source."""
    return frozenset(term for sentence in source.terms for term in sentence)


@lru_cache(maxsize=1)
def _model_of(source: Document, config: Config) -> TopicModel:
    """Cached for the last source, because several summaries of it are scored in a row."""
    return _fit(source, source.terms, config)


def _fit(source: Document, sentences: Terms, config: Config) -> TopicModel:
    """Fit a topic model of `sentences` over the source's most frequent terms."""
    from nutgraf.text.topics import lda
    from nutgraf.text.vectors import count_matrix

    columns = _frequent_terms(source, config.vocab_size)
    return lda(count_matrix(sentences, columns), config.topics, seed=config.seed)
