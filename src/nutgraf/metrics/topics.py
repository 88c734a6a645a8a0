"""Topic divergence: how far a summary's topics are from its source's (Sarkhel et al., MLS).

Both texts get their own topics by latent Dirichlet allocation over the source's most frequent terms, sentences being
the units, as in MLS's topic kernel. The three most dominant topics of each are paired rank by rank.

The paper says "average KL between the top-3 topic vectors". We take KL(source‖summary) in nats between the topics'
distributions over terms, smoothed. Two topic models of two texts agree on little, and figures are comparable only
among systems scored with one signature; `compare = "mixtures"` asks instead how much of each topic is in either text,
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
    """compare: "topics" pairs distributions over terms, "mixtures" compares shares of topics under one model.

    topics: how many a text has. top: how many are paired. vocabulary: the source's most frequent terms that count.
    """

    compare: Literal["topics", "mixtures"] = "topics"
    topics: int = 10
    top: int = 3
    vocabulary: int = 300
    smoothing: float = 1e-3
    seed: int = 0

    def __post_init__(self) -> None:
        if self.smoothing <= 0:
            raise ValueError(f"smoothing = {self.smoothing} must be above 0.")
        if not 1 <= self.top <= self.topics:
            raise ValueError(f"top = {self.top} must be between 1 and topics = {self.topics}.")
        if self.vocabulary < 1:
            raise ValueError(f"vocabulary = {self.vocabulary} must be 1 or more.")


class TopicDivergence(Metric):
    """KL(source‖summary) between topics, in nats; None where the summary has none of the source's terms.

    (Its topics would be uniform, which lies nearer to the source's than those of many a good short summary.)
    """

    needs = frozenset({"source"})
    scale = 1

    def __init__(self, config: Config) -> None:
        self.config = config

    @property
    def directions(self) -> dict[str, Literal["higher", "lower", "descriptive"]]:
        return {"topic KL": "lower"}

    @property
    def signature(self) -> str:
        config = self.config
        return sign(
            "topics",
            lda=config.topics,
            compare=config.compare,
            top=config.top if config.compare == "topics" else "all",
            terms=config.vocabulary,
            kl="source‖summary",
            unit="nats",
            smoothing=f"{config.smoothing:g}",
            seed=config.seed,
        )

    def __call__(self, example: Example) -> dict[str, float | None]:
        source, config = example.source, self.config
        if source is None:
            return {"topic KL": None}
        columns = _frequent_terms(source, config.vocabulary)
        summary = source.terms_of(words(sentence) for sentence in example.hypothesis)
        if not any(term in columns for sentence in summary for term in sentence):
            return {"topic KL": None}
        compare = _dominant_topics if config.compare == "topics" else _mixtures
        return {"topic KL": kl(*compare(source, summary, config), config.smoothing)}


@lru_cache(maxsize=1)
def _frequent_terms(source: Document, count: int) -> dict[str, int]:
    """The most frequent terms and their columns; ties by first occurrence."""
    frequencies = Counter(term for sentence in source.terms for term in sentence)
    return {term: column for column, (term, _) in enumerate(frequencies.most_common(count))}


def _dominant_topics(source: Document, summary: list[list[str]], config: Config) -> tuple[Array, Array]:
    """The most dominant topics of either text, each under its own model: [top × terms], [top × terms]."""
    return _topics_of(source, config), _fit(source, summary, config).dominant(config.top)


def _mixtures(source: Document, summary: list[list[str]], config: Config) -> tuple[Array, Array]:
    """The mean shares of topics in the sentences of either text, under one model of both: [topics], [topics]."""
    shares = _fit(source, [*source.terms, *summary], config).text_topics
    length = len(source.terms)
    return shares[:length].mean(axis=0), shares[length:].mean(axis=0)


@lru_cache(maxsize=1)
def _topics_of(source: Document, config: Config) -> Array:
    """Kept for the last source, because several summaries of it are scored in a row."""
    return _fit(source, source.terms, config).dominant(config.top)


def _fit(source: Document, sentences: list[list[str]], config: Config) -> TopicModel:
    """A topic model of `sentences` over the source's most frequent terms."""
    from nutgraf.text.topics import lda
    from nutgraf.text.vectors import count_matrix

    columns = _frequent_terms(source, config.vocabulary)
    return lda(count_matrix(sentences, columns), config.topics, seed=config.seed)
