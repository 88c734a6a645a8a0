"""Words and marks of the ids that a search found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import TYPE_CHECKING

from nutgraf.preparation import EncodedSource
from nutgraf.systems.compose import Written
from nutgraf.text.tokenize import Span, token_spans
from nutgraf.text.vocabulary import UNK
from nutgraf.tokenizers import Tokenizer

if TYPE_CHECKING:
    from nutgraf.decoding.ranking import Hypothesis

WORDLESS = "[…]"
"""Printed for a word that the network does not know."""


class Wording:
    """Puts the pieces between white space together, then parts them into words and marks, for one tokenizer.

    Without copying (`copies`) no word has a p_copy.
    """

    def __init__(self, tokenizer: Tokenizer, copies: bool) -> None:
        self._tokenizer = tokenizer
        self._texts = tokenizer.tokens
        self._begins = tokenizer.begins_word
        self._copies = copies

    def __call__(self, found: Hypothesis, source: EncodedSource) -> Iterator[Written]:
        """Yield the words and marks of a hypothesis, in order.

        A word's probability is the product of its tokens', its p_copy their mean; it is copied if most of its
        tokens are.
        """
        texts = [self._text(number, source) for number in found.ids]
        begins = [place for place, number in enumerate(found.ids) if place == 0 or self._stands_apart(number)]
        for first, end in pairwise([*begins, len(texts)]):
            for text, pieces, joined in self._parted(texts[first:end]):
                yield self._word(text, found, source, [first + piece for piece in pieces], joined)

    def _parted(self, texts: Sequence[str]) -> Iterator[tuple[str, list[int], bool]]:
        """Yield the words and marks between two white spaces, their tokens, and if one touches the one before it."""
        whole = self._tokenizer.decode(texts)
        borders = [0, *accumulate(len(self._tokenizer.decode([text])) for text in texts)]
        last = len(texts) - 1
        for start, end in [(0, len(whole))] if whole == UNK else token_spans(whole):
            pieces = [
                piece
                for piece in range(last + 1)
                if borders[piece] < end and (borders[piece + 1] > start or piece == last)
            ]
            yield whole[start:end], pieces or [last], start > 0

    def _word(
        self, text: str, found: Hypothesis, source: EncodedSource, pieces: Sequence[int], joined: bool
    ) -> Written:
        copied = sum(found.copied_shares[piece] for piece in pieces) > len(pieces) / 2
        return Written(
            text=WORDLESS if text == UNK else text,
            span=span_of([found.source_positions[piece] for piece in pieces], source) if copied else None,
            probability=prod(found.probabilities[piece] for piece in pieces),
            p_copy=sum(found.p_copy[piece] for piece in pieces) / len(pieces) if self._copies else None,
            joined=joined,
        )

    def _text(self, number: int, source: EncodedSource) -> str:
        known = len(self._texts)
        return self._texts[number] if number < known else source.unknown[number - known]

    def _stands_apart(self, number: int) -> bool:
        return number >= len(self._texts) or bool(self._begins[number])


def span_of(places: Sequence[int], source: EncodedSource) -> Span | None:
    """Return the characters that tokens were copied from.

    All of them if they stand in a row there, else those of the first one. A place of -1 is none.
    """
    known = [place for place in places if place >= 0]
    if not known:
        return None
    in_a_row = known == list(range(known[0], known[0] + len(places)))
    first, last = source.spans[known[0]], source.spans[known[-1] if in_a_row else known[0]]
    return int(first[0]), int(last[1])
