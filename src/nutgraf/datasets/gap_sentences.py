"""Gap sentences: a text without its principal sentences, which are the summary.

Zhang et al. 2020, *PEGASUS: Pre-training with Extracted Gap-sentences for Abstractive Summarization*, Sec. 3.1. A
sentence is the more principal, the higher its ROUGE-1 F beside the rest of the text ("Ind-Orig"). In the source a mask
stands in its place, unless it is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nutgraf.datasets._derived import Derived, Origin
from nutgraf.presets.ranges import PositiveShare, ShareBelowOne
from nutgraf.text.tokenize import words


@dataclass(frozen=True)
class Config(Origin):
    """Gap sentences of another data set's texts."""

    gap_share: PositiveShare = 0.15
    """Share of the sentences that are the summary, at least one; 0.15 for the smaller, 0.3 for the larger network of
    the paper (Sec. 6.1)."""

    choice: Literal["principal", "lead", "random"] = "principal"
    """Sentences that are taken: the "principal" ones, the "lead", or "random" ones."""

    keep_share: ShareBelowOne = 0.2
    """Share of the gap sentences that stay in the source, from which copying is learned; 0.2 in the paper's Sec. 6."""

    mask: str = "…"
    """Word in the place of a gap sentence, since tokenizers trained here have no mask of their own; "" for none."""


class GapSentences(Derived):
    """Takes sentences out of texts."""

    config: Config

    def derive(self, sentences: Sequence[str], draw: np.random.Generator) -> tuple[list[str], list[str]]:
        """Return the text with gaps, and what stood there; see `Derived`."""
        count = min(len(sentences) - 1, max(1, round(self.config.gap_share * len(sentences))))
        gaps = sorted(self._chosen(sentences, count, draw))
        hidden = {gap for gap in gaps if draw.random() >= self.config.keep_share}
        source = [self.config.mask if index in hidden else sentence for index, sentence in enumerate(sentences)]
        return [sentence for sentence in source if sentence], [sentences[gap] for gap in gaps]

    def _chosen(self, sentences: Sequence[str], count: int, draw: np.random.Generator) -> list[int]:
        if self.config.choice == "lead":
            return list(range(count))
        if self.config.choice == "random":
            return [int(index) for index in draw.permutation(len(sentences))[:count]]
        scores = principal(sentences)
        return sorted(range(len(sentences)), key=lambda index: (-scores[index], index))[:count]


def principal(sentences: Sequence[str]) -> list[float]:
    """Return the ROUGE-1 F of each sentence beside all others.

    Args:
        sentences: Sentences of a text.

    Returns:
        A score from 0 to 1 for each.
    """
    counted = [Counter(words(sentence)) for sentence in sentences]
    whole = sum(counted, Counter[str]())
    scores = []
    for one in counted:
        rest = whole - one
        length = one.total() + rest.total()
        scores.append(2 * (one & rest).total() / length if length else 0.0)
    return scores
