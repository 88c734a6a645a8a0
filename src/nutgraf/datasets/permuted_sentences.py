"""Sentences of a text in any order, from which their own order is to be restored.

Lewis et al. 2020, *BART: Denoising Sequence-to-Sequence Pre-training for Natural Language Generation, Translation, and
Comprehension*, Sec. 2.2, "Sentence Permutation". The whole of the stretch is the target, so stretches are short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from nutgraf.datasets._derived import Derived, Origin
from nutgraf.presets.ranges import Range


@dataclass(frozen=True)
class Config(Origin):
    """Permuted sentences of another data set's texts."""

    sentences: Annotated[int, Range(ge=3)] = 6
    """Most sentences of an example; of a longer text, so many consecutive ones are drawn."""


class PermutedSentences(Derived):
    """Changes the order of sentences."""

    def derive(self, sentences: Sequence[str], draw: np.random.Generator) -> tuple[list[str], list[str]]:
        """Return the sentences in an order drawn at random, and in their own; see `Derived`."""
        return [sentences[index] for index in draw.permutation(len(sentences))], list(sentences)
