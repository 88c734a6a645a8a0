"""Minimum Bayes risk over texts: the gain of each summary is ROUGE by the others, and by sentences of the source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nutgraf.extractive import sentence_rankers
from nutgraf.metrics import Example, Sentences
from nutgraf.metrics.novelty import Config as NoveltyConfig
from nutgraf.metrics.novelty import Novelty
from nutgraf.metrics.rouge import Config, Rouge
from nutgraf.text.document import Document

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from nutgraf.decoding import mbr


class ExpectedGain:
    """Expected gain of the hypotheses of a search, as `[decoding.mbr]` says."""

    def __init__(self, config: mbr.Config, sampled: bool) -> None:
        """Prepare the method that rates the sentences of a source."""
        self._config, self._weights = config, config.weights_of(sampled)
        self._ranker = sentence_rankers.build(config.source_ranker)

    def scores(self, texts: Sequence[Sentences], log_probs: Sequence[float], source: Document | None) -> list[float]:
        """Return the expected gain of each summary."""
        import numpy as np

        from nutgraf.decoding.mbr import expected_gains, source_weights

        variants, share = self._config.variants, self._config.source_share
        expected = expected_gains(gains(texts, variants), log_probs, self._weights)
        if share and source is not None and source.sentences:
            by_source = gains(texts, variants, [[sentence] for sentence in source.printed])
            weights = source_weights(self._ranker.rank(source).ratings)
            expected = (1 - share) * expected + share * by_source @ weights
        if self._config.novelty_weight and source is not None:
            expected += self._config.novelty_weight * np.array([novelty(text, source) for text in texts])
        return [float(one) for one in expected]


def novelty(text: Sentences, source: Document) -> float:
    """Return the share of a summary's bigrams that its source does not have; 0 for one without bigrams."""
    return Novelty(NoveltyConfig(max_n=2))(Example(text, source=source))["novel 2-grams"] or 0.0


def gains(
    texts: Sequence[Sentences], variants: tuple[str, ...], references: Sequence[Sentences] | None = None
) -> npt.NDArray[np.float64]:
    """Return the mean F of some variants of ROUGE, in words of any script, Chinese, Japanese and Thai by character."""
    import numpy as np

    scores = Rouge(Config(variants=variants, tokenization="characters")).pairwise(texts, references)
    return np.array([[np.mean([score.f for score in each.values()]) for each in row] for row in scores])
