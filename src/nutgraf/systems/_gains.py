"""Gain of each of several summaries by each of them as a reference: ROUGE for minimum Bayes risk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nutgraf.metrics import Sentences
from nutgraf.metrics.rouge import Config, Rouge

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def gains(texts: Sequence[Sentences], variants: tuple[str, ...]) -> npt.NDArray[np.float64]:
    """Return the mean F of some variants of ROUGE, in words of any script, Chinese, Japanese and Thai by character.

    Args:
        texts: The summaries; hypotheses are rows, references columns.
        variants: Variants of ROUGE.
    """
    import numpy as np

    scores = Rouge(Config(variants=variants, tokenization="characters")).pairwise(texts)
    return np.array([[np.mean([score.f for score in each.values()]) for each in row] for row in scores])
