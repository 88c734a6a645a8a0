"""Word vectors from a local file, and sentence vectors as their mean.

The file has the plain text format of word2vec and GloVe: a word and its numbers per line; a first line of two numbers
is skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError
from nutgraf.text.vectors import Array

LONGEST = 1 << 20
"""Maximum number of characters in a line."""

MOST = 400_000
"""Maximum number of words read; such files list the frequent ones first."""


class WordVectors:
    """Vectors of words; words without a vector are skipped."""

    def __init__(self, rows: dict[str, int], matrix: npt.NDArray[np.float32]) -> None:
        self._rows = rows
        self._matrix = matrix

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._matrix.shape[1])

    def of(self, words: Sequence[str]) -> tuple[list[int], npt.NDArray[np.float32]]:
        """Return the indices of the words that have a vector, and the vectors: [known × dimensions]."""
        known = [index for index, word in enumerate(words) if word in self._rows]
        return known, self._matrix[[self._rows[words[index]] for index in known]]

    def embed(self, sentences: Sequence[Sequence[str]]) -> Array:
        """Mean of each sentence's word vectors, scaled to length 1, or zero: [sentences × dimensions]."""
        result = np.zeros((len(sentences), self._matrix.shape[1]))
        for index, sentence in enumerate(sentences):
            rows = [self._rows[word] for word in sentence if word in self._rows]
            if rows:
                mean = self._matrix[rows].mean(axis=0)
                result[index] = mean / max(float(np.linalg.norm(mean)), 1e-12)
        return result


@lru_cache(maxsize=2)
def read_word_vectors(path: str) -> WordVectors:
    """Read a file of word vectors; the result is cached.

    Raises:
        InputError: If the file cannot be read, or a line does not fit the others; the message names the line.
    """
    rows: dict[str, int] = {}
    vectors: list[npt.NDArray[np.float32]] = []
    try:
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST + 1), ""), start=1):
                if len(line) > LONGEST:
                    raise ValueError(f"more than {LONGEST:,} characters")
                word, *values = line.rstrip().split(" ")
                if number == 1 and len(values) == 1:
                    continue
                vector = np.array(values, dtype=np.float32)
                if not values or (vectors and len(vector) != len(vectors[0])):
                    raise ValueError(f"{len(values)} numbers")
                if word not in rows:
                    rows[word] = len(vectors)
                    vectors.append(vector)
                if len(vectors) == MOST:
                    break
    except OSError as error:
        raise InputError(f"The word vectors {path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise InputError(
            f"{path}, line {number}, is not a word vector ({error}); a line has a word and its numbers, as in GloVe."
        ) from error
    if not vectors:
        raise InputError(f"{path} holds no word vectors.")
    return WordVectors(rows, np.stack(vectors))
