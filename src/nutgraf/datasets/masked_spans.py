"""Masked spans of another corpus' texts: pre-training without summaries.

Song et al. 2019, *MASS: Masked Sequence to Sequence Pre-training for Language Generation*.

`[dataset.of]` is any other data set; its default, `texts`, reads plain text files. Spans are masked when the corpus is
prepared (`preparation/masking.py`), since tokens are masked rather than words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nutgraf.datasets import Dataset, Drop, Masking, Part, Record, Row, Splits, datasets, ignore
from nutgraf.presets.family import Choice


@dataclass(frozen=True)
class Config(Masking):
    """Masked spans of another data set."""

    of: Choice[Dataset] = field(default_factory=lambda: datasets.choose("texts"))
    """Section of the data set whose texts are used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of.kind == "masked_spans":
            raise ValueError("of is another data set")


class MaskedSpans(Dataset):
    """Reads what the other data set reads."""

    def __init__(self, config: Config) -> None:
        self.masking = config
        self._of = datasets.build(config.of)

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row; see `Dataset`."""
        return self._of.record(row, drop)

    def rows(self, path: Path) -> Iterator[Row]:
        """Yield the rows of a file; see `Dataset`."""
        return self._of.rows(path)

    def reads(self, path: Path) -> bool:
        """Return True for files of the other data set."""
        return self._of.reads(path)

    def split_of(self, path: Path) -> str | None:
        """Return the split as the other data set does."""
        return self._of.split_of(path)

    def splits(self, path: Path) -> Splits:
        """Return the splits of the other data set."""
        return self._of.splits(path)

    def rows_of(self, part: Part) -> Iterator[Row]:
        """Yield the rows of one split of the other data set."""
        return self._of.rows_of(part)
