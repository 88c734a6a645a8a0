"""Topic divergence between a summary and its source (Sarkhel et al., MLS).

Both texts get their own topics by latent Dirichlet allocation over the source's most frequent terms, with sentences as
texts, as in MLS's topic kernel. The three dominant topics of each are paired by rank.

The paper says "average KL between the top-3 topic vectors". We compute KL(source‖summary) in nats between the topics'
distributions over terms, smoothed. Two topic models of two texts agree on little, and figures are comparable only among
systems scored with the same signature; `compare = "mixtures"` instead compares the shares of the topics in each text,
under one model of both.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from nutgraf.metrics import Example, Metric
from nutgraf.metrics._divergence import Array, kl
from nutgraf.metrics._score import sign
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words

if TYPE_CHECKING:
    from nutgraf.text.topics import TopicModel


@dataclass(frozen=True)
class Config:
    """Topic divergence."""

    compare: Literal["topics", "mixtures"] = "topics"
    """Compare the distributions of "topics" over terms, or their shares ("mixtures") under one model."""

    topics: int = 10
    """Number of topics of a text."""

    top: int = 3
    """Number of dominant topics that are paired."""

    vocab_size: int = 300
    """Number of terms, the most frequent ones of the source."""

    smoothing: float = 1e-3
    """Constant added to each probability before normalization."""

    seed: int = 0
    """Seed of the topic models."""

    def __post_init__(self) -> None:
        if self.smoothing <= 0:
            raise ValueError(f"smoothing = {self.smoothing} must be above 0.")
        if not 1 <= self.top <= self.topics:
            raise ValueError(f"top = {self.top} must be between 1 and topics = {self.topics}.")
        if self.vocab_size < 1:
            raise ValueError(f"vocab_size = {self.vocab_size} must be 1 or more.")


class TopicDivergence(Metric):
    """KL(source‖summary) between topics, in nats; None if the summary contains none of the source's terms.

    (Its topics would be uniform, and closer to the source's than those of many good short summaries.)
    """

    needs = frozenset({"source"})
    scale = 1

    config: Config

    @property
    def directions(self) -> dict[str, Literal["higher", "lower", "descriptive"]]:
        """Columns and their directions; see `Metric`."""
        return {"topic KL": "lower"}

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
        columns = _frequent_terms(source, config.vocab_size)
        summary = source.terms_of(words(sentence) for sentence in example.hypothesis)
        if not any(term in columns for sentence in summary for term in sentence):
            return {"topic KL": None}
        compare = _dominant_topics if config.compare == "topics" else _mixtures
        return {"topic KL": kl(*compare(source, summary, config), config.smoothing)}


@lru_cache(maxsize=1)
def _frequent_terms(source: Document, count: int) -> dict[str, int]:
    """Columns of the most frequent terms; ties by first occurrence."""
    frequencies = Counter(term for sentence in source.terms for term in sentence)
    return {term: column for column, (term, _) in enumerate(frequencies.most_common(count))}


def _dominant_topics(source: Document, summary: list[list[str]], config: Config) -> tuple[Array, Array]:
    """Dominant topics of each text, each under its own model: [top × terms], [top × terms]."""
    return _topics_of(source, config), _fit(source, summary, config).dominant(config.top)


def _mixtures(source: Document, summary: list[list[str]], config: Config) -> tuple[Array, Array]:
    """Mean shares of topics in the sentences of each text, under one model of both: [topics], [topics]."""
    shares = _fit(source, [*source.terms, *summary], config).text_topics
    length = len(source.terms)
    return shares[:length].mean(axis=0), shares[length:].mean(axis=0)


@lru_cache(maxsize=1)
def _topics_of(source: Document, config: Config) -> Array:
    """Cached for the last source, because several summaries of it are scored in a row."""
    return _fit(source, source.terms, config).dominant(config.top)


def _fit(source: Document, sentences: list[list[str]], config: Config) -> TopicModel:
    """Fit a topic model of `sentences` over the source's most frequent terms."""
    from nutgraf.text.topics import lda
    from nutgraf.text.vectors import count_matrix

    columns = _frequent_terms(source, config.vocab_size)
    return lda(count_matrix(sentences, columns), config.topics, seed=config.seed)
