"""Minimum Bayes risk: the hypothesis with the largest expected gain, instead of the most probable one.

Eikema and Aziz, *Sampling-Based Approximations to Minimum Bayes Risk Decoding for Neural Machine Translation* (EMNLP
2022); Freitag et al., *High Quality Rather than High Model Probability* (TACL 2022). Weights by probability: Jinnai et
al., *Model-Based Minimum Bayes Risk Decoding for Text Generation* (ICML 2024).

    expected gain   μ(h) = Σᵣ w(r) · gain(h, r)     over all hypotheses r of the document, h itself among them
    weights         w(r) = 1 / n                    "uniform": samples come as often as they are probable
                    w(r) = P(r) / Σ P               "probability": each hypothesis of a beam comes once

An addition of ours: the sentences s of the source may stand beside the hypotheses, with a share λ of the weight. A
method that selects sentences rates them, and the lowest rated one has no weight:

    expected gain   (1 − λ) · μ(h) + λ · Σₛ v(s) · gain(h, s)
    weights         v(s) = (rating(s) − lowest) / Σₛ (rating(s) − lowest)

Another addition of ours: a hypothesis gains ν times the share of its bigrams that the source does not have.
The gain is the mean F of some variants of ROUGE between the texts; `nutgraf.systems` computes it, since a search knows
no words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from nutgraf.extractive import SentenceRanker, sentence_rankers
from nutgraf.metrics import rouge
from nutgraf.presets.family import Choice
from nutgraf.presets.ranges import NonNegativeFloat, Share

Weights = Literal["uniform", "probability"]


@dataclass(frozen=True)
class Config:
    """Minimum Bayes risk: of all `beam_size` hypotheses, a system takes the one most like the others.

    With a `source_share`, likeness to the sentences of the source counts as well.
    """

    variants: tuple[str, ...] = ("1", "2", "L")
    """Variants of ROUGE whose mean F is the gain."""

    weights: Weights | Literal["auto"] = "auto"
    """Weights of the hypotheses that one is compared with: all the same ("uniform"), or their probabilities, divided by
    their sum ("probability"); "auto" is uniform for samples and by probability for beams."""

    source_share: Share = 0.0
    """Share of the weight that the sentences of the source have, of those that the network reads; 0: none."""

    source_ranker: Choice[SentenceRanker] = field(default_factory=lambda: sentence_rankers.choose("adaptive"))
    """Method that rates these sentences; a higher rating is more weight."""

    novelty_weight: NonNegativeFloat = 0.0
    """What a summary gains whose bigrams are all new; one with a share of new bigrams gains that share of it. The more,
    the fewer sentences are copied whole."""

    def __post_init__(self) -> None:
        rouge.Config(variants=self.variants)

    def weights_of(self, sampled: bool) -> Weights:
        """Return the weights for samples, or for hypotheses of beams."""
        if self.weights == "auto":
            return "uniform" if sampled else "probability"
        return self.weights


def expected_gains(
    gains: npt.NDArray[np.float64], log_probs: Sequence[float], weights: Weights
) -> npt.NDArray[np.float64]:
    """Return the expected gain of each hypothesis, with the same hypotheses as references.

    Args:
        gains: Gain of each hypothesis (rows) by each reference (columns).
        log_probs: Log probability of each hypothesis.
        weights: Weights of the references.
    """
    logs = np.array(log_probs) if weights == "probability" else np.zeros(len(log_probs))
    shares = np.exp(logs - logs.max())
    return gains @ (shares / shares.sum())


def source_weights(ratings: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the weights of the sentences of a source, which add up to 1; all are the same where the ratings are.

    Args:
        ratings: Rating of each, one at least.
    """
    above = ratings - ratings.min()
    return above / above.sum() if above.any() else np.full(len(ratings), 1 / len(ratings))
