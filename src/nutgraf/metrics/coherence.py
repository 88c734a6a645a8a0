"""Difference of coherence: |coh(summary) − coh(source)|, where coh is the mean cosine of neighbouring sentences
(Sarkhel et al., MLS).

Sentences are vectors in the space of the source's own sentences, as in MLS's redundancy kernel. One sentence alone has
no neighbour; the paper does not say what becomes of such summaries. They are left out and counted; `lonely = "one"`
gives them a coherence of 1 instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from nutgraf.metrics import Example, Metric
from nutgraf.metrics._score import sign
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words

if TYPE_CHECKING:
    from nutgraf.text.vectors import Array, Matrix, SentenceSpace


@dataclass(frozen=True)
class Config:
    """dimensions: of the space of sentences, at most; 0 for no limit, as in the redundancy kernel. lonely: what a text
    of one sentence gets: nothing, or a coherence of 1.
    """

    dimensions: int = 0
    lonely: Literal["excluded", "one"] = "excluded"

    def __post_init__(self) -> None:
        if self.dimensions < 0:
            raise ValueError(f"dimensions = {self.dimensions} must be 0 or more.")


class Coherence(Metric):
    """The absolute difference of the two coherences; None where a text has fewer than two sentences."""

    needs = frozenset({"source"})
    scale = 1

    def __init__(self, config: Config) -> None:
        self.config = config

    @property
    def directions(self) -> dict[str, Literal["higher", "lower", "descriptive"]]:
        return {"coherence difference": "lower"}

    @property
    def signature(self) -> str:
        vectors = f"tfidf-svd{self.config.dimensions}" if self.config.dimensions else "tfidf"
        return sign("coherence", vectors=vectors, lonely=self.config.lonely)

    def __call__(self, example: Example) -> dict[str, float | None]:
        if example.source is None:
            return {"coherence difference": None}
        space = _space_of(example.source, self.config.dimensions)
        summary = example.source.terms_of(words(sentence) for sentence in example.hypothesis)
        ours, theirs = self.coherence(space.embed(summary)), self.coherence(space.vectors)
        return {"coherence difference": None if ours is None or theirs is None else abs(ours - theirs)}

    def coherence(self, vectors: Matrix | Array) -> float | None:
        """The mean cosine of neighbouring rows, all of length one or zero: [sentences × dimensions]."""
        from scipy.sparse import csr_matrix

        count: int = vectors.shape[0]
        if count < 2:
            return 1.0 if count == 1 and self.config.lonely == "one" else None
        rows = csr_matrix(vectors)
        cosines = float(rows[:-1].multiply(rows[1:]).sum())
        return cosines / (count - 1)


@lru_cache(maxsize=1)
def _space_of(source: Document, dimensions: int) -> SentenceSpace:
    """Kept for the last source, because several summaries of it are scored in a row."""
    from nutgraf.text.vectors import SentenceSpace

    return SentenceSpace(source.terms, dimensions)
