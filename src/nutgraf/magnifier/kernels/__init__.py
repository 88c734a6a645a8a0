"""Kernels of the magnifier: three views of a document, one file each.

Sarkhel et al. 2020 (MLS), Sec. 2.2. A kernel analyses the document once and returns a head: a function that scores
sentences against it. The scores are not negative.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.presets.family import Family, Member
from nutgraf.text.document import Document

Words = Sequence[str]
"""A sentence as lowercased words, stop words included."""

Values = npt.NDArray[np.float64]
"""One value per sentence."""
Head = Callable[[Sequence[Words]], Values]


class Kernel(Member, ABC):
    """One head of the attention over sentences."""

    weight: float
    """The paper's w_i, from −1 to 1."""

    def __init__(self, config: Any) -> None:
        """Keep the options, which have a `weight`."""
        super().__init__(config)
        self.weight = config.weight

    def fit(self, documents: Iterable[Document]) -> None:
        """Collect statistics of a collection; most kernels need none."""

    @abstractmethod
    def __call__(self, document: Document) -> Head:
        """Analyse a document and return the head that scores sentences against it.

        The scores are finite and not negative. Those of a document's own sentences are not all alike; where there is
        nothing to look at, such as a text without words, they are.
        """


kernels: Family[Kernel] = Family(__name__, Kernel)
