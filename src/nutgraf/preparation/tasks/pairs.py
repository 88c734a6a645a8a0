"""Pairs of evidence and a sentence: is the sentence entailed, is it contradicted, or is neither the case?

    [CLS] evidence [SEP] sentence [SEP]        spans: [CLS], and the sentence

Evidence is cut where a row would be too long, a sentence never: one that leaves no half of the row to its evidence is
dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nutgraf.datasets import Dataset, Drop, Row
from nutgraf.datasets.pairs import LABELS, origin_of, pair_of
from nutgraf.preparation.source import BOS, EOS
from nutgraf.preparation.tasks import SpanExample, Task, TaskConfig
from nutgraf.presets.ranges import NonNegativeFloat, PositiveInt
from nutgraf.tokenizers import Tokenizer

MARKS = 3
"""[CLS] and two [SEP]."""


@dataclass(frozen=True)
class Config(TaskConfig):
    """Pairs of evidence and a sentence."""

    longest: PositiveInt = 256
    """Most tokens of a row; what is too long of the evidence is cut."""

    class_weights: tuple[NonNegativeFloat, NonNegativeFloat, NonNegativeFloat] = (1.0, 1.0, 1.0)
    """Weight of each class in training: entailment, neutral, contradiction; a pair's own weight is multiplied by it."""


EMPTY, TOO_LONG = "no text", "a sentence that takes more than half of the row"


class PairsTask(Task):
    """Classifies the sentence of a pair."""

    dataset = "pairs"
    spans = 2
    classes = LABELS
    config: Config

    @property
    def longest(self) -> int:
        """Most tokens of a row."""
        return self.config.longest

    def origin(self, row: Row) -> str:
        """Return the name of the set of a row; see `Task`."""
        return origin_of(row)

    def texts(self, row: Row, dataset: Dataset) -> Iterable[str]:
        """Return both texts; see `Task`."""
        return pair_of(row)[:2]

    def examples(self, row: Row, dataset: Dataset, tokenizer: Tokenizer, drop: Drop) -> Iterator[SpanExample]:
        """Yield the pair; see `Task`."""
        pair = pair_of(row)
        read, sentence = tokenizer.encode(pair.premise).ids, tokenizer.encode(pair.hypothesis).ids
        if not read or not sentence:
            return drop(EMPTY)
        room = self.longest - len(sentence) - MARKS
        if 2 * (room + 1) < self.longest - MARKS and room < len(read):
            return drop(TOO_LONG)
        ids, first = laid_out(read[:room], sentence)
        number = LABELS.index(pair.label)
        yield SpanExample(
            rows=[ids],
            spans=[[[(0, 0, 1)], [(0, first, len(ids) - 1)]]],
            labels=[number],
            weights=[pair.weight * self.config.class_weights[number]],
            id=dataset.id_of(row),
            origin=pair.origin,
            cut=room < len(read),
        )


def laid_out(evidence: tuple[int, ...], sentence: tuple[int, ...]) -> tuple[list[int], int]:
    """Return a row, and the position of the sentence's first token."""
    return [BOS, *evidence, EOS, *sentence, EOS], len(evidence) + 2
