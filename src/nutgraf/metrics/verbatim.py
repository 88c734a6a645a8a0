"""Verbatim summaries: 1 for a summary whose words stand in its source in one stretch, else 0; a table has the share.

Words are compared in lower case and without marks, across sentence boundaries. A title that was copied out of its
abstract is verbatim; one whose words are from two places is not, even if all of them were copied.
"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

from nutgraf.metrics import Direction, Example, Metric
from nutgraf.metrics._score import sign
from nutgraf.text.document import Document
from nutgraf.text.tokenize import words


class Verbatim(Metric):
    """1 if the summary is one stretch of the source, 0 if not; None for a summary without words."""

    needs = frozenset({"source"})
    directions: ClassVar[dict[str, Direction]] = {"verbatim": "descriptive"}

    @property
    def signature(self) -> str:
        """Everything needed to reproduce a score; see `Metric`."""
        return sign("verbatim", lower=True, stem=False)

    def __call__(self, example: Example) -> dict[str, float | None]:
        """Score an example; see `Metric`."""
        if example.source is None:
            return {"verbatim": None}
        said = [word for sentence in example.hypothesis for word in words(sentence, example.source.language)]
        return {"verbatim": float(_joined(said) in _words_of(example.source)) if said else None}


def _joined(sequence: list[str]) -> str:
    """Return words as a text with a line break before and behind each, so that only whole words are found in it."""
    return "".join(f"\n{word}" for word in sequence) + "\n"


@lru_cache(maxsize=1)
def _words_of(source: Document) -> str:
    """Cached for the last source, because several summaries of it are scored in a row."""
    return _joined([word for sentence in source.words for word in sentence])
