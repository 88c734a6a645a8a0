"""Statistics of a corpus: how many examples, how long they are, and which sections they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from nutgraf.datasets import Record, datasets

Counted = Callable[[int], None]
"""Told how many examples were counted."""


@dataclass
class Counts:
    """Counts of one split, or of several together.

    Attributes:
        target_words: Words of each example's first summary.
        target_sentences: Sentences of each example's first summary.
        sections: Number of examples that have a section of each class.
    """

    source_words: list[int] = field(default_factory=list)
    source_sentences: list[int] = field(default_factory=list)
    target_words: list[int] = field(default_factory=list)
    target_sentences: list[int] = field(default_factory=list)
    sections: Counter[str] = field(default_factory=Counter)

    def add(self, record: Record, classes: Iterable[str | None]) -> None:
        """Count an example, whose sections are of these classes."""
        document, summary = record.document, record.references[0] if record.references else ()
        self.source_words.append(document.num_words)
        self.source_sentences.append(len(document.sentences))
        self.target_words.append(sum(map(document.length_of, summary)))
        self.target_sentences.append(len(summary))
        self.sections.update({one for one in classes if one is not None})

    @classmethod
    def together(cls, several: Iterable[Counts]) -> Counts:
        """Return the counts of several splits together."""
        found = cls()
        for one in several:
            found.source_words += one.source_words
            found.source_sentences += one.source_sentences
            found.target_words += one.target_words
            found.target_sentences += one.target_sentences
            found.sections.update(one.sections)
        return found

    def statistic(self, name: str, section: str | None = None) -> float:
        """Return a statistic by its name in `published.toml`; a share of sections in percent."""
        if name == "pairs":
            return float(len(self.source_words))
        if name == "section_share":
            return 100 * self.sections[section or ""] / len(self.source_words)
        how, _, what = name.partition("_")
        values: list[int] = getattr(self, what)
        summaries: Mapping[str, Callable[[list[int]], Any]] = {"mean": np.mean, "median": np.median, "max": np.max}
        return float(summaries[how](values))


def count(kind: str, place: Path, limit: int | None = None, tell: Counted | None = None) -> Mapping[str, Counts]:
    """Count a corpus, split by split. Raises InputError if it cannot be read."""
    dataset = datasets.make(kind)
    found, done = {}, 0
    for split, part in dataset.splits(place).items():
        found[split] = Counts()
        for record in islice(dataset.examples(part), limit):
            found[split].add(record, (dataset.section_class(section.name) for section in record.document.sections))
            done += 1
            if tell is not None:
                tell(done)
    return found
