"""Repetition: the share of a summary's trigrams that have stood in it before, 1 − distinct / all.

Over the whole summary, across the ends of sentences, so that the figure does not depend on how it was split.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nutgraf.metrics import Example, Metric
from nutgraf.metrics._score import sign
from nutgraf.text.tokenize import words


@dataclass(frozen=True)
class Config:
    """n: words in what is repeated."""

    n: int = 3

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError(f"n = {self.n} must be 1 or more.")


class Repetition(Metric):
    """0 where no trigram comes twice; None for a summary of fewer than three words."""

    needs = frozenset()

    def __init__(self, config: Config) -> None:
        self.config = config

    @property
    def directions(self) -> dict[str, Literal["higher", "lower", "descriptive"]]:
        return {"repetition": "lower"}

    @property
    def signature(self) -> str:
        return sign("repetition", n=self.config.n, lower=True, stem=False)

    def __call__(self, example: Example) -> dict[str, float | None]:
        sequence = [word for sentence in example.hypothesis for word in words(sentence)]
        ngrams = [tuple(sequence[start : start + self.config.n]) for start in range(len(sequence) - self.config.n + 1)]
        return {"repetition": 1 - len(set(ngrams)) / len(ngrams) if ngrams else None}
