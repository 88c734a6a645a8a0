"""Difference of coherence: |coh(summary) − coh(source)|, where coh is the mean cosine of adjacent sentences.

Sarkhel et al. 2020 (MLS). Sentences are embedded in the space of the source's sentences, as in MLS's redundancy kernel.
A single sentence has no neighbour, and the paper does not say how such summaries are scored. They are left out and
counted; `single_sentence = "one"` gives them a coherence of 1 instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal

from nutgraf.metrics import Direction, Example, Metric
from nutgraf.metrics._score import sign
from nutgraf.presets.ranges import NonNegativeInt
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words

if TYPE_CHECKING:
    from nutgraf.text.vectors import Array, Matrix, SentenceSpace


@dataclass(frozen=True)
class Config:
    """Difference of coherence."""

    dimensions: NonNegativeInt = 0
    """Maximum dimensions of the sentence vectors; 0 for no limit, as in the redundancy kernel."""

    single_sentence: Literal["excluded", "one"] = "excluded"
    """Text of one sentence: leave it out ("excluded") or give it a coherence of "one"."""


class Coherence(Metric):
    """Absolute difference of the two coherences; None if a text has fewer than two sentences."""

    needs = frozenset({"source"})
    scale = 1

    config: Config
    directions: ClassVar[dict[str, Direction]] = {"coherence difference": "lower"}

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        vectors = f"tfidf-svd{self.config.dimensions}" if self.config.dimensions else "tfidf"
        return sign("coherence", vectors=vectors, single_sentence=self.config.single_sentence)

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        if example.source is None:
            return {"coherence difference": None}
        space = _space_of(example.source, self.config.dimensions)
        summary = example.source.terms_of(words(sentence, example.source.language) for sentence in example.hypothesis)
        ours, theirs = self.coherence(space.embed(summary)), self.coherence(space.vectors)
        return {"coherence difference": None if ours is None or theirs is None else abs(ours - theirs)}

    def coherence(self, vectors: Matrix | Array) -> float | None:
        """Mean cosine of adjacent rows, [sentences × dimensions], of length 1 or 0."""
        from scipy.sparse import csr_matrix

        count: int = vectors.shape[0]
        if count < 2:
            return 1.0 if count == 1 and self.config.single_sentence == "one" else None
        rows = csr_matrix(vectors)
        cosines = float(rows[:-1].multiply(rows[1:]).sum())
        return cosines / (count - 1)


@lru_cache(maxsize=1)
def _space_of(source: Document, dimensions: int) -> SentenceSpace:
    """Cached for the last source, because several summaries of it are scored in a row."""
    from nutgraf.text.vectors import SentenceSpace

    return SentenceSpace(source.terms, dimensions)
