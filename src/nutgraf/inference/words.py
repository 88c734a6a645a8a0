"""Word pieces and their vectors, which the networks of one origin share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nutgraf.errors import InputError, requires
from nutgraf.inference.card import SCALES, TOKENIZER, WORDS
from nutgraf.inference.files import whole
from nutgraf.text.vocabulary import BOS, EOS

Floats = npt.NDArray[np.float32]

MOST_PIECES = 1 << 20
"""Word pieces of the largest vocabulary."""

KINDS = {"model": ("WordPiece",), "normalizer": ("BertNormalizer",), "pre_tokenizer": ("BertPreTokenizer",)}
"""What a tokenizer consists of, part by part: those of BERT take time in proportion to the text."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """A text in word pieces, without special ones.

    Attributes:
        ids: Numbers of the pieces.
        spans: First character of each, and the one behind its last.
    """

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]


class WordPieces:
    """Tokenizer and vectors of word pieces."""

    def __init__(self, tokenizer: Any, words: npt.NDArray[np.int8], scales: Floats) -> None:
        self._tokenizer, self._words, self._scales = tokenizer, words, scales
        self.begin, self.end = tokenizer.token_to_id(BOS), tokenizer.token_to_id(EOS)
        self.size, self.width = words.shape

    def encode(self, text: str) -> Pieces:
        """Split a text into word pieces."""
        found = self._tokenizer.encode(text, add_special_tokens=False)
        return Pieces(tuple(found.ids), tuple(found.offsets))

    def row(self, first: Sequence[int], second: Sequence[int] | None = None) -> list[int]:
        """Return the row of one text or two, [CLS] first [SEP] second [SEP]; BOS stands for [CLS], EOS for [SEP]."""
        return [self.begin, *first, self.end, *([] if second is None else [*second, self.end])]

    def vectors(self, ids: npt.NDArray[np.int64]) -> Floats:
        """Return the vectors of word pieces."""
        found: Floats = self._words[ids] * self._scales[ids, None]
        return found

    def segments(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return 1 for the word pieces of a row's second text, up to and with its [SEP], and 0 for all others."""
        ends = ids == self.end
        return ((ends.cumsum() - ends) > 0).astype(np.int64)


def read_words(folder: Path, digests: Mapping[str, str]) -> WordPieces:
    """Read word pieces and their vectors.

    Args:
        folder: Folder where the files lie.
        digests: SHA-256 of each file.

    Raises:
        InputError: If a file is missing, changed or not what it should be.
        MissingPackage: If the package tokenizers is not installed.
    """
    return _read(folder, tuple(digests[name] for name in (WORDS, SCALES, TOKENIZER)))


@lru_cache(maxsize=4)
def _read(folder: Path, digests: tuple[str, str, str]) -> WordPieces:
    for_words, for_scales, for_tokenizer = digests
    words = _array(folder / WORDS, for_words, np.dtype("i1"), 2)
    scales = _array(folder / SCALES, for_scales, np.dtype("<f4"), 1)
    path = folder / TOKENIZER
    tokenizer = _tokenizer(whole(path, for_tokenizer), path)
    size = tokenizer.get_vocab_size()
    if not len(words) == len(scales) == size or size > MOST_PIECES or not np.isfinite(scales).all():
        raise InputError(
            f"{folder} does not fit together: {size} word pieces, {len(words)} vectors, {len(scales)} finite scales."
        )
    return WordPieces(tokenizer, words, scales)


def _array(path: Path, digest: str, kind: np.dtype[Any], dimensions: int) -> Any:
    """Return an array that stays on the disk until it is needed."""
    whole(path, digest)
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # of an empty file or a damaged header, the library raises what it meets
        raise InputError(f"{path} is no array: {error}.") from error
    if found.dtype != kind or found.ndim != dimensions:
        raise InputError(f"{path} has {found.ndim} dimensions of {found.dtype}; {dimensions} of {kind} are needed.")
    return found


def _tokenizer(data: bytes, path: Path) -> Any:
    with requires("minilm", "Networks that have read need"):
        from tokenizers import Tokenizer
    try:
        told = json.loads(data)
        kinds = {part: told[part]["type"] for part in KINDS}
        if any(kinds[part] not in KINDS[part] for part in KINDS):
            raise ValueError(
                f"it is of {', '.join(kinds.values())}, not of {', '.join(one for (one,) in KINDS.values())}"
            )
        found = Tokenizer.from_str(data.decode("utf-8"))
        vocabulary = found.get_vocab()
        if any(mark not in vocabulary for mark in (BOS, EOS)):
            raise ValueError(f"{BOS} or {EOS} is missing")
        if max(vocabulary.values()) >= len(vocabulary):
            raise ValueError(f"{len(vocabulary)} word pieces have numbers up to {max(vocabulary.values())}")
    except Exception as error:  # the library raises nothing narrower
        raise InputError(f"{path} is no tokenizer of BERT: {str(error)[:200]}.") from error
    found.no_truncation()
    found.no_padding()
    return found
