"""Faithfulness: what the rules of `nutgraf.faithfulness` find in a summary.

It needs no references: a summary of other content than theirs can be as faithful.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from nutgraf.faithfulness.check import checked_sentences, rules
from nutgraf.faithfulness.sources import Sources
from nutgraf.metrics import Direction, Example, Metric
from nutgraf.metrics._score import sign
from nutgraf.text.document import Document


@dataclass(frozen=True)
class Config:
    """Faithfulness to the source."""

    written_only: bool = False
    """Leave out the summaries of systems that only take sentences of the source, as they stand."""


class Faithfulness(Metric):
    """Overlap of words with the source, and share of sentences without a flag; None without a source or a summary."""

    needs = frozenset({"source"})

    config: Config
    directions: ClassVar[dict[str, Direction]] = {"overlap": "descriptive", "unflagged": "higher"}

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        of = {"of": "written"} if self.config.written_only else {}
        return sign("faithfulness", **of, rules="+".join(rules()), overlap="idf-of-source", sentences="mean")

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        if example.source is None or (self.config.written_only and example.copied):
            return dict.fromkeys(self.directions)
        summary = Document.of(" ".join(example.hypothesis), language=example.source.language)
        checked = checked_sentences(summary, _sources(example.source))
        if not checked:
            return dict.fromkeys(self.directions)
        return {
            "overlap": sum(1.0 if one.overlap is None else one.overlap for one in checked) / len(checked),
            "unflagged": sum(not sentence.flags for sentence in checked) / len(checked),
        }


@lru_cache(maxsize=1)
def _sources(document: Document) -> Sources:
    """Cached for the last source, because several summaries of it are scored in a row."""
    return Sources(document)
