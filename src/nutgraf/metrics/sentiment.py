"""Sentiment divergence between a summary and its source (Sarkhel et al., MLS).

Each text has a vector (negative, neutral, positive) from VADER (Hutto and Gilbert 2014). The paper names the KL
divergence but no direction; we compute KL(source‖summary) in nats, both smoothed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from nutgraf.metrics import Direction, Example, Metric
from nutgraf.metrics._divergence import kl
from nutgraf.metrics._score import sign
from nutgraf.presets.ranges import PositiveFloat
from nutgraf.text.document import Document


@dataclass(frozen=True)
class Config:
    """Sentiment divergence."""

    smoothing: PositiveFloat = 1e-3
    """Constant added to each of the three shares before normalization."""


class Sentiment(Metric):
    """KL(source‖summary) between sentiment vectors, in nats; None for a summary without words."""

    needs = frozenset({"source"})
    scale = 1

    config: Config
    directions: ClassVar[dict[str, Direction]] = {"sentiment KL": "lower"}

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        smoothing = f"{self.config.smoothing:g}"
        return sign("sentiment", by="vader", kl="source‖summary", unit="nats", smoothing=smoothing)

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        summary = sentiment_scores(" ".join(example.hypothesis))
        if example.source is None or not any(summary):
            return {"sentiment KL": None}
        return {"sentiment KL": kl(_sentiment_of(example.source), summary, self.config.smoothing)}


def sentiment_scores(text: str) -> tuple[float, float, float]:
    """VADER's shares of negative, neutral and positive words; zeros for a text without words."""
    scores = _analyzer().polarity_scores(text)
    return scores["neg"], scores["neu"], scores["pos"]


@lru_cache(maxsize=1)
def _sentiment_of(source: Document) -> tuple[float, float, float]:
    """Cached for the last source, because several summaries of it are scored in a row."""
    return sentiment_scores(" ".join(source.printed))


@lru_cache(maxsize=1)
def _analyzer() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()
