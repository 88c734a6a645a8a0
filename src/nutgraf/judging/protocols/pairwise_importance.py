"""Pairwise preference on importance and readability.

The protocol of Xu et al. 2020, *Self-Attention Guided Copy Mechanism for Abstractive Summarization*: 100 examples; the
published shares are multiples of 1/300, so three judges.
"""

from __future__ import annotations

from dataclasses import dataclass

from nutgraf.judging.protocols._preference import Preference, PreferenceConfig


@dataclass(frozen=True)
class Config(PreferenceConfig):
    """Preference on importance and readability."""

    aspects: tuple[str, ...] = ("importance", "readability")
    """Aspects that judges are asked about."""


EXAMPLES = (Config(), Config(pairs="all"))


class PairwiseImportance(Preference):
    """Pairwise preference on importance and readability."""

    config: Config
