"""Oracle sentences: the sentences of a source that are most like its reference are the summary.

The extractive oracle of Nallapati, Zhai and Zhou 2017 (*SummaRuNNer*), as `text/extractive_oracle.py` selects it. A
network that learns from it before it learns from references learns what to select, and to copy that.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import accumulate

from nutgraf.datasets import Dataset, Drop, Record, Row, datasets, ignore
from nutgraf.datasets._derived import Delegated, check_origin
from nutgraf.presets.family import Choice
from nutgraf.presets.ranges import NonNegativeInt, PositiveInt
from nutgraf.text.extractive_oracle import oracle_sentences
from nutgraf.text.tokenize import words

NO_REFERENCE = "an example without a reference"
NOTHING_SHARED = "a source that shares no word with its reference"

ENTRY = {"id": "a", "documents": ["Rye is dark . It is sour . It sells ."], "summary": "Dark rye sells ."}


@dataclass(frozen=True)
class Config:
    """Oracle sentences of another data set's examples."""

    of: Choice[Dataset] = field(default_factory=lambda: datasets.choose("jsonl"))
    """Section of the data set whose sources and references are used."""

    sentences: PositiveInt = 3
    """Most sentences of a summary; fewer where a further one would make it less like the reference."""

    source_words: NonNegativeInt = 0
    """Words at the beginning of a source from which whole sentences are selected, for a network that reads no further;
    0: all."""

    def __post_init__(self) -> None:
        check_origin(self.of)


class OracleSentences(Delegated):
    """Takes the source's own sentences for the reference, in the order of the source."""

    config: Config

    def record(self, row: Row, drop: Drop = ignore) -> Record | None:
        """Make the example of a row, of whose references the first one counts; see `Dataset`."""
        record = super().record(row, drop)
        if record is None:
            return None
        if not record.references:
            drop(NO_REFERENCE)
            return None
        offered = self._offered(record.document.words)
        wanted = words(" ".join(record.references[0]), record.document.language)
        selected = oracle_sentences(offered, wanted, self.config.sentences)
        if not selected:
            drop(NOTHING_SHARED)
            return None
        return replace(record, references=(tuple(record.document.printed[index] for index in selected),))

    def _offered(self, sentences: list[list[str]]) -> list[list[str]]:
        """Return the words of the sentences that may be selected, the first one always."""
        if not self.config.source_words:
            return sentences
        ends = accumulate(map(len, sentences))
        return sentences[: max(1, sum(end <= self.config.source_words for end in ends))]
