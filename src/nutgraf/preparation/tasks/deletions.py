"""Pieces of a sentence: may a piece go?

    [CLS] sentence [SEP]        spans of a piece: the piece, the rest of the sentence, and [CLS]

A sentence is never cut: one that is longer than a row is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nutgraf.datasets import Dataset, Drop, Row
from nutgraf.datasets.deletions import origin_of, pieces_of
from nutgraf.preparation.source import BOS, EOS
from nutgraf.preparation.tasks import SpanExample, Stretches, Task, TaskConfig
from nutgraf.presets.ranges import NonNegativeFloat, NonNegativeInt, PositiveInt
from nutgraf.text.tokenize import Span
from nutgraf.tokenizers import Tokenizer

NO_PIECE, TOO_LONG = "no piece with a word", "a sentence longer than a row"

MARKS = 2
"""[CLS] and [SEP]."""


@dataclass(frozen=True)
class Config(TaskConfig):
    """Pieces of a sentence."""

    longest: PositiveInt = 128
    """Most tokens of a row; longer sentences are dropped."""

    features: NonNegativeInt = 0
    """Numbers that the data have of each piece."""

    class_weights: tuple[NonNegativeFloat, NonNegativeFloat] = (1.0, 1.0)
    """Weight of each class in training: stays, may go; a piece's own weight is multiplied by it."""


EXAMPLES = (Config(), Config(features=2))


class DeletionsTask(Task):
    """Classifies pieces of a sentence."""

    dataset = "deletions"
    spans = 3
    classes = ("stays", "may go")
    config: Config

    @property
    def features(self) -> int:
        """Number of features of a piece."""
        return self.config.features

    @property
    def longest(self) -> int:
        """Most tokens of a row."""
        return self.config.longest

    def origin(self, row: Row) -> str:
        """Return the name of the set of a row; see `Task`."""
        return origin_of(row)

    def texts(self, row: Row, dataset: Dataset) -> Iterable[str]:
        """Return the sentence; see `Task`."""
        return [pieces_of(row).sentence]

    def examples(self, row: Row, dataset: Dataset, tokenizer: Tokenizer, drop: Drop) -> Iterator[SpanExample]:
        """Yield the sentence with its pieces; see `Task`."""
        found = pieces_of(row, self.features)
        encoded = tokenizer.encode(found.sentence)
        if len(encoded.ids) + MARKS > self.longest:
            return drop(TOO_LONG)
        laid = [spans_of_piece(encoded.spans, span) for span in found.spans]
        kept = [number for number, one in enumerate(laid) if one is not None]
        if not kept:
            return drop(NO_PIECE)
        yield SpanExample(
            rows=[[BOS, *encoded.ids, EOS]],
            spans=[one for one in laid if one is not None],
            labels=[found.labels[number] for number in kept],
            weights=[found.weights[number] * self.config.class_weights[found.labels[number]] for number in kept],
            features=[found.features[number] for number in kept] if found.features else (),
            id=dataset.id_of(row),
            origin=found.origin,
        )


def spans_of_piece(tokens: Sequence[Span], piece: Span) -> list[Stretches] | None:
    """Return the spans of a piece: itself, the rest and [CLS]; None where it has no token.

    Args:
        tokens: Characters of each token of the sentence.
        piece: Characters of the piece.
    """
    inside = [at for at, (start, end) in enumerate(tokens, start=1) if start < piece[1] and end > piece[0]]
    if not inside:
        return None
    first, last = inside[0], inside[-1] + 1
    rest = [(0, one, other) for one, other in ((1, first), (last, len(tokens) + 1)) if one < other]
    return [[(0, first, last)], rest, [(0, 0, 1)]]
