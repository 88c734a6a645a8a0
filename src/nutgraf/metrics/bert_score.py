"""BERTScore: tokens matched by their embeddings in context, by a model in a folder.

Zhang et al. 2020, *BERTScore: Evaluating Text Generation with BERT*, Sec. 3: each token of the summary is matched with
the most similar token of the reference (precision), and the reverse (recall). Figures are not rescaled by a baseline.
Unlike in the authors' package, bert_score, tokens around a text ([CLS], [SEP]) are matched with nothing; of several
references, all three figures are those of the one with the highest F1; and a text that is longer than the model reads
is read in windows, where the package cuts it.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError, PresetError
from nutgraf.metrics import Direction, Example, Metric, Sentences
from nutgraf.metrics._score import Score, harmonic, sign
from nutgraf.presets.ranges import NonNegativeInt

Array = npt.NDArray[np.floating[Any]]

CACHED = 32
"""Number of texts whose vectors are kept, because several summaries are compared with a reference in a row."""


@dataclass(frozen=True)
class Config:
    """BERTScore."""

    folder: str = ""
    """Folder of a model of transformers, with safetensors; there is no default, and none is downloaded."""

    layer: NonNegativeInt | None = None
    """Layer whose output is compared; by default the one that the authors' package has for a model of this architecture
    and size, else the one at three quarters of its layers."""

    idf: str = ""
    """File with a text per line, such as all references: tokens weigh by their inverse frequency among these; "" weighs
    all alike."""


class Embedder(Protocol):
    """Gives vectors to the tokens of a text, as `nutgraf.systems.embedding` does."""

    layer: int

    @property
    def signature(self) -> str:
        """Name and fingerprint of the model."""

    @property
    def window(self) -> int:
        """Number of tokens that are read at a time."""

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text."""

    def __call__(self, text: str) -> tuple[list[int], Array]:
        """Return the tokens of a text, and a vector for each."""


ReadEmbedder = Callable[[str, int | None], Embedder]
"""Reads the model in a folder, of which a layer is compared."""


class BertScore(Metric):
    """Precision, recall and F1 of matched tokens; None for an example without references.

    A mean similarity below 0 counts as 0.
    """

    config: Config
    embeds = True

    directions: ClassVar[dict[str, Direction]] = {
        "BERTScore P": "higher",
        "BERTScore R": "higher",
        "BERTScore F1": "higher",
    }

    def __init__(self, config: Config, read_embedder: ReadEmbedder) -> None:
        super().__init__(config)
        if not config.folder:
            raise PresetError(
                "bert_score compares by a model that you have: name its folder, as in --set bert_score.folder=FOLDER."
            )
        self._read = read_embedder
        self._embedder = read_embedder(config.folder, config.layer)
        self._vectors = lru_cache(CACHED)(self._embedder)
        self._weigh, self._idf = (
            inverse_frequencies(config.idf, self._embedder.tokens) if config.idf else (_alike, "no")
        )

    def __reduce__(self) -> tuple[type[BertScore], tuple[Config, ReadEmbedder]]:
        """Pickle the options only; the model is loaded again."""
        return BertScore, (self.config, self._read)

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        embedder = self._embedder
        return sign(
            "bert_score",
            model=embedder.signature,
            layer=embedder.layer,
            idf=self._idf,
            window=embedder.window,
            rescaled=False,
            refs="best",
        )

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        scores = [self.score(example.hypothesis, reference) for reference in example.references]
        best = max(scores, key=lambda score: score.f, default=None)
        return dict.fromkeys(self.directions) if best is None else dict(zip(self.directions, best, strict=True))

    def score(self, hypothesis: Sentences, reference: Sentences) -> Score:
        """Score a summary against one reference; 0 if either has no token."""
        (ours, first), (theirs, second) = (self._vectors(" ".join(text)) for text in (hypothesis, reference))
        if not ours or not theirs:
            return Score(0.0, 0.0, 0.0)
        return matched(first, second, self._weigh(ours), self._weigh(theirs))


def matched(hypothesis: Array, reference: Array, hypothesis_weights: Array, reference_weights: Array) -> Score:
    """Match tokens greedily by the cosine of their vectors.

    Args:
        hypothesis: Vectors of the summary, [tokens, width].
        reference: Vectors of the reference, [tokens, width].
        hypothesis_weights: Weights of the summary's tokens.
        reference_weights: Weights of the reference's tokens.
    """
    cosines = _unit(hypothesis) @ _unit(reference).T
    return harmonic(_mean(cosines.max(1), hypothesis_weights), _mean(cosines.max(0), reference_weights))


def inverse_frequencies(path: str, tokens: Callable[[str], list[int]]) -> tuple[Callable[[Sequence[int]], Array], str]:
    """Count in how many texts of a file each token stands.

    Args:
        path: A file with a text per line.
        tokens: Returns the tokens of a text.

    Returns:
        What gives the weights of tokens, ln((N + 1) / (n + 1)) for one that n of N texts have; and a hash of the file.

    Raises:
        InputError: If the file cannot be read, or has no text.
    """
    try:
        data = Path(path).read_bytes()
        lines = [line for line in data.decode("utf-8-sig").splitlines() if line.strip()]
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no text in UTF-8.") from error
    if not lines:
        raise InputError(f"{path} has no text to count tokens in.")
    counts = Counter(token for line in lines for token in set(tokens(line)))

    def weigh(ids: Sequence[int]) -> Array:
        return np.array([math.log((len(lines) + 1) / (counts[token] + 1)) for token in ids])

    return weigh, hashlib.sha256(data).hexdigest()[:8]


def _alike(ids: Sequence[int]) -> Array:
    return np.ones(len(ids))


def _unit(vectors: Array) -> Array:
    exact = vectors.astype(np.float64)
    return exact / np.maximum(np.linalg.norm(exact, axis=1, keepdims=True), np.finfo(np.float64).tiny)


def _mean(values: Array, weights: Array) -> float:
    """Return a weighted mean between 0 and 1; where nothing weighs, that of equal weights."""
    mean = np.average(values, weights=weights if weights.sum() > 0 else None)
    return float(np.clip(mean, 0.0, 1.0))
