"""The keyword kernel K₂: similarity to the document's keywords. Sarkhel et al. 2020 (MLS), Sec. 2.2.

K₂ is a vector of 50: the relative frequencies of the document's 50 most frequent RAKE phrases (Rose et al. 2010).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nutgraf.keyphrases import extractors
from nutgraf.magnifier.kernels import Head, Kernel, Values, Words
from nutgraf.magnifier.kernels._divergence import Divergence, ScoreKind, mean_divergence, smooth, to_values
from nutgraf.magnifier.kernels._shuffle import shuffled
from nutgraf.presets.family import SHIPPED
from nutgraf.presets.ranges import PositiveInt
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words
from nutgraf.text.vectors import count_matrix

EVERY = 1_000_000
"""More phrases than a document has."""


@dataclass(frozen=True)
class Config:
    """The keyword kernel."""

    weight: float = 1.0
    """Weight w₂ of the kernel."""

    top: PositiveInt = 50
    """Number of keywords."""

    max_words: PositiveInt = 5
    """Maximum number of words in a keyword."""

    unit: Literal["phrases", "words"] = "phrases"
    """Keywords are RAKE's "phrases", or their single "words"."""

    rank_by: Literal["frequency", "score"] = "frequency"
    """Keep the most frequent keywords, or those with the highest RAKE score."""

    score: ScoreKind = "similarity"
    """Score of a sentence: "similarity" 1/(1 + d) or "distance" d, where d is its divergence."""

    divergence: Divergence = "sum"
    """Symmetric divergence: "sum" of both KL divergences, their "mean", or "jensen_shannon"."""

    shuffle_seed: int | None = None
    """Ablation: shuffle the keywords' frequencies with this seed."""


class Keywords(Kernel):
    """d(u) = symKL(V(u), K₂), where V(u) counts the keywords in u."""

    config: Config

    def __call__(self, document: Document) -> Head:
        """Find the keywords; see `Kernel`."""
        frequent, config = self._frequencies(document), self.config
        columns = {tuple(keyword.split()): column for column, keyword in enumerate(frequent)}
        sizes: defaultdict[str, set[int]] = defaultdict(set)
        for keyword in columns:
            sizes[keyword[0]].add(len(keyword))
        counts = np.array([list(frequent.values())], dtype=np.float64)
        kernel = shuffled(smooth(counts), config.shuffle_seed) if frequent else None

        def head(sentences: Sequence[Words]) -> Values:
            if kernel is None:
                return np.ones(len(sentences))
            held = count_matrix([_begun(sentence, sizes) for sentence in sentences], columns).toarray()
            divergences = mean_divergence(smooth(held), kernel, config.divergence)
            return to_values(divergences, np.asarray(held.any(axis=1)), config.score)

        return head

    def _frequencies(self, document: Document) -> dict[str, int]:
        """Keywords, best first, and how often they occur in the document."""
        rake = {"kind": "rake", "top": EVERY, "ngram_range": (1, self.config.max_words)}
        found = extractors.build(extractors.choice(rake, context=SHIPPED))(document)
        # Phrases that differ in marks only are one keyword.
        times: Counter[str] = Counter()
        for phrase in found:
            spoken = words(phrase.text, document.language)
            for keyword in spoken if self.config.unit == "words" else filter(None, [" ".join(spoken)]):
                times[keyword] += len(phrase.spans)
        # They come in RAKE's order, which breaks ties, as sorting is stable.
        ranked = (
            sorted(times, key=lambda keyword: -times[keyword]) if self.config.rank_by == "frequency" else list(times)
        )
        return {keyword: times[keyword] for keyword in ranked[: self.config.top]}


def _begun(sentence: Words, sizes: Mapping[str, Iterable[int]]) -> list[tuple[str, ...]]:
    """N-grams of a sentence that begin as keywords do, with the lengths that these have."""
    return [
        tuple(sentence[at : at + size])
        for at, word in enumerate(sentence)
        for size in sizes.get(word, ())
        if at + size <= len(sentence)
    ]
