"""Sentiment divergence, with VADER's own shares."""

from __future__ import annotations

import math

import pytest

from nutgraf.errors import PresetError
from nutgraf.metrics import Example, metrics
from nutgraf.metrics.sentiment import Config, Sentiment, sentiment_scores
from nutgraf.text.document import Document

GLOOMY = "The storm was terrible. The harbour was destroyed. People lost everything."
CHEERFUL = "A wonderful, happy day. Everyone loved the great party."


def divergence(source: str, summary: str, smoothing: float = 1e-3) -> float | None:
    example = Example([summary] if summary else [], source=Document.of(source, language="en"))
    return Sentiment(Config(smoothing))(example)["sentiment KL"]


def test_a_summary_of_the_same_mood_is_nearer() -> None:
    same, other = divergence(GLOOMY, "The terrible storm destroyed it."), divergence(GLOOMY, CHEERFUL)
    assert same is not None
    assert other is not None
    assert 0 < same < other


def test_the_divergence_by_hand() -> None:
    # Plain words have the mood (0, 1, 0); "Good." has (0, 0, 1). Smoothed by 1: (1, 2, 1)/4 and (1, 1, 2)/4.
    assert sentiment_scores("The table stands.") == (0.0, 1.0, 0.0)
    assert sentiment_scores("Good.") == (0.0, 0.0, 1.0)
    assert divergence("The table stands.", "Good.", smoothing=1.0) == pytest.approx(
        2 / 4 * math.log(2) + 1 / 4 * math.log(1 / 2)
    )


def test_it_is_zero_for_the_text_itself_and_silent_without_words() -> None:
    assert divergence(GLOOMY, GLOOMY) == pytest.approx(0, abs=1e-12)
    assert divergence(GLOOMY, "") is None
    assert Sentiment(Config())(Example([GLOOMY])) == {"sentiment KL": None}


def test_smoothing_must_be_above_zero() -> None:
    with pytest.raises(PresetError, match="smoothing"):
        metrics.make("sentiment", smoothing=0)
