"""Masked spans of a text, which a network learns to write (Song et al. 2019, *MASS*).

This follows the authors' code for summarization. A text is cut into stretches of the source's length, and each stretch,
behind its first piece, into blocks. Of each block one span is hidden; where it begins is drawn. In the source a hidden
piece is the tokenizer's mask or, seldom, itself or a piece drawn at random. The target is what was hidden, span behind
span: to write a piece, the decoder is given the one that stands before it in the text, at the position that it has
there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from nutgraf.datasets import Masking
from nutgraf.preparation.source import PAD, UNK, EncodedSource, EncodedTarget, Ids
from nutgraf.text.document import Document
from nutgraf.text.tokenize import Span
from nutgraf.tokenizers import SPECIAL_TOKENS, Tokenizer


class _Stretch(NamedTuple):
    """Tokens of a text that fill one source."""

    texts: Sequence[str]
    ids: Ids


class Masker:
    """Makes examples of texts; a source has at most `length` tokens."""

    def __init__(self, masking: Masking, tokenizer: Tokenizer, length: int) -> None:
        self.masking, self.tokenizer, self.length = masking, tokenizer, length
        self._mask = tokenizer.mask_id

    def __call__(self, document: Document) -> Iterator[tuple[EncodedSource, EncodedTarget]]:
        """Yield every stretch of a document, in every pass; its masks follow from the seed and the text alone."""
        digest = hashlib.sha256(document.text.encode()).digest()
        draw = np.random.default_rng([self.masking.seed, int.from_bytes(digest[:8])])
        stretches = list(self._stretches(document))
        for _ in range(self.masking.passes):
            for stretch in stretches:
                spans = list(self._spans(len(stretch.ids), draw))
                if spans:
                    yield self._hide(stretch, spans, draw)

    def _stretches(self, document: Document) -> Iterator[_Stretch]:
        """Yield the tokens of each part of a document, cut where a source is full."""
        for _, sentences in groupby(document.sentences, lambda sentence: document.part_of(sentence.start)):
            texts: list[str] = []
            ids: list[int] = []
            for pieces in (self.tokenizer.encode(document.show(sentence)) for sentence in sentences):
                texts += pieces.tokens
                ids += pieces.ids
            for start in range(0, len(ids), self.length):
                end = start + self.length
                yield _Stretch(texts[start:end], np.array(ids[start:end], dtype=np.int64))

    def _spans(self, length: int, draw: np.random.Generator) -> Iterator[Span]:
        """Yield the spans to hide. The first token stays: something must stand before a span."""
        block = self.masking.block_size
        for start in range(1, length, block):
            room = min(block, length - start)
            hidden = int(room * self.masking.masked_share)
            if hidden:
                first = start + int(draw.integers(room - hidden + 1))
                yield first, first + hidden

    def _hide(
        self, stretch: _Stretch, spans: Sequence[Span], draw: np.random.Generator
    ) -> tuple[EncodedSource, EncodedTarget]:
        """Return a stretch as the network sees it, and its target."""
        hidden = np.concatenate([np.arange(*span) for span in spans])
        fate = draw.random(len(hidden))
        others = draw.integers(len(SPECIAL_TOKENS), len(self.tokenizer), len(hidden))
        replaced = fate < self.masking.random_share
        masked = fate >= self.masking.random_share + self.masking.keep_share
        ids = stretch.ids.copy()
        ids[hidden[masked]] = self._mask
        ids[hidden[replaced]] = others[replaced]
        gone = set(hidden[masked | replaced].tolist())
        unknown: dict[str, int] = {}
        extended = ids.copy()
        for at in np.flatnonzero(stretch.ids == UNK).tolist():
            if at not in gone:
                extended[at] = unknown.setdefault(stretch.texts[at], len(self.tokenizer) + len(unknown))
        return EncodedSource(ids, extended, tuple(unknown), ()), _target(stretch, spans, unknown)


def _target(stretch: _Stretch, spans: Sequence[Span], unknown: Mapping[str, int]) -> EncodedTarget:
    """Return the hidden spans as a target, each after the token before it, which is given and is no label."""
    places = np.concatenate([np.arange(first - 1, end) for first, end in spans])
    ids = stretch.ids[places]
    extended = ids.copy()
    for at in np.flatnonzero(ids == UNK).tolist():
        extended[at] = unknown.get(stretch.texts[places[at]], UNK)
    extended[np.cumsum([0, *(end - first + 1 for first, end in spans[:-1])])] = PAD
    return EncodedTarget(ids, extended, places)
