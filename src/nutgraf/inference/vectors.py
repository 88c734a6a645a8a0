"""Vectors of texts, whose products are cosines: the mean state of a text's word pieces, of length 1.

Those of all-MiniLM-L6-v2 were trained so that texts of the same content are close (Reimers and Gurevych 2019,
Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from nutgraf.inference.installed import ENCODER
from nutgraf.inference.network import Floats, Network, Reading, open_network


class TextEncoder:
    """Turns texts into vectors. Threads may share it."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def vectors(self, texts: Iterable[str]) -> Floats:
        """Return a vector of length 1 for each text, [texts, width]; of a long one the beginning counts."""
        words, room = self._network.words, self._network.card.longest - 2
        rows = [words.row(words.encode(text).ids[:room]) for text in texts]
        items = [[[(number, 0, len(row))]] for number, row in enumerate(rows)]
        means = self._network.vectors(Reading(rows, items))
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        found: Floats = means / np.maximum(lengths, np.finfo(np.float32).tiny)
        return found


def open_encoder(name: str | Path = ENCODER, threads: int = 1) -> TextEncoder:
    """Open the network that turns texts into vectors; see `open_network` for arguments and errors."""
    return TextEncoder(open_network(name, threads))
